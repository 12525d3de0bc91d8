#pragma once
// Processes that tell and follow feeds over HTTP, to be killed.

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <thread>

#include "common/http/server.hpp"
#include "tests/integration/events_bed.hpp"

namespace parley::events_tests {

// Runs `work` in a child process until it is killed.
class Child {
 public:
  explicit Child(std::function<void()> work) : work_(std::move(work)) { start(); }
  ~Child() { kill(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  void start() {
    process_ = ::fork();
    if (process_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    try {
      work_();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
    }
    ::_exit(1);
  }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  std::function<void()> work_;
  pid_t process_ = -1;
};

// A feed at a port of 127.0.0.1.
class FeedServer {
 public:
  FeedServer(Loop& loop, events::Feed& feed, int port)
      : wheel_(loop.context()),
        server_(loop.context(), wheel_,
                {boost::asio::ip::make_address("127.0.0.1"), static_cast<boost::asio::ip::port_type>(port)}, {},
                {[&feed](http::Request& request) { return feed.serve(std::string(request.query)); },
                 [](unsigned status, std::string_view, std::string_view) {
                   return http::to_response({.status = status, .detail = ""}, "", "");
                 }}) {
    server_.start();
  }

 private:
  http::DeadlineSweeper wheel_;
  http::Server server_;
};

}  // namespace parley::events_tests

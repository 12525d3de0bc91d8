// Asks for one contact after another, at random, at a rate that does not wait for the answers (an open loop). A latency
// counts from the moment at which its request should have begun, so a request that waited for a free connection is as
// slow as it was for its client. Prints {"rate","p50","p99","p999","failures"}: answers a second, milliseconds, and how
// many answers were not a whole 200.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <cstdlib>
#include <random>

#include "tests/bench/contact_id.hpp"
#include "tests/bench/quantile.hpp"

namespace parley::bench {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::awaitable, asio::use_awaitable;

constexpr int kConnections = 128;
constexpr auto kWarmUp = std::chrono::seconds(1);  // the answers of this time do not count

struct Target {
  asio::ip::port_type port;
  std::string authorization;
  std::uint64_t contacts;
};

class Steady {
 public:
  Steady(asio::io_context& context, Target target, double rate, int seconds)
      : context_(context),
        target_(std::move(target)),
        interval_(1e9 / rate),
        count_(static_cast<std::uint64_t>(rate * (seconds + std::chrono::duration<double>(kWarmUp).count()))),
        contact_(1, target_.contacts) {}

  void start() {
    begin_ = Clock::now();
    for (int i = 0; i < kConnections; ++i) asio::co_spawn(context_, connect_and_ask(), asio::detached);
  }

  void print() {
    const auto measured = std::chrono::duration<double>(last_ - begin_ - kWarmUp).count();
    std::printf("{\"rate\":%.1f,\"p50\":%.3f,\"p99\":%.3f,\"p999\":%.3f,\"failures\":%llu}\n",
                static_cast<double>(latencies_.size()) / measured, quantile(latencies_, 0.5),
                quantile(latencies_, 0.99), quantile(latencies_, 0.999), static_cast<unsigned long long>(failures_));
  }

 private:
  Clock::time_point due(std::uint64_t n) const {
    return begin_ + std::chrono::nanoseconds(static_cast<std::int64_t>(interval_ * static_cast<double>(n)));
  }

  // A connection that breaks is not replaced: its request counts as failed.
  awaitable<void> connect_and_ask() {
    try {
      boost::beast::tcp_stream stream(context_);
      co_await stream.async_connect({asio::ip::address_v4::loopback(), target_.port}, use_awaitable);
      stream.socket().set_option(asio::ip::tcp::no_delay(true));
      co_await ask_by(stream);
    } catch (const std::exception&) {
      ++failures_;
    }
  }

  // Takes the next request of the timetable whenever the connection is free.
  awaitable<void> ask_by(boost::beast::tcp_stream& stream) {
    asio::steady_timer timer(context_);
    boost::beast::flat_buffer buffer;
    while (next_ < count_) {
      const auto begin = due(next_++);
      timer.expires_at(begin);
      co_await timer.async_wait(use_awaitable);
      stream.expires_after(std::chrono::seconds(10));
      co_await http::async_write(stream, request(), use_awaitable);
      http::response<http::string_body> response;
      co_await http::async_read(stream, buffer, response, use_awaitable);
      stream.expires_never();
      last_ = Clock::now();
      if (begin >= begin_ + kWarmUp) latencies_.push_back(last_ - begin);
      if (response.result() != http::status::ok || response.count("Parley-Degraded") > 0) ++failures_;
    }
  }

  http::request<http::empty_body> request() {
    http::request<http::empty_body> out(http::verb::get, "/api/contacts/" + contact_id(contact_(random_)).text(), 11);
    out.set(http::field::host, "127.0.0.1");
    out.set(http::field::authorization, target_.authorization);
    return out;
  }

  asio::io_context& context_;
  Target target_;
  double interval_;  // nanoseconds
  std::uint64_t count_, next_ = 0, failures_ = 0;
  Clock::time_point begin_, last_;
  std::vector<Clock::duration> latencies_;
  std::minstd_rand random_;
  std::uniform_int_distribution<std::uint64_t> contact_;
};

}  // namespace
}  // namespace parley::bench

int main(int argc, char** argv) {
  using namespace parley::bench;
  const char* authorization = std::getenv("AUTHORIZATION");
  if (argc != 5 || !authorization) {
    std::fprintf(stderr, "usage: AUTHORIZATION='Bearer KEY' parley-bench-steady PORT RATE SECONDS CONTACTS\n");
    return 2;
  }
  asio::io_context context(1);
  Target target{static_cast<asio::ip::port_type>(std::atoi(argv[1])), authorization,
                std::strtoull(argv[4], nullptr, 10)};
  Steady steady(context, std::move(target), std::atof(argv[2]), std::atoi(argv[3]));
  steady.start();
  context.run();
  steady.print();
}

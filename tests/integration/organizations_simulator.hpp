#pragma once
// A channel simulator in a process of its own.

#include <doctest/doctest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "common/http/client.hpp"
#include "tests/integration/organizations_world.hpp"

namespace parley::organizations_tests {

class Simulator {
 public:
  Simulator() {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0) throw std::runtime_error("no pipe");
    process_ = ::fork();
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(pipe[1], 1);
      ::close_range(3, ~0U, 0);
      ::execl(PARLEY_BIN_DIR "/parley-simulator", "parley-simulator", "--listen", "127.0.0.1:0", "--app-id", "300",
              "--app-secret", "the-app-secret", nullptr);
      ::_exit(127);
    }
    ::close(pipe[1]);
    std::FILE* const out = ::fdopen(pipe[0], "r");
    const bool listening = std::fscanf(out, "{\"listening\":%d}", &port_) == 1;
    std::fclose(out);
    if (!listening) throw std::runtime_error("parley-simulator does not start: was it built?");
  }
  ~Simulator() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  pid_t process_ = -1;
  int port_ = 0;
};

// A world whose channel is a simulator, and that simulator's control.
struct Channel {
  explicit Channel(const std::string& app_secret = "the-app-secret", const std::string& callback = "")
      : world({simulator.url() + "/v20.0", app_secret, callback}),
        client(world.context(), world.wheel(), {.url = simulator.url(), .tls_ca_file = {}}) {}

  void control(http::Method method, const std::string& path, const std::string& body = "") {
    http::ClientRequest request;
    request.method = method;
    request.target = "/simulator/" + path;
    request.body = body;
    const auto response = world.run(client.send(request));
    REQUIRE_MESSAGE(response.status == 204, response.body);
  }
  // The next `times` calls to a path fail.
  void fail(const std::string& path, const std::string& status, int times = 1, const std::string& error = "") {
    std::string body = R"({"path":")" + path + R"(","status":)" + status + R"(,"times":)" + std::to_string(times);
    if (!error.empty()) body += R"(,"error":)" + error;
    control(http::Method::post, "faults", body + "}");
  }
  void add_account(const std::string& account, const std::string& number, const std::string& status = "VERIFIED") {
    control(http::Method::post, "accounts",
            R"({"businessAccountId":")" + account + R"(","phoneNumbers":[{"id":")" + number +
                R"(","codeVerificationStatus":")" + status + "\"}]}");
  }
  // The calls that came: "GET /v20.0/oauth/access_token 200".
  std::vector<std::string> calls() {
    std::vector<std::string> out;
    const auto journal = read("journal");
    for (const auto& call : journal.at("calls").as_array())
      out.push_back(std::string(call.at("method").as_string()) + " " + std::string(call.at("path").as_string()) + " " +
                    std::to_string(call.at("status").to_number<int>()));
    return out;
  }
  std::size_t count(const std::string& path) {
    std::size_t found = 0;
    for (const auto& call : calls()) found += call.find(path) != call.npos;
    return found;
  }
  boost::json::value read(const std::string& path) {
    http::ClientRequest request;
    request.target = "/simulator/" + path;
    const auto response = world.run(client.send(request));
    model::Fault fault;
    auto json = model::parse(response.body, fault);
    REQUIRE(json);
    return std::move(*json);
  }

  Simulator simulator;
  World world;
  http::Client client;
};

}  // namespace parley::organizations_tests

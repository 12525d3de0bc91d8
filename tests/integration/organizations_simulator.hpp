#pragma once
// The organizations service with a channel simulator, in a process of its own.

#include <doctest/doctest.h>

#include <string>

#include "common/http/client.hpp"
#include "tests/integration/organizations_world.hpp"
#include "tests/integration/simulator_process.hpp"

namespace parley::organizations_tests {

using simulator_tests::SimulatorProcess;

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

  SimulatorProcess simulator{{"--app-id", "300", "--app-secret", "the-app-secret"}};
  World world;
  http::Client client;
};

}  // namespace parley::organizations_tests

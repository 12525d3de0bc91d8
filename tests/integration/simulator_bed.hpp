#pragma once
// A simulator, and an application in the test's process that hears what it tells.
#include <doctest/doctest.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "tests/integration/http_bed.hpp"
#include "tests/integration/simulator_process.hpp"
#include "tests/support/wire.hpp"

namespace parley::simulator_tests {

namespace json = boost::json;
using support::Answer;

inline const std::string kSecret = "the-app-secret";
inline const std::string kAccount = "100000000000001", kNumber = "200000000000001";
inline const std::string kUser = "491701234567";

// Takes webhooks, and keeps them.
class Application {
 public:
  struct Webhook {
    std::string path, signature, body;
    bool operator==(const Webhook&) const = default;
  };

  Application();
  std::string url() const { return server_.url() + "/webhooks/messaging"; }
  std::vector<Webhook> webhooks();
  // The next webhooks are answered with these, then all with 200.
  void answer_with(std::vector<unsigned> statuses);

 private:
  http::Response serve(http::Request& request, std::string body);

  std::mutex mutex_;
  std::vector<Webhook> webhooks_;
  std::vector<unsigned> statuses_;
  http_tests::TestServer server_;
};

// The HMAC as OpenSSL has it, not the simulator.
std::string signature_of(std::string_view body);

struct Bed {
  explicit Bed(std::vector<std::string> options = {});

  // A call of the channel's interface, with a token; without the version.
  Answer graph(const std::string& method, const std::string& path, const std::string& body = "",
               const std::string& content_type = "application/json",
               std::vector<std::pair<std::string, std::string>> fields = {});
  // A message with what every message has: "to" and the rest.
  Answer send(json::object message, const std::string& to = kUser);
  Answer send_text(const std::string& opaque, const std::string& to = kUser);
  // The simulator's control; fails the test unless it is done.
  json::value control(const std::string& method, const std::string& path, const json::value& body = nullptr);
  void behave(const json::object& behaviour) { control("POST", "behaviour", behaviour); }
  // The user wrote: now they may be written to.
  void open_window(const std::string& user = kUser);
  json::value judge(const std::string& query = "") { return control("GET", "accepted" + query); }

  // Waits until nothing waits to be told, and fails the test after a minute.
  void wait_until_told();
  void wait_for(const std::function<bool()>& condition);
  // All messages, statuses and changes that the application heard, in the order in which they came.
  json::array heard(const std::string& kind);

  Application application;
  SimulatorProcess simulator;
  std::string token;
};

inline std::int64_t code_of(const Answer& answer) { return answer.json().at("error").at("code").as_int64(); }
inline std::string id_of(const Answer& answer) {
  return std::string(answer.json().at("messages").at(0).at("id").as_string());
}

}  // namespace parley::simulator_tests

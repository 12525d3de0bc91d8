#pragma once
#include "common/http/problem.hpp"
#include "common/http/router.hpp"
#include "tests/simulator/state.hpp"

namespace parley::simulator {

using boost::asio::awaitable;

// What the channel does not have: how tests look into the simulator and make it fail.
//
//   GET    /simulator/journal    {"calls":[{method, path, query, authorization, body, status}]}, oldest first
//   DELETE /simulator/journal    forgets them
//   POST   /simulator/faults     {"path": "/123/register", "method"?: "POST", "times"?: 1,
//                                 "status": 500 | "hang" | "reset" | "lose", "error"?: {code, message, ..}, "body"?:
//                                 text}
//   DELETE /simulator/faults     nothing fails any more
//   POST   /simulator/accounts   {"businessAccountId", "phoneNumbers": [{"id", "displayPhoneNumber"?, "verifiedName"?,
//                                 "codeVerificationStatus"?}]}: makes them, or anew
//   GET    /simulator/accounts   what is there, with subscriptions and PINs
class Control {
 public:
  explicit Control(State& state);
  // Throws Problem.
  awaitable<http::Response> serve(http::Request& request);

 private:
  using Handler = http::Response (Control::*)(std::string_view body);
  void add(http::Method method, std::string_view path, Handler handler);
  http::Response show_journal(std::string_view body);
  http::Response clear_journal(std::string_view body);
  http::Response add_fault(std::string_view body);
  http::Response clear_faults(std::string_view body);
  http::Response make_account(std::string_view body);
  http::Response show_accounts(std::string_view body);

  State& state_;
  http::Router router_;
  std::vector<Handler> handlers_;
};

}  // namespace parley::simulator

#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/simulator/faults.hpp"

namespace parley::simulator {

struct Settings {
  std::string app_id, app_secret;
  std::string business_account_id, phone_number_id;  // those that are there from the start
};

struct PhoneNumber {
  std::string id;
  std::string business_account_id;
  std::string display_phone_number;
  std::string verified_name;
  std::string code_verification_status = "VERIFIED";
  std::optional<std::string> pin;  // once it is registered
};

struct Subscription {
  std::string override_callback_uri, verify_token;
};

// One call as it came and as it was answered.
struct Call {
  std::string method, path, query, authorization, body;
  unsigned status = 0;  // 0: it got no answer
};

// All that the simulator knows. Gone with the process.
struct State {
  Settings settings;
  std::set<std::string, std::less<>> spent_codes;
  std::set<std::string, std::less<>> tokens;
  std::map<std::string, std::optional<Subscription>, std::less<>> accounts;  // by id
  std::map<std::string, PhoneNumber, std::less<>> numbers;                   // by id
  Faults faults;
  std::deque<std::shared_ptr<Call>> journal;  // the newest 10,000
};

}  // namespace parley::simulator

#pragma once
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/simulator/accepted.hpp"
#include "tests/simulator/faults.hpp"
#include "tests/simulator/limits.hpp"
#include "tests/simulator/media.hpp"
#include "tests/simulator/templates.hpp"

namespace parley::simulator {

struct Settings {
  std::string app_id, app_secret;
  std::string business_account_id, phone_number_id;  // present from the start
  std::string webhook_url;                           // of the application; "": none
  bool open_window = false;                          // see Behaviour::service_window
};

struct PhoneNumber {
  std::string id;
  std::string business_account_id;
  std::string display_phone_number;
  std::string verified_name;
  std::string code_verification_status = "VERIFIED";
  std::optional<std::string> pin;  // once registered
  std::uint16_t number = 0;        // index in State::number_ids
};

struct Subscription {
  std::string override_callback_uri, verify_token;
};

enum class Fate : std::uint8_t { sent, delivered, read, failed };
BOOST_DESCRIBE_ENUM(Fate, sent, delivered, read, failed)

// See control.hpp for the meaning of the members.
struct Behaviour {
  std::vector<Fate> statuses{Fate::sent, Fate::delivered, Fate::read};
  std::int64_t failure = 131026;
  std::int64_t delay_ms = 50, reorder_ms = 0, answer_delay_ms = 0, retry_ms = 1000;
  std::int64_t repeat = 1, batch = 1;
  std::int64_t rate = 0, pair_ms = 0, pair_burst = 45;
  std::int64_t media_seconds = 300;
  bool early = false, service_window = true, verify_callbacks = false;
  std::string reply;
  std::string messaging_limit = "TIER_UNLIMITED";
  std::string webhook_url;
};

struct Call {
  std::string method, path, query, authorization, body;
  unsigned status = 0;  // 0: no response
};

class Journal {
 public:
  static constexpr std::size_t kMax = 10'000, kMaxBodyLength = 16 * 1024;

  std::uint64_t add(Call call) {
    if (call.body.size() > kMaxBodyLength) call.body.resize(kMaxBodyLength);
    calls_.push_back(std::move(call));
    if (calls_.size() > kMax) {
      calls_.pop_front();
      ++first_;
    }
    return first_ + calls_.size() - 1;
  }
  // nullptr if dropped.
  Call* find(std::uint64_t number) {
    return number >= first_ && number - first_ < calls_.size() ? &calls_[number - first_] : nullptr;
  }
  const std::deque<Call>& calls() const { return calls_; }
  void clear() {
    first_ += calls_.size();
    calls_.clear();
  }

 private:
  std::deque<Call> calls_;
  std::uint64_t first_ = 0;
};

struct State {
  static constexpr std::size_t kMaxNumbers = 65'536;

  Settings settings;
  Behaviour behaviour;
  std::set<std::string, std::less<>> spent_codes;
  std::map<std::string, std::optional<Subscription>, std::less<>> accounts;  // by id
  std::map<std::string, PhoneNumber, std::less<>> numbers;                   // by id
  std::vector<std::string> number_ids;
  Faults faults;
  Journal journal;
  Accepted accepted;
  Windows windows;
  Rates rates;
  Pairs pairs;
  Templates templates;
  MediaStore media;
  std::map<std::string, std::uint64_t> uploads;  // resumable ones that began, with their sizes
  std::set<std::string, std::less<>> handles;    // of those that ended

  // Creates an account with the default templates, unless it exists.
  void add_account(const std::string& id) {
    if (accounts.try_emplace(id).second) templates.add_defaults(id);
  }
  void add_number(PhoneNumber number) {
    const auto known = numbers.find(number.id);
    if (known != numbers.end()) {
      number.number = known->second.number;
    } else {
      number.number = static_cast<std::uint16_t>(number_ids.size());
      number_ids.push_back(number.id);
    }
    auto id = number.id;
    numbers.insert_or_assign(std::move(id), std::move(number));
  }
};

}  // namespace parley::simulator

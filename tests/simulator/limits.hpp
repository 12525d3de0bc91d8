#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace parley::simulator {

// Milliseconds since 1970.
std::int64_t now_ms();

// Service windows: a business may write freely to a user until 24 hours after the user's last message.
class Windows {
 public:
  static constexpr std::int64_t kLength = 24 * 3600 * 1000;  // milliseconds
  static constexpr std::size_t kMax = 1'000'000;

  // Notes a message from the user. False if there is no room for more windows.
  bool open(std::string_view phone_number_id, std::string_view user, std::int64_t at);
  bool is_open(std::string_view phone_number_id, std::string_view user, std::int64_t now) const;

 private:
  std::unordered_map<std::string, std::int64_t> last_;  // time of the last message, by number and user
};

// Messages per second for each phone number.
class Rates {
 public:
  bool admit(std::string_view phone_number_id, std::int64_t rate, std::int64_t now);

 private:
  struct Second {
    std::int64_t begun = 0, count = 0;
  };
  std::map<std::string, Second, std::less<>> seconds_;
};

// One message to a user per `each` milliseconds, with a burst of `burst`.
class Pairs {
 public:
  bool admit(std::string_view phone_number_id, std::string_view user, std::int64_t each, std::int64_t burst,
             std::int64_t now);

 private:
  std::unordered_map<std::string, std::int64_t> taken_;  // by number and user: until when the share is used up
};

}  // namespace parley::simulator

#pragma once
#include <boost/json/object.hpp>

#include "tests/simulator/state.hpp"
#include "tests/simulator/webhooks.hpp"

namespace parley::simulator {

// POST /{phone number}/messages: messages of every type, and read receipts.
class Messages {
 public:
  Messages(State& state, Webhooks& webhooks) : state_(state), webhooks_(webhooks) {}
  http::Response take(const PhoneNumber& number, std::string_view body, std::uint64_t call);

 private:
  http::Response mark_read(const boost::json::object& message);
  http::Response send(const PhoneNumber& number, const boost::json::object& message, std::uint64_t call);
  void check_limits(const PhoneNumber& number, std::string_view recipient, bool is_template);
  void reply(const PhoneNumber& number, std::uint32_t message);

  State& state_;
  Webhooks& webhooks_;
};

// The digits of a phone number in any notation; "" if it is none.
std::string digits_of(std::string_view phone);

// The recipient in a message's body: digits, or a business-scoped user id; "" if missing.
std::string recipient_of(std::string_view body);

// The channel's description of a sender; `user` is digits, or a business-scoped id.
std::string contact_json(std::string_view user, std::string_view name);

}  // namespace parley::simulator

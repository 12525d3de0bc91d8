#pragma once
// An organization that is connected to the simulator, and the channel's side of its conversations: signed webhooks, as
// the channel would post them, and what the simulator accepted.
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "tests/e2e/world.hpp"

namespace parley::e2e {

// Waits until the condition holds, for a minute.
bool comes_to(const std::function<bool()>& condition);
// The same; that it never holds is a fault of the test's.
void wait_for(std::string_view what, const std::function<bool()>& condition);

class Channel {
 public:
  // Makes the organization and connects it to the number, which the simulator is told of.
  Channel(System& system, const std::string& name, const std::string& phone_number_id);

  // Connects it to another number, which it then has instead.
  void connect(const std::string& phone_number_id);

  Client client() { return Client(system_, owner_.api_key); }
  const std::string& organization() const { return owner_.organization_id; }
  const std::string& api_key() const { return owner_.api_key; }
  const std::string& phone_number_id() const { return phone_number_id_; }

  // One customer's message: {"from","id","timestamp","type", ...}. `number` without its plus.
  static boost::json::object text(const std::string& number, const std::string& wamid, const std::string& text,
                                  std::int64_t seconds_ago = 0);
  static boost::json::object status(const std::string& wamid, std::string_view status,
                                    const std::string& opaque_id = {});
  // The body of a webhook.
  std::string body(boost::json::array messages, boost::json::array statuses = {},
                   boost::json::array contacts = {}) const;
  // Posts it to a gateway, signed; again and again until it is answered 200, as the channel does. False when it is not
  // within a minute, which deliver() takes for a fault of the test's.
  bool try_to_deliver(const std::string& body, std::size_t gateway = 0) const;
  void deliver(const std::string& body, std::size_t gateway = 0) const;
  // One attempt: the status of the answer, 0 for none.
  unsigned post(const std::string& body, const std::string& signature, std::size_t gateway = 0) const;
  static std::string signature_of(std::string_view body);

  // The contact with that number as GET /api/contacts/{id} has it; null when there is none.
  boost::json::value contact(const std::string& number);
  // Their Active conversation as GET /api/conversation/{id} has it; null when there is none.
  boost::json::value conversation(const std::string& number);
  std::int64_t messages_of(const std::string& conversation_id);  // rows in the table

  // The simulator's control.
  boost::json::value simulator(const std::string& method, const std::string& target,
                               const boost::json::value& body = nullptr) const;

 private:
  System& system_;
  Caller owner_;
  std::string name_, phone_number_id_;
};

}  // namespace parley::e2e

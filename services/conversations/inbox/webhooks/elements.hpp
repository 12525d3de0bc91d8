#pragma once
// Reads single elements of webhooks: what a change's lists have. Each sets `sender` and `what` of the element, or its
// `fault`. `latest` stands for moments that are missing, wrong or in the future.
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

#include "conversations/inbox/webhooks/payload.hpp"

namespace parley::conversations::webhooks {

// The people that a change describes, by number and id.
class Contacts {
 public:
  explicit Contacts(const boost::json::object& value);
  // The sender's description; the only one if the element names no sender; nullptr if none.
  const boost::json::value* find(const std::string& from, const std::string& user_id) const;

 private:
  const boost::json::value* only_ = nullptr;
  std::unordered_map<std::string, const boost::json::value*> by_id_;
};

// Seconds or milliseconds, text or number. Invalid and future times become `latest`.
model::Timestamp moment_of(const boost::json::object& object, std::string_view key, model::Timestamp latest);

// Without an id, the content identifies an element.
std::string key_of(const std::string& id, const boost::json::object& content);

void read_message(const Contacts& contacts, const boost::json::object& message, model::Timestamp latest,
                  Element& element);

// https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/smb_message_echoes
void read_echo(const Contacts& contacts, const boost::json::object& message, model::Timestamp latest, Element& element);

// A message of the app's history: of a thread, or a medium that follows without one. `value` is the change's.
// https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/history/
void read_old(const boost::json::object& value, const Contacts& contacts, const boost::json::object& message,
              model::Timestamp latest, Element& element);

// One System message a call, by whichever of its reports comes first; its end completes it.
// https://developers.facebook.com/documentation/business-messaging/whatsapp/calling/user-initiated-calls
void read_call(const Contacts& contacts, const boost::json::object& call, model::Timestamp latest, Element& element);

// False for kinds that are passed over.
bool read_status(const boost::json::object& status, model::Timestamp latest, Element& element);
bool read_preference(const Contacts& contacts, const boost::json::object& preference, model::Timestamp latest,
                     Element& element);

// The field `user_id_update`, which some applications get in place of a system message: shown as one.
void read_user_id_update(const Contacts& contacts, const boost::json::object& update, model::Timestamp latest,
                         Element& element);

}  // namespace parley::conversations::webhooks

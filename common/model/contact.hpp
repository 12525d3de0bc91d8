#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/model/json.hpp"
#include "common/model/list.hpp"

namespace parley::model {

enum class ContactStatus { Active, Inactive, Blocked, OptedOut };
BOOST_DESCRIBE_ENUM(ContactStatus, Active, Inactive, Blocked, OptedOut)

// A contact as conversations embed it.
struct ContactSummary {
  Uuid uniqueId;
  std::string name;
  std::string phone;
  RawJson attributes;
  Timestamp createdAt;
  ContactStatus status = ContactStatus::Active;
};
BOOST_DESCRIBE_STRUCT(ContactSummary, (), (uniqueId, name, phone, attributes, createdAt, status))

// A contact in responses of contacts. The conversations are JSON from another context: an array of
// ConversationInContact.
struct Contact : ContactSummary {
  std::vector<List> lists;
  std::vector<Tag> tags;
  RawJson conversations{"[]"};
};
BOOST_DESCRIBE_STRUCT(Contact, (ContactSummary), (lists, tags, conversations))

}  // namespace parley::model

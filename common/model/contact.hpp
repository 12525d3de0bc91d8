#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/model/json.hpp"

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

}  // namespace parley::model

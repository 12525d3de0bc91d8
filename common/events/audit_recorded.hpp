#pragma once
// The event by which other contexts report audit entries to organizations; appended to the outbox in the transaction of
// the audited action.
#include <boost/describe/class.hpp>
#include <optional>
#include <string>

#include "common/model/audit.hpp"

namespace parley::events {

struct AuditRecorded {
  static constexpr std::string_view type = "audit.recorded";
  model::Uuid id;  // makes the entry idempotent: an event that is read twice is one entry
  model::Uuid organizationId;
  model::AuditAction action = model::AuditAction::ContactsDeleted;
  std::optional<model::Uuid> subjectId;  // if the action has one object
  std::string subject;                   // the object's name, or a count: "3 contacts"; at most 255 characters
  std::optional<model::Uuid> memberId;
  std::string credentialId;  // chassis::RequestContext::credential_id
  std::string address;       // chassis::RequestContext::client_address
  std::string requestId;     // chassis::RequestContext::request_id
  model::Timestamp at;
  std::optional<model::RawJson> details;  // an object, such as an export's filters
};
BOOST_DESCRIBE_STRUCT(AuditRecorded, (),
                      (id, organizationId, action, subjectId, subject, memberId, credentialId, address, requestId, at,
                       details))

}  // namespace parley::events

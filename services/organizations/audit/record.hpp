#pragma once
#include "common/chassis/pipeline.hpp"
#include "common/model/audit.hpp"
#include "common/pg/batch.hpp"

namespace parley::organizations::audit {

// Who does something, and from where.
struct Actor {
  model::Uuid organization_id;           // whose audit it is written to
  std::optional<model::Uuid> member_id;  // of that organization; none for a command
  std::string credential_id;
  std::string address;
  std::string request_id;
};
Actor actor_of(const chassis::Call& call);

// What they do, and to what.
struct Entry {
  model::AuditAction action = model::AuditAction::OrganizationUpdated;
  std::optional<model::Uuid> subject_id{};
  std::string subject{};  // its name
  std::optional<model::RawJson> before{},
      after{};  // rights and settings as they were and are: JSON objects, no secrets
};

// Adds the entry to the batch that does it, so that neither is without the other. The member's e-mail address is looked
// up then: what removes the member comes behind it.
void record(pg::Batch& batch, const Actor& actor, const Entry& entry);

// Who does what concerns a person in all their organizations.
enum class By : unsigned char { operators, themselves };
// Adds an entry to the audit of each organization that the person is a member of; of `actor` only where it comes from
// counts.
void record_of_person(pg::Batch& batch, const model::Uuid& person, By by, const Actor& actor,
                      model::AuditAction action);

}  // namespace parley::organizations::audit

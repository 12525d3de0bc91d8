#pragma once
#include "common/chassis/pipeline.hpp"
#include "common/model/audit.hpp"
#include "common/pg/batch.hpp"

namespace parley::organizations::audit {

// The author of an action and the origin of its request.
struct Actor {
  model::Uuid organization_id;           // the entry is added to the audit of this organization
  std::optional<model::Uuid> member_id;  // nullopt for an operator's command
  std::string credential_id;
  std::string address;
  std::string request_id;
};
Actor actor_of(const chassis::Call& call);

struct Entry {
  model::AuditAction action = model::AuditAction::OrganizationUpdated;
  std::optional<model::Uuid> subject_id{};
  std::string subject{};                            // its name
  std::optional<model::RawJson> before{}, after{};  // JSON objects of rights or settings, without secrets
};

// Adds the entry to the action's batch, so that both or neither commit. Call it before a removal of the member: the
// statement reads the member's e-mail address.
void record(pg::Batch& batch, const Actor& actor, const Entry& entry);

enum class By : unsigned char { operators, themselves };
// Adds an entry SignInFailed to the audit of each of the person's organizations, unless these have kMaxFailedSignIns of
// the last hour already: whoever guesses does not fill them. Of `from` only the origin is used.
inline constexpr std::int64_t kMaxFailedSignIns = 20;
void record_failed_sign_in(pg::Batch& batch, const model::Uuid& person, const Actor& from);
// Adds an entry to the audit of each of the person's organizations. Of `actor` only the origin is used.
void record_of_person(pg::Batch& batch, const model::Uuid& person, By by, const Actor& actor,
                      model::AuditAction action);

}  // namespace parley::organizations::audit

#include "organizations/audit/record.hpp"

#include "organizations/audit/sql.hpp"

namespace parley::organizations::audit {

Actor actor_of(const chassis::Call& call) {
  return {call.organization(), call.identity.member_id, call.scope.credential_id, call.scope.client_address,
          call.scope.request_id};
}

void record(pg::Batch& batch, const Actor& actor, const Entry& entry) {
  batch.add(sql::insert, actor.organization_id, model::new_uuid(), entry.action, actor.member_id, actor.credential_id,
            entry.subject_id, entry.subject, actor.address, actor.request_id, entry.before, entry.after);
}

void record_of_person(pg::Batch& batch, const model::Uuid& person, By by, const Actor& actor,
                      model::AuditAction action) {
  batch.add(sql::insert_of_person, person, action, by == By::themselves, actor.credential_id, actor.address,
            actor.request_id);
}

void record_failed_sign_in(pg::Batch& batch, const model::Uuid& person, const Actor& from) {
  batch.add(sql::insert_failed_sign_in, person, from.address, from.request_id, kMaxFailedSignIns);
}

}  // namespace parley::organizations::audit

#pragma once
#include <utility>

#include "common/chassis/pipeline.hpp"
#include "common/events/audit_recorded.hpp"

namespace parley::chassis {

// Builds the audit entry of a call, for services that send entries to organizations as events. `subject` names the
// object of the action, or says how many there were.
inline events::AuditRecorded audit_entry(const Call& call, model::AuditAction action,
                                         std::optional<model::Uuid> subject_id = {}, std::string subject = {}) {
  return {.id = model::new_uuid(),
          .organizationId = call.organization(),
          .action = action,
          .subjectId = subject_id,
          .subject = std::move(subject),
          .memberId = call.identity.member_id,
          .credentialId = call.identity.credential_id,
          .address = call.scope.client_address,
          .requestId = call.scope.request_id,
          .at = model::Timestamp::now(),
          .details = std::nullopt};
}

// The query parameters of a call as a JSON object, for the audit entry of an export.
inline model::RawJson query_of(const Call& call) {
  model::RawJson out{"{"};
  for (const auto& [name, value] : http::parse_query(call.request.query)) {
    if (out.text.size() > 1) out.text += ',';
    model::write(out.text, name);
    out.text += ':';
    model::write(out.text, value);
  }
  out.text += '}';
  return out;
}

}  // namespace parley::chassis

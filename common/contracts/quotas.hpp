#pragma once
// An organization's limits and usage, as each service that has quotas tells them to the one that joins them.
#include "common/chassis/quotas_told.hpp"

namespace parley::contracts::quotas {

inline constexpr chassis::TellQuotas of_contacts{
    .caller = "analytics", .path = "/internal/contacts/quotas", .answer_time = chassis::kPartTime};
inline constexpr chassis::TellQuotas of_conversations{
    .caller = "analytics", .path = "/internal/conversations/quotas", .answer_time = chassis::kPartTime};
inline constexpr chassis::TellQuotas of_organizations{
    .caller = "analytics", .path = "/internal/organizations/quotas", .answer_time = chassis::kPartTime};

}  // namespace parley::contracts::quotas

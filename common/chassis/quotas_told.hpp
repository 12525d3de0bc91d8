#pragma once
// What services tell of the quotas of an organization: to the service that joins them, and as events::QuotaReached.
//
// Whoever takes 80 or 100 percent of a quota (Quotas::settle) appends the event to the outbox, in the transaction that
// takes it: once, and again after the use was below. The table quota_level has what was told last. Who sees that it
// reaches a level takes a turn, as for the last places; of several that pass one together unseen, the next one tells.
#include "common/chassis/operation.hpp"
#include "common/chassis/quotas.hpp"

namespace parley::chassis {

struct QuotasQuery {
  std::optional<model::Uuid> organization_id;
};
BOOST_DESCRIBE_STRUCT(QuotasQuery, (), (organization_id))

using TellQuotas = Get<QuotasQuery, QuotasResponse>;

// As Quotas::settle(), for what is made beyond the limit, too.
awaitable<void> settle_beyond(pg::Transaction& transaction, model::Uuid organization, Quotas::Asked asked,
                              const pg::Results& results, std::int64_t more);

// As settle_beyond(), of what the use has already, with what others have taken that is not settled yet.
awaitable<void> settle_taken(pg::Transaction& transaction, model::Uuid organization, Quotas::Asked asked,
                             const pg::Results& results, std::int64_t more);

}  // namespace parley::chassis

#pragma once
// What services tell of the quotas of an organization to the service that joins them.
#include "common/chassis/operation.hpp"
#include "common/chassis/quotas.hpp"

namespace parley::chassis {

struct QuotasQuery {
  std::optional<model::Uuid> organization_id;
};
BOOST_DESCRIBE_STRUCT(QuotasQuery, (), (organization_id))

using TellQuotas = Get<QuotasQuery, QuotasResponse>;

}  // namespace parley::chassis

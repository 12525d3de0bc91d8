#pragma once
#include <boost/describe/class.hpp>
#include <optional>
#include <string>

#include "common/model/campaign.hpp"

namespace parley::conversations::restore_holds {

// A campaign that an operator must release.
struct Suspect {
  model::Uuid organizationId, id;
  std::string name;
  model::CampaignStatus status = model::CampaignStatus::Running;  // in the backup
  std::optional<model::Timestamp> scheduledAt;
  std::int64_t recipients = 0;  // as far as gathered
  std::int64_t doneTo = 0;      // recipients, by ordinal, surely handled before the backup
};
BOOST_DESCRIBE_STRUCT(Suspect, (), (organizationId, id, name, status, scheduledAt, recipients, doneTo))

}  // namespace parley::conversations::restore_holds

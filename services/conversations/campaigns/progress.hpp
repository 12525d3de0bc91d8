#pragma once
#include <boost/describe/class.hpp>

#include "common/model/campaign.hpp"

namespace parley::conversations::campaigns {

// A campaign's figures as they are counted: see standing.fragment.
struct Standing {
  std::int64_t targets = 0, skipped = 0;
  std::int64_t queued = 0, sent = 0, delivered = 0, read = 0, failed = 0;  // messages by their status
  std::int64_t in_doubt = 0;                                               // of the queued
  double rate = 0;                                                         // when somebody last looked
};
BOOST_DESCRIBE_STRUCT(Standing, (), (targets, skipped, queued, sent, delivered, read, failed, in_doubt, rate))

// Whom a Cancelled campaign did not come to is among those left out. `audience_done`: no more recipients come.
model::CampaignProgress progress_of(const Standing& standing, model::CampaignStatus status, bool audience_done);

}  // namespace parley::conversations::campaigns

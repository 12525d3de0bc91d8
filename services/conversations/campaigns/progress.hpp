#pragma once
#include <boost/describe/class.hpp>

#include "common/model/campaign.hpp"

namespace parley::conversations::campaigns {

// A campaign's figures as standing.fragment counts them.
struct Standing {
  std::int64_t targets = 0, skipped = 0;
  std::int64_t queued = 0, sent = 0, delivered = 0, read = 0, failed = 0, undelivered = 0;  // messages by status
  std::int64_t in_doubt = 0;                                                                // of the queued
  double rate = 0;  // at the last look of the worker

  // Recipients without a message that were not skipped.
  std::int64_t untouched() const { return targets - skipped - queued - sent - delivered - read - failed - undelivered; }
};
BOOST_DESCRIBE_STRUCT(Standing, (),
                      (targets, skipped, queued, sent, delivered, read, failed, undelivered, in_doubt, rate))

// Counts targets that a Cancelled campaign has not reached as skipped. `audience_done`: no more recipients come.
model::CampaignProgress progress_of(const Standing& standing, model::CampaignStatus status, bool audience_done);

}  // namespace parley::conversations::campaigns

#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/model/json.hpp"
#include "common/model/list.hpp"

namespace parley::model {

enum class CampaignStatus { Draft, Scheduled, Running, Paused, Cancelled, Finished };
BOOST_DESCRIBE_ENUM(CampaignStatus, Draft, Scheduled, Running, Paused, Cancelled, Finished)

// Recipients by state; each is in exactly one, so that all but the first add up to it. A delivered message no longer
// counts as sent, and so on.
struct CampaignProgress {
  std::int64_t recipients = 0;  // the whole audience, including skipped
  std::int64_t skipped = 0;     // the reason is in GET recipients
  std::int64_t pending = 0;     // not yet accepted by the channel
  std::int64_t sent = 0;        // accepted by the channel
  std::int64_t delivered = 0;
  std::int64_t read = 0;
  std::int64_t failed = 0;                  // never accepted by the channel
  std::optional<std::int64_t> undelivered;  // accepted, then failed; always there but in events of the release before
  std::int64_t inDoubt = 0;                 // may have been sent: settled by a status, or after 15 minutes without one
  double rate = 0;                          // recent messages per second; 0 unless Running
  std::optional<std::int64_t> secondsLeft;  // at that rate; null if unknown
};
BOOST_DESCRIBE_STRUCT(CampaignProgress, (),
                      (recipients, skipped, pending, sent, delivered, read, failed, undelivered, inDoubt, rate,
                       secondsLeft))

// An alternative message for a share of the recipients. The rest get the campaign's own message.
struct CampaignVariant {
  std::string name;
  std::int64_t share = 0;  // percent
  RawJson message;
};
BOOST_DESCRIBE_STRUCT(CampaignVariant, (), (name, share, message))

// A link of the messages, and how often it was followed.
struct CampaignLink {
  std::string url;
  std::int64_t clicks = 0;    // all
  std::int64_t people = 0;    // recipients who followed it at least once
  std::int64_t previews = 0;  // fetched by link previews; not counted as clicks
};
BOOST_DESCRIBE_STRUCT(CampaignLink, (), (url, clicks, people, previews))

struct Campaign {
  Uuid uniqueId;
  std::string name;
  std::string description;
  CampaignStatus status = CampaignStatus::Draft;
  std::string statusReason;  // why it is Paused, or Running and waiting; "" otherwise
  RawJson message;
  std::vector<CampaignVariant> variants;
  std::vector<Uuid> listIds;
  std::vector<Uuid> excludedListIds;
  std::vector<Uuid> segmentIds;
  std::vector<Tag> tags;
  std::optional<std::string> phoneNumberId;
  std::optional<Timestamp> scheduledAt;
  std::string timezone;
  std::int64_t allowedLatenessSeconds = 0;
  std::optional<std::int64_t> messagesPerSecond;
  Timestamp createdAt;
  Timestamp updatedAt;
  std::optional<Timestamp> startedAt;
  std::optional<Timestamp> finishedAt;  // or was cancelled
  CampaignProgress progress;
  std::vector<CampaignLink> links;  // once it has started
};
BOOST_DESCRIBE_STRUCT(Campaign, (),
                      (uniqueId, name, description, status, statusReason, message, variants, listIds, excludedListIds,
                       segmentIds, tags, phoneNumberId, scheduledAt, timezone, allowedLatenessSeconds,
                       messagesPerSecond, createdAt, updatedAt, startedAt, finishedAt, progress, links))

}  // namespace parley::model

#pragma once
#include <boost/describe/class.hpp>

#include "common/model/primary_analytics.hpp"

namespace parley::analytics::reports {

enum class Format { json, csv };
BOOST_DESCRIBE_ENUM(Format, json, csv)

// The parameters of every report.
struct ReportQuery {
  std::optional<std::string> from, to, timezone;
  std::optional<Format> format{};  // without it as the header Accept says
};
BOOST_DESCRIBE_STRUCT(ReportQuery, (), (from, to, timezone, format))

struct CampaignsQuery : ReportQuery {
  std::optional<model::Uuid> campaign_id, list_id;
  std::optional<std::string> tag;  // its id, or else its label
};
BOOST_DESCRIBE_STRUCT(CampaignsQuery, (ReportQuery), (campaign_id, list_id, tag))

struct CampaignsResponse {
  model::CampaignAnalytics analytics;
};
BOOST_DESCRIBE_STRUCT(CampaignsResponse, (), (analytics))

struct PrimaryResponse {
  model::PrimaryAnalytics analytics;
};
BOOST_DESCRIBE_STRUCT(PrimaryResponse, (), (analytics))

// A day or an hour, as the rollups have it.
struct Slot {
  model::Timestamp date;
  std::string label;
  std::int64_t recipients = 0, sent = 0, delivered = 0, read = 0, failed = 0, undelivered = 0;
  std::int64_t replied = 0, engaged = 0, replies = 0, conversations = 0;
  std::int64_t replies_at = 0, clicks_at = 0;
};
BOOST_DESCRIBE_STRUCT(Slot, (),
                      (date, label, recipients, sent, delivered, read, failed, undelivered, replied, engaged, replies,
                       conversations, replies_at, clicks_at))

struct PrimarySlot {
  model::Timestamp date;
  std::string label;
  std::int64_t inbound = 0;
  std::int64_t queued = 0, sent = 0, undelivered = 0, delivered = 0, read = 0, failed = 0;  // each message in one
  std::int64_t opened_by_contact = 0, opened_by_campaign = 0, opened_by_member = 0;
  std::int64_t created = 0, deleted = 0;
};
BOOST_DESCRIBE_STRUCT(PrimarySlot, (),
                      (date, label, inbound, queued, sent, undelivered, delivered, read, failed, opened_by_contact,
                       opened_by_campaign, opened_by_member, created, deleted))

// The figures of a span, from its days or hours.
model::CampaignAnalytics summarise(const std::vector<Slot>& slots);
// `contacts`: how many there were before the first, if that is known.
model::PrimaryAnalytics summarise(const std::vector<PrimarySlot>& slots, std::optional<std::int64_t> contacts);

// A line a day or hour, after one that names the columns (RFC 4180). Sums of columns are the figures.
std::string csv_of(const std::vector<Slot>& slots);
std::string csv_of(const model::PrimaryAnalytics& figures);

// Whether who sends this header Accept would rather have CSV than JSON.
bool prefers_csv(std::string_view accept);

}  // namespace parley::analytics::reports

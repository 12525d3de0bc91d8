#pragma once
#include <boost/describe/class.hpp>

#include "common/http/query.hpp"
#include "common/model/primary_analytics.hpp"

namespace parley::analytics::reports {

enum class Format { json, csv };
BOOST_DESCRIBE_ENUM(Format, json, csv)

struct ReportQuery {
  std::optional<std::string> from, to, timezone;
  std::optional<Format> format{};                // default: by the header Accept
  std::optional<model::Uuid> organization_id{};  // as http::OfOrganization
};
BOOST_DESCRIBE_STRUCT(ReportQuery, (), (from, to, timezone, format, organization_id))

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
  // Each outbound message is counted in one of these.
  std::int64_t queued = 0, sent = 0, undelivered = 0, delivered = 0, read = 0, failed = 0;
  std::int64_t opened_by_contact = 0, opened_by_campaign = 0, opened_by_member = 0;
  std::int64_t created = 0, deleted = 0;
};
BOOST_DESCRIBE_STRUCT(PrimarySlot, (),
                      (date, label, inbound, queued, sent, undelivered, delivered, read, failed, opened_by_contact,
                       opened_by_campaign, opened_by_member, created, deleted))

model::CampaignAnalytics summarise(const std::vector<Slot>& slots);
// `contacts` is the number before the first slot, if known.
model::PrimaryAnalytics summarise(const std::vector<PrimarySlot>& slots, std::optional<std::int64_t> contacts);

// CSV (RFC 4180): a header line, then a line per slot. The sums of the columns are the report's figures.
std::string csv_of(const std::vector<Slot>& slots);
std::string csv_of(const model::PrimaryAnalytics& figures);

bool prefers_csv(std::string_view accept);

}  // namespace parley::analytics::reports

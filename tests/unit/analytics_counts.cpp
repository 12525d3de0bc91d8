// What changes add to the rollups, and what reports make of them.
#include <doctest/doctest.h>

#include "analytics/reports/span.hpp"
#include "analytics/rollups/counts.hpp"
#include "common/http/problem.hpp"

using namespace parley;
using namespace parley::analytics;
using model::MessageStatus;
using rollups::Counts;

namespace {

const model::Uuid organization = *model::Uuid::parse("00000000-0000-7000-8000-000000000001");
const model::Uuid campaign = *model::Uuid::parse("00000000-0000-7000-8000-00000000000c");
const auto sent_at = *model::Timestamp::parse("2026-01-31T12:44:59.999Z");

Counts sums(const rollups::Differences& differences) {
  Counts out{};
  for (const auto& [key, counts] : differences.of_campaigns())
    for (std::size_t i = 0; i < rollups::kCounts; ++i) out[i] += counts[i];
  return out;
}

void add(rollups::Differences& differences, const std::string& changes) { differences.add({1, {changes}}); }

// A message's way through statuses, told a step at a time.
Counts after(std::initializer_list<MessageStatus> way) {
  rollups::Differences differences;
  std::optional<MessageStatus> before;
  for (const auto status : way) {
    events::Changes changes;
    changes.add(events::CampaignMessages{organization, campaign, sent_at, before, status, std::nullopt});
    differences.add({1, changes.json()});
    before = status;
  }
  return sums(differences);
}

Counts counts(std::initializer_list<std::pair<rollups::Count, std::int64_t>> values) {
  Counts out{};
  for (const auto& [count, value] : values) out[count] = value;
  return out;
}

model::Timestamp at(const char* text) { return *model::Timestamp::parse(text); }

reports::Span span(const char* from, const char* to, const char* now = "2026-02-15T10:07:00Z") {
  reports::CampaignsQuery query;
  if (from) query.from = from;
  if (to) query.to = to;
  return reports::span_between(reports::read_edges(query), at(now));
}

}  // namespace

TEST_SUITE("unit: analytics") {
  TEST_CASE("a message counts for what it has become, however it came to be") {
    using enum MessageStatus;
    using namespace rollups;
    CHECK(after({Queued}) == counts({{recipients, 1}}));
    CHECK(after({Queued, Sent}) == counts({{recipients, 1}, {sent, 1}}));
    CHECK(after({Queued, Sent, Delivered}) == counts({{recipients, 1}, {sent, 1}, {delivered, 1}}));
    CHECK(after({Queued, Sent, Delivered, Read}) ==
          counts({{recipients, 1}, {sent, 1}, {delivered, 1}, {rollups::read, 1}}));
    CHECK(after({Queued, Read}) == after({Queued, Sent, Delivered, Read}));
    CHECK(after({Queued, Failed}) == counts({{recipients, 1}, {failed, 1}}));
    CHECK(after({Queued, Failed, Delivered}) == after({Queued, Delivered}));  // it was in doubt, and corrected
    CHECK(after({Sent, UnDelivered}) == counts({{recipients, 1}, {sent, 1}, {undelivered, 1}}));
    CHECK(after({Sent, UnDelivered, Delivered}) == after({Delivered}));
  }

  TEST_CASE("replies, clicks and conversations stand in their quarters of an hour") {
    rollups::Differences differences;
    events::Changes changes;
    const auto later = at("2026-02-03T09:15:00Z");
    changes.add(events::CampaignConversations{organization, campaign, sent_at, 2});
    changes.add(events::CampaignReply{organization, campaign, sent_at, later, true, true});
    changes.add(events::CampaignReply{organization, campaign, sent_at, later, false, false});
    changes.add(events::CampaignClick{organization, campaign, sent_at, later, false});
    differences.add({1, changes.json()});
    using namespace rollups;
    const auto& rows = differences.of_campaigns();
    REQUIRE(rows.size() == 2);
    CHECK(rows.at({organization, campaign, at("2026-01-31T12:30:00Z")}) ==
          counts({{conversations, 2}, {replies, 2}, {replied, 1}, {engaged, 1}}));
    CHECK(rows.at({organization, campaign, later}) == counts({{replies_at, 2}, {clicks_at, 1}}));
    CHECK(differences.of_organizations().at({organization, {}, later}) == counts({{replies_at, 2}, {clicks_at, 1}}));
  }

  TEST_CASE("an outbound message is one of six, a campaign's too, and told of twice it counts once") {
    using enum MessageStatus;
    rollups::Differences differences;
    auto message = campaign;
    message.bytes[4] = 7;  // made in 1970, in the first quarter
    events::Changes changes;
    changes.add(events::MessageCreated{organization, {}, {}, message, model::MessageDirection::OutBound, sent_at});
    changes.add(events::MessageStatusChanged{organization, {}, {}, message, {}, Queued, Read, {}, {}, sent_at});
    changes.add(events::MessageCreated{organization, {}, {}, message, model::MessageDirection::InBound, sent_at});
    changes.add(events::MessageStatusChanged{organization, {}, {}, message, campaign, Queued, Sent, {}, {}, sent_at});
    changes.add(events::CampaignMessages{organization, campaign, sent_at, {}, Sent, 4});
    changes.add(events::ConversationCreated{organization, message, {}, model::ConversationInitiator::Member});
    differences.add({1, changes.json()});
    const auto& rows = differences.of_messages();
    REQUIRE(rows.size() == 2);
    CHECK(rows.at({organization, {}, {0}}) == rollups::MessageCounts{0, 0, 0, 0, 0, 1, 0, 0, 0, 1});
    CHECK(rows.at({organization, {}, at("2026-01-31T12:30:00Z")}) ==
          rollups::MessageCounts{1, 0, 4, 0, 0, 0, 0, 0, 0, 0});
  }

  TEST_CASE("what was told of a campaign last holds, and an id without a time has its transaction's") {
    rollups::Differences differences;
    const auto describe = [&](std::int64_t position, const std::string& name) {
      events::Changes changes;
      changes.add(events::CampaignDescribed{organization, campaign, name, {}, {}});
      differences.add({position, changes.json()});
    };
    describe(5, "newest");
    describe(4, "older");
    REQUIRE(differences.descriptions().size() == 1);
    CHECK(differences.descriptions().begin()->second.change.name == "newest");

    rollups::ContactDifferences contacts;
    events::Changes changes;
    changes.add(events::ContactsCreated{organization, {model::Uuid{}}});
    changes.add(events::ContactsDeleted{organization, {campaign, organization}});
    contacts.add({1, changes.json(), sent_at});
    CHECK(contacts.rows().at({organization, {}, at("2026-01-31T12:30:00Z")}) == rollups::ContactCounts{1, 2});
    CHECK_THROWS_AS(contacts.add({1, changes.json()}), events::BadEvent);
  }

  TEST_CASE("CSV is for who prefers it") {
    for (const char* accept : {"text/csv", "Text/CSV;header=present", "text/csv, application/json;q=0.9",
                               "application/json;q=0.1,text/csv;q=0.2", "text/html , text/csv ; q=0.001"}) {
      CAPTURE(accept);
      CHECK(reports::prefers_csv(accept));
    }
    for (const char* accept : {"", "*/*", "text/*", "application/json", "application/json, text/csv", "text/csv;q=0",
                               "text/csv;q=x", "text/csvx", ",;,"}) {
      CAPTURE(accept);
      CHECK_FALSE(reports::prefers_csv(accept));
    }
  }

  TEST_CASE("counts multiply, unknown types are passed over, and what is malformed is bad") {
    rollups::Differences differences;
    const std::string who = R"("organizationId":"00000000-0000-7000-8000-000000000001",)"
                            R"("campaignId":"00000000-0000-7000-8000-00000000000c","sentAt":"2026-01-31T12:44:59Z")";
    add(differences, R"([{"type":"campaign.messages",)" + who + R"(,"from":null,"to":"Sent","count":500},)" +
                         R"({"type":"contact.merged","anything":[1]}])");
    CHECK(sums(differences) == counts({{rollups::recipients, 500}, {rollups::sent, 500}}));
    for (const auto& bad : {std::string("{}"), std::string("[1]"), std::string("[{}]"), std::string(R"([{"type":1}])"),
                            R"([{"type":"campaign.messages",)" + who + R"(,"from":null,"to":"Unread"}])",
                            R"([{"type":"campaign.messages",)" + who + R"(,"from":null}])",
                            R"([{"type":"campaign.messages",)" + who + R"(,"from":"Flown","to":"Sent"}])",
                            R"([{"type":"campaign.messages",)" + who + R"(,"to":"Sent","count":-1}])",
                            R"([{"type":"campaign.messages",)" + who + R"(,"to":"Sent","count":10000000}])",
                            R"([{"type":"campaign.reply",)" + who + R"(,"first":true,"engaged":true}])"}) {
      CAPTURE(bad);
      CHECK_THROWS_AS(add(differences, bad), events::BadEvent);
    }
  }

  TEST_CASE("a span's edges move outward to quarters of an hour") {
    const auto some = span("2026-01-31T12:07:00Z", "2026-02-01T12:07:00+01:00");
    CHECK(some.starts.text() == "2026-01-31T12:00:00.000Z");
    CHECK(some.ends.text() == "2026-02-01T11:15:00.000Z");
    CHECK(some.by_hours);
    const auto exact = span("2026-01-31T12:15:00Z", "2026-02-28T12:30:00Z");
    CHECK(exact.starts.text() == "2026-01-31T12:15:00.000Z");
    CHECK(exact.ends.text() == "2026-02-28T12:30:00.000Z");
    CHECK_FALSE(exact.by_hours);
    const auto moment = span("2026-01-31T12:15:00Z", "2026-01-31T12:15:00Z");
    CHECK(moment.ends.text() == "2026-01-31T12:30:00.000Z");
  }

  TEST_CASE("days are whole, and what is not given is the last 30 days") {
    const auto days = span("2026-01-30", "2026-01-31");
    CHECK(days.starts.text() == "2026-01-30T00:00:00.000Z");
    CHECK(days.ends.text() == "2026-02-01T00:00:00.000Z");
    CHECK(days.by_hours);
    const auto usual = span(nullptr, nullptr);
    CHECK(usual.starts.text() == "2026-01-16T10:00:00.000Z");
    CHECK(usual.ends.text() == "2026-02-15T10:15:00.000Z");
    CHECK_FALSE(usual.by_hours);
    CHECK(span(nullptr, "2026-01-31").starts.text() == "2026-01-02T00:00:00.000Z");
    CHECK(span("2026-02-15", nullptr).ends.text() == "2026-02-15T10:15:00.000Z");
  }

  TEST_CASE("a year at most, and forwards") {
    CHECK(span("2024-01-01", "2024-12-31").ends.text() == "2025-01-01T00:00:00.000Z");  // 366 days
    CHECK_THROWS_AS(span("2024-01-01", "2025-01-01"), http::Problem);
    CHECK_THROWS_AS(span("2020-01-01", nullptr), http::Problem);
    CHECK_THROWS_AS(span("2026-01-31", "2026-01-30"), http::Problem);
    CHECK_THROWS_AS(span("2026-03-01", nullptr), http::Problem);  // begins after now
    CHECK_THROWS_AS(span("2026-01-31T12:00:01Z", "2026-01-31T12:00:00Z"), http::Problem);
    for (const char* text : {"", "yesterday", "2026-02-30", "31-01-2026", "2026-01-31T12:00:00", "1769860800"}) {
      CAPTURE(text);
      CHECK_THROWS_AS(span(text, nullptr), http::Problem);
      CHECK_THROWS_AS(span(nullptr, text), http::Problem);
    }
  }

  TEST_CASE("a zone's name is looked at") {
    for (const char* zone : {"", "Europe/Berlin'", "Europe Berlin", "Europe/K\xc3\xb6ln"}) {
      CAPTURE(zone);
      CHECK_THROWS_AS(reports::read_edges({{}, {}, zone}), http::Problem);
    }
    CHECK(reports::read_edges({"2026-01-31", {}, "Asia/Kathmandu"}).need_days());
    CHECK_FALSE(reports::read_edges({"2026-01-31", {}, {}}).need_days());
    CHECK_FALSE(reports::read_edges({"2026-01-31T00:00:00Z", {}, "Asia/Kathmandu"}).need_days());
  }

  TEST_CASE("rates are percent with one decimal, at most 100, and 0 of nothing") {
    reports::Slot slot;
    CHECK(reports::summarise({slot}).openRate == 0);
    CHECK(reports::summarise({slot}).responseRate == 0);
    slot = {at("2026-01-31"), "2026-01-31", 1000, 980, 950, 700, 20, 10, 90, 150, 95, 940, 95, 80};
    const auto figures = reports::summarise({slot});
    CHECK(figures.totalMessages == 1095);
    CHECK(figures.responseRate == 9.5);
    CHECK(figures.openRate == 71.4);
    CHECK(figures.engagementRate == 15.3);
    CHECK(figures.totalLinkClicks == 80);
    CHECK(figures.engagementTrends.at(0).count == 175);
    CHECK(model::to_json(figures).find("\"openRate\":71.4,") != std::string::npos);
    slot.replied = 5000;
    CHECK(reports::summarise({slot}).responseRate == 100);
  }
}

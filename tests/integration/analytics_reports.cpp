// GET /api/analytics/campaigns against plain SQL over raw messages: random histories told as events, applied, reported.
#include <algorithm>

#include "tests/integration/analytics_bed.hpp"

using namespace parley;
using namespace parley::analytics_tests;

namespace {

constexpr std::int64_t kDay = 86'400'000;

std::vector<std::string> labels_of(const model::CampaignAnalytics& a) {
  std::vector<std::string> out;
  for (const auto& point : a.messageAnalytics) out.push_back(point.label);
  return out;
}

Span span_of(const char* starts, const char* ends, bool by_hours, const char* zone) {
  return {*model::Timestamp::parse(starts), *model::Timestamp::parse(ends), by_hours, zone};
}

}  // namespace

TEST_SUITE("integration: analytics") {
  TEST_CASE("random histories, told in any order: every figure of random spans is what plain SQL counts") {
    // Around changes of clocks in Berlin and on Lord Howe Island, so that odd days and hours are in it.
    const std::int64_t beginnings[] = {model::Timestamp::parse("2025-10-20")->milliseconds_since_epoch,
                                       model::Timestamp::parse("2025-04-05")->milliseconds_since_epoch};
    for (unsigned seed = 1; seed <= 8; ++seed) {
      CAPTURE(seed);
      Bed bed, disordered;
      const auto first = beginnings[seed / 2 % 2];
      const std::int64_t length = (seed % 2 == 0 ? 2 : 20) * kDay;
      History history(seed, first, length);
      history.run(1'200);
      bed.database.execute(history.raw_sql());
      std::mt19937 random(seed);
      bed.apply_split(history.events, random);
      auto shuffled = history.events;
      std::shuffle(shuffled.begin(), shuffled.end(), random);
      disordered.apply_split(shuffled, random);
      CHECK(bed.tables() == disordered.tables());
      for (int i = 0; i < 12; ++i) {
        const auto span = random_span(first, length, random);
        CAPTURE(span.zone);
        CAPTURE(span.starts.text());
        CAPTURE(span.ends.text());
        for (const int organization : {0, 1})
          CHECK(text_of(bed.report(organization, span)) == plain_figures(bed.database.url(), organization, span));
      }
    }
  }

  TEST_CASE("some campaigns: by id, list and tag, as they were described last") {
    Bed bed;
    const auto first = model::Timestamp::parse("2025-04-05")->milliseconds_since_epoch;
    constexpr std::int64_t length = 6 * kDay;
    History history(21, first, length);
    history.run(1'500);
    bed.database.execute(history.raw_sql());
    const auto list = [](int number) { return uuid(3, number); };
    const auto describe = [&](int organization, int campaign, std::vector<model::Uuid> lists,
                              std::vector<std::string> tags) {
      events::Changes changes;
      changes.add(
          events::CampaignDescribed{uuid(1, organization), uuid(2, campaign), "c", std::move(lists), std::move(tags)});
      history.events.push_back({static_cast<std::int64_t>(history.events.size()) + 1, changes.json(), {}});
    };
    describe(0, 0, {list(0)}, {"spring", uuid(4, 0).text()});
    describe(0, 1, {list(0)}, {"summer"});
    describe(0, 1, {list(1)}, {"Spring", "SUMMER"});
    describe(0, 2, {list(0), list(1)}, {});
    describe(1, 0, {list(0)}, {"spring"});
    std::mt19937 random(21);
    std::shuffle(history.events.begin(), history.events.end(), random);
    bed.apply_split(history.events, random);

    const auto among = [](const std::string& campaigns) { return "r.campaign_id IN (" + campaigns + ")"; };
    const auto id = [](int campaign) { return "'" + uuid(2, campaign).text() + "'"; };
    const std::vector<std::pair<analytics::reports::Filter, std::string>> filters{
        {{uuid(2, 0), {}, {}}, among(id(0))},
        {{uuid(2, 9), {}, {}}, "false"},
        {{{}, list(0), {}}, among(id(0) + "," + id(2))},
        {{{}, list(1), {}}, among(id(1) + "," + id(2))},
        {{{}, list(9), {}}, "false"},
        {{{}, {}, "sPRING"}, among(id(0) + "," + id(1))},
        {{{}, {}, uuid(4, 0).text()}, among(id(0))},
        {{{}, {}, "autumn"}, "false"},
        {{{}, list(1), "spring"}, among(id(1))},
        {{uuid(2, 2), list(1), {}}, among(id(2))},
        {{uuid(2, 0), list(1), {}}, "false"}};
    for (int i = 0; i < 8; ++i) {
      const auto span = random_span(first, length, random);
      CAPTURE(span.zone);
      CAPTURE(span.starts.text());
      CAPTURE(span.ends.text());
      for (const auto& [filter, sql] : filters) {
        CAPTURE(sql);
        CHECK(text_of(bed.report(0, span, filter)) == plain_figures(bed.database.url(), 0, span, sql));
      }
    }
    const auto whole = span_of("2025-04-05", "2025-04-11", false, "UTC");
    const auto one = bed.loop.run(bed.store.campaign(uuid(1, 0), uuid(2, 1), whole));
    REQUIRE(one);
    CHECK(text_of(analytics::reports::summarise(one->slots)) ==
          plain_figures(bed.database.url(), 0, whole, among(id(1))));
    CHECK_FALSE(bed.loop.run(bed.store.campaign(uuid(1, 0), uuid(2, 9), whole)));
    CHECK_FALSE(bed.loop.run(bed.store.campaign(uuid(1, 5), uuid(2, 1), whole)));
  }

  TEST_CASE("the rollups of campaigns add up to the organization's") {
    Bed bed;
    History history(99, 1'760'000'000'000, 86'400'000);
    history.run(500);
    bed.apply(history.events);
    CHECK(bed.database.execute(R"(
      SELECT count(*) FROM organization_rollup t FULL JOIN (
        SELECT organization_id, bucket, sum(recipients) AS recipients, sum(sent) AS sent, sum(read) AS read, sum(replied) AS replied,
               sum(replies_at) AS replies_at, sum(clicks_at) AS clicks_at
        FROM campaign_rollup GROUP BY 1, 2) c USING (organization_id, bucket)
      WHERE (t.recipients, t.sent, t.read, t.replied, t.replies_at, t.clicks_at) IS DISTINCT FROM
            (c.recipients, c.sent, c.read, c.replied, c.replies_at, c.clicks_at))") == "0");
  }

  TEST_CASE("empty days and hours are there, in order, also where clocks change") {
    Bed bed;
    const auto days = bed.report(0, span_of("2026-01-30T00:00:00Z", "2026-02-02T00:00:00Z", false, "UTC"));
    CHECK(labels_of(days) == std::vector<std::string>{"2026-01-30", "2026-01-31", "2026-02-01"});
    CHECK(days.messageAnalytics[1].date.text() == "2026-01-31T00:00:00.000Z");
    CHECK(days.engagementTrends.size() == 3);
    CHECK(days.linkClicksData.size() == 3);

    // 2025-10-26 has 25 hours in Berlin, two of them from 02:00 on.
    const auto hours = bed.report(0, span_of("2025-10-25T22:00:00Z", "2025-10-26T04:00:00Z", true, "Europe/Berlin"));
    CHECK(labels_of(hours) == std::vector<std::string>{"2025-10-26T00:00", "2025-10-26T01:00", "2025-10-26T02:00",
                                                       "2025-10-26T02:00", "2025-10-26T03:00", "2025-10-26T04:00"});
    CHECK(hours.messageAnalytics[3].date.text() == "2025-10-26T01:00:00.000Z");
    const auto spring = bed.report(0, span_of("2026-03-29T00:00:00Z", "2026-03-29T02:00:00Z", true, "Europe/Berlin"));
    CHECK(labels_of(spring) == std::vector<std::string>{"2026-03-29T01:00", "2026-03-29T03:00"});

    // Days that begin at a quarter, one that begins at 01:00, and one that never was.
    const auto nepal = bed.report(0, span_of("2026-01-30T18:15:00Z", "2026-02-01T18:15:00Z", false, "Asia/Kathmandu"));
    CHECK(labels_of(nepal) == std::vector<std::string>{"2026-01-31", "2026-02-01"});
    CHECK(nepal.messageAnalytics[0].date.text() == "2026-01-30T18:15:00.000Z");
    const auto brazil =
        bed.report(0, span_of("2018-11-03T03:00:00Z", "2018-11-06T02:00:00Z", false, "America/Sao_Paulo"));
    CHECK(labels_of(brazil) == std::vector<std::string>{"2018-11-03", "2018-11-04", "2018-11-05"});
    const auto samoa = bed.report(0, span_of("2011-12-29T10:00:00Z", "2012-01-01T10:00:00Z", false, "Pacific/Apia"));
    CHECK(labels_of(samoa) == std::vector<std::string>{"2011-12-29", "2011-12-31", "2012-01-01"});

    const auto quarter = bed.report(0, span_of("2026-01-30T12:15:00Z", "2026-01-30T12:30:00Z", true, "UTC"));
    CHECK(labels_of(quarter) == std::vector<std::string>{"2026-01-30T12:00"});
    const auto year = bed.report(0, span_of("2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z", false, "America/New_York"));
    CHECK(year.messageAnalytics.size() == 367);  // the first one begins the day before
  }

  TEST_CASE("zones are those of the IANA database, and their days begin when they say") {
    Bed bed;
    CHECK(bed.loop.run(bed.store.knows_zone("UTC")));
    CHECK(bed.loop.run(bed.store.knows_zone("Europe/Berlin")));
    for (const char* zone : {"Mars/Olympus", "FOO+3", "europe", "posix/Europe/Berlin", "+02:00", "localtime"}) {
      CAPTURE(zone);
      CHECK_FALSE(bed.loop.run(bed.store.knows_zone(zone)));
    }
    auto edges = analytics::reports::read_edges({"2026-03-29", "2026-03-29", "Europe/Berlin"});
    edges = bed.loop.run(bed.store.resolve_days(edges));
    CHECK(edges.from.moment->text() == "2026-03-28T23:00:00.000Z");
    CHECK(edges.to.moment->text() == "2026-03-29T22:00:00.000Z");
    edges = analytics::reports::read_edges({{}, "2026-01-31", "Asia/Kathmandu"});
    edges = bed.loop.run(bed.store.resolve_days(edges));
    CHECK_FALSE(edges.from.moment);
    CHECK(edges.to.moment->text() == "2026-01-31T18:15:00.000Z");
  }
}

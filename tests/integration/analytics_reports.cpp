// GET /api/analytics/campaigns against plain SQL over raw messages: random histories told as events, applied, reported.
#include <map>
#include <random>

#include "analytics/reports/store.hpp"
#include "analytics/rollups/store.hpp"
#include "common/events/campaign_changes.hpp"
#include "tests/integration/events_bed.hpp"

using namespace parley;
using namespace parley::events_tests;
using analytics::reports::Span;
using model::MessageStatus;

namespace {

constexpr std::int64_t kQuarter = 15 * 60 * 1000;

model::Uuid uuid(int kind, int number) {
  model::Uuid id{};
  id.bytes[6] = 0x70;
  id.bytes[8] = 0x80;
  id.bytes[14] = static_cast<unsigned char>(kind);
  id.bytes[15] = static_cast<unsigned char>(number);
  return id;
}

// What really happened.
struct Message {
  int organization = 0, campaign = 0;
  model::Timestamp sent_at;
  MessageStatus status = MessageStatus::Queued;
  bool opened = false;
  std::vector<model::Timestamp> replies, clicks;
};

// A random history and the events that tell it, some changes a transaction.
class History {
 public:
  explicit History(unsigned seed, std::int64_t first, std::int64_t length)
      : random_(seed), first_(first), length_(length) {}

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      if (messages_.empty() || below(3) == 0)
        send();
      else
        change(messages_[static_cast<std::size_t>(below(static_cast<int>(messages_.size())))]);
      if (below(4) == 0) commit();
    }
    commit();
  }
  std::vector<events::Event> events;
  std::string raw_sql() const;

 private:
  int below(int most) { return std::uniform_int_distribution<int>(0, most - 1)(random_); }
  model::Timestamp moment() { return {first_ + std::uniform_int_distribution<std::int64_t>(0, length_ - 1)(random_)}; }
  void commit() {
    if (changes_.empty()) return;
    events.push_back({static_cast<std::int64_t>(events.size()) + 1, changes_.json()});
    changes_ = {};
  }
  void tell(const Message& m, std::optional<MessageStatus> from) {
    changes_.add(events::CampaignMessages{uuid(1, m.organization), uuid(2, m.campaign), m.sent_at, from, m.status, {}});
  }
  void send() {
    Message m{.organization = below(2),
              .campaign = below(3),
              .sent_at = moment(),
              .opened = below(3) == 0,
              .replies = {},
              .clicks = {}};
    tell(m, std::nullopt);
    if (m.opened)
      changes_.add(events::CampaignConversations{uuid(1, m.organization), uuid(2, m.campaign), m.sent_at, {}});
    messages_.push_back(m);
  }
  void change(Message& m) {
    const bool engaged = m.replies.empty() && m.clicks.empty();
    const auto at = moment();
    switch (below(4)) {
      case 0:
        changes_.add(events::CampaignReply{uuid(1, m.organization), uuid(2, m.campaign), m.sent_at, at,
                                           m.replies.empty(), engaged});
        m.replies.push_back(at);
        break;
      case 1:
        changes_.add(events::CampaignClick{uuid(1, m.organization), uuid(2, m.campaign), m.sent_at, at, engaged});
        m.clicks.push_back(at);
        break;
      default:
        const auto before = m.status;
        m.status = static_cast<MessageStatus>(below(6));
        tell(m, before);
    }
  }

  std::mt19937 random_;
  std::int64_t first_, length_;
  std::vector<Message> messages_;
  events::Changes changes_;
};

std::string History::raw_sql() const {
  std::string sql = "BEGIN;\n";
  auto quoted = [](model::Timestamp moment) { return "'" + moment.text() + "'"; };
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    const auto& m = messages_[i];
    const auto n = std::to_string(i);
    sql += "INSERT INTO raw_message VALUES (" + n + ", '" + uuid(1, m.organization).text() + "', " + quoted(m.sent_at) +
           ", '" + std::string(model::name_of(m.status)) + "', " + (m.opened ? "true" : "false") + ");\n";
    for (const auto at : m.replies) sql += "INSERT INTO raw_reply VALUES (" + n + ", " + quoted(at) + ");\n";
    for (const auto at : m.clicks) sql += "INSERT INTO raw_click VALUES (" + n + ", " + quoted(at) + ");\n";
  }
  return sql + "COMMIT";
}

struct Bed {
  Bed() : loop(database.settings()), store(loop.pool) {
    auto schema = read_text("services/analytics/migrations/0001_rollups.sql");
    schema.resize(schema.find("-- What a service has learned"));  // the bed has an inbox
    database.execute(schema);
    database.execute(read_text("services/analytics/migrations/0002_removals.sql"));
    database.execute(R"(
      CREATE TABLE raw_message (n int PRIMARY KEY, organization_id uuid, sent_at timestamptz, status text, opened bool);
      CREATE TABLE raw_reply (n int, at timestamptz);
      CREATE TABLE raw_click (n int, at timestamptz))");
    loop.wait_until_available();
  }
  void apply(std::span<const events::Event> events) {
    loop.run([](pg::Pool& pool, std::span<const events::Event> some) -> awaitable<void> {
      auto transaction = co_await pool.begin();
      co_await analytics::rollups::apply(transaction, some);
      co_await transaction.commit();
    }(loop.pool, events));
  }
  model::CampaignAnalytics report(int organization, const Span& span) {
    return loop.run(store.campaigns(uuid(1, organization), span));
  }

  Database database;
  Loop loop;
  analytics::reports::Store store;
};

// The same figures from the raw rows. One text: the totals, then a line a day or hour in which something happened.
std::string plain_figures(const Database& database, int organization, const Span& span) {
  const std::string unit = span.by_hours ? "hour" : "day";
  const std::string sql = R"(
    WITH p AS (SELECT ')" +
                          uuid(1, organization).text() + R"('::uuid AS o, ')" + span.starts.text() +
                          R"('::timestamptz AS starts, ')" + span.ends.text() + R"('::timestamptz AS ends),
    m AS (SELECT r.*, EXISTS (SELECT FROM raw_reply y WHERE y.n = r.n) AS replied,
                 EXISTS (SELECT FROM raw_click c WHERE c.n = r.n) AS clicked,
                 (SELECT count(*) FROM raw_reply y WHERE y.n = r.n) AS replies
          FROM raw_message r, p WHERE organization_id = o AND sent_at >= starts AND sent_at < ends),
    happened AS (SELECT at, 'reply' AS kind FROM raw_reply y JOIN raw_message r USING (n), p
                 WHERE organization_id = o AND at >= starts AND at < ends
                 UNION ALL SELECT at, 'click' FROM raw_click c JOIN raw_message r USING (n), p
                 WHERE organization_id = o AND at >= starts AND at < ends),
    totals AS (SELECT concat_ws(' ', count(*), count(*) FILTER (WHERE status IN ('Sent', 'Delivered', 'Read', 'UnDelivered')),
                 count(*) FILTER (WHERE status = 'Failed'), count(*) FILTER (WHERE status IN ('Delivered', 'Read')),
                 count(*) FILTER (WHERE status = 'UnDelivered'), count(*) FILTER (WHERE status = 'Read'),
                 count(*) + coalesce(sum(replies), 0), count(*) FILTER (WHERE opened),
                 least(100, coalesce(round(100.0 * count(*) FILTER (WHERE replied) /
                   nullif(count(*) FILTER (WHERE status IN ('Delivered', 'Read')), 0), 1), 0)) * 10,
                 coalesce(round(100.0 * count(*) FILTER (WHERE status = 'Read') /
                   nullif(count(*) FILTER (WHERE status IN ('Sent', 'Delivered', 'Read', 'UnDelivered')), 0), 1), 0) * 10,
                 least(100, coalesce(round(100.0 * count(*) FILTER (WHERE replied OR clicked) /
                   nullif(count(*) FILTER (WHERE status IN ('Sent', 'Delivered', 'Read', 'UnDelivered')), 0), 1), 0)) * 10,
                 (SELECT count(*) FROM happened WHERE kind = 'click')) AS line FROM m),
    days AS (SELECT date_trunc(')" +
                          unit + "', sent_at, '" + span.zone + R"(') AS day,
                    count(*) FILTER (WHERE status IN ('Sent', 'Delivered', 'Read', 'UnDelivered')) AS sent,
                    count(*) FILTER (WHERE status IN ('Delivered', 'Read')) AS delivered,
                    count(*) FILTER (WHERE replied) AS replied, count(*) FILTER (WHERE status = 'Read') AS read,
                    0 AS engagement, 0 AS clicks FROM m GROUP BY 1
             UNION ALL SELECT date_trunc(')" +
                          unit + "', at, '" + span.zone + R"('), 0, 0, 0, 0, count(*),
                    count(*) FILTER (WHERE kind = 'click') FROM happened GROUP BY 1)
    SELECT string_agg(line, E'\n') FROM (
      SELECT regexp_replace(line, '\.0+(?=\s|$)', '', 'g') AS line FROM totals
      UNION ALL SELECT * FROM (
        SELECT concat_ws(' ', extract(epoch FROM day)::bigint, sum(sent), sum(delivered), sum(replied), sum(read), sum(engagement), sum(clicks))
        FROM days GROUP BY day
        HAVING sum(sent) + sum(delivered) + sum(replied) + sum(read) + sum(engagement) + sum(clicks) > 0
        ORDER BY day) d) all_lines)";
  return database.execute(sql);
}

std::string text_of(const model::CampaignAnalytics& a) {
  auto tenths = [](double rate) { return static_cast<std::int64_t>(std::llround(rate * 10)); };
  std::string out;
  for (const auto value : {a.totalRecipients, a.messagesSent, a.messagesFailed, a.messagesDelivered,
                           a.messagesUndelivered, a.messagesRead, a.totalMessages, a.conversationInitiated,
                           tenths(a.responseRate), tenths(a.openRate), tenths(a.engagementRate), a.totalLinkClicks})
    out += (out.empty() ? "" : " ") + std::to_string(value);
  for (std::size_t i = 0; i < a.messageAnalytics.size(); ++i) {
    const auto& day = a.messageAnalytics[i];
    const auto engagement = a.engagementTrends.at(i).count, clicks = a.linkClicksData.at(i).count;
    if (day.sent + day.delivered + day.replied + day.read + engagement + clicks == 0) continue;
    out += '\n' + std::to_string(day.date.milliseconds_since_epoch / 1000);
    for (const auto value : {day.sent, day.delivered, day.replied, day.read, engagement, clicks})
      out += ' ' + std::to_string(value);
  }
  return out;
}

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
  TEST_CASE("random histories: every figure of random spans is what plain SQL counts") {
    const char* zones[] = {"UTC",         "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe",
                           "Pacific/Apia"};
    // Around Berlin's change of clocks, so that days of 25 hours are in it.
    const auto first = model::Timestamp::parse("2025-10-20")->milliseconds_since_epoch;
    for (unsigned seed = 1; seed <= 8; ++seed) {
      Bed bed;
      const std::int64_t days = seed % 2 == 0 ? 2 : 20;
      const std::int64_t length = days * 24 * 60 * 60 * 1000;
      History history(seed, first, length);
      history.run(1'200);
      bed.database.execute(history.raw_sql());
      std::mt19937 random(seed);
      for (std::size_t at = 0; at < history.events.size();) {  // pages of any size
        const auto size = std::min(history.events.size() - at, std::size_t{1} + random() % 100);
        bed.apply(std::span(history.events).subspan(at, size));
        at += size;
      }
      for (int i = 0; i < 12; ++i) {
        const auto quarters = static_cast<std::uint64_t>(length / kQuarter);
        auto one = static_cast<std::int64_t>(random() % (quarters + 1)),
             other = static_cast<std::int64_t>(random() % (quarters + 1));
        if (one > other) std::swap(one, other);
        if (one == other) ++other;
        const Span span{{first + one * kQuarter},
                        {first + other * kQuarter},
                        (other - one) * kQuarter <= 48 * 4 * kQuarter,
                        zones[random() % std::size(zones)]};
        CAPTURE(seed);
        CAPTURE(span.zone);
        CAPTURE(span.starts.text());
        CAPTURE(span.ends.text());
        for (const int organization : {0, 1})
          CHECK(text_of(bed.report(organization, span)) == plain_figures(bed.database, organization, span));
      }
    }
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

  TEST_CASE("forgetting empties the rollups") {
    Bed bed;
    History history(5, 1'760'000'000'000, 86'400'000);
    history.run(50);
    bed.apply(history.events);
    bed.loop.run([](pg::Pool& pool) -> awaitable<void> {
      auto transaction = co_await pool.begin();
      co_await analytics::rollups::forget(transaction);
      co_await transaction.commit();
    }(bed.loop.pool));
    CHECK(bed.database.number(
              "SELECT (SELECT count(*) FROM campaign_rollup) + (SELECT count(*) FROM organization_rollup)") == 0);
  }
}

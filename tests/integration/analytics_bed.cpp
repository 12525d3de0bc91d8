#include "tests/integration/analytics_bed.hpp"

namespace parley::analytics_tests {

std::string History::raw_sql() const {
  std::string sql = "BEGIN;\n";
  auto quoted = [](model::Timestamp moment) { return "'" + moment.text() + "'"; };
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    const auto& m = messages_[i];
    const auto n = std::to_string(i);
    sql += "INSERT INTO raw_message VALUES (" + n + ", '" + uuid(1, m.organization).text() + "', '" +
           uuid(2, m.campaign).text() + "', " + quoted(m.sent_at) + ", '" + std::string(model::name_of(m.status)) +
           "', " + (m.opened ? "true" : "false") + ");\n";
    for (const auto at : m.replies) sql += "INSERT INTO raw_reply VALUES (" + n + ", " + quoted(at) + ");\n";
    for (const auto at : m.clicks) sql += "INSERT INTO raw_click VALUES (" + n + ", " + quoted(at) + ");\n";
  }
  return sql + "COMMIT";
}

Bed::Bed() : loop(database.settings()), store(loop.pool) {
  database.execute(read_text("common/removals/removal.sql"));  // the bed has an inbox
  database.execute(read_text("services/analytics/schema/rollups.sql"));
  database.execute(R"(
    CREATE TABLE raw_message (n int PRIMARY KEY, organization_id uuid, campaign_id uuid, sent_at timestamptz, status text,
                              opened bool);
    CREATE TABLE raw_reply (n int, at timestamptz);
    CREATE TABLE raw_click (n int, at timestamptz))");
  loop.wait_until_available();
}

void Bed::apply(std::span<const events::Event> events, Apply work) {
  loop.run([](pg::Pool& pool, std::span<const events::Event> some, Apply apply) -> awaitable<void> {
    auto transaction = co_await pool.begin();
    co_await apply(transaction, some);
    co_await transaction.commit();
  }(loop.pool, events, work));
}

void Bed::apply_split(std::span<const events::Event> events, std::mt19937& random, Apply work) {
  while (!events.empty()) {
    const auto size = std::min(events.size(), std::size_t{1} + random() % 100);
    apply(events.first(size), work);
    events = events.subspan(size);
  }
}

model::CampaignAnalytics Bed::report(int organization, const Span& span, analytics::reports::Filter filter) {
  const auto figures = loop.run(store.campaigns(uuid(1, organization), span, std::move(filter)));
  return analytics::reports::summarise(figures.slots);
}

std::string Bed::tables() const {
  std::string out;
  for (const std::string table :
       {"campaign", "campaign_rollup", "organization_rollup", "message_rollup", "contact_rollup"})
    out += database.execute("SELECT '" + table +
                            "' || E'\\n' || coalesce(string_agg(line, E'\\n' ORDER BY line), '') FROM " +
                            "(SELECT (to_jsonb(t) - 'position')::text AS line FROM " + table + " t) l");
  return out;
}

std::string plain_figures(const std::string& url, int organization, const Span& span, const std::string& filter) {
  const std::string unit = span.by_hours ? "hour" : "day";
  const std::string sql = R"(
    WITH p AS (SELECT ')" +
                          uuid(1, organization).text() + R"('::uuid AS o, ')" + span.starts.text() +
                          R"('::timestamptz AS starts, ')" + span.ends.text() + R"('::timestamptz AS ends),
    m AS (SELECT r.*, EXISTS (SELECT FROM raw_reply y WHERE y.n = r.n) AS replied,
                 EXISTS (SELECT FROM raw_click c WHERE c.n = r.n) AS clicked,
                 (SELECT count(*) FROM raw_reply y WHERE y.n = r.n) AS replies
          FROM raw_message r, p WHERE organization_id = o AND sent_at >= starts AND sent_at < ends AND )" +
                          filter + R"(),
    happened AS (SELECT at, 'reply' AS kind FROM raw_reply y JOIN raw_message r USING (n), p
                 WHERE organization_id = o AND at >= starts AND at < ends AND )" +
                          filter + R"(
                 UNION ALL SELECT at, 'click' FROM raw_click c JOIN raw_message r USING (n), p
                 WHERE organization_id = o AND at >= starts AND at < ends AND )" +
                          filter + R"(),
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
  return support::execute(url, sql);
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

std::string plain_primary(const std::string& url, int organization, const Span& span) {
  const std::string condition = " FROM raw_life WHERE organization_id = '" + uuid(1, organization).text() + "' AND at ";
  const auto slot = "extract(epoch FROM greatest(date_trunc('" + std::string(span.by_hours ? "hour" : "day") +
                    "', at, '" + span.zone + "'), '" + span.starts.text() + "'))::bigint";
  return support::execute(
      url, "SELECT (SELECT count(*) FILTER (WHERE what = 'created') - count(*) FILTER (WHERE what = 'deleted')" +
               condition + "< '" + span.starts.text() +
               "') || coalesce(string_agg(line, '' ORDER BY line), '') FROM (SELECT E'\\n' || " + slot +
               " || ' ' || what || ' ' || count(*) AS line" + condition + ">= '" + span.starts.text() + "' AND at < '" +
               span.ends.text() + "' GROUP BY " + slot + ", what) l");
}

std::string text_of(const analytics::reports::PrimaryFigures& figures, const Span& span) {
  std::vector<std::string> lines;
  for (const auto& slot : figures.slots) {
    const auto starts = std::max(slot.date, span.starts).milliseconds_since_epoch / 1000;
    const std::pair<const char*, std::int64_t> counts[] = {{"inbound", slot.inbound},
                                                           {"Queued", slot.queued},
                                                           {"Sent", slot.sent},
                                                           {"UnDelivered", slot.undelivered},
                                                           {"Delivered", slot.delivered},
                                                           {"Read", slot.read},
                                                           {"Failed", slot.failed},
                                                           {"opened by Contact", slot.opened_by_contact},
                                                           {"opened by Campaign", slot.opened_by_campaign},
                                                           {"opened by Member", slot.opened_by_member},
                                                           {"created", slot.created},
                                                           {"deleted", slot.deleted}};
    for (const auto& [what, count] : counts)
      if (count != 0) lines.push_back('\n' + std::to_string(starts) + ' ' + what + ' ' + std::to_string(count));
  }
  std::sort(lines.begin(), lines.end());
  auto out = std::to_string(figures.contacts_before.value());
  for (const auto& line : lines) out += line;
  return out;
}

Span random_span(std::int64_t first, std::int64_t length, std::mt19937& random) {
  static const char* const zones[] = {
      "UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia"};
  const auto quarters = static_cast<std::uint64_t>(length / kQuarter);
  auto one = static_cast<std::int64_t>(random() % (quarters + 1)),
       other = static_cast<std::int64_t>(random() % (quarters + 1));
  if (one > other) std::swap(one, other);
  if (one == other) ++other;
  return {{first + one * kQuarter},
          {first + other * kQuarter},
          (other - one) * kQuarter <= 48 * 4 * kQuarter,
          zones[random() % std::size(zones)]};
}

}  // namespace parley::analytics_tests

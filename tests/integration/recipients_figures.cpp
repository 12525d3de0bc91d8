// The tallies of campaigns' recipients are what counting them gives, whatever statements write them, and from how many
// connections.
#include <boost/json/parse.hpp>
#include <random>

#include "tests/integration/recipients_bed.hpp"

using namespace parley;
using namespace parley::recipients_tests;

namespace {

const std::vector<std::string> kSteps{
    "UPDATE message SET status = 'Sent' WHERE status = 'Queued' AND @",
    "UPDATE message SET status = 'Delivered' WHERE status IN ('Sent', 'UnDelivered') AND @",
    "UPDATE message SET status = 'Read' WHERE @ AND status <> 'Read'",
    "UPDATE message SET status = 'Failed', error_code = 131026, error_text = 'no' WHERE status = 'Queued' AND @",
    "UPDATE message SET status = 'Failed', error_code = NULL, error_text = 'unknown' WHERE status = 'Queued' AND @",
    "UPDATE message SET status = 'Failed', error_code = NULL, error_text = 'the campaign was cancelled' WHERE status = "
    "'Queued' AND @",
    "UPDATE message SET status = 'UnDelivered', error_code = 131049 WHERE status = 'Sent' AND @",
    "UPDATE message SET error_text = NULL, data = '{}' WHERE @",
    "UPDATE target SET skipped = (ARRAY['OptedOut', 'Duplicate', 'Deleted', 'MissingValue'])[1 + ordinal % 4] WHERE "
    "skipped IS NULL AND message_id NOT IN (SELECT id FROM message) AND @",
    "UPDATE target SET recipient = '', parameters = '{}' WHERE @",
    "INSERT INTO engagement AS e (organization_id, campaign_id, message_id, replies) SELECT organization_id, "
    "campaign_id, id, 1 FROM message WHERE @ ON CONFLICT (organization_id, campaign_id, message_id) DO UPDATE SET "
    "replies = e.replies + 1",
    "INSERT INTO engagement AS e (organization_id, campaign_id, message_id, clicks) SELECT organization_id, "
    "campaign_id, id, 2 FROM message WHERE @ ON CONFLICT (organization_id, campaign_id, message_id) DO UPDATE SET "
    "clicks = e.clicks + 2",
};

// What is kept that counting does not give, or the other way round.
constexpr auto kDrift =
    "WITH counted AS (SELECT t.variant, 'Targets' AS what, '' AS reason FROM target t UNION ALL SELECT variant, "
    "'Skipped', skipped FROM target WHERE skipped IS NOT NULL UNION ALL SELECT variant, status, "
    "failure_reason(status, error_code, error_text) FROM message WHERE campaign_id IS NOT NULL UNION ALL SELECT "
    "m.variant, 'Replied', '' FROM engagement e JOIN message m ON m.id = e.message_id WHERE e.replies > 0 UNION ALL "
    "SELECT m.variant, 'Clicked', '' FROM engagement e JOIN message m ON m.id = e.message_id WHERE e.clicks > 0), "
    "right_ones AS (SELECT variant, what, reason, count(*) AS n FROM counted GROUP BY 1, 2, 3), kept AS (SELECT "
    "variant, what, reason, sum(n) AS n FROM campaign_figure GROUP BY 1, 2, 3 HAVING sum(n) <> 0) SELECT count(*) FROM "
    "right_ones r FULL JOIN kept k USING (variant, what, reason) WHERE r.n IS DISTINCT FROM k.n";

boost::json::value figures(Bed& bed, const Uuid& campaign) {
  return bed.get("/api/campaigns/" + campaign.text() + "/figures").json().at("figures");
}

}  // namespace

TEST_SUITE("integration: recipients") {
  TEST_CASE("figures: tallies stay what counting gives, whatever is written in whatever order") {
    Bed bed;
    bed.add_campaign(60, "CASE WHEN n > 20 THEN 'Queued' END", "NULL::int, NULL::text", "Running",
                     "CASE WHEN n < 5 THEN 'Blocked' END");
    CHECK_EQ(bed.database.number(kDrift), 0);
    std::mt19937 random{20261126};
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    for (int i = 0; i < 150; ++i) {
      auto step = kSteps[below(kSteps.size())];
      const auto divisor = std::to_string(2 + below(9));
      const auto key = step.starts_with("UPDATE target") ? "recipient" : "id::text";
      step.replace(step.find('@'), 1, "abs(hashtext(" + std::string(key) + ")) % " + divisor + " = 0");
      INFO(step);
      bed.database.execute(step);
      REQUIRE_EQ(bed.database.number(kDrift), 0);
    }
  }

  TEST_CASE("figures: connections that write at one time do not wait for each other, and all counts") {
    Bed bed;
    bed.add_campaign(60, "CASE WHEN n > 20 THEN 'Queued' END");
    conversations_tests::Session other(bed.database);
    other.execute("BEGIN");
    const auto send = [](int remainder) {
      return "UPDATE message SET status = 'Sent' WHERE status = 'Queued' AND abs(hashtext(id::text)) % 2 = " +
             std::to_string(remainder);
    };
    other.execute(send(0));
    bed.database.execute(send(1));
    other.execute("COMMIT");
    CHECK_EQ(bed.database.number(kDrift), 0);
    CHECK_GT(bed.database.number("SELECT max(n) FROM (SELECT count(*) AS n FROM campaign_figure GROUP BY "
                                 "campaign_id, variant, what, reason) f"),
             1);
  }

  TEST_CASE("figures: a campaign's are told by variant, by reason and by hour, in the words of its recipients") {
    Bed bed;
    const auto campaign = bed.add_campaign(
        20, "CASE WHEN n = 6 THEN 'Failed' WHEN n IN (7, 10) THEN 'UnDelivered' WHEN n > 10 THEN 'Read' END",
        "CASE n WHEN 6 THEN 131026 WHEN 7 THEN 131049 WHEN 10 THEN 470 END, 'words'", "Cancelled",
        "CASE WHEN n < 3 THEN 'OptedOut' WHEN n = 3 THEN 'Invalid' END");
    bed.database.execute("UPDATE campaign SET timezone = 'Asia/Kolkata'");
    bed.database.execute(
        "INSERT INTO engagement (organization_id, campaign_id, message_id, replies, clicks) SELECT organization_id, "
        "campaign_id, message_id, 2, (ordinal = 15)::int FROM target WHERE ordinal IN (15, 16)");
    bed.database.execute(
        "INSERT INTO campaign_count (organization_id, campaign_id, quarter, what, slot, n) SELECT organization_id, id, "
        "q::timestamptz, w, s, n FROM campaign, (VALUES ('2026-01-31T12:15Z', 'Read', 0, 5), ('2026-01-31T12:15Z', "
        "'Read', -1, 2), ('2026-01-31T12:30Z', 'Read', 0, 3), ('2026-01-31T13:30Z', 'RepliesAt', 3, 4), "
        "('2026-03-31T13:30Z', 'ClicksAt', 3, 1), ('-infinity', 'Folded Read', 0, 2)) AS c (q, w, s, n)");
    const auto shown = figures(bed, campaign);
    CHECK_EQ(shown.at("total"),
             boost::json::parse(R"({"recipients":20,"skipped":7,"pending":0,"sent":0,"delivered":0,"read":10,)"
                                R"("failed":1,"undelivered":2,"inDoubt":0,"replied":2,"clicked":1})"));
    CHECK_EQ(shown.at("byVariant").at(1),
             boost::json::parse(R"({"recipients":4,"skipped":1,"pending":0,"sent":0,"delivered":0,"read":2,)"
                                R"("failed":0,"undelivered":1,"inDoubt":0,"replied":1,"clicked":1,"variant":1,)"
                                R"("name":"B"})"));
    CHECK(shown.at("byVariant").at(0).at("name").is_null());
    std::string reasons;
    for (const auto& each : shown.at("byReason").as_array())
      reasons += std::string(each.at("state").as_string()) + " " + std::string(each.at("reason").as_string()) + " " +
                 std::to_string(each.at("recipients").as_int64()) + "\n";
    CHECK_EQ(reasons,
             "Skipped Cancelled 4\nSkipped OptedOut 2\nFailed 131026 1\nUnDelivered 131049 1\nUnDelivered 470 1\n"
             "Skipped Invalid 1\n");
    CHECK_EQ(shown.at("byReason").at(4).at("text").as_string(), "an error of the channel");
    // The hours of a zone that begin within an hour of UTC, without those long after.
    REQUIRE_EQ(shown.at("byHour").as_array().size(), 3);
    CHECK_EQ(shown.at("byHour").at(0).at("label").as_string(), "2026-01-31T17:00");
    CHECK_EQ(shown.at("byHour").at(0).at("hour").as_string(), "2026-01-31T11:30:00.000Z");
    CHECK_EQ(shown.at("byHour").at(0).at("read").as_int64(), 7);
    CHECK_EQ(shown.at("byHour").at(1).at("read").as_int64(), 3);
    CHECK_EQ(shown.at("byHour").at(2).at("replies").as_int64(), 4);
    CHECK_EQ(bed.get("/api/campaigns/" + model::new_uuid().text() + "/figures").status, 404);
  }

  TEST_CASE("figures: what is in doubt is told by variant, and messages without one are in none") {
    Bed bed;
    const auto campaign = bed.add_campaign(10, "'Queued'", "NULL::int, NULL::text", "Running");
    bed.database.execute(
        "INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, state, "
        "campaign_id, expires_at) SELECT organization_id, message_id, 'Message', '1', contact_id, recipient, "
        "'InDoubt', campaign_id, now() FROM target WHERE ordinal IN (4, 5)");
    auto shown = figures(bed, campaign);
    CHECK_EQ(shown.at("total").at("inDoubt").as_int64(), 2);
    CHECK_EQ(shown.at("byVariant").at(1).at("inDoubt").as_int64(), 1);
    CHECK_EQ(shown.at("byVariant").at(1).at("pending").as_int64(), 1);
    // Such as the release before made.
    bed.database.execute("UPDATE message SET variant = NULL; UPDATE message SET status = 'Sent'");
    shown = figures(bed, campaign);
    CHECK_EQ(shown.at("total").at("sent").as_int64(), 0);
  }
}

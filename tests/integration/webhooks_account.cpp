// What the channel tells about accounts: kept, told, and shown to those who send through them.
#include "conversations/channel/notices/store.hpp"
#include "tests/integration/webhooks_bed.hpp"

using namespace parley;
using namespace parley::webhooks_tests;

namespace {

std::string news_of(const std::string& account, const std::string& field, json::object value, std::int64_t at = kNoon) {
  const json::object change{{"field", field}, {"value", std::move(value)}};
  return json::serialize(json::object{
      {"entry", json::array{json::object{{"id", account}, {"time", at}, {"changes", json::array{change}}}}}});
}

json::object ban(const std::string& state) {
  return {{"event", "DISABLED_UPDATE"}, {"ban_info", json::object{{"waba_ban_state", state}}}};
}

struct Bed : Applying {
  std::string notices(const Uuid& of) const {
    return world.text(
        "SELECT string_agg(concat_ws(' ', severity, kind, event, detail, phone_number), ', ' ORDER BY at, id) FROM "
        "account_notice WHERE organization_id = " +
        quoted(of));
  }
  std::string told() const {
    return world.text(
        "SELECT string_agg(concat_ws(' ', c ->> 'type', c ->> 'organizationId', c ->> 'severity'), ', ' ORDER BY o.id, "
        "n) FROM outbox o, jsonb_array_elements(changes) WITH ORDINALITY c (c, n)");
  }
};

}  // namespace

TEST_SUITE("integration: webhooks, account") {
  TEST_CASE("news of an account are kept and told once, however often they come, in the order of their times") {
    Bed bed;
    bed.world.database.execute(
        "INSERT INTO channel_list (organization_id, kind, business_account_id, listed_at) VALUES (" +
        quoted(bed.organization) + ", 'PhoneNumbers', '7', now())");
    for (int i = 0; i < 3; ++i) bed.apply(news_of("7", "account_update", ban("DISABLE"), kNoon + 10));
    bed.apply(news_of("7", "account_update", ban("SCHEDULE_FOR_DISABLE"), kNoon));
    bed.apply(news_of("7", "phone_number_quality_update",
                      {{"event", "FLAGGED"}, {"display_phone_number", "15550001111"}}, kNoon + 20));
    CHECK_EQ(bed.notices(bed.organization),
             "Critical account_update DISABLED_UPDATE SCHEDULE_FOR_DISABLE, Critical account_update DISABLED_UPDATE "
             "DISABLE, Warning phone_number_quality_update FLAGGED  15550001111");
    const auto id = bed.organization.text();
    CHECK_EQ(bed.told(), "account.notice " + id + " Critical, account.notice " + id + " Critical, account.notice " +
                             id + " Warning");
    CHECK_EQ(bed.world.text("SELECT listed_at FROM channel_list"), "-infinity");
    CHECK_EQ(
        bed.world.text(
            "SELECT data -> 'ban_info' ->> 'waba_ban_state' FROM account_notice WHERE at = '2026-01-31T12:00:10Z'"),
        "DISABLE");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element"), 0);
  }

  TEST_CASE("news reach those who send through the account, errors the number's owner, and nobody else") {
    Bed bed;
    const auto other = bed.world.connect("200");  // of the same account
    bed.apply(news_of("7", "account_review_update", {{"decision", "REJECTED"}}));
    CHECK_EQ(bed.notices(bed.organization), "Critical account_review_update REJECTED ");
    CHECK_EQ(bed.notices(other), bed.notices(bed.organization));
    bed.apply(news_of("7", "messages",
                      {{"metadata", json::object{{"phone_number_id", "200"}}},
                       {"errors", json::array{json::object{{"code", 131042}, {"title", "Payment"}}}}}));
    CHECK_EQ(bed.notices(bed.organization), "Critical account_review_update REJECTED ");
    CHECK(bed.notices(other).ends_with("Warning errors 131042 Payment"));

    // Of an account that nobody has connected: tried for a while, as it may be being connected, and counted.
    bed.apply(news_of("8", "account_update", ban("DISABLE")));
    CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element WHERE due_at > now()"), 1);
    for (int i = 0; i < 5; ++i) {
      bed.world.pass_time();
      bed.replica.drain();
    }
    CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element"), 0);
    CHECK_EQ(bed.world.number("SELECT count(*) FROM account_notice WHERE business_account_id = '8'"), 0);
    CHECK(bed.replica.process().metrics().scrape().find("webhook_foreign_elements_total{kind=\"account\"} 1") !=
          std::string::npos);
  }

  TEST_CASE("news wait for organizations, and nothing else waits for them") {
    Bed bed;
    bed.replica.organizations_down = true;
    bed.apply(news_of("7", "account_update", ban("DISABLE")));
    CHECK_EQ(bed.notices(bed.organization), "");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element"), 1);
    bed.replica.organizations_down = false;
    bed.replica.until([&] {
      bed.world.pass_time();
      bed.replica.drain();
      return !bed.notices(bed.organization).empty();
    });
    CHECK_EQ(bed.notices(bed.organization), "Critical account_update DISABLED_UPDATE DISABLE");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element"), 0);
  }

  TEST_CASE("the newest 50 of each kind are kept, and the newest 5 shown: many do not hide a ban") {
    Bed bed;
    bed.apply(news_of("7", "account_update", ban("DISABLE")));
    for (int i = 0; i < 55; ++i)
      bed.world.receive(news_of("7", "account_alerts", {{"alert_type", std::to_string(i)}}, kNoon + i));
    bed.replica.drain();
    CHECK_EQ(bed.world.number("SELECT count(*) FROM account_notice"), 51);
    CHECK_EQ(bed.world.text("SELECT min(event::int) FROM account_notice WHERE kind = 'account_alerts'"), "5");
    std::vector<conversations::notices::Notice> shown;
    bed.replica.run([](pg::Pool& database, Uuid organization, auto& shown) -> awaitable<void> {
      shown = co_await conversations::notices::recent(database, organization, "7");
    }(bed.replica.database(), bed.organization, shown));
    REQUIRE_EQ(shown.size(), 6);
    CHECK_EQ(shown.front().event, "54");
    CHECK_EQ(shown.at(4).event, "50");
    CHECK_EQ(shown.back().detail, "DISABLE");
  }
}

// Which inbound messages answer a campaign, and that each does once.
#include "tests/integration/webhooks_bed.hpp"

using namespace parley;
using namespace parley::webhooks_tests;

namespace {

constexpr auto kAda = "4915100000001";

struct Bed : Applying {
  Uuid campaign = model::new_uuid(), other = model::new_uuid();

  // Sent to Ada so many seconds after noon, and known to the channel as `key`.
  Uuid send(const std::string& key, int seconds, std::optional<Uuid> of) {
    const auto id = world.add_outbound(organization, "+" + std::string(kAda), key, of);
    world.database.execute(
        "UPDATE message SET created_at = timestamptz '2026-01-31T12:00:00Z' + interval '1 second' * " +
        std::to_string(seconds) + " WHERE id = " + quoted(id));
    apply({}, {status(key, "sent", seconds, id)});
    return id;
  }
  void apply(const json::array& messages, const json::array& statuses = {}) {
    Applying::apply(body_of(messages, statuses));
  }
  // Of all campaigns: replies, recipients who replied, who are engaged, and what was told.
  std::string counted() const {
    return world.text(
        "SELECT concat_ws(' ', coalesce(sum(n) FILTER (WHERE what = 'Replies'), 0), coalesce(sum(n) FILTER (WHERE what "
        "= 'Replied'), 0), coalesce(sum(n) FILTER (WHERE what = 'Engaged'), 0), (SELECT count(*) FROM outbox, "
        "jsonb_array_elements(changes) c WHERE c ->> 'type' = 'campaign.reply')) FROM campaign_count");
  }
  std::string replies_of(const Uuid& message) const {
    return world.text(
        "SELECT coalesce((SELECT concat_ws(' ', replies, replied_at AT TIME ZONE 'UTC') FROM engagement "
        "WHERE message_id = " +
        quoted(message) + "), '')");
  }
};

}  // namespace

TEST_SUITE("integration: webhooks, replies to campaigns") {
  TEST_CASE("a message answers what it quotes, each recipient once for the first time") {
    Bed bed;
    const auto first = bed.send("w1", -600, bed.campaign), second = bed.send("w2", -300, bed.other);
    bed.apply({reply(text("a1", kAda, 3, "Yes"), "w1")});
    CHECK_EQ(bed.counted(), "1 1 1 1");
    CHECK_EQ(bed.replies_of(first), "1 2026-01-31 12:00:03");
    CHECK_EQ(bed.world.text("SELECT c #>> '{}' FROM outbox, jsonb_array_elements(changes) c WHERE c ->> 'type' = "
                            "'campaign.reply'"),
             R"({"at": "2026-01-31T12:00:03.000Z", "type": "campaign.reply", "first": true, "sentAt": )"
             R"("2026-01-31T11:50:00.000Z", "engaged": true, "campaignId": ")" +
                 bed.campaign.text() + R"(", "organizationId": ")" + bed.organization.text() + R"("})");
    CHECK_EQ(bed.world.text("SELECT (c - 'organizationId') #>> '{}' FROM outbox, jsonb_array_elements(changes) c WHERE "
                            "c ->> 'type' = 'campaign.engaged'"),
             R"({"did": "Replied", "type": "campaign.engaged", "campaignId": ")" + bed.campaign.text() +
                 R"(", "contactIds": [")" +
                 bed.world.text("SELECT contact_id FROM message WHERE id = " + quoted(first)) + R"("]})");
    // Again, and others: of one batch the earliest is the first.
    bed.apply({reply(text("a1", kAda, 3, "Yes"), "w1"), reply(text("a3", kAda, 9, "to the other"), "w2"),
               reply(text("a2", kAda, 2, "earlier"), "w2"), reply(text("a4", kAda, 10, "more"), "w1")});
    CHECK_EQ(bed.counted(), "4 2 2 4");
    CHECK_EQ(bed.replies_of(first), "2 2026-01-31 12:00:03");
    CHECK_EQ(bed.replies_of(second), "2 2026-01-31 12:00:02");
    // It answers a message that no campaign sent.
    bed.send("w3", 20, std::nullopt);
    bed.apply({reply(text("a5", kAda, 30, "not you"), "w3"), reply(text("a6", kAda, 31, "myself"), "a5")});
    CHECK_EQ(bed.counted(), "4 2 2 4");
    CHECK_EQ(
        bed.world.text("SELECT string_agg(what || ' ' || quarter AT TIME ZONE 'UTC' || ' ' || n, ', ' ORDER BY "
                       "what, quarter) FROM (SELECT what, quarter, sum(n) AS n FROM campaign_count WHERE what LIKE "
                       "'Repl%' AND campaign_id = " +
                       quoted(bed.other) + " GROUP BY what, quarter) c"),
        "Replied 2026-01-31 11:45:00 1, Replies 2026-01-31 11:45:00 2, RepliesAt 2026-01-31 12:00:00 2");
  }

  TEST_CASE("one that quotes nothing answers the last that was sent to them, for 72 hours") {
    constexpr int kHours = 60 * 60;
    struct Case {
      int sent;
      std::string counted;
    };
    for (const auto& each : {Case{-72 * kHours, "1 1 1 1"}, Case{-72 * kHours - 1, "0 0 0 0"}, Case{0, "1 1 1 1"},
                             Case{4, "1 1 1 1"}, Case{60, "0 0 0 0"}}) {
      CAPTURE(each.sent);
      Bed bed;
      bed.send("w1", each.sent, bed.campaign);
      bed.apply({text("a1", kAda, 0, "Hello")});
      CHECK_EQ(bed.counted(), each.counted);
    }
    Bed bed;
    bed.send("w1", -100 * kHours, bed.campaign);
    bed.apply({reply(text("a1", kAda, 0, "late, but to you"), "w1")});
    CHECK_EQ(bed.counted(), "1 1 1 1");
    bed.send("w2", 10, bed.campaign);
    bed.send("w3", 20, std::nullopt);
    bed.apply({text("a2", kAda, 30, "to the member who wrote last")});
    CHECK_EQ(bed.counted(), "1 1 1 1");
    bed.send("w4", 40, bed.other);
    bed.apply({text("a3", kAda, 50, "to the campaign"), text("a4", kAda, 25, "late: to the member")});
    CHECK_EQ(bed.counted(), "2 2 2 2");
    // In another conversation nothing was sent to them.
    bed.world.database.execute("UPDATE conversation SET status = 'Closed'");
    bed.apply({text("a5", kAda, 60, "Hello again")});
    CHECK_EQ(bed.counted(), "2 2 2 2");
  }

  TEST_CASE("reactions count, unless they are taken back; blocked contacts and the channel itself do not") {
    Bed bed;
    bed.send("w1", -60, bed.campaign);
    bed.apply({message("a1", kAda, 1, "reaction", {{"message_id", "w1"}, {"emoji", "👍"}})});
    bed.apply({message("a2", kAda, 2, "reaction", {{"message_id", "w1"}})});
    bed.apply({message("a3", kAda, 3, "system", {{"body", "Ada changed their number"}})});
    CHECK_EQ(bed.counted(), "1 1 1 1");
    bed.world.contacts.sql().rows("UPDATE contact SET status = 'Blocked'");
    bed.apply({text("a4", kAda, 4, "Hello"), reply(text("a5", kAda, 5, "Hello!"), "w1")});
    CHECK_EQ(bed.counted(), "1 1 1 1");
  }

  TEST_CASE("one that quotes what is not known yet answers it when it is, and nothing else meanwhile") {
    Bed bed;
    bed.send("w1", -60, bed.campaign);
    const auto late = bed.world.add_outbound(bed.organization, "+" + std::string(kAda), "in doubt", bed.other);
    for (int times = 0; times < 3; ++times) bed.apply({reply(text("a1", kAda, 1, "Yes"), "w2")});
    CHECK_EQ(bed.counted(), "0 0 0 0");
    bed.apply({}, {status("w2", "sent", 0, late)});
    bed.world.pass_time();
    bed.replica.drain();
    bed.apply({reply(text("a1", kAda, 1, "Yes"), "w2")});
    CHECK_EQ(bed.counted(), "1 1 1 1");
    CHECK_EQ(bed.replies_of(late), "1 2026-01-31 12:00:01");
  }

  TEST_CASE("a deleted campaign has no answers any more, and statuses ask for none") {
    Bed bed;
    bed.send("w1", -60, bed.campaign);
    bed.world.database.execute("INSERT INTO campaign (organization_id, id, name, status, deleted_at) VALUES (" +
                               quoted(bed.organization) + "," + quoted(bed.campaign) +
                               ", 'Spring', 'Finished', now())");
    bed.apply({text("a1", kAda, 1, "Hello"), reply(text("a2", kAda, 2, "Hello!"), "w1")});
    CHECK_EQ(bed.counted(), "0 0 0 0");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM engagement"), 0);
    bed.world.database.execute("ALTER TABLE engagement RENAME TO elsewhere");
    bed.apply({}, {status("w1", "delivered", 5)});
    CHECK_EQ(bed.world.text("SELECT status FROM message WHERE channel_message_id = 'w1'"), "Delivered");
  }
}

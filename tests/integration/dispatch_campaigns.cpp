// Campaigns: each recipient once, whoever sends and whatever dies.
#include "tests/integration/dispatch_bed.hpp"

using namespace parley;
using namespace parley::dispatch_tests;

namespace {

// Each of the channel's messages came once, and there are so many.
void check_once(Bed& bed, std::size_t count) {
  CHECK(bed.channel.accepted.size() == count);
  for (const auto& [opaque, times] : bed.channel.accepted) CHECK(times == 1);
}

// The campaign's figures are those of its messages.
void check_figures(Bed& bed, const Uuid& campaign) {
  for (const auto* status : {"Queued", "Sent", "Failed"})
    CHECK(bed.figure(campaign, status) == bed.messages(campaign, status));
  CHECK(bed.database.drifted() == 0);
  CHECK(
      bed.value("SELECT coalesce(sum((c ->> 'count')::int), 0) FROM outbox o, jsonb_array_elements(o.changes) c WHERE "
                "c ->> 'type' = 'campaign.messages' AND c ->> 'from' IS NULL") ==
      bed.value("SELECT count(*) FROM message WHERE campaign_id IS NOT NULL"));
}

}  // namespace

TEST_SUITE("integration: dispatch of campaigns") {
  TEST_CASE("each recipient gets the message once, with its own words, in a conversation that this opened") {
    Bed bed;
    const auto campaign = bed.add_campaign({.recipients = 1'234, .text = "Hi {{name}}: https://example.com/a"});
    bed.start();
    bed.until([&] { return bed.over(campaign); });
    check_once(bed, 1'234);
    check_figures(bed, campaign);
    CHECK(bed.messages(campaign, "Sent") == 1'234);
    CHECK(bed.figure(campaign, "Conversations") == 1'234);
    CHECK(bed.told("conversation.created") == 1'234);
    CHECK(bed.value("SELECT count(*) FROM conversation WHERE initiated_by = 'Campaign' AND campaign_id = " +
                    quoted(campaign) + " AND total_messages = 1") == "1234");
    CHECK(bed.value("SELECT count(*) FROM outgoing") == "0");
    const auto texts = bed.channel.texts_to("491701000007");
    REQUIRE(texts.size() == 1);
    CHECK(texts[0].starts_with("Hi number 7: http://127.0.0.1/l/"));
    CHECK(bed.value("SELECT data ->> 'text' FROM message JOIN target t ON t.message_id = id AND t.ordinal = 7") ==
          texts[0]);
  }

  TEST_CASE("in the conversation that there is; not to who opted out, is blocked or deleted, nor twice to the merged") {
    Bed bed;
    const auto campaign = bed.add_campaign({.recipients = 8});
    const auto contact = [](int ordinal) {
      return "(SELECT contact_id FROM target WHERE ordinal = " + std::to_string(ordinal) + ")";
    };
    const auto organization = quoted(bed.organization);
    bed.value("INSERT INTO conversation (organization_id, id, contact_id, initiated_by) VALUES (" + organization +
              ", gen_random_uuid(), " + contact(1) + ", 'Contact')");
    bed.value("INSERT INTO suppression (organization_id, contact_id, opted_out) VALUES (" + organization + ", " +
              contact(2) + ", true)");
    bed.value("INSERT INTO suppression (organization_id, contact_id, blocked) VALUES (" + organization + ", " +
              contact(3) + ", true)");
    bed.value("INSERT INTO removal (organization_id, kind, id) VALUES (" + organization + ", 'contact', " + contact(4) +
              ")");
    bed.value("INSERT INTO merged_contact VALUES (" + organization + ", " + contact(5) + ", " + contact(6) + ")");
    const auto other = model::new_uuid();
    bed.value("INSERT INTO merged_contact VALUES (" + organization + ", " + contact(7) + ", " + quoted(other) + ")");
    bed.start();
    bed.until([&] { return bed.over(campaign); });
    check_once(bed, 4);
    check_figures(bed, campaign);
    CHECK(bed.figure(campaign, "Skipped") == 4);
    CHECK(bed.figure(campaign, "Conversations") == 3);
    CHECK(bed.value(
              "SELECT string_agg(ordinal || skipped, ' ' ORDER BY ordinal) FROM target WHERE skipped IS NOT NULL") ==
          "2OptedOut 3Blocked 4Deleted 5Duplicate");
    CHECK(bed.value("SELECT count(*) FROM message WHERE contact_id = " + quoted(other)) == "1");
  }

  TEST_CASE("several dispatchers, and the number torn from one to the other: once each, and none left in doubt") {
    auto settings = quick();
    settings.lease = 400ms;
    Bed bed(settings);
    bed.channel.reply = [](const Sent&) { return Reply{.delay = 20ms}; };
    const auto campaign = bed.add_campaign({.recipients = 3'000, .chunk = 100});
    bed.start();
    bed.add_dispatcher();
    bed.add_dispatcher();
    for (int i = 0; i < 12; ++i) {
      bed.run_for(60ms);
      bed.value(
          "UPDATE sender SET lease_until = now() - interval '1 s' WHERE ctid IN (SELECT ctid FROM sender FOR UPDATE "
          "SKIP "
          "LOCKED)");  // whose intents are under way cannot be waited for here: they go on in this thread
    }
    bed.until([&] { return bed.over(campaign) && bed.value("SELECT count(*) FROM outgoing") == "0"; });
    check_once(bed, 3'000);
    check_figures(bed, campaign);
    CHECK(bed.messages(campaign, "Sent") == 3'000);
  }

  TEST_CASE("an owner that was stopped makes nothing more, and what it knows of what it made still counts") {
    Bed bed;
    using What = dispatch::Result::What;
    const auto campaign = bed.add_campaign({.recipients = 20});
    bed.take();
    const dispatch::NumberId number{bed.organization, "1"};
    const auto chunk = bed.get(bed.campaign_store.take(number, campaign, {}));
    REQUIRE(chunk);
    REQUIRE(bed.intend(*chunk, 4).size() == 4);
    CHECK(bed.intend(*chunk, 4).empty());  // they are there
    bed.value("UPDATE sender SET lease_until = now() - interval '1 s'");
    bed.start();
    bed.until([&] { return bed.over(campaign); });
    check_once(bed, 16);
    CHECK(bed.value("SELECT count(*) FROM outgoing WHERE state = 'InDoubt'") == "4");
    CHECK(bed.intend(*chunk, 6).front().fate == dispatch::IntentOutcome::NotMine);
    dispatch::Record record;
    record.owner = bed.stranger;
    record.results = {result_of(chunk->left[0], What::sent), result_of(chunk->left[1], What::failed),
                      result_of(chunk->left[2], What::in_doubt), result_of(chunk->left[3], What::again)};
    bed.run(bed.store.record(number, record));
    bed.until([&] { return bed.messages(campaign, "Queued") == 1; });
    bed.run(bed.store.record(number, record));  // as after a commit that was not answered
    bed.run_for(100ms);
    check_once(bed, 17);
    check_figures(bed, campaign);
    CHECK(bed.queued(chunk->left[2].message_id) == "InDoubt");
    CHECK(bed.status(chunk->left[3].message_id) == "Sent");
    CHECK(bed.value("SELECT count(*) FROM outgoing") == "1");
  }

  TEST_CASE("what a dispatcher that is gone was sending is in doubt, also of a campaign that nobody goes on with") {
    Bed bed;
    const auto campaign = bed.add_campaign({.recipients = 20});
    bed.take();
    const auto chunk = bed.get(bed.campaign_store.take({bed.organization, "1"}, campaign, {}));
    bed.intend(*chunk, 4);
    bed.value("UPDATE campaign SET status = 'Cancelled'");
    bed.start();
    bed.run_for(100ms);
    CHECK(bed.value("SELECT count(*) FROM outgoing") == "0");  // it may still be there
    bed.value("UPDATE sender SET lease_until = now() - interval '1 s'");
    bed.until([&] { return bed.value("SELECT count(*) FROM chunk WHERE owner IS NULL") == "1"; });
    CHECK(bed.value("SELECT count(*) FROM outgoing WHERE state = 'InDoubt' AND claim = message_id") == "4");
    CHECK(bed.channel.sent.empty());
  }

  TEST_CASE("commits that are not answered, done or not: once each, and none is in doubt for it") {
    Bed bed;
    const auto server = [](const std::string& sql) { pg_tests::shared_server().execute(sql); };
    const auto campaign = bed.add_campaign({.recipients = 4'000});
    bed.start();
    for (std::size_t round = 1; round <= 6; ++round) {
      bed.until([&] { return bed.channel.sent.size() >= round * 500; });
      server("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
      server("SELECT pg_reload_conf()");
      bed.run_for(80ms);  // commits wait, and are done
      server("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'conversations%'");
      server("ALTER SYSTEM RESET synchronous_standby_names");
      server("SELECT pg_reload_conf()");
    }
    bed.until([&] { return bed.over(campaign) && bed.value("SELECT count(*) FROM outgoing") == "0"; });
    check_once(bed, 4'000);
    check_figures(bed, campaign);
    CHECK(bed.messages(campaign, "Sent") == 4'000);
  }
}

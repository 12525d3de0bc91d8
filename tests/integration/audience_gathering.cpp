// Audiences of campaigns, gathered while contacts change, campaigns pause and things go away.
#include <future>

#include "conversations/recovery/deletions/sql.hpp"
#include "tests/integration/audience_bed.hpp"

using namespace parley;
using namespace parley::audience_tests;
namespace audience = conversations::audience;

namespace {

const std::string kTemplate =
    R"({"type": "Template", "template": {"name": "t", "language": "en", "parameters": {"1": "{{city}}"}}})";

// The loop of a worker that was given a campaign and is killed after some steps.
struct Abandoned {
  explicit Abandoned(Bed& bed) : bed_(bed), store(bed.pool, model::new_uuid(), 10min) {}
  audience::Page page(const audience::Gathering& campaign, int first, int last, int reached) const {
    const conversations::rendering::Composition composition(campaign.message, {});
    audience::Page out(campaign.audience_after, audience::draws_of(campaign.id));
    for (int n = first; n <= last; ++n)
      out.add(World::person(n).text() + R"( {"phone": "+49151)" + std::to_string(n) +
                  R"(", "channelUserId": null, "status": "Active", "values": ["x", null]})",
              composition);
    out.add("next " + World::person(reached).text(), composition);
    return out;
  }
  void lose_leases() { bed_.value("UPDATE campaign SET audience_lease = now() - interval '1 second'"); }

 private:
  Bed& bed_;

 public:
  audience::Store store;
};

}  // namespace

TEST_CASE("audience: everybody of the lists becomes a target once, with the values of the message's variables") {
  Bed bed;
  bed.add_people(1'234);
  const auto some = bed.add_list(1, 900), others = bed.add_list(500, 1'234), without = bed.add_list(101, 110);
  const auto nobody = bed.people.add_list(bed.organization, "empty");
  bed.change("UPDATE contact SET attributes = '{\"city\": \"a \\\"b\\\\\\\\, {c}\"}' WHERE id = " +
             quoted(World::person(1)));
  bed.change("UPDATE contact SET attributes = '{}' WHERE id = " + quoted(World::person(2)));
  const auto campaign = bed.run_campaign({.lists = {some, others}, .excluded = {without}});
  const auto empty = bed.run_campaign({.lists = {nobody}});
  const auto gone = bed.run_campaign({.lists = {model::new_uuid()}});
  bed.start();
  bed.until_done(campaign);
  bed.until_done(empty);
  bed.until_done(gone);
  CHECK_EQ(bed.faults(campaign), "");
  CHECK_EQ(bed.targets(campaign), 1'224);
  CHECK_EQ(bed.targets(campaign, "skipped IS NOT NULL"), 0);
  CHECK_EQ(bed.target(campaign, 105, "ordinal"), "");
  CHECK_EQ(bed.target(campaign, 1, "recipient"), "+4915100000001");
  CHECK_EQ(bed.target(campaign, 1, "parameters[2]"), "a \"b\\\\, {c}");
  CHECK_EQ(bed.target(campaign, 1, "parameters[1]"), "Person 1");
  CHECK_EQ(bed.target(campaign, 2, "parameters"), "{\"Person 2\",NULL}");
  CHECK_EQ(bed.value("SELECT string_agg(first || '-' || last, ' ' ORDER BY first) FROM chunk"),
           "1-500 501-1000 1001-1224");
  for (const auto& one : {empty, gone}) {
    CHECK_EQ(bed.faults(one), "");
    CHECK_EQ(bed.targets(one), 0);
  }
}

TEST_CASE("audience: who is not to be sent to is a target that is skipped, and says why") {
  Bed bed;
  bed.add_people(300);
  const auto list = bed.add_list(1, 300);
  const auto set = [&](int n, const std::string& what) {
    bed.change("UPDATE contact SET " + what + " WHERE id = " + quoted(World::person(n)));
  };
  set(1, "status = 'OptedOut'");
  set(2, "status = 'Blocked'");
  set(3, "status = 'Inactive'");
  set(4, "phone = NULL");
  set(5, "phone = NULL, channel_user_id = 'DE.5'");
  set(6, "attributes = '{\"city\": \"\"}'");
  set(7, "status = 'Blocked', phone = NULL, attributes = '{}'");
  const auto campaign = bed.run_campaign({.lists = {list}, .message = kTemplate});
  const auto text = bed.run_campaign({.lists = {list}});
  bed.start();
  bed.until_done(campaign);
  bed.until_done(text);
  CHECK_EQ(bed.faults(campaign), "");
  CHECK_EQ(bed.faults(text), "");
  CHECK_EQ(
      bed.value("SELECT string_agg(skipped, ' ' ORDER BY ordinal) FROM target WHERE campaign_id = " + quoted(campaign)),
      "OptedOut Blocked Inactive Invalid MissingValue Blocked");
  CHECK_EQ(bed.target(campaign, 4, "recipient"), "");
  CHECK_EQ(bed.target(campaign, 5, "recipient"), "DE.5");
  CHECK_EQ(bed.target(text, 6, "coalesce(skipped, '-')"), "-");
  CHECK_EQ(bed.targets(text, "skipped IS NOT NULL"), 5);
}

TEST_CASE("audience: variants get about their shares, by the message's id") {
  Bed bed({.page = 500, .look_pause = 5ms});
  bed.add_people(2'000);
  const std::string variants =
      R"([{"name": "B", "share": 20, "message": {"type": "Text", "text": "b {{phone}}"}}, {"name": "C", "share": 30, "message": {"type": "Text", "text": "c"}}])";
  const auto campaign = bed.run_campaign({.lists = {bed.add_list(1, 2'000)}, .variants = variants});
  bed.start();
  bed.until_done(campaign);
  CHECK_EQ(bed.faults(campaign), "");
  CHECK_EQ(bed.target(campaign, 8, "parameters[3]"), "+4915100000008");
  const double shares[]{1'000, 400, 600};
  for (const int variant : {0, 1, 2})
    CHECK_LT(std::abs(double(bed.targets(campaign, "variant = " + std::to_string(variant))) - shares[variant]), 130);
}

TEST_CASE("audience: contacts that are made, deleted, moved and changed meanwhile") {
  Bed bed;
  bed.add_people(200);
  const auto list = bed.add_list(1, 150), other = bed.add_list(151, 200), without = bed.add_list(190, 195);
  const auto campaign = bed.run_campaign({.lists = {list, other}, .excluded = {without}});
  bed.contacts.before = [&] {
    if (bed.contacts.asked != 3) return;  // the first two pages are read: contacts 1 to 40 at most
    bed.change("DELETE FROM contact WHERE id = ANY ('" +
               support::sql_array(contacts_tests::texts({World::person(2), World::person(180)})) + "')");
    const auto move = [&](int n, const Uuid& from, const Uuid& to) {
      bed.change("UPDATE membership SET list_id = " + quoted(to) + " WHERE list_id = " + quoted(from) +
                 " AND contact_id = " + quoted(World::person(n)));
    };
    move(3, list, other);
    move(185, other, list);
    move(120, list, without);
    move(191, without, list);
    bed.change("UPDATE contact SET phone = NULL WHERE id = " + quoted(World::person(5)));
    bed.change("UPDATE contact SET phone = '+4915100000005', name = 'now hers' WHERE id = " +
               quoted(World::person(140)));
    bed.change("UPDATE contact SET status = 'Blocked' WHERE id = " + quoted(World::person(150)));
    bed.add_people(10, 201);
    for (int n = 201; n <= 210; ++n)
      bed.change("INSERT INTO membership VALUES (" + quoted(bed.organization) + ", " + quoted(list) + ", " +
                 quoted(World::person(n)) + ")");
  };
  bed.start();
  bed.until_done(campaign);
  CHECK_EQ(bed.faults(campaign), "");
  const auto there = [&](int n) { return !bed.target(campaign, n, "ordinal").empty(); };
  CHECK(there(2));  // it had come
  CHECK_FALSE(there(180));
  CHECK(there(3));
  CHECK(there(185));
  CHECK_FALSE(there(120));
  CHECK(there(191));  // moved in, as it was asked for later; it was 190 to 195 that was left out
  CHECK(there(210));
  CHECK_FALSE(there(193));
  CHECK_EQ(bed.target(campaign, 150, "skipped"), "Blocked");
  // A number is whose it was last.
  CHECK_EQ(bed.target(campaign, 5, "skipped"), "Duplicate");
  CHECK_EQ(bed.target(campaign, 140, "coalesce(skipped, '-')"), "-");
  CHECK_EQ(bed.target(campaign, 140, "parameters[1]"), "now hers");
  CHECK_EQ(bed.targets(campaign, "skipped = 'Duplicate'"), 1);
}

TEST_CASE("audience: however many have one number, it is sent to once") {
  Bed bed({.page = 400, .look_pause = 5ms});
  bed.add_people(1'600);
  const auto campaign = bed.run_campaign({.lists = {bed.add_list(1, 1'600)}});
  bed.contacts.before = [&] {  // each page has the same numbers again
    bed.change(
        "UPDATE contact SET phone = NULL; UPDATE contact SET phone = '+49151' || (right(id::text, 12)::int % "
        "400) WHERE right(id::text, 12)::int BETWEEN " +
        std::to_string(400 * (bed.contacts.asked - 1) + 1) + " AND " + std::to_string(400 * bed.contacts.asked));
  };
  bed.start();
  bed.until_done(campaign);
  CHECK_EQ(bed.faults(campaign), "");
  CHECK_EQ(bed.targets(campaign), 1'600);
  CHECK_EQ(bed.targets(campaign, "skipped IS NULL"), 400);
  CHECK_EQ(bed.targets(campaign, "skipped = 'Duplicate'"), 1'200);
  CHECK_EQ(bed.targets(campaign, "skipped IS NULL AND ordinal <= 1200"), 0);
}

TEST_CASE("audience: organizations take turns, however many campaigns one starts") {
  auto settings = quick();
  settings.turn = 3;
  Bed bed(settings);
  bed.add_people(400);
  const auto list = bed.add_list(1, 400);
  const Uuid campaigns[]{bed.run_campaign({.lists = {list}}), bed.run_campaign({.lists = {list}}),
                         bed.run_campaign({.lists = {list}})};
  const auto organization = std::exchange(bed.organization, model::new_uuid());
  const auto nobody = bed.people.add_list(bed.organization, "empty");
  std::optional<Uuid> other;
  SUBCASE("each gets every second turn") {
    other = bed.run_campaign({.lists = {nobody}});
    audience::Store store(bed.pool, model::new_uuid(), 10min);
    std::vector<Uuid> turns;
    for (int i = 0; i < 6; ++i) {
      auto taken = bed.run(store.take());
      REQUIRE(taken);
      turns.push_back(taken->organization_id);
      const auto give_back = [](audience::Store& to, audience::Gathering what) -> awaitable<bool> {
        co_await to.give_back(std::move(what), 0ms, {});
        co_return true;
      };
      bed.run(give_back(store, std::move(*taken)));
    }
    CHECK_EQ(std::count(turns.begin(), turns.end(), organization), 3);
    for (std::size_t i = 1; i < turns.size(); ++i) CHECK_NE(turns[i], turns[i - 1]);
  }
  SUBCASE("one that comes later does not wait for all of another's") {
    bed.contacts.before = [&] {
      if (!other) other = bed.run_campaign({.lists = {nobody}});
    };
    bed.start();
    bed.until([&] { return other && bed.campaign(*other, "audience_done") == "t"; });
    for (const auto& campaign : campaigns) CHECK_EQ(bed.campaign(campaign, "audience_done"), "f");
    for (const auto& campaign : campaigns) bed.until_done(campaign);
    for (const auto& campaign : campaigns) CHECK_EQ(bed.targets(campaign), 400);
  }
}

TEST_CASE("audience: a paused campaign's is not gathered further; resumed it goes on where it was") {
  Bed bed;
  bed.add_people(400);
  const auto list = bed.add_list(1, 400);
  std::future<void> change;
  const auto set = [&](const Uuid& id, const std::string& status) {  // beside the loop, which may have locked the row
    change = std::async(std::launch::async, [&bed, id, status] {
      bed.value("UPDATE campaign SET status = '" + status + "' WHERE id = " + quoted(id));
    });
  };
  const auto campaign = bed.run_campaign({.lists = {list}});
  bed.contacts.before = [&] {
    if (bed.contacts.asked == 6) set(campaign, "Paused");
  };
  bed.start();
  bed.until([&] { return bed.campaign(campaign, "status") == "Paused"; });
  bed.until([&] { return bed.campaign(campaign, "coalesce(audience_owner::text, '')").empty(); });
  const auto here = bed.targets(campaign), asked = std::int64_t(bed.contacts.asked);
  CHECK_GE(here, 60);
  CHECK_LT(here, 400);
  bed.run_for(100ms);
  CHECK_EQ(bed.targets(campaign), here);
  CHECK_EQ(bed.contacts.asked, asked);
  CHECK_EQ(bed.value("SELECT count(*) FROM chunk"), "0");
  set(campaign, "Running");
  bed.until_done(campaign);
  CHECK_EQ(bed.faults(campaign), "");
  CHECK_EQ(bed.targets(campaign), 400);

  const auto cancelled = bed.run_campaign({.lists = {list}});
  const auto first = bed.contacts.asked + 1;
  bed.contacts.before = [&] {
    if (bed.contacts.asked == first) set(cancelled, "Cancelled");
  };
  bed.until([&] { return bed.campaign(cancelled, "status") == "Cancelled"; });
  bed.run_for(100ms);
  CHECK_EQ(bed.campaign(cancelled, "audience_done"), "f");
  CHECK_LT(bed.targets(cancelled), 400);
  CHECK_EQ(bed.value("SELECT count(*) FROM chunk WHERE campaign_id = " + quoted(cancelled)), "0");
}

TEST_CASE("audience: contacts that are away are waited for, and the campaign says so") {
  Bed bed;
  bed.add_people(200);
  const auto campaign = bed.run_campaign({.lists = {bed.add_list(1, 200)}});
  bool away = false;
  bed.contacts.before = [&] {
    if (bed.contacts.asked == 4) away = true;
    if (!away) return;
    bed.contacts.instead.emplace();
    bed.contacts.instead->status = 503;
  };
  bed.start();
  bed.until([&] { return bed.contacts.asked > 8; });
  bed.until([&] { return bed.campaign(campaign, "status_reason") == audience::kContactsAway; });
  CHECK_EQ(bed.campaign(campaign, "status"), "Running");
  CHECK_GE(bed.targets(campaign), 40);
  CHECK_EQ(bed.campaign(campaign, "audience_done"), "f");
  away = false;
  bed.until_done(campaign);
  CHECK_EQ(bed.campaign(campaign, "status_reason"), "");
  CHECK_EQ(bed.faults(campaign), "");
  CHECK_EQ(bed.targets(campaign), 200);
}

TEST_CASE("audience: a worker that contacts refuses leaves its campaign to others") {
  auto settings = quick();
  settings.retry_pause = settings.max_pause = 10min;
  Bed bed(settings);
  bed.add_people(20);
  const auto campaign = bed.run_campaign({.lists = {bed.add_list(1, 20)}});
  bed.contacts.before = [&] { bed.contacts.instead.emplace().status = 401; };
  bed.start();
  const std::string waits = "audience_owner IS NULL AND audience_lease > now()";
  bed.until([&] { return bed.campaign(campaign, waits) == "t"; });
  CHECK_EQ(bed.campaign(campaign, "status_reason"), audience::kContactsAway);

  bed.value("UPDATE campaign SET audience_lease = now()");
  bed.run_for(100ms);  // many looks
  CHECK_EQ(bed.contacts.asked, 1);
  CHECK(bed.run(Abandoned(bed).store.take()));
}

TEST_CASE("audience: answers that end early, are out of order or are no answers add nothing") {
  auto settings = quick();
  settings.page = 100;
  Bed bed(settings);
  bed.add_people(100);
  const auto list = bed.add_list(1, 100);
  const auto line = [](int n) {
    return World::person(n).text() +
           R"( {"phone":"+49151","channelUserId":null,"status":"Active","values":[null,null]})" + "\n";
  };
  for (const auto& text :
       {line(1), line(1) + World::person(1).text(), line(2) + line(1) + "end\n", line(1) + line(1) + "end\n",
        line(2) + "next " + World::person(1).text() + "\n", "next " + Uuid{}.text() + "\n", std::string("next me\n"),
        World::person(1).text() + " {}\nend\n", World::person(1).text() + "\nend\n", std::string("<html>\n")}) {
    CAPTURE(text);
    const auto campaign = bed.run_campaign({.lists = {list}});
    const auto first = bed.contacts.asked + 1;
    bool seen = false;
    bed.contacts.before = [&] {
      if (bed.contacts.asked == first) bed.contacts.instead.emplace().body = text;
      if (bed.contacts.asked == first + 1)
        seen = bed.campaign(campaign, "status_reason") == audience::kTrouble && bed.targets(campaign) == 0;
    };
    bed.start();
    bed.until_done(campaign);
    CHECK(seen);
    CHECK_EQ(bed.faults(campaign), "");
    CHECK_EQ(bed.targets(campaign), 100);
    CHECK_EQ(bed.campaign(campaign, "status_reason"), "");
    bed.contacts.before = [] {};
  }
}

TEST_CASE("audience: whatever step a worker was lost at, another goes on; the lost one comes back in vain") {
  Bed bed;
  const auto id = bed.run_campaign({.lists = {model::new_uuid()}});
  Abandoned lost(bed), other(bed);
  auto first = *bed.run(lost.store.take());
  CHECK_FALSE(bed.run(other.store.take()).has_value());  // the lease
  lost.lose_leases();
  auto second = *bed.run(other.store.take());
  // Both have the same page.
  CHECK(bed.run(other.store.add(second, other.page(second, 1, 10, 10))));
  CHECK_FALSE(bed.run(lost.store.add(first, lost.page(first, 1, 10, 10))));
  CHECK_EQ(bed.targets(id), 10);
  // A page that gives nobody moves on too.
  CHECK(bed.run(other.store.add(second, other.page(second, 11, 20, 25))));
  CHECK(bed.run(other.store.add(second, other.page(second, 30, 29, 30))));
  CHECK_FALSE(bed.run(lost.store.add(first, lost.page(first, 11, 20, 25))));
  // The lost one is no owner any more: it gives nothing back.
  bed.run([](audience::Store& store, audience::Gathering campaign) -> awaitable<bool> {
    co_await store.give_back(std::move(campaign), 1h, audience::kTrouble);
    co_return true;
  }(lost.store, first));
  CHECK_NE(bed.campaign(id, "coalesce(audience_owner::text, '')"), "");
  CHECK_FALSE(bed.run(lost.store.finish(first)));
  // Killed before the end: the next one finds the end again, both finish, one does.
  other.lose_leases();
  auto third = *bed.run(lost.store.take());
  CHECK_EQ(third.audience_count, 20);
  CHECK_EQ(third.audience_after, World::person(30));
  bed.value("UPDATE target SET recipient = '+1' WHERE ordinal IN (3, 5, 20)");
  CHECK(bed.run(lost.store.skip_duplicates(third)));
  CHECK_FALSE(bed.run(other.store.skip_duplicates(second)));
  CHECK(bed.run(other.store.finish(second)));
  CHECK_FALSE(bed.run(lost.store.finish(third)));
  CHECK_FALSE(bed.run(lost.store.add(third, lost.page(third, 31, 40, 40))));
  CHECK_EQ(bed.value("SELECT string_agg(ordinal::text, ' ' ORDER BY ordinal) FROM target WHERE skipped = 'Duplicate'"),
           "3 5");
  CHECK_EQ(bed.faults(id), "");
}

TEST_CASE("audience: one who has come is merged into one who is still to come, or has come, or never does") {
  Bed bed;
  const auto id = bed.run_campaign({.lists = {model::new_uuid()}});
  Abandoned worker(bed);
  auto campaign = *bed.run(worker.store.take());
  CHECK(bed.run(worker.store.add(campaign, worker.page(campaign, 1, 10, 10))));
  const auto move = [&](int from) {  // as is done in the background, as often as it takes
    return bed.run([](Bed& bed, Uuid person) -> awaitable<std::uint64_t> {
      const auto moved = co_await bed.pool.write(
          pg::Batch(conversations::deletions::sql::move_targets, bed.organization, person, std::int64_t(10)));
      co_return moved.affected();
    }(bed, World::person(from)));
  };
  for (const auto& [from, into] : {std::pair(3, 15), std::pair(4, 9), std::pair(5, 40)}) {
    bed.value("INSERT INTO merged_contact VALUES (" + quoted(bed.organization) + ", " + quoted(World::person(from)) +
              ", " + quoted(World::person(into)) + ")");
    CHECK_EQ(move(from), 0);
  }
  CHECK(bed.run(worker.store.add(campaign, worker.page(campaign, 11, 20, 20))));
  CHECK_EQ(bed.targets(id), 20);
  CHECK(bed.run(worker.store.finish(campaign)));
  CHECK_EQ(bed.faults(id), "");
  CHECK_EQ(move(3), 0);
  CHECK_EQ(move(4), 0);
  CHECK_EQ(move(5), 1);
  CHECK_EQ(bed.target(id, 40, "ordinal"), "5");
}

// What members say of contacts and what contacts say themselves: both services end with the same, whatever comes first,
// whoever is killed, restored or sent something bad.
#include "tests/integration/events_people_bed.hpp"
#include "tests/support/loop.hpp"

#include <random>

using namespace parley;
using namespace parley::events_tests;

namespace {

std::int64_t now() { return model::Timestamp::now().milliseconds_since_epoch; }

// Both services in this process.
struct Both {
  contacts_tests::Database told;
  conversations_tests::Database heard;
  Uuid organization = model::new_uuid();
  Loop contacts_loop{contacts_tests::patient(told.settings())},
      conversations_loop{contacts_tests::patient(heard.settings())};
  ContactsHalf contacts{contacts_loop, [this](http::ClientRequest request) {
                          return cross(contacts_loop, conversations_loop, conversations.feed.serve(query(request)));
                        }};
  ConversationsHalf conversations{
      conversations_loop,
      [this](http::ClientRequest request) {
        return cross(conversations_loop, contacts_loop, contacts.feed.serve(query(request)));
      },
      [this](http::ClientRequest request) {
        return cross(conversations_loop, contacts_loop, answer_addresses(contacts.people, request.target));
      }};

  Both() {
    contacts_loop.wait_until_available();
    conversations_loop.wait_until_available();
  }
  ~Both() { stop(); }
  static std::string query(const http::ClientRequest& request) {
    return request.target.substr(request.target.find('?') + 1);
  }
  static http::ClientResponse as_answer(http::ClientResponse response) { return response; }
  static http::ClientResponse as_answer(http::Response response) { return {response.status, std::move(response.body)}; }
  // Asks on the other's loop and waits on one's own.
  template <class Response>
  static awaitable<http::ClientResponse> cross(Loop&, Loop& other, awaitable<Response> work) {
    auto response = std::make_shared<std::optional<http::ClientResponse>>();
    boost::asio::co_spawn(other.context(), std::move(work), [response](std::exception_ptr error, Response answer) {
      *response = error ? http::ClientResponse{500, ""} : as_answer(std::move(answer));
    });
    while (!*response) co_await pause_for(1ms);
    co_return std::move(**response);
  }
  void start() {
    contacts.start();
    conversations.start();
  }
  void stop() {
    contacts.stop();
    conversations.stop();
    until([&] { return contacts_loop.running == 0 && conversations_loop.running == 0; });
  }
  void turn(std::chrono::milliseconds time = 1ms) {
    for (auto* loop : {&contacts_loop, &conversations_loop}) {
      loop->context().restart();
      loop->context().run_for(time);
    }
  }
  void until(const std::function<bool()>& condition) {
    support::wait_until(condition, [&] { turn(2ms); });
  }
  // Until nothing is under way any more.
  void settle() {
    until([&] {
      hasten_removals(heard.url());
      return contacts_loop.running == 2 && conversations_loop.running == 4 &&
             heard.number("SELECT count(*) FROM removal WHERE due_at < now() + interval '1 day'") == 0 &&
             heard.number("SELECT count(*) FROM contact_walk") == 0 && caught_up(told.url(), heard.url()) &&
             caught_up(heard.url(), told.url());
    });
  }
  static bool caught_up(const std::string& from, const std::string& to) {
    return support::execute(from, "SELECT count(*) FROM outbox WHERE position IS NULL") == "0" &&
           support::execute(from, "SELECT CASE WHEN head > 0 THEN concat(epoch, ' ', head) ELSE ' 0' END FROM feed") ==
               support::execute(to,
                                "SELECT concat(max(epoch::text), ' ', coalesce(max(position), 0)) FROM feed_cursor");
  }
  void give(const Uuid& id, ContactStatus status) { contacts_loop.launch(contacts.give(organization, id, status)); }
  void say(const Uuid& id, bool opted_out, std::int64_t at) {
    conversations_loop.launch(speak(conversations_loop.pool, organization, id, opted_out, at));
  }
  // Locks may be held by transactions of this very thread.
  void force(const std::string& url, const std::string& sql) {
    until([&] {
      try {
        support::execute(url, "SET LOCAL lock_timeout = '20ms';" + sql);
        return true;
      } catch (const std::runtime_error&) {
        return false;
      }
    });
  }
  std::string status(const Uuid& id) {
    return told.sql().value("SELECT status FROM contact WHERE id = $1", {id.text()});
  }
  std::string differences() { return compare(told.url(), heard.url()); }
  // As an operator restores it: as it was then, with a new epoch, and what was acknowledged then is pruned.
  void restore(const std::string& url) {
    support::execute(url, "DELETE FROM outbox WHERE position IS NOT NULL");
    support::execute(url, "UPDATE feed SET epoch = gen_random_uuid(), pruned = head");
  }
};

}  // namespace

TEST_SUITE("integration: events of people") {
  TEST_CASE("opt-outs, opt-ins, members' changes and merges in any order end the same on both sides") {
    Both both;
    both.start();
    std::mt19937 random(20260401);
    const auto pick = [&](int most) { return std::uniform_int_distribution<int>(0, most - 1)(random); };
    constexpr ContactStatus kStatuses[]{ContactStatus::Active, ContactStatus::Inactive, ContactStatus::Blocked,
                                        ContactStatus::OptedOut};
    std::vector<Uuid> ids;
    for (int i = 0; i < 8; ++i) {
      ids.push_back(both.told.add_contact(both.organization, "number", "+49170000" + std::to_string(i)));
      ids.push_back(both.contacts_loop
                        .run(both.contacts.people.resolve(both.organization, {{{}, "DE." + std::to_string(i), {}, {}}}))
                        .at(0)
                        .contactId);
    }
    for (int round = 0; round < 300; ++round) {
      const auto& id = ids[static_cast<std::size_t>(pick(16))];
      const int what = pick(20);
      // The channel's clock has whole seconds and is not ours: words come late, and from the near future.
      if (what < 10) both.say(id, what % 2 == 0, (now() / 1'000 + pick(5) - 3) * 1'000);
      if (what >= 10 && what < 19) both.give(id, kStatuses[pick(4)]);
      if (what == 19) {
        const auto n = std::to_string(pick(8));
        both.contacts_loop.launch([](Both& both, std::string n) -> awaitable<void> {
          co_await both.contacts.people.resolve(both.organization, {{"+49170000" + n, "DE." + n, {}, {}}});
        }(both, n));
      }
      for (int turns = pick(6); turns > 0; --turns) both.turn();
    }
    both.settle();
    CHECK_EQ(both.differences(), "");
    CHECK_EQ(both.told.drifted(), 0);
    CHECK_EQ(both.heard.drifted(), 0);
    CHECK_EQ(both.told.sql().number("SELECT count(*) FROM parked_event"), 0);
    CHECK_EQ(both.heard.number("SELECT count(*) FROM parked_event"), 0);
  }

  TEST_CASE("nothing is told back") {
    Both both;
    both.start();
    const auto id = both.told.add_contact(both.organization, "one", "+491701");
    both.say(id, true, 5'000);
    both.settle();
    CHECK_EQ(both.status(id), "OptedOut");
    both.say(id, false, 6'000);
    both.settle();
    CHECK_EQ(both.status(id), "Active");
    CHECK_EQ(both.told.sql().number("SELECT head FROM feed"), 0);
    both.give(id, ContactStatus::Blocked);
    both.settle();
    // For streams alone: contacts has nothing to say to it.
    CHECK_EQ(both.heard.number("SELECT head FROM feed"), 3);
    CHECK_EQ(both.heard.number("SELECT count(*) FROM outbox, jsonb_array_elements(changes) c WHERE c ->> 'type' <> "
                               "'relayed' AND position = 3"),
             0);
    CHECK_EQ(both.told.sql().number("SELECT head FROM feed"), 1);
  }

  TEST_CASE("a write that fails at any step leaves nothing, and what was told is applied once it works") {
    for (const bool in_contacts : {false, true}) {
      const std::vector<std::string> tables =
          in_contacts ? std::vector<std::string>{"feed_cursor", "contact", "tally"}
                      : std::vector<std::string>{"feed_cursor", "removal",     "merged_contact", "conversation",
                                                 "message",     "suppression", "outbox"};
      for (const auto& table : tables) {
        CAPTURE(table);
        Both both;
        const auto number = both.told.add_contact(both.organization, "number", "+491701");
        const auto user =
            both.contacts_loop.run(both.contacts.people.resolve(both.organization, {{{}, "DE.1", {}, {}}}))
                .at(0)
                .contactId;
        const auto other = both.told.add_contact(both.organization, "other", "+491702");
        for (const auto& id : {number, user, other}) both.say(id, true, 5'000);
        both.conversations_loop.finish();
        both.contacts_loop.run(both.contacts.people.resolve(both.organization, {{"+491701", "DE.1", {}, {}}}));
        both.contacts_loop.run(both.contacts.give(both.organization, number, ContactStatus::Blocked));
        both.contacts_loop.run(both.contacts.remove(both.organization, other));
        const auto url = in_contacts ? both.told.url() : both.heard.url();
        support::execute(
            url,
            "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;"
            "CREATE TRIGGER fail BEFORE INSERT OR UPDATE OR DELETE ON " +
                table + " FOR EACH STATEMENT EXECUTE FUNCTION fail()");
        both.start();
        const auto failures = [&] {
          return in_contacts
                     ? both.contacts.consumer.stats().failures
                     : both.conversations.consumer.stats().failures + both.conversations.removals.stats().failures;
        };
        both.until([&] { return failures() >= 2 || table == "outbox"; });
        for (int i = 0; i < 20; ++i) both.turn();
        both.force(url, "DROP TRIGGER fail ON " + table);
        both.settle();
        CHECK_EQ(both.differences(), "");
        CHECK_EQ(both.told.drifted(), 0);
        CHECK_EQ(both.heard.drifted(), 0);
        CHECK_EQ(support::execute(url, "SELECT count(*) FROM parked_event"), "0");
        CHECK_EQ(both.heard.number("SELECT count(*) FROM conversation WHERE status = 'Active'"), 1);
      }
    }
  }

  TEST_CASE("bad events are set aside on either side, and those around them applied") {
    Both both;
    const auto id = both.told.add_contact(both.organization, "one", "+491701");
    const std::string bad[]{R"([{"type": "contact.merged", "from": 1}])",
                            R"([{"type": "contact.status", "at": "soon"}])", R"([{"type": "contact.opted_out"}])",
                            R"({})"};
    for (const auto& changes : bad)
      for (const auto& url : {both.told.url(), both.heard.url()})
        support::execute(url,
                         "INSERT INTO outbox (changes) SELECT CASE WHEN jsonb_typeof(c) = 'array' THEN c ELSE "
                         "jsonb_build_array(c) END FROM (SELECT '" +
                             changes + "'::jsonb AS c) c");
    both.say(id, true, 5'000);
    both.start();
    both.settle();
    CHECK_EQ(both.status(id), "OptedOut");
    both.give(id, ContactStatus::Active);
    both.settle();
    CHECK_EQ(both.differences(), "");
    CHECK_EQ(both.told.sql().number("SELECT count(*) FROM parked_event"), 2);
    CHECK_EQ(both.heard.number("SELECT count(*) FROM parked_event"), 4);  // subscribers hear of opt-outs too
  }

  TEST_CASE("contacts restored from a backup: what it lost is put right from what conversations knows") {
    Both both;
    both.start();
    auto& sql = both.told.sql();
    const auto stopped = both.told.add_contact(both.organization, "stopped", "+491701");
    const auto blocked = both.told.add_contact(both.organization, "blocked", "+491702");
    const auto freed = both.told.add_contact(both.organization, "freed", "+491703");
    both.give(freed, ContactStatus::Blocked);
    both.settle();
    const auto lost = both.told.add_contact(both.organization, "lost", "+491704");
    for (const auto& id : {stopped, lost}) both.say(id, true, now());
    both.give(blocked, ContactStatus::Blocked);
    both.give(freed, ContactStatus::Active);
    both.settle();
    // As it was at the first settle().
    sql.rows("UPDATE contact SET status = 'Active', status_at = '-infinity' WHERE id <> $1", {freed.text()});
    sql.rows("UPDATE contact SET status = 'Blocked', status_at = status_at - interval '1 millisecond' WHERE id = $1",
             {freed.text()});
    sql.rows("DELETE FROM contact WHERE id = $1", {lost.text()});
    both.restore(both.told.url());
    both.until([&] { return both.conversations.walker.stats().walks > 0; });
    both.settle();
    CHECK_EQ(both.status(stopped), "OptedOut");  // asked for by the contact: never forgotten
    CHECK_EQ(both.status(blocked), "Active");    // members see it as contacts has it
    CHECK_EQ(both.status(freed), "Blocked");
    CHECK_EQ(both.heard.execute("SELECT status FROM conversation WHERE contact_id = '" + lost.text() + "'"), "Deleted");
    CHECK_EQ(both.heard.number("SELECT count(*) FROM removal WHERE kind = 'lost contact'"), 1);
    both.heard.execute("DELETE FROM suppression WHERE contact_id = '" + lost.text() + "'");  // in a week
    CHECK_EQ(both.differences(), "");
  }

  TEST_CASE("conversations restored from a backup: opt-outs that it lost are told again") {
    Both both;
    both.start();
    const auto stopped = both.told.add_contact(both.organization, "stopped", "+491701");
    const auto again = both.told.add_contact(both.organization, "again", "+491702");
    both.say(again, true, 5'000);
    both.settle();
    both.say(stopped, true, now());
    both.say(again, false, now());
    both.settle();
    both.heard.execute("DELETE FROM suppression WHERE contact_id = '" + stopped.text() + "'");
    both.heard.execute("UPDATE suppression SET opted_out = true, opted_out_at = to_timestamp(5)");
    both.restore(both.heard.url());
    both.until([&] { return both.conversations.walker.stats().walks > 0; });
    both.settle();
    CHECK_EQ(both.status(stopped), "OptedOut");
    CHECK_EQ(both.status(again), "Active");
    CHECK_EQ(both.differences(), "");
  }

  TEST_CASE(
      "a consumer that was away for so long that events are gone: a deletion, a merge and a block are made up for") {
    Both both;
    const auto deleted = both.told.add_contact(both.organization, "deleted", "+491701");
    const auto blocked = both.told.add_contact(both.organization, "blocked", "+491702");
    for (const auto& id : {deleted, blocked}) both.say(id, false, 5'000);
    both.conversations_loop.finish();
    both.contacts_loop.run(both.contacts.remove(both.organization, deleted));
    both.contacts_loop.run(both.contacts.give(both.organization, blocked, ContactStatus::Blocked));
    both.told.sql().rows("DELETE FROM outbox");
    both.told.sql().rows("UPDATE feed SET head = 50, pruned = 50");
    both.start();
    both.until([&] { return both.conversations.walker.stats().walks > 0; });
    both.settle();
    CHECK_EQ(both.heard.execute("SELECT status FROM conversation WHERE contact_id = '" + deleted.text() + "'"),
             "Deleted");
    both.heard.execute("DELETE FROM suppression WHERE contact_id = '" + deleted.text() + "'");
    CHECK_EQ(both.differences(), "");
  }
}

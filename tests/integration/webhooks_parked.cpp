// Elements that cannot be applied, or wait for what others have to say: they are set aside alone, asked about by one,
// and applied once, whoever dies meanwhile.
#include <boost/asio/co_spawn.hpp>
#include <thread>

#include "tests/integration/webhooks_bed.hpp"
#include "tests/support/sql.hpp"

using namespace parley;
using namespace parley::webhooks_tests;

namespace {

constexpr auto kAda = "4915100000001", kBob = "4915100000002", kShy = "US.13491208655302741918";

}  // namespace

TEST_SUITE("integration: webhooks, parked") {
  TEST_CASE("one element that cannot be applied is parked alone, and replayed when it can") {
    World world;
    world.connect(kNumber);
    world.database.execute(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = "
        "'22000'; END $$;"
        "CREATE TRIGGER refuse BEFORE INSERT ON message FOR EACH ROW WHEN (NEW.channel_message_id LIKE 'poison%') "
        "EXECUTE FUNCTION refuse()");
    for (int i = 0; i < 30; ++i) {
      const auto id = std::to_string(i);
      world.receive(
          body_of({text("good" + id, kAda, i, "hello"), text((i == 17 ? "poison" : "fine") + id, kBob, i, "hello"),
                   text("best" + id, i == 20 ? kShy : kBob, i, "hello")}));
    }
    Replica replica(world);
    replica.refusals[kShy] = 400;  // contacts will have nothing of them
    replica.drain();
    CHECK_EQ(world.number("SELECT count(*) FROM message"), 88);
    CHECK_EQ(world.number("SELECT count(*) FROM inbox"), 0);
    CHECK_EQ(
        world.number("SELECT count(*) FROM parked_element WHERE due_at IS NULL AND kind = 'message' AND attempts = 1"),
        2);
    CHECK_EQ(world.number("SELECT sum(total_messages) FROM conversation"), 88);
    // Replayed in vain, and then with success.
    const auto replay = [&] { world.database.execute("UPDATE parked_element SET due_at = now()"); };
    replay();
    replica.drain();
    CHECK_EQ(world.number("SELECT count(*) FROM parked_element WHERE due_at IS NULL AND attempts = 2"), 2);
    world.database.execute("DROP TRIGGER refuse ON message");
    replica.refusals.clear();
    replay();
    replica.drain();
    CHECK_EQ(world.number("SELECT count(*) FROM parked_element"), 0);
    CHECK_EQ(world.number("SELECT count(*) FROM message"), 90);
  }

  TEST_CASE("what one asks about others pass over, and what needs nobody does not wait for it") {
    World world;
    world.connect(kNumber);
    Replica first(world), second(world);
    world.receive("no JSON");
    world.receive_texts(kAda, 0, 290);
    first.answers_together = 2;  // as many as there will not be
    bool over = false;
    boost::asio::co_spawn(first.process().context(), first.worker().work(), [&](std::exception_ptr error, bool) {
      CHECK_EQ(error, nullptr);
      over = true;
    });
    first.until([&] { return first.questions == 1; });
    const auto messages = [&] { return world.number("SELECT count(*) FROM message"); };
    CHECK_EQ(world.number("SELECT count(*) FROM parked_element"), 1);
    CHECK_EQ(messages(), 0);
    int others = 35;  // those that did not fit into the first one's batch
    SUBCASE("until it has done with them") {}
    SUBCASE("until it was given up for dead") {
      world.pass_time();
      others = 290;
    }
    second.until([&] {
      if (world.text("SELECT inbox_has_free(0)") != "t") return true;
      CHECK_EQ(second.work(), nullptr);
      return false;
    });
    CHECK_EQ(messages(), others);
    CHECK_EQ(second.work(), nullptr);  // takes nothing
    CHECK_EQ(second.questions, others == 290 ? 2 : 1);
    first.answers_together = 0;
    first.until([&] { return over; });
    CHECK_EQ(first.questions, 1);
    CHECK_EQ(messages(), 290);
    CHECK_EQ(world.number("SELECT count(*) FROM inbox"), 0);
    CHECK_EQ(world.number("SELECT total_messages FROM conversation"), 290);
  }

  TEST_CASE("an element that was set aside is asked about by one, too") {
    World world;
    world.connect(kNumber);
    world.receive(body_of({text("m1", kAda, 0, "hello")}));
    {
      Replica before(world);
      before.contacts_down = true;
      CHECK_EQ(before.work(), nullptr);
    }
    CHECK_EQ(world.number("SELECT count(*) FROM parked_element"), 1);
    Replica first(world), second(world);
    first.answers_together = 2;
    bool over = false;
    boost::asio::co_spawn(first.process().context(), first.worker().work(),
                          [&](std::exception_ptr, bool) { over = true; });
    first.until([&] { return first.questions == 1; });
    CHECK_EQ(second.work(), nullptr);
    CHECK_EQ(second.questions, 0);
    first.answers_together = 0;
    first.until([&] { return over; });
    CHECK_EQ(world.number("SELECT count(*) FROM message"), 1);
    CHECK_EQ(world.number("SELECT count(*) FROM parked_element"), 0);
  }

  TEST_CASE("what was asked about and could not be applied is free at once") {
    World world;
    world.connect(kNumber);
    world.database.execute(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = "
        "'40001'; END $$;"
        "CREATE TRIGGER refuse BEFORE INSERT ON message FOR EACH ROW EXECUTE FUNCTION refuse()");
    world.receive(body_of({text("m1", kAda, 0, "hello")}));
    Replica replica(world);
    CHECK_NE(replica.work(), nullptr);
    CHECK_EQ(replica.questions, 1);
    CHECK_EQ(world.text("SELECT inbox_has_free(0)"), "t");
  }

  TEST_CASE("one whom contacts cannot answer for waits alone") {
    World world;
    world.connect(kNumber);
    world.receive(body_of({text("a", kAda, 0, "hello"), text("b", kBob, 0, "hello")}));
    Replica replica(world);
    replica.refusals[kBob] = 500;
    replica.start();
    replica.until([&] {
      world.pass_time();
      return world.number("SELECT count(*) FROM message") == 1;
    });
    CHECK_EQ(world.number("SELECT count(*) FROM parked_element WHERE due_at IS NOT NULL"), 1);
    CHECK_EQ(world.number("SELECT count(*) FROM parked_element"), 1);
    replica.refusals.clear();
    replica.until([&] {
      world.pass_time();
      return world.number("SELECT count(*) FROM message") == 2;
    });
    CHECK_EQ(world.number("SELECT count(*) FROM inbox") + world.number("SELECT count(*) FROM parked_element"), 0);
  }

  TEST_CASE("killed while elements are applied one by one: those before it were, those behind it will be") {
    World world;
    world.connect(kNumber);
    world.database.execute(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = "
        "'22000'; END $$;"
        "CREATE TRIGGER refuse BEFORE INSERT ON message FOR EACH ROW WHEN (NEW.channel_message_id = 'poison') "
        "EXECUTE FUNCTION refuse();"
        "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN "
        "NEW; END $$;"
        "CREATE TRIGGER wait BEFORE INSERT ON message FOR EACH ROW WHEN (NEW.channel_message_id = 'slow') "
        "EXECUTE FUNCTION wait()");
    for (const auto* id : {"first", "poison", "slow", "last"}) world.receive(body_of({text(id, kAda, 0, "hello")}));
    {
      support::Sql lock(world.database.url());
      lock.value("SELECT pg_advisory_lock(1)");
      run_and_kill(
          world, [](Replica&) {},
          [&] {
            for (int looks = 0; looks < 6'000 && world.number("SELECT count(*) FROM pg_stat_activity WHERE datname = "
                                                              "current_database() AND wait_event = 'advisory'") == 0;
                 ++looks)
              std::this_thread::sleep_for(5ms);
          });
    }
    CHECK_EQ(world.text("SELECT string_agg(channel_message_id, ' ') FROM message"), "first");
    CHECK_EQ(world.number("SELECT count(*) FROM inbox"), 4);
    Replica replica(world);
    replica.until([&] {  // the killed one's transaction may be open yet
      world.pass_time();
      return world.number("SELECT count(*) FROM inbox WHERE asked_until > now()") == 0;
    });
    replica.drain();
    CHECK_EQ(world.number("SELECT count(*) FROM message"), 3);
    CHECK_EQ(world.number("SELECT count(*) FROM inbox"), 0);
    CHECK_EQ(world.number("SELECT count(*) FROM parked_element WHERE due_at IS NULL"), 1);
  }
}

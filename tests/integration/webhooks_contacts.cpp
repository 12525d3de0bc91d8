// Webhooks, and contacts who are asked who people are: away, slow, or out of their senses.
#include <algorithm>

#include "tests/integration/webhooks_bed.hpp"

using namespace parley;
using namespace webhooks_tests;

namespace {

constexpr auto kAda = "4915100000001", kBob = "4915100000002", kEve = "4915100000003";

struct Bed {
  World world;
  Uuid ours = world.connect(kNumber), other = world.connect("200");
  Replica replica{world};

  Bed() {
    for (const auto& organization : {ours, other})
      world.database.execute("INSERT INTO opt_out_settings VALUES (" + quoted(organization) +
                             ", '{stop}', '{start}', '', '')");
  }
  std::int64_t messages(const Uuid& organization) const {
    return world.number("SELECT count(*) FROM message WHERE direction = 'InBound' AND organization_id = " +
                        quoted(organization));
  }
  std::string status_of(const Uuid& message) const {
    return world.text("SELECT status FROM message WHERE id = " + quoted(message));
  }
  std::int64_t waiting() const { return world.number("SELECT count(*) FROM parked_element"); }
};

}  // namespace

TEST_SUITE("integration: webhooks and contacts") {
  TEST_CASE("an answer of contacts that cannot be read ends nothing") {
    Bed bed;
    bed.replica.senseless[kAda] = "{";
    bed.world.receive(body_of({text("wamid.1", kAda, 0, "Hello")}));
    bed.replica.start();
    bed.replica.until([&] { return bed.replica.questions > 0; });
    bed.world.receive(body_of({text("wamid.2", kBob, 0, "Hello")}, {}, "200"));
    bed.replica.until([&] { return bed.messages(bed.other) == 1; });
    CHECK_EQ(bed.messages(bed.ours), 0);
    bed.replica.senseless.clear();
    bed.replica.until([&] { return bed.messages(bed.ours) == 1; });
  }  // and the worker stops

  TEST_CASE("contacts is asked about all organizations at once, and no transaction waits for it") {
    World world;
    const int organizations = 30;
    for (int i = 0; i < organizations; ++i) {
      const auto number = std::to_string(1'000 + i);
      world.connect(number);
      world.receive(body_of({text("wamid." + number, kAda, 0, "Hello")}, {}, number));
    }
    Replica replica(world);
    replica.answers_together = organizations;
    CHECK_EQ(replica.work(), nullptr);
    CHECK_EQ(replica.questions, organizations);
    CHECK_EQ(replica.open_transactions, 0);
    CHECK_EQ(world.number("SELECT count(*) FROM message"), organizations);
    CHECK_EQ(world.number("SELECT count(*) FROM inbox") + world.number("SELECT count(*) FROM parked_element"), 0);
  }

  TEST_CASE("while contacts is away only what people write waits, unasked, and all of it comes when it is back") {
    Bed bed;
    const auto ours = bed.world.add_outbound(bed.ours, "+" + std::string(kAda), "Offer");
    const auto others = bed.world.add_outbound(bed.other, "+" + std::string(kAda), "Offer");
    bed.replica.contacts_down = true;
    bed.world.receive(body_of({text("wamid.1", kAda, 0, "Stop")}, {status("w1", "delivered", 1, ours)}));
    bed.world.receive(body_of({}, {status("w2", "read", 1, others)}, "200"));
    CHECK_EQ(bed.replica.work(), nullptr);
    CHECK_EQ(bed.status_of(ours), "Delivered");
    CHECK_EQ(bed.status_of(others), "Read");
    CHECK_EQ(bed.waiting(), 1);

    const auto asked = bed.replica.questions - bed.replica.about_nobody;
    for (int i = 2; i < 200; ++i) {
      bed.world.receive(body_of({text("wamid." + std::to_string(i), i % 2 == 0 ? kBob : kEve, i, "Hello")}, {},
                                i % 3 == 0 ? "200" : kNumber));
      if (i % 50 == 0) CHECK_EQ(bed.replica.work(), nullptr);
    }
    bed.world.receive(body_of({}, {status("w1", "read", 2)}));
    CHECK_EQ(bed.replica.work(), nullptr);
    CHECK_EQ(bed.status_of(ours), "Read");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM inbox"), 0);
    CHECK_EQ(bed.waiting(), 199);
    CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element WHERE attempts > 1 OR due_at IS NULL"), 0);
    CHECK_EQ(bed.replica.work(), nullptr);  // nothing is taken, to be put back
    CHECK_EQ(bed.replica.questions - bed.replica.about_nobody, asked);

    bed.replica.contacts_down = false;
    bed.replica.drain();
    CHECK_EQ(bed.messages(bed.ours) + bed.messages(bed.other), 199);
    CHECK_EQ(bed.waiting(), 0);
    CHECK_EQ(bed.world.text("SELECT string_agg(opted_out::text, ' ') FROM suppression"), "true");
  }

  TEST_CASE("one organization's unanswered question delays nobody else, and of its own people nobody for long") {
    Bed bed;
    const auto others = bed.world.add_outbound(bed.other, "+" + std::string(kBob), "Offer");
    bed.replica.refusals[kAda] = 0;  // is never answered
    bed.world.receive(body_of({text("wamid.1", kAda, 0, "Hello"), text("wamid.2", kEve, 0, "Hello")}));
    bed.world.receive(body_of({text("wamid.3", kBob, 0, "Stop")}, {status("w1", "sent", 1, others)}, "200"));
    CHECK_EQ(bed.replica.work(), nullptr);
    CHECK_EQ(bed.replica.hanging, 1);
    CHECK_EQ(bed.status_of(others), "Sent");
    CHECK_EQ(bed.messages(bed.other), 1);
    CHECK_EQ(bed.world.text("SELECT opted_out FROM suppression WHERE organization_id = " + quoted(bed.other)), "t");
    CHECK_EQ(bed.messages(bed.ours), 0);
    CHECK_EQ(bed.waiting(), 2);

    const auto asked = bed.replica.questions;
    bed.world.receive(body_of({text("wamid.4", kBob, 5, "Start")}, {}, "200"));
    CHECK_EQ(bed.replica.work(), nullptr);  // the other question is not put again
    CHECK_EQ(bed.replica.questions, asked + 1);
    CHECK_EQ(bed.world.text("SELECT opted_out FROM suppression WHERE organization_id = " + quoted(bed.other)), "f");

    bed.replica.start();  // people are asked about one by one from now on
    bed.replica.until([&] { return bed.messages(bed.ours) == 1; });
    CHECK_EQ(bed.waiting(), 1);
    bed.replica.refusals.clear();
    bed.replica.until([&] {
      bed.world.pass_time();
      return bed.messages(bed.ours) == 2;
    });
    CHECK_EQ(bed.waiting(), 0);
  }

  TEST_CASE("what waits for an answer is tried no less often for its message") {
    Bed bed;
    const auto ours = bed.world.add_outbound(bed.ours, "+" + std::string(kBob), "Offer");
    bed.replica.refusals[kAda] = 500;
    bed.world.receive(body_of({reply(text("wamid.1", kAda, 1, "Yes"), "w1")}));
    CHECK_EQ(bed.replica.work(), nullptr);
    const auto parked = [&] { return bed.world.text("SELECT awaits || ' ' || attempts FROM parked_element"); };
    const auto asked = [&] { return bed.replica.questions - bed.replica.about_nobody; };
    CHECK_EQ(parked(), "answer 1");
    for (int i = 0; i < 8; ++i) {  // what was not asked is no attempt
      bed.world.pass_time();
      CHECK_EQ(bed.replica.work(), nullptr);
      CHECK_EQ(parked(), "answer " + std::to_string(asked()));
    }
    bed.world.database.execute("UPDATE parked_element SET attempts = 20");
    bed.replica.refusals.clear();
    bed.replica.until([&] {
      bed.world.pass_time();
      bed.replica.drain();
      return bed.messages(bed.ours) == 1;
    });
    CHECK_EQ(parked(), "message 1");
    bed.world.receive(body_of({}, {status("w1", "sent", 0, ours)}));
    bed.replica.drain();
    bed.world.pass_time();
    bed.replica.drain();
    CHECK_EQ(bed.waiting(), 0);
    CHECK_EQ(bed.world.text("SELECT reply_to_message_id FROM message WHERE channel_message_id = 'wamid.1'"),
             ours.text());
  }

  TEST_CASE("a long refusal is kept as text, wherever it is cut") {
    Bed bed;
    bed.replica.refusals[kAda] = 400;
    for (const std::string prefix : {"", "x", "xx"}) {
      bed.replica.refusal = prefix;
      for (int i = 0; i < 300; ++i) bed.replica.refusal += "\xE2\x82\xAC";
      bed.world.receive(body_of({text("wamid." + prefix, kAda, 0, "Hello")}));
      CHECK_EQ(bed.replica.work(), nullptr);
    }
    CHECK_EQ(bed.waiting(), 3);
    CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element WHERE error LIKE '%\xE2\x82\xAC'"), 3);
  }

  TEST_CASE("what is never answered for is forgotten in the end") {
    Bed bed;
    bed.replica.refusals[kAda] = 500;
    bed.world.receive(body_of({text("wamid.1", kAda, 1, "Hello")}));
    CHECK_EQ(bed.replica.work(), nullptr);
    CHECK_EQ(bed.waiting(), 1);
    bed.world.database.execute(
        "UPDATE parked_element SET parked_at = now() - interval '31 days', due_at = now() + interval '1 hour'");
    bed.replica.start();
    bed.replica.until([&] { return bed.waiting() == 0; });
    CHECK_EQ(bed.messages(bed.ours), 0);
  }

  TEST_CASE(
      "while organizations is away what it need be asked about waits, unasked, and all of it comes when it is back") {
    Bed bed;
    const auto ours = bed.world.add_outbound(bed.ours, "+" + std::string(kAda), "Offer");
    const auto others = bed.world.add_outbound(bed.other, "+" + std::string(kAda), "Offer");
    bed.world.receive(body_of({}, {status("w1", "sent", 1, ours)}));
    CHECK_EQ(bed.replica.work(), nullptr);  // that account is known from now on
    bed.replica.organizations_down = true;
    bed.world.receive(body_of({}, {status("w2", "sent", 1, others)}, "200"));
    CHECK_EQ(bed.replica.work(), nullptr);
    const auto asked = [&] {
      return std::count_if(bed.replica.accounts_asked.begin(), bed.replica.accounts_asked.end(),
                           [](const auto& query) { return query != "phone_number_id=0"; });
    };
    const auto before = asked();
    for (int i = 1; i < 200; ++i) {
      bed.world.receive(body_of({text("wamid." + std::to_string(i), i % 2 == 0 ? kBob : kEve, i, "Hello")}, {},
                                i % 3 == 0 ? "200" : kNumber));
      if (i % 50 == 0) CHECK_EQ(bed.replica.work(), nullptr);
    }
    bed.world.receive(body_of({}, {status("w1", "read", 2), status("w0", "read", 2)}));
    CHECK_EQ(bed.replica.work(), nullptr);
    CHECK_EQ(bed.status_of(ours), "Read");
    CHECK_EQ(bed.status_of(others), "Queued");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM inbox"), 0);
    CHECK_EQ(bed.world.text("SELECT string_agg(DISTINCT concat(awaits, ' ', attempts), ', ') FROM parked_element"),
             "message 1, organizations 1");
    CHECK_EQ(bed.waiting(), 201);
    CHECK_EQ(bed.replica.work(), nullptr);  // nothing is taken, to be put back
    CHECK_EQ(asked(), before);

    bed.replica.organizations_down = false;
    bed.replica.drain();
    CHECK_EQ(bed.status_of(others), "Sent");
    CHECK_EQ(bed.messages(bed.ours) + bed.messages(bed.other), 199);
    CHECK_EQ(bed.waiting(), 1);
  }

  TEST_CASE("an account that organizations does not tell delays nobody else") {
    Bed bed;
    const auto others = bed.world.add_outbound(bed.other, "+" + std::string(kAda), "Offer");
    bed.replica.untold = "200";
    bed.world.receive(body_of({}, {status("w2", "sent", 1, others)}, "200"));
    bed.world.receive(body_of({text("wamid.1", kBob, 1, "Hello")}));
    CHECK_EQ(bed.replica.work(), nullptr);
    CHECK_EQ(bed.messages(bed.ours), 1);
    CHECK_EQ(bed.status_of(others), "Queued");
    CHECK_EQ(bed.world.text("SELECT string_agg(awaits, ' ') FROM parked_element"), "answer");
    bed.replica.untold.clear();
    bed.world.pass_time();
    bed.replica.drain();
    CHECK_EQ(bed.status_of(others), "Sent");
    CHECK_EQ(bed.waiting(), 0);
  }
}

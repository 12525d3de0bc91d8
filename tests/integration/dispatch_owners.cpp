// Many numbers, and several dispatchers: who may send what.
#include "tests/integration/dispatch_bed.hpp"

using namespace parley;
using namespace parley::dispatch_tests;

namespace {

const std::string kOther = "'00000000-0000-7000-8000-00000000000f'";  // a dispatcher

template <class T>
T run(Bed& bed, awaitable<T> work) {
  std::optional<T> out;
  bed.process.spawn("a step", [](awaitable<T> step, std::optional<T>& result) -> awaitable<void> {
    result = co_await std::move(step);
  }(std::move(work), out));
  bed.until([&] { return out.has_value(); });
  return std::move(*out);
}

void record(Bed& bed, dispatch::Result result) {
  dispatch::Record all;
  all.results.push_back(std::move(result));
  bool done = false;
  bed.process.spawn("a record", [](Bed& b, dispatch::Record& r, bool& over) -> awaitable<void> {
    co_await b.store.record({b.organization, "1"}, r);
    over = true;
  }(bed, all, done));
  bed.until([&] { return done; });
}

}  // namespace

TEST_SUITE("integration: dispatch owners") {
  TEST_CASE("neither a number with very many rows nor a stopped one hides another") {
    Bed bed;
    for (const auto* number : {"2", "3", "4"}) bed.connect(number);
    bed.add_many("1", 20'000);
    bed.add_many("2", 5'000, "'+49151000'");  // all to one, who is waited for
    bed.add_many("3", 1'000);
    bed.value(
        "UPDATE outgoing SET due_at = now() + interval '1 hour' WHERE phone_number_id = '2' AND message_id = "
        "(SELECT message_id FROM outgoing WHERE phone_number_id = '2' ORDER BY created_at, message_id LIMIT 1)");
    bed.value(
        "UPDATE sender SET stopped_until = now() + interval '1 hour', stop_text = 'for the test' "
        "WHERE phone_number_id = '3'");
    bed.start();
    bed.until([&] { return bed.channel.sent.size() > 100; });
    const auto behind = bed.add({.recipient = "+4977", .number = "2"});
    const auto alone = bed.add({.recipient = "+4978", .number = "4"});
    bed.until([&] { return bed.status(alone) == "Sent" && bed.status(behind) == "Sent"; });
    CHECK(bed.value("SELECT count(*) > 0 FROM outgoing WHERE phone_number_id = '1'") == "t");
    CHECK(bed.value("SELECT count(*) FROM outgoing WHERE phone_number_id = '3'") == "1000");
    CHECK(bed.channel.texts_to("49151000").empty());
  }

  TEST_CASE("another's number is left to it; once its lease is over, what it was sending is in doubt") {
    Bed bed;
    const auto sending = bed.add({.recipient = "+491"}), waiting = bed.add({.recipient = "+492"});
    bed.value("UPDATE outgoing SET state = 'Sending', attempt = 1, claim = gen_random_uuid() WHERE message_id = " +
              quoted(sending));
    bed.value("UPDATE sender SET owner = " + kOther + ", lease_until = now() + interval '400 ms'");
    bed.start();
    bed.run_for(200ms);
    CHECK(bed.channel.sent.empty());
    bed.until([&] { return bed.status(waiting) == "Sent"; });
    CHECK(bed.queued(sending) == "InDoubt");
    CHECK(bed.status(sending) == "Queued");
    CHECK(bed.channel.texts_to("491").empty());
  }

  TEST_CASE("a dispatcher whose number was taken claims nothing more") {
    Bed bed;
    const auto message = bed.add();
    const dispatch::NumberId number{bed.organization, "1"};
    const auto me = model::new_uuid(), claim = model::new_uuid();
    CHECK(run(bed, bed.store.take(me, {number})).size() == 1);
    CHECK(run(bed, bed.store.take(model::new_uuid(), {number})).empty());
    const auto look = run(bed, bed.store.look(number, {}, 10));
    REQUIRE(look.due.size() == 1);
    bed.value("UPDATE sender SET owner = " + kOther);
    CHECK(run(bed, bed.store.claim(number, me, claim, look.due)).empty());
    CHECK(run(bed, bed.store.renew(me, {number})).empty());
    CHECK(bed.queued(message) == "Due");
    bed.value("UPDATE sender SET owner = " + quoted(me));
    const auto items = run(bed, bed.store.claim(number, me, claim, look.due));
    REQUIRE(items.size() == 1);
    CHECK(items[0].attempt == 1);
    CHECK(run(bed, bed.store.claim(number, me, model::new_uuid(), look.due)).empty());  // it was seen otherwise
  }

  TEST_CASE("results are written whoever owns the number, but only who claimed knows that nothing was sent") {
    Bed bed;
    using What = dispatch::Result::What;
    const auto message = bed.add();
    const auto mine = model::new_uuid(), theirs = model::new_uuid();
    const auto set = [&](const std::string& state, const Uuid& claim) {
      bed.value("UPDATE outgoing SET state = '" + state + "', attempt = 1, claim = " + quoted(claim));
    };
    dispatch::Result again{.what = What::again, .message_id = message, .claim = mine, .delay = 0};
    set("Sending", theirs);
    record(bed, again);
    CHECK(bed.queued(message) == "Sending");
    set("InDoubt", mine);  // another took the number meanwhile
    record(bed, again);
    CHECK(bed.queued(message) == "Due");
    CHECK(bed.queued(message, "attempt") == "0");
    record(bed, again);  // written twice, as after a commit whose answer was lost
    CHECK(bed.queued(message, "attempt") == "0");
    set("Sending", theirs);
    record(bed, {.what = What::in_doubt, .message_id = message, .claim = mine});
    CHECK(bed.queued(message) == "Sending");
    const dispatch::Result sent{
        .what = What::sent, .message_id = message, .claim = mine, .channel_message_id = "wamid.1"};
    record(bed, sent);
    record(bed, sent);
    CHECK(bed.status(message) == "Sent");
    CHECK(bed.queued(message).empty());
    CHECK(bed.told("message.status") == 1);
  }

  TEST_CASE("what nobody settles is in doubt in the end, and a receipt is simply sent again") {
    Bed bed;
    const auto message = bed.add();
    bed.value(
        "INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, "
        "expires_at) SELECT organization_id, message_id, 'Receipt', phone_number_id, contact_id, contact_id, "
        "expires_at FROM outgoing");
    bed.value("UPDATE outgoing SET state = 'Sending', attempt = 1, due_at = now() - interval '2 minutes'");
    CHECK(run(bed, bed.store.keep_house(bed.stranger, 100)) == 2);
    CHECK(bed.value("SELECT state FROM outgoing WHERE kind = 'Message'") == "InDoubt");
    CHECK(bed.value("SELECT state FROM outgoing WHERE kind = 'Receipt'") == "Due");
    bed.value("UPDATE outgoing SET due_at = now() WHERE kind = 'Message'");
    run(bed, bed.store.keep_house(bed.stranger, 100));
    CHECK(bed.status(message) == "Failed");
    CHECK(bed.told("message.status") == 1);
  }

  TEST_CASE("rows whose message is gone do not hold up what is behind them") {
    Bed bed;
    bed.add({.recipient = "+491", .expires = "now()"});
    bed.value("DELETE FROM message");
    const auto next = bed.add({.recipient = "+492", .expires = "now()"});
    run(bed, bed.store.keep_house(bed.stranger, 1));
    run(bed, bed.store.keep_house(bed.stranger, 1));
    CHECK(bed.value("SELECT count(*) FROM outgoing") == "0");
    CHECK(bed.status(next) == "Failed");
  }

  TEST_CASE("told to end, it finishes what is on its way and gives its numbers back") {
    auto settings = quick();
    settings.rate = 20;
    Bed bed(settings);
    bed.channel.reply = [](const Sent&) { return Reply{.delay = 200ms}; };
    bed.add_many("1", 40);
    bed.start();
    bed.until([&] { return bed.channel.sent.size() >= 5; });
    bed.stop();
    CHECK(bed.value("SELECT count(*) FROM outgoing WHERE state <> 'Due' OR attempt > 0") == "0");
    CHECK(bed.value("SELECT count(*) FROM message WHERE status = 'Sent'") ==
          std::to_string(bed.channel.accepted.size()));
    CHECK(bed.value("SELECT owner IS NULL FROM sender") == "t");
  }
}

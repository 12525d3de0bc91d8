// What the channel says to a message, and what comes of it.
#include "tests/integration/dispatch_bed.hpp"

using namespace parley;
using namespace parley::dispatch_tests;

TEST_SUITE("integration: dispatch refusals") {
  TEST_CASE("a refusal for good: Failed with the channel's code and words, at once") {
    Bed bed;
    bed.channel.reply = [](const Sent&) { return Reply{.code = 131026}; };
    bed.start();
    const auto message = bed.add();
    bed.until_empty();
    CHECK(bed.channel.sent.size() == 1);
    CHECK(bed.value("SELECT status || error_code || error_text FROM message WHERE id = " + quoted(message)) ==
          "Failed131026refused for the test");
    CHECK(bed.value("SELECT changes #>> '{0,errorCode}' FROM outbox") == "131026");
  }

  TEST_CASE("a contact that wants no more: Failed, suppressed, and told once") {
    Bed bed;
    bed.channel.reply = [](const Sent&) { return Reply{.code = 131050}; };
    bed.start();
    bed.add();
    bed.until_empty();
    bed.add();
    bed.until_empty();
    CHECK(bed.value("SELECT count(*) FROM suppression WHERE opted_out") == "1");
    CHECK(bed.told("contact.opted_out") == 1);
    CHECK(bed.told("message.status") == 2);
  }

  TEST_CASE("refused for an unknown reason: tried again, a bounded number of times") {
    Bed bed;
    int refusals = 2;
    bed.channel.reply = [&](const Sent&) { return refusals-- > 0 ? Reply{.code = 131000} : Reply{}; };
    bed.start();
    const auto message = bed.add();
    bed.until_empty();
    CHECK(bed.channel.sent.size() == 3);
    CHECK(bed.status(message) == "Sent");
    CHECK(bed.value("SELECT error_text IS NULL FROM message") == "t");
    refusals = 1;
    const auto last = bed.add({.due = "now() + interval '1 hour'"});
    bed.value("UPDATE outgoing SET attempt = 9, due_at = now()");
    bed.until_empty();
    CHECK(bed.status(last) == "Failed");
  }

  TEST_CASE("taken, and answered by a 5xx with an error that promises no refusal: in doubt, and not sent again") {
    const std::pair<unsigned, std::int64_t> answers[]{{500, 1},      {503, 2},      {500, 131000},
                                                      {503, 131016}, {500, 135000}, {504, 424242}};
    for (const auto& [status, code] : answers) {
      CAPTURE(code);
      Bed bed;
      bed.channel.reply = [&, status = status, code = code](const Sent&) {
        return Reply{.code = code, .status = status, .done = true};
      };
      bed.start();
      const auto message = bed.add();
      const auto accepted = [&] { return bed.channel.accepted[message.text()]; };
      bed.until([&] { return bed.queued(message) == "InDoubt" || accepted() > 1; });
      CHECK(accepted() == 1);
      CHECK(bed.status(message) == "Queued");
    }
  }

  TEST_CASE("an error that says by its nature that nothing was sent is a refusal, even with a 5xx") {
    Bed bed;
    std::vector<std::int64_t> codes{17, 130429, 131053};  // too fast, too fast, its media cannot be had
    bed.channel.reply = [&](const Sent&) {
      if (codes.empty()) return Reply{};
      const auto code = codes.back();
      codes.pop_back();
      return Reply{.code = code, .status = 503};
    };
    bed.start();
    const auto message = bed.add();
    bed.until_empty();
    CHECK(bed.channel.sent.size() == 4);
    CHECK(bed.status(message) == "Sent");
  }

  TEST_CASE("too fast for a recipient: 4^X seconds, X refusals before") {
    Bed bed;
    bed.channel.reply = [](const Sent&) { return Reply{.code = 131056}; };
    const auto first = bed.add({.recipient = "+491"}), third = bed.add({.recipient = "+492"});
    bed.value("UPDATE outgoing SET attempt = 2 WHERE message_id = " + quoted(third));
    bed.start();
    bed.until(
        [&] { return bed.queued(first, "error_code") == "131056" && bed.queued(third, "error_code") == "131056"; });
    const auto wait = [&](const Uuid& id) { return std::stod(bed.queued(id, "extract(epoch FROM due_at - now())")); };
    CHECK(wait(first) <= 1);
    CHECK(wait(third) <= 16);
    CHECK(wait(third) > 8);
    CHECK(bed.queued(third) == "Due");
  }

  TEST_CASE("too fast for the number: again, and not counted as an attempt") {
    auto settings = quick();
    settings.rate = 80;
    Bed bed(settings);
    int refusals = 3;
    bed.channel.reply = [&](const Sent&) { return refusals-- > 0 ? Reply{.code = 130429, .status = 429} : Reply{}; };
    const auto message = bed.add();
    bed.start();
    bed.until([&] { return bed.queued(message, "error_code") == "130429"; });
    CHECK(bed.queued(message, "attempt") == "0");
    bed.until_empty();
    CHECK(bed.status(message) == "Sent");
  }

  TEST_CASE("no answer: in doubt, never sent again, Failed as unknown, and put right by the channel's word") {
    auto settings = quick();
    settings.doubt = 2s;
    Bed bed(settings, 300ms);
    bed.channel.reply = [](const Sent& sent) { return Reply{.lose = sent.recipient == "491"}; };
    bed.start();
    const auto message = bed.add({.recipient = "+491"});
    bed.until([&] { return bed.queued(message) == "InDoubt"; });
    CHECK(bed.status(message) == "Queued");
    const auto later = bed.add({.recipient = "+491", .text = "later"});  // does not wait for what is not known
    bed.until([&] { return bed.queued(later) == "InDoubt"; });
    bed.until_empty();
    CHECK(bed.value("SELECT status || error_text FROM message WHERE id = " + quoted(message)) == "Failedunknown");
    CHECK(bed.channel.accepted[message.text()] == 1);
    dispatch::Result late{.what = dispatch::Result::What::sent, .message_id = message, .channel_message_id = "wamid.x"};
    dispatch::Record record;
    record.results.push_back(late);
    bool done = false;
    bed.process.spawn("a late answer", [](Bed& b, dispatch::Record& r, bool& over) -> awaitable<void> {
      co_await b.store.record({b.organization, "1"}, r);
      over = true;
    }(bed, record, done));
    bed.until([&] { return done; });
    CHECK(bed.value("SELECT status || coalesce(error_text, '-') FROM message WHERE id = " + quoted(message)) ==
          "Sent-");
  }

  TEST_CASE("a channel that is down: nothing is lost, nothing counted, and one at a time is tried") {
    Bed bed(quick(), 300ms);
    bed.channel.reply = [](const Sent&) { return Reply{.lose = true}; };
    bed.add_many("1", 60);
    bed.start();
    bed.until([&] { return bed.value("SELECT count(*) FROM outgoing WHERE state = 'InDoubt'") >= "1"; });
    bed.run_for(300ms);
    const auto sent = bed.channel.sent.size();
    bed.run_for(1s);
    CHECK(bed.channel.sent.size() - sent <= 2);
    bed.channel.reply = [](const Sent&) { return Reply{}; };
    bed.until([&] { return bed.value("SELECT count(*) FROM outgoing WHERE state <> 'InDoubt'") == "0"; });
    for (const auto& [opaque, count] : bed.channel.accepted) CHECK(count == 1);
  }

  TEST_CASE("a refused token stops the number; what waits is sent when it is taken again") {
    Bed bed;
    bool revoked = true;
    bed.channel.reply = [&](const Sent&) { return revoked ? Reply{.code = 190, .status = 401} : Reply{}; };
    bed.add_many("1", 20);
    bed.connect("2");
    bed.start();
    bed.until([&] { return bed.value("SELECT stop_code FROM sender WHERE phone_number_id = '1'") == "190"; });
    bed.until([&] { return bed.value("SELECT owner IS NULL FROM sender WHERE phone_number_id = '1'") == "t"; });
    CHECK(bed.value("SELECT count(*) FROM outgoing WHERE state = 'Due' AND attempt = 0") == "20");
    const auto asked = bed.organizations.asked;
    const auto tried = bed.channel.sent.size();
    bed.until([&] { return bed.channel.sent.size() > tried; });
    CHECK(bed.channel.sent.size() == tried + 1);  // one, to see
    CHECK(bed.organizations.asked > asked);       // its token was asked for anew
    revoked = false;
    bed.until_empty();
    CHECK(bed.value("SELECT stop_text IS NULL AND stopped_until IS NULL FROM sender WHERE phone_number_id = '1'") ==
          "t");
    CHECK(bed.value("SELECT count(*) FROM message WHERE status = 'Sent'") == "20");
  }

  TEST_CASE("from a number that moved to another organization nothing more is sent, though it was claimed") {
    auto settings = quick();
    settings.rate = 1;
    Bed bed(settings);
    bed.add_many("1", 3);
    bed.start();
    // The first is sent, the next one is claimed and waits for its turn, a second later.
    bed.until([&] {
      return bed.value("SELECT count(*) FILTER (WHERE state = 'Sending') || ' of ' || count(*) FROM outgoing") ==
             "1 of 2";
    });
    bed.move("1", model::new_uuid());
    bed.until([&] { return bed.value("SELECT stop_text IS NOT NULL AND owner IS NULL FROM sender") == "t"; });
    CHECK(bed.channel.sent.size() == 1);
    CHECK(bed.value("SELECT string_agg(state || attempt, ' ') FROM outgoing") == "Due0 Due0");
    // It comes back: what waited is sent.
    bed.move("1", bed.organization);
    bed.until_empty();
    CHECK(bed.channel.accepted.size() == 3);
  }

  TEST_CASE("a campaign whose number moved to another organization is paused, and says why") {
    Bed bed;
    bed.move("1", model::new_uuid());
    const auto campaign = bed.add_campaign({.recipients = 20});
    bed.start();
    bed.until([&] { return bed.value("SELECT status FROM campaign WHERE id = " + quoted(campaign)) == "Paused"; });
    CHECK(bed.value("SELECT status_reason FROM campaign WHERE id = " + quoted(campaign)) ==
          "no messaging business account with this phone number is connected");
    CHECK(bed.channel.sent.empty());
    CHECK(bed.told("campaign.status") == 1);
  }

  TEST_CASE("a number that is nobody's waits, and says why when its messages expire") {
    Bed bed;
    const auto message = bed.add({.number = "9"});
    bed.start();
    bed.until([&] { return bed.value("SELECT stop_text IS NOT NULL FROM sender") == "t"; });
    bed.value("UPDATE outgoing SET expires_at = now()");
    bed.until_empty();
    CHECK(bed.value("SELECT error_text FROM message WHERE id = " + quoted(message)) ==
          "it could not be sent in time: no messaging business account with this phone number is connected");
    CHECK(bed.channel.sent.empty());
  }
}

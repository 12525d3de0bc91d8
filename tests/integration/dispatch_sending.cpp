// What is queued goes to the channel: once, in order, as fast as its number may.
#include "tests/integration/dispatch_bed.hpp"

using namespace parley;
using namespace parley::dispatch_tests;

TEST_SUITE("integration: dispatch") {
  TEST_CASE("a queued message is sent, and what became of it is written and told") {
    Bed bed;
    bed.start();
    const auto message = bed.add({.text = "good morning"});
    bed.until_empty();
    REQUIRE(bed.channel.sent.size() == 1);
    const auto& sent = bed.channel.sent.front();
    CHECK(sent.number == "1");
    CHECK(sent.opaque == message.text());
    CHECK(sent.recipient == "4915100000001");
    CHECK(sent.text == "good morning");
    CHECK(bed.status(message) == "Sent");
    CHECK(bed.value("SELECT channel_message_id FROM message") == "wamid." + message.text());
    CHECK(bed.value("SELECT message_id = " + quoted(message) + " FROM channel_message WHERE key = channel_key('wamid." +
                    message.text() + "')") == "t");
    CHECK(bed.value(
              "SELECT (changes #>> '{0,type}') || (changes #>> '{0,from}') || (changes #>> '{0,to}') FROM outbox") ==
          "message.statusQueuedSent");
    CHECK(bed.told("campaign.messages") == 0);
    bed.stop();
    CHECK(bed.value("SELECT owner IS NULL FROM sender") == "t");  // given back
  }

  TEST_CASE("a status that came before the answer stays, and is told once") {
    Bed bed;
    bed.channel.reply = [&](const Sent& sent) {
      bed.value("UPDATE message SET status = 'Read' WHERE id = '" + sent.opaque + "'");
      bed.value("DELETE FROM outgoing WHERE message_id = '" + sent.opaque + "'");
      return Reply{.delay = 20ms};
    };
    bed.start();
    const auto message = bed.add();
    bed.until([&] { return bed.value("SELECT count(*) FROM channel_message") == "1"; });
    CHECK(bed.status(message) == "Read");
    CHECK(bed.told("message.status") == 0);
    CHECK(bed.channel.sent.size() == 1);
  }

  TEST_CASE("one at a time to a recipient, in the order in which they were written; others beside them") {
    Bed bed;
    bed.channel.reply = [](const Sent&) { return Reply{.delay = 5ms}; };
    std::vector<std::string> texts;
    for (int i = 0; i < 30; ++i) {
      texts.push_back(std::to_string(i));
      for (const auto* recipient : {"+491", "+492", "+493"}) bed.add({.recipient = recipient, .text = texts.back()});
    }
    bed.start();
    bed.until_empty();
    for (const auto* recipient : {"491", "492", "493"}) {
      CHECK(bed.channel.texts_to(recipient) == texts);
      CHECK(bed.channel.max_at_once[recipient] == 1);
    }
    for (const auto& [opaque, count] : bed.channel.accepted) CHECK(count == 1);
  }

  TEST_CASE("what waits to be tried again holds up its recipient's later messages, and nobody else's") {
    Bed bed;
    int refused = 0;
    bed.channel.reply = [&](const Sent& sent) {
      return sent.text == "first" && ++refused <= 1 ? Reply{.code = 131016} : Reply{};
    };
    bed.add({.recipient = "+491", .text = "first"});
    bed.add({.recipient = "+491", .text = "second"});
    bed.add({.recipient = "+492", .text = "other"});
    bed.start();
    bed.until_empty();
    CHECK(bed.channel.texts_to("491") == std::vector<std::string>{"first", "first", "second"});
    CHECK(bed.channel.sent.at(1).text == "other");
  }

  TEST_CASE("no second sees more than the number's rate") {
    auto settings = quick();
    settings.rate = 40;
    Bed bed(settings);
    bed.add_many("1", 120);
    bed.start();
    bed.until_empty();
    const auto& sent = bed.channel.sent;
    REQUIRE(sent.size() == 120);
    std::size_t most = 0;
    for (std::size_t first = 0, last = 0; last < sent.size(); ++last) {
      while (sent[last].at - sent[first].at >= 1s) ++first;
      most = std::max(most, last - first + 1);
    }
    MESSAGE("at most " << most << " in a second");
    CHECK(most <= 44);  // sent at even distances; here they are counted where they arrive
    CHECK(sent.back().at - sent.front().at > 2s);
  }

  TEST_CASE("an answer is said to be one; receipts go beside messages") {
    Bed bed;
    const auto asked = bed.add({.text = "a question"});
    bed.start();
    bed.until_empty();
    bed.add({.text = "an answer", .reply_to = asked});
    bed.until_empty();
    CHECK(bed.channel.sent.back().reply_to == "wamid." + asked.text());
    bed.value(
        "INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, expires_at) "
        "SELECT organization_id, id, 'Receipt', '1', contact_id, contact_id, now() + interval '1 hour' FROM message "
        "WHERE id = " +
        quoted(asked));
    bed.until_empty();
    CHECK(bed.channel.sent.back().receipt);
    CHECK(bed.channel.sent.back().opaque == "wamid." + asked.text());
    CHECK(bed.told("message.status") == 2);
  }

  TEST_CASE("what was not sent in time has Failed, with the reason why it was not") {
    Bed bed;
    bed.channel.reply = [](const Sent&) { return Reply{.code = 131016}; };
    const auto refused = bed.add({.recipient = "+491"});
    const auto late = bed.add({.recipient = "+492", .expires = "now() - interval '1 s'"});
    bed.start();
    bed.until([&] { return bed.queued(refused, "error_code") == "131016"; });
    bed.value("UPDATE outgoing SET expires_at = now() WHERE message_id = " + quoted(refused));
    bed.until_empty();
    CHECK(bed.status(late) == "Failed");
    CHECK(bed.status(refused) == "Failed");
    const auto text = [&](const Uuid& id) {
      return bed.value("SELECT error_text FROM message WHERE id = " + quoted(id));
    };
    CHECK(text(late) == "it could not be sent in time");
    CHECK(text(refused) == "it could not be sent in time: refused for the test");
    CHECK(bed.channel.texts_to("492").empty());
    CHECK(bed.told("message.status") == 2);
  }

  TEST_CASE("what belongs to a contact that was deleted is not sent") {
    Bed bed;
    const auto message = bed.add();
    bed.value("UPDATE conversation SET status = 'Deleted', tombstone = true");
    bed.start();
    bed.until_empty();
    CHECK(bed.channel.sent.empty());
    CHECK(bed.status(message) == "Failed");
  }
}

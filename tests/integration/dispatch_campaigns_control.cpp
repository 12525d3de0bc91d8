// Campaigns: how fast, in whose turn, and when they stop.
#include <algorithm>

#include "tests/integration/dispatch_bed.hpp"

using namespace parley;
using namespace parley::dispatch_tests;

namespace {

std::size_t most_in_a_second(const std::vector<Sent>& sent) {
  std::size_t most = 0;
  for (std::size_t first = 0, last = 0; last < sent.size(); ++last) {
    while (sent[last].at - sent[first].at >= 1s) ++first;
    most = std::max(most, last - first + 1);
  }
  return most;
}

std::string reason(Bed& bed) { return bed.value("SELECT status_reason FROM campaign"); }

}  // namespace

TEST_SUITE("integration: control of campaigns") {
  TEST_CASE("paused or cancelled, it ends within what was about to go, and goes on where it was") {
    for (const double rate : {60.0, 0.0}) {
      auto settings = quick();
      settings.rate = rate;
      Bed bed(settings);
      if (rate == 0) bed.channel.reply = [](const Sent&) { return Reply{.delay = 100ms}; };
      const auto campaign = bed.add_campaign({.recipients = rate > 0 ? 150 : 3'000});
      bed.start();
      bed.until([&] { return bed.channel.sent.size() > 20; });
      bed.value("UPDATE campaign SET status = 'Paused'");
      bed.run_for(400ms);
      bed.until([&] {  // what was about to go has gone: first attempts have no row in outgoing
        return bed.value("SELECT count(*) FROM outgoing WHERE state = 'Sending'") == "0" &&
               bed.messages(campaign, "Queued") <= bed.database.number("SELECT count(*) FROM outgoing");
      });
      const auto sent = bed.channel.sent.size();
      bed.run_for(600ms);
      CHECK(bed.channel.sent.size() == sent);
      bed.value("UPDATE campaign SET status = 'Running'");
      bed.until([&] { return bed.over(campaign) && bed.value("SELECT count(*) FROM outgoing") == "0"; });
      CHECK(bed.channel.accepted.size() == (rate > 0 ? 150 : 3'000));
      for (const auto& [opaque, times] : bed.channel.accepted) CHECK(times == 1);
    }
  }

  TEST_CASE("neither faster than its own rate, nor than the number's") {
    auto settings = quick();
    settings.rate = 60;
    Bed bed(settings);
    const auto slow = bed.add_campaign({.recipients = 60, .text = "slow", .rate = "20"});
    const auto fast = bed.add_campaign({.recipients = 120, .text = "fast"});
    bed.start();
    bed.until([&] { return bed.over(slow) && bed.over(fast); });
    auto sent = bed.channel.sent;
    CHECK(most_in_a_second(sent) <= 66);
    std::erase_if(sent, [](const Sent& each) { return each.text != "slow"; });
    MESSAGE("at most " << most_in_a_second(sent) << " of 20 in a second");
    CHECK(most_in_a_second(sent) <= 26);  // counted where they arrive, a batch's after the wait for another's
  }

  TEST_CASE("those that may have been sent to before a restore do not wait for its rate: nothing is sent to them") {
    Bed bed;
    const auto campaign = bed.add_campaign({.recipients = 300, .rate = "1"});
    bed.value("UPDATE campaign SET doubtful = 298");
    bed.start();
    bed.until([&] { return bed.over(campaign); });
    CHECK(bed.channel.sent.size() == 2);
    CHECK(bed.value("SELECT count(*) FROM outgoing WHERE state = 'InDoubt'") == "298");
  }

  TEST_CASE("two campaigns share the number; single messages go before both") {
    auto settings = quick();
    settings.rate = 100;
    Bed bed(settings);
    const auto one = bed.add_campaign({.recipients = 1'000, .text = "one"});
    const auto two = bed.add_campaign({.recipients = 150, .text = "two"});
    bed.start();
    bed.until([&] { return bed.channel.sent.size() >= 60; });
    const auto single = bed.add({.recipient = "+4999"});
    const auto before = bed.channel.sent.size();
    bed.until([&] { return !bed.channel.texts_to("4999").empty(); });
    CHECK(bed.channel.sent.size() - before <= 40);
    bed.until([&] { return bed.over(two); });
    CHECK(bed.channel.sent.size() < 400);
    CHECK_FALSE(bed.over(one));
    bed.until([&] { return bed.status(single) == "Sent"; });
  }

  TEST_CASE(
      "the channel takes nothing of the campaign: it is paused with its words, and who was refused waits or has "
      "Failed") {
    for (const auto [code, failed] : {std::pair(131048, 0), std::pair(132001, 1)}) {
      auto settings = quick();
      settings.rate = 80;
      Bed bed(settings);
      std::int64_t refused = code;
      bed.channel.reply = [&](const Sent& sent) {
        return sent.recipient == "491701000001" ? Reply{.code = std::exchange(refused, 0)} : Reply{};
      };
      const auto campaign = bed.add_campaign({.recipients = 200});
      bed.start();
      bed.until([&] { return bed.value("SELECT status FROM campaign") == "Paused"; });
      CHECK(reason(bed) == "refused for the test");
      CHECK(bed.told("campaign.status") == 1);
      bed.run_for(400ms);
      CHECK(bed.channel.sent.size() < 60);
      CHECK(bed.messages(campaign, "Failed") == failed);
      bed.value("UPDATE campaign SET status = 'Running', status_reason = ''");
      bed.until([&] { return bed.over(campaign) && bed.value("SELECT count(*) FROM outgoing") == "0"; });
      CHECK(bed.messages(campaign, "Sent") == 200 - failed);
      CHECK(bed.figure(campaign, "Sent") == 200 - failed);
      for (const auto& [opaque, times] : bed.channel.accepted) CHECK(times == 1);
    }
  }

  TEST_CASE("refused for now, for good, for ever, without an answer: tried again, Failed, suppressed, in doubt") {
    auto settings = quick();
    settings.doubt = 3s;
    Bed bed(settings, 500ms);
    std::map<std::string, std::int64_t> codes{
        {"491701000001", 131000}, {"491701000002", 131056}, {"491701000003", 131026}, {"491701000004", 131050}};
    bed.channel.reply = [&](const Sent& sent) {
      auto& code = codes[sent.recipient];
      return Reply{.code = std::exchange(code, 0), .lose = sent.recipient == "491701000005"};
    };
    const auto campaign = bed.add_campaign({.recipients = 10});
    bed.start();
    bed.until([&] { return bed.over(campaign); });
    const auto row = [&](int ordinal, const std::string& column) {
      return bed.value("SELECT " + column +
                       " FROM target t JOIN message m ON m.id = t.message_id LEFT JOIN outgoing o ON "
                       "o.message_id = m.id WHERE t.ordinal = " +
                       std::to_string(ordinal));
    };
    CHECK(row(5, "state") == "InDoubt");
    CHECK(row(3, "m.status || m.error_code") == "Failed131026");
    CHECK(row(4, "m.status") == "Failed");
    CHECK(bed.value("SELECT count(*) FROM suppression WHERE opted_out") == "1");
    bed.until_empty();
    CHECK(row(1, "m.status") == "Sent");
    CHECK(row(2, "m.status") == "Sent");
    CHECK(row(5, "m.status || m.error_text") == "Failedunknown");
    CHECK(bed.channel.texts_to("491701000005").size() == 1);
    CHECK(bed.figure(campaign, "Sent") == 7);
    CHECK(bed.figure(campaign, "Failed") == 3);
    CHECK(bed.figure(campaign, "Queued") == 0);
  }

  TEST_CASE("who opts out before the second try is not tried again, and single messages wait for no campaign's") {
    Bed bed;
    bed.channel.reply = [](const Sent& sent) {
      return sent.text == "hello number 1" ? Reply{.code = 131056} : Reply{};
    };
    const auto campaign = bed.add_campaign({.recipients = 1});
    bed.start();
    bed.until([&] { return bed.value("SELECT attempt FROM outgoing") == "2"; });
    bed.add({.recipient = "+491701000001", .text = "a reply"});
    bed.until([&] { return bed.channel.texts_to("491701000001").back() == "a reply"; });
    bed.until([&] { return bed.value("SELECT count(*) FROM outgoing") == "1"; });  // nobody has rows locked
    bed.value(
        "INSERT INTO suppression (organization_id, contact_id, opted_out) SELECT organization_id, contact_id, true "
        "FROM target; UPDATE outgoing SET due_at = now()");
    bed.until_empty();
    CHECK(bed.messages(campaign, "Failed") == 1);
    CHECK(bed.channel.texts_to("491701000001").size() == 3);
  }

  TEST_CASE("the account's messaging limit is kept, is said, and ends by itself") {
    Bed bed;
    bed.value(
        "INSERT INTO phone_number (organization_id, id, business_account_id, display_phone_number, verified_name, "
        "quality_rating, throughput, registered, messaging_limit) VALUES (" +
        quoted(bed.organization) + ", '1', '1', '', '', '', '', true, 'TIER_250')");
    const auto campaign = bed.add_campaign({.recipients = 400});
    bed.start();
    bed.until([&] { return !reason(bed).empty(); });
    CHECK(reason(bed) == "the account's messaging limit of 250 in 24 hours is reached");
    bed.run_for(300ms);
    CHECK(bed.channel.sent.size() == 250);
    CHECK(bed.value("SELECT sum(people) FROM reach") == "250");
    bed.value("UPDATE reach SET hour = hour - interval '26 hours'");
    bed.until([&] { return bed.over(campaign); });
    CHECK(bed.channel.sent.size() == 400);
    bed.until([&] { return reason(bed).empty(); });
  }

  TEST_CASE("a channel that answers with 5xx for long is tried one by one, and then all goes on") {
    auto settings = quick();
    settings.rate = 80;
    Bed bed(settings);
    bool away = true;
    bed.channel.reply = [&](const Sent&) { return away ? Reply{.code = 131016, .status = 503} : Reply{}; };
    const auto campaign = bed.add_campaign({.recipients = 300});
    bed.start();
    std::size_t before = 0;  // sent, all of which are in doubt: nothing is on its way
    bed.until([&] {
      before = static_cast<std::size_t>(bed.database.number("SELECT count(*) FROM outgoing WHERE state = 'InDoubt'"));
      return before >= 6 && bed.channel.sent.size() == before;
    });
    bed.run_for(1s);
    CHECK(bed.channel.sent.size() - before <= 3);
    away = false;
    bed.until([&] { return bed.over(campaign); });
    bed.until([&] { return bed.value("SELECT count(*) FROM outgoing WHERE state <> 'InDoubt'") == "0"; });
    const auto in_doubt = bed.database.number("SELECT count(*) FROM outgoing");
    CHECK(in_doubt <= 60);
    CHECK(bed.messages(campaign, "Sent") == 300 - in_doubt);
    CHECK(bed.channel.sent.size() == 300);
  }

  TEST_CASE("after many attempts without an answer the number goes on once there is one") {
    Bed bed(quick(), 200ms);
    bool away = true;
    bed.channel.reply = [&](const Sent&) { return Reply{.lose = away}; };
    const auto campaign = bed.add_campaign({.recipients = 1'500});
    bed.start();
    bed.until([&] { return bed.value("SELECT count(*) > 10 FROM outgoing WHERE state = 'InDoubt'") == "t"; });
    away = false;
    bed.until([&] { return bed.over(campaign); });
    bed.until([&] { return bed.value("SELECT count(*) FROM outgoing WHERE state <> 'InDoubt'") == "0"; });
    CHECK(bed.messages(campaign, "Sent") + bed.database.number("SELECT count(*) FROM outgoing") == 1'500);
    for (const auto& [opaque, times] : bed.channel.accepted) CHECK(times == 1);
  }
}

// Who follows events is away for a while, and is told what cannot be applied: the rest is applied, in order and once.
//
// PARLEY_FAULTS_AWAY_SECONDS (30): how long the consumer is away.
#include <boost/json/parse.hpp>

#include "tests/faults/option.hpp"
#include "tests/faults/traffic.hpp"

using namespace parley;
using namespace parley::faults;
using namespace std::chrono_literals;
using support::System;

namespace {

std::int64_t counted(System& system, const std::string& organization) {
  return system.sql("analytics")
      .number("SELECT coalesce(sum(inbound), 0) FROM message_rollup WHERE organization_id = $1", {organization});
}

std::int64_t inbound(System& system, const std::string& organization) {
  return system.sql("conversations")
      .number("SELECT count(*) FROM message WHERE organization_id = $1 AND direction = 'InBound'", {organization});
}

}  // namespace

TEST_CASE("consumers: analytics away for long counts everything once when it is back" * doctest::skip(!is_long())) {
  const auto away = std::chrono::seconds(option("PARLEY_FAULTS_AWAY_SECONDS", 30));
  System system({.replicas = 2, .environment = {}});
  e2e::Channel channel(system, "Followed", "200000000009001");
  const auto& organization = channel.organization();
  int next = 0;
  const auto write = [&](int messages) {
    boost::json::array all;
    for (int i = 0; i < messages; ++i, ++next)
      all.push_back(e2e::Channel::text(std::to_string(4'915'300'000'000 + next % 500),
                                       "wamid.away." + std::to_string(next), "message"));
    channel.deliver(channel.body(std::move(all)));
  };
  write(20);
  e2e::wait_for("they are counted", [&] { return counted(system, organization) == 20; });
  for (const std::size_t number : {0, 1}) system.analytics(number).kill();
  const auto begin = Clock::now();
  while (Clock::now() - begin < away) {
    write(50);
    std::this_thread::sleep_for(50ms);
  }
  e2e::wait_for("all are applied", [&] { return inbound(system, organization) == next; });
  const auto back = Clock::now();
  for (const std::size_t number : {0, 1}) system.analytics(number).start();
  e2e::wait_for("all are counted", [&] { return counted(system, organization) == next; });
  MESSAGE(next << " messages while analytics was away for " << away.count() << " s were counted " << seconds_since(back)
               << " s after its start");
  std::this_thread::sleep_for(1s);
  CHECK_EQ(counted(system, organization), next);
}

TEST_CASE("consumers: an event that cannot be applied is set aside alone, and what comes after it is applied" *
          doctest::skip(!is_long())) {
  System system;
  e2e::Channel channel(system, "Poisoned", "200000000009002");
  auto& conversations = system.sql("conversations");
  const auto poison = [&](const std::string& changes) {
    conversations.rows("INSERT INTO outbox (changes) VALUES ($1)", {changes});
  };
  const auto parked = [&](const std::string& service) {
    return system.sql(service).number("SELECT count(*) FROM parked_event");
  };
  poison(R"([{"type":"message.created","organizationId":"no uuid"}])");
  poison(R"([{"type":"conversation.created"}])");
  channel.deliver(channel.body({e2e::Channel::text("4915300000001", "wamid.poison.1", "after the poison")}));
  e2e::wait_for("what comes after is counted", [&] { return counted(system, channel.organization()) == 1; });
  MESSAGE("set aside: " << parked("analytics") << " by analytics, " << parked("contacts") << " by contacts");
  CHECK_GE(parked("analytics"), 1);
  CHECK_LE(parked("analytics"), 2);
}

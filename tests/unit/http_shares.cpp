// What each network and each owner may have of a server.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "common/http/message.hpp"
#include "common/http/networks.hpp"

using namespace parley::http;

TEST_SUITE("unit: http shares") {
  TEST_CASE("networks: connections are counted by IPv4 address, by /64 and by /48") {
    Networks networks(3);
    std::vector<Network*> entered;
    for (int i = 0; i < 3; ++i) REQUIRE(networks.enter("192.0.2.1"));
    CHECK_FALSE(networks.enter("192.0.2.1"));
    CHECK_FALSE(networks.enter("::ffff:192.0.2.1"));  // the same
    CHECK(networks.enter("192.0.2.2"));
    for (const std::string host : {"1", "2", "3"}) REQUIRE(networks.enter("2001:db8:1:1::" + host));
    CHECK_FALSE(networks.enter("2001:db8:1:1::4"));
    int others = 0;
    for (int subnet = 2; subnet < 100; ++subnet)
      others += networks.enter("2001:db8:1:" + std::to_string(subnet) + "::1") != nullptr;
    CHECK_EQ(others, 9);  // four times three in all
    CHECK(networks.enter("2001:db8:2:1::1"));
  }

  TEST_CASE("networks: what has ended leaves room, and nothing else") {
    Networks networks(2);
    auto* const one = networks.enter("2001:db8:1:1::1");
    CHECK_EQ(networks.enter("2001:db8:1:1::2"), one);
    CHECK_FALSE(networks.enter("2001:db8:1:1::3"));
    networks.leave(*one, "2001:db8:1:1::2");
    CHECK_EQ(networks.enter("2001:db8:1:1::3"), one);
    networks.leave(*one, "2001:db8:1:1::3");
    networks.leave(*one, "2001:db8:1:1::1");
    CHECK_FALSE(networks.find("2001:db8:1:1::1"));
    CHECK(networks.by_weight().empty());
  }

  TEST_CASE("networks: the heaviest is the one that has most, by connections and by what they hold") {
    Networks networks(100);
    auto* const few = networks.enter("192.0.2.1");
    auto* const many = networks.enter("192.0.2.2");
    networks.enter("192.0.2.2");
    CHECK_EQ(networks.by_weight().rbegin()->second, many);
    networks.hold(*few, 0, 100'000);
    CHECK_EQ(networks.by_weight().rbegin()->second, few);
    networks.hold(*few, 100'000, 50);
    CHECK_EQ(networks.by_weight().rbegin()->second, many);
    CHECK_EQ(networks.by_weight().size(), 2);
  }

  TEST_CASE("bodies: an owner has a quarter, a stranger an eighth, and all strangers together half") {
    using Verdict = BodyRoom::Verdict;
    BodyRoom room;
    room.most = 800;
    const RequestOwner member{"organization", false}, nobody{};
    const auto stranger = [](int i) { return RequestOwner{"192.0.2." + std::to_string(i), true}; };
    CHECK_EQ(room.take(member, 200), Verdict::fits);
    CHECK_EQ(room.take(member, 1), Verdict::share_used_up);
    room.give_back(member, 1);
    for (int i = 0; i < 4; ++i) CHECK_EQ(room.take(stranger(i), 100), Verdict::fits);
    CHECK_EQ(room.take(stranger(0), 1), Verdict::share_used_up);
    room.give_back(stranger(0), 1);
    CHECK_EQ(room.take(stranger(4), 1), Verdict::share_used_up);
    room.give_back(stranger(4), 1);
    CHECK_EQ(room.take({"another", false}, 200), Verdict::fits);
    CHECK_EQ(room.take(nobody, 1), Verdict::full);
    room.give_back(nobody, 1);
    CHECK_EQ(room.taken, 800);
    CHECK_EQ(room.refused, 1);
    CHECK_EQ(room.over_share, 3);
    room.give_back(member, 200);
    room.give_back({"another", false}, 200);
    for (int i = 0; i < 4; ++i) room.give_back(stranger(i), 100);
    CHECK_EQ(room.taken, 0);
    CHECK_EQ(room.take(stranger(0), 100), Verdict::fits);
  }
}

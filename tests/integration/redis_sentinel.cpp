// A Redis whose master sentinels name: found, lost, and found again elsewhere.
#include "tests/integration/redis_loop.hpp"
#include "tests/support/sentinels.hpp"

using namespace parley::redis_tests;
using parley::support::RedisServer;
using parley::support::Sentinels;
using parley::support::SentinelServer;
namespace redis = parley::redis;
using Kind = redis::Reply::Kind;

namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

// Turns the loop until this server has the value. Meanwhile sentinels make it the master, which ends all connections of
// its clients (CLIENT KILL TYPE normal), this question's too.
void write_until_there(Loop& loop, RedisServer& server, const std::string& value) {
  turn_until(loop.context, [&] {
    loop.command({"SET", "k", value}, 200ms);
    try {
      return contains(server.command("GET k"), value);
    } catch (const std::runtime_error&) {
      return false;
    }
  });
}

}  // namespace

TEST_CASE("redis sentinel: the master is found, lost by SIGKILL, and found again where the sentinels put it") {
  Sentinels all;
  auto& first = all.master();
  Loop loop(all.url());
  loop.wait_up();
  CHECK(loop.command({"SET", "k", "one"}).ok());
  CHECK(contains(first.command("GET k"), "one"));

  auto& second = all.server(all.other(first.port()));
  first.kill();
  loop.wait_down();
  CHECK(loop.command({"GET", "k"}).kind == Kind::unavailable);
  write_until_there(loop, second, "two");
  all.wait_for_master(second.port());

  // The old one comes back empty, a master by its own account; it is put in its place, and not written to.
  first.start();
  Loop other(all.url());  // connects while that is so
  other.wait_up();
  CHECK(other.command({"SET", "k", "three"}).ok());
  CHECK(contains(second.command("GET k"), "three"));
  all.wait_for_replica(first.port());
  CHECK(loop.command({"GET", "k"}).text == "three");

  // One sentinel dead and one hung.
  all.sentinel(0).kill();
  all.sentinel(1).pause();
  Loop late(all.url());
  late.wait_up();
  CHECK(late.command({"SET", "k", "four"}).ok());
  CHECK(contains(second.command("GET k"), "four"));
}

TEST_CASE("redis sentinel: a master that was demoted under a connection answers READONLY, and is left") {
  Sentinels all;
  auto& first = all.master();
  Loop loop(all.url());
  loop.wait_up();
  all.sentinel(0).kill();  // those that are left know nothing yet: nobody hears of the change from them
  all.sentinel(1).pause();
  all.sentinel(2).pause();
  auto& second = all.server(all.other(first.port()));
  second.command("REPLICAOF NO ONE");
  first.command("REPLICAOF 127.0.0.1 " + std::to_string(second.port()));
  turn_until(loop.context, [&] {
    const auto reply = loop.command({"SET", "k", "one"}, 200ms);
    return reply.kind == Kind::error && contains(reply.text, "READONLY");
  });
  loop.wait_down();
  CHECK(contains(loop.client.stats().last_fault, "master"));
}

TEST_CASE("redis sentinel: one that names a replica is not believed; the next one is asked") {
  RedisServer master;
  RedisServer replica({"--replicaof", "127.0.0.1", std::to_string(master.port())});
  SentinelServer right(master.port(), 3);
  SentinelServer alone(replica.port(), 3);  // has a quorum that it never reaches: it stays with what it was told
  const auto at = [](int port) { return "127.0.0.1:" + std::to_string(port); };
  Loop loop("redis+sentinel://127.0.0.1:1," + at(alone.port()) + "," + at(right.port()) + "/main");
  loop.wait_up();
  CHECK(loop.command({"SET", "k", "one"}).ok());
  CHECK(contains(master.command("GET k"), "one"));
  CHECK(loop.client.stats().searches >= 1);
}

TEST_CASE("redis sentinel: names, a password for all, and a database") {
  Sentinels all("a-password-of-8");
  auto url = all.url();
  url = url.substr(0, url.size() - 1) + "3";
  for (auto at = url.find("127.0.0.1"); at != url.npos; at = url.find("127.0.0.1")) url.replace(at, 9, "localhost");
  Loop loop(url);
  loop.wait_up();
  CHECK(loop.command({"SET", "k", "one"}).ok());
  CHECK(loop.command({"SELECT", "0"}).ok());
  CHECK(loop.command({"GET", "k"}).kind == Kind::nil);
}

TEST_CASE("redis sentinel: a password that a sentinel does not ask for is no fault; what they say is told without it") {
  RedisServer master;
  master.command("CONFIG SET requirepass hunter-two-2");
  SentinelServer sentinel(master.port(), 1, {"sentinel auth-pass main hunter-two-2"});
  const auto at = "127.0.0.1:" + std::to_string(sentinel.port());
  Loop loop("redis+sentinel://:hunter-two-2@" + at + "/main");
  loop.wait_up();
  CHECK(loop.command({"PING"}).ok());

  Loop stranger("redis+sentinel://:hunter-two-2@" + at + ",127.0.0.1:1/another");
  turn_until(stranger.context, [&] { return !stranger.client.stats().last_fault.empty(); });
  const auto fault = stranger.client.stats().last_fault;
  CHECK(contains(fault, "does not know the master another"));
  CHECK(contains(fault, "127.0.0.1:1: "));
  CHECK_FALSE(contains(fault, "hunter"));
  CHECK_FALSE(stranger.client.up());
}

TEST_CASE("redis sentinel: a client that is closed, or goes, in the middle of a search leaves nothing behind") {
  RedisServer master;
  SentinelServer sentinel(master.port(), 1);
  sentinel.pause();
  const auto url = "redis+sentinel://127.0.0.1:" + std::to_string(sentinel.port()) + "/main";
  {
    Loop loop(url);
    turn_for(loop.context, 50ms);
    loop.client.close();
    turn_for(loop.context, 20ms);
  }
  {
    Loop loop(url);
  }
  {
    Loop loop(url);
    turn_for(loop.context, 20ms);
  }
}

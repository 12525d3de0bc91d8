#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/integration/redis_loop.hpp"
#include "tests/support/servers.hpp"

using namespace parley::redis_tests;
using parley::support::RedisServer;
namespace redis = parley::redis;
using Kind = redis::Reply::Kind;
using Breaker = redis::Breaker::State;

namespace {

awaitable<void> echo_many(redis::Client& client, int who, int times, int& right) {
  for (int i = 0; i < times; ++i) {
    auto text = std::to_string(who) + "/" + std::to_string(i);
    auto reply = co_await client.command({"ECHO", text}, 10s);
    if (reply.kind == Kind::string && reply.text == text) ++right;
  }
}

// Asks for `text` and puts down what came.
awaitable<void> echo_once(redis::Client& client, std::string text, std::chrono::milliseconds deadline,
                          std::vector<redis::Reply>& out) {
  auto reply = co_await client.command({"ECHO", text}, deadline);
  out.push_back(std::move(reply));
}

// Echoes until one comes back in time.
void wait_for_answers(Loop& loop) {
  turn_until(loop.context, [&] { return loop.command({"PING"}, 50ms).kind == Kind::status; });
}

}  // namespace

TEST_CASE("redis client: every kind of reply, and bytes of every value") {
  RedisServer server;
  Loop loop(server.url());
  CHECK(loop.command({"PING"}).kind == Kind::unavailable);  // before it is connected
  loop.wait_up();

  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  auto set = loop.command({"SET", "k", bytes});
  CHECK(set.kind == Kind::status);
  CHECK(set.text == "OK");
  CHECK(loop.command({"GET", "k"}).text == bytes);
  CHECK(loop.command({"GET", "absent"}).kind == Kind::nil);
  CHECK(loop.command({"INCRBY", "n", "-7"}).integer == -7);
  auto wrong = loop.command({"LPUSH", "k", "x"});
  CHECK(wrong.kind == Kind::error);
  CHECK(wrong.text.starts_with("WRONGTYPE"));
  auto several = loop.command({"MGET", "k", "absent", "n"});
  REQUIRE(several.kind == Kind::array);
  REQUIRE(several.items.size() == 3);
  CHECK(several.items[0].text == bytes);
  CHECK(several.items[1].kind == Kind::nil);
  CHECK(several.items[2].text == "-7");
  CHECK(loop.command({"SET", "", ""}).ok());
  CHECK(loop.command({"GET", ""}).kind == Kind::string);
  std::string big(5'000'000, 'b');
  CHECK(loop.command({"SET", "big", big}).ok());
  CHECK(loop.command({"GET", "big"}).text == big);

  auto stats = loop.client.stats();
  CHECK(stats.up);
  CHECK(stats.breaker == Breaker::closed);
  CHECK(stats.commands == 10);
  CHECK(stats.refused == 1);
  CHECK(stats.errors == 1);
  CHECK(stats.timeouts == 0);
  CHECK(stats.outstanding == 0);
  CHECK(stats.connects == 1);
}

TEST_CASE("redis client: a name, a password and a database number") {
  RedisServer server;
  server.command("CONFIG SET requirepass secret");
  auto at = [&](std::string before, std::string host, std::string after) {
    return "redis://" + before + host + ":" + std::to_string(server.port()) + after;
  };
  Loop by_name(at(":secret@", "localhost", "/5"));
  by_name.wait_up();
  CHECK(by_name.command({"SET", "where", "five"}).ok());
  Loop by_user(at("default:secret@", "127.0.0.1", "/0"));
  by_user.wait_up();
  CHECK(by_user.command({"GET", "where"}).kind == Kind::nil);
  CHECK(by_user.command({"SELECT", "5"}).ok());
  CHECK(by_user.command({"GET", "where"}).text == "five");

  for (auto [url, fault] : {std::pair{at(":wrong@", "127.0.0.1", ""), "WRONGPASS"},
                            {at("", "127.0.0.1", ""), "NOAUTH"},
                            {at(":secret@", "127.0.0.1", "/99"), "ERR DB index"},
                            {at("", "no-such-host.invalid", ""), "the host's name"}}) {
    Loop loop(url);
    turn_until(loop.context, [&] { return loop.client.stats().last_fault.starts_with(fault); });
    CHECK_FALSE(loop.client.up());
    CHECK(loop.command({"PING"}).kind == Kind::unavailable);
  }
}

TEST_CASE("redis client: many coroutines on one connection each get their own replies") {
  RedisServer server;
  Loop loop(server.url());
  loop.wait_up();
  int running = 0, right = 0;
  for (int who = 0; who < 64; ++who) launch(loop.context, running, echo_many(loop.client, who, 300, right));
  turn_until(loop.context, [&] { return running == 0; });
  CHECK(right == 64 * 300);
  CHECK(loop.client.stats().connects == 1);
}

TEST_CASE("redis client: started commands go on while nobody waits") {
  RedisServer server;
  Loop loop(server.url());
  loop.wait_up();
  loop.client.start({"SET", "forgotten", "1"}, 10s);
  auto first = loop.client.start({"INCR", "forgotten"}, 10s);
  auto second = loop.client.start({"INCR", "forgotten"}, 10s);
  turn_until(loop.context, [&] { return loop.client.stats().outstanding == 0; });
  CHECK(run(loop.context, second.get()).integer == 3);
  CHECK(run(loop.context, first.get()).integer == 2);
  CHECK(run(loop.context, redis::Pending().get()).kind == Kind::unavailable);
}

TEST_CASE("redis client: killed, absent and back again, with commands in flight") {
  RedisServer server;
  Loop loop(server.url());
  loop.wait_up();
  for (int round = 0; round < 3; ++round) {
    server.pause();
    std::vector<redis::Reply> replies;
    int running = 0;
    for (int i = 0; i < 4; ++i) launch(loop.context, running, echo_once(loop.client, "x", 10s, replies));
    server.kill();
    turn_until(loop.context, [&] { return running == 0; });
    for (const auto& reply : replies) CHECK(reply.kind == Kind::unavailable);
    CHECK_FALSE(loop.client.up());
    turn_for(loop.context, 150ms);
    CHECK(loop.command({"PING"}).kind == Kind::unavailable);
    CHECK_FALSE(loop.client.stats().last_fault.empty());
    server.start();
    loop.wait_up();
    CHECK(loop.command({"ECHO", "again"}).text == "again");
  }
  auto stats = loop.client.stats();
  CHECK(stats.connects == 4);
  CHECK(stats.lost == 12);
}

TEST_CASE("redis client: a hung server costs one deadline, then the breaker refuses; late replies go to nobody") {
  RedisServer server;
  redis::Settings settings{.url = server.url()};
  settings.breaker_pause = 200ms;
  settings.hung_after = 60s;
  Loop loop(settings);
  loop.wait_up();
  int observed = 0;
  loop.client.observe([&](double seconds) { observed += seconds > 0; });
  server.pause();
  std::vector<redis::Reply> replies;
  int running = 0;
  for (int i = 0; i < 20; ++i)
    launch(loop.context, running, echo_once(loop.client, "late " + std::to_string(i), 50ms, replies));
  turn_until(loop.context, [&] { return running == 0; });
  REQUIRE(replies.size() == 20);
  for (const auto& reply : replies) CHECK(reply.kind == Kind::timeout);
  CHECK(observed == 20);
  CHECK(loop.client.stats().breaker == Breaker::open);
  CHECK(loop.command({"PING"}).kind == Kind::unavailable);
  CHECK(loop.client.stats().outstanding == 20);

  turn_until(loop.context, [&] { return loop.command({"ECHO", "probe"}, 50ms).kind == Kind::timeout; });
  CHECK(loop.client.stats().breaker == Breaker::open);
  CHECK(loop.client.stats().breaker_openings == 2);

  server.resume();
  wait_for_answers(loop);
  auto stats = loop.client.stats();
  CHECK(stats.breaker == Breaker::closed);
  CHECK(stats.late >= 21);
  CHECK(stats.late == stats.timeouts);
  CHECK(stats.connects == 1);
  for (int i = 0; i < 100; ++i) {
    auto text = "after " + std::to_string(i);
    CHECK(loop.command({"ECHO", text}).text == text);
  }
}

TEST_CASE("redis client: a connection whose replies stay away is given up, and one to a hung server is none") {
  RedisServer server;
  redis::Settings settings{.url = server.url()};
  settings.hung_after = 100ms;
  settings.connect_deadline = 100ms;
  Loop loop(settings);
  loop.wait_up();
  server.pause();
  CHECK(loop.command({"PING"}, 10ms).kind == Kind::timeout);
  loop.wait_down();
  turn_until(loop.context, [&] { return loop.client.stats().last_fault == "no connection within the deadline"; });
  CHECK(loop.client.stats().connects == 1);
  server.resume();
  loop.wait_up();
  CHECK(loop.command({"ECHO", "well"}).text == "well");
}

TEST_CASE("redis client: a full Redis, then one without its replicas trips the breaker, which closes when it serves") {
  RedisServer server;
  redis::Settings settings{.url = server.url()};
  settings.breaker_pause = 50ms;
  Loop loop(settings);
  loop.wait_up();
  auto ruin_and_mend = [&](const char* ruin, const char* fault, const char* mend) {
    server.command(ruin);
    for (int i = 0; i < 5; ++i) CHECK(loop.command({"SET", "k", "v"}).text.starts_with(fault));
    CHECK(loop.client.stats().breaker == Breaker::open);
    turn_until(loop.context, [&] { return loop.command({"SET", "k", "v"}).kind == Kind::error; });  // the probe
    CHECK(loop.client.stats().breaker == Breaker::open);
    server.command(mend);
    turn_until(loop.context, [&] { return loop.command({"SET", "k", "v"}).ok(); });
    CHECK(loop.client.stats().breaker == Breaker::closed);
  };
  ruin_and_mend("CONFIG SET maxmemory 1", "OOM", "CONFIG SET maxmemory 0");
  ruin_and_mend("CONFIG SET min-replicas-to-write 1", "NOREPLICAS", "CONFIG SET min-replicas-to-write 0");
  CHECK(loop.client.stats().connects == 1);
  for (int i = 0; i < 20; ++i) CHECK(loop.command({"NO-SUCH-COMMAND"}).kind == Kind::error);
  CHECK(loop.client.stats().breaker == Breaker::closed);  // our own mistakes do not make Redis ill
}

TEST_CASE("redis client: one that was demoted is left, as another may be behind its name by now") {
  RedisServer server;
  Loop loop(server.url());
  loop.wait_up();
  server.command("REPLICAOF 127.0.0.1 1");
  CHECK(loop.command({"SET", "k", "v"}).text.starts_with("READONLY"));
  loop.wait_down();
  server.command("REPLICAOF NO ONE");
  loop.wait_up();
  CHECK(loop.command({"SET", "k", "v"}).ok());
  CHECK(loop.client.stats().connects == 2);
}

TEST_CASE("redis client: no more outstanding than allowed") {
  RedisServer server;
  redis::Settings settings{.url = server.url()};
  settings.max_outstanding = 3;
  Loop loop(settings);
  loop.wait_up();
  server.pause();
  std::vector<redis::Reply> replies;
  int running = 0;
  for (int i = 0; i < 10; ++i) launch(loop.context, running, echo_once(loop.client, "x", 10s, replies));
  turn_until(loop.context, [&] { return running == 3; });
  CHECK(replies.size() == 7);
  for (const auto& reply : replies) CHECK(reply.kind == Kind::unavailable);
  server.resume();
  turn_until(loop.context, [&] { return running == 0; });
  CHECK(replies.back().text == "x");
}

TEST_CASE("redis client: destroyed or closed with commands in flight") {
  RedisServer server;
  asio::io_context context{1};
  auto client = std::make_unique<redis::Client>(context.get_executor(), redis::Settings{.url = server.url()});
  client->open();
  turn_until(context, [&] { return client->up(); });
  server.pause();
  std::vector<redis::Reply> replies;
  int running = 0;
  for (int i = 0; i < 50; ++i) launch(context, running, echo_once(*client, "x", 10s, replies));
  auto kept = client->start({"PING"}, 10s);
  turn_until(context, [&] { return client->stats().outstanding == 51; });
  SUBCASE("destroyed") { client.reset(); }
  SUBCASE("closed, then opened again") {
    client->close();
    CHECK_FALSE(client->up());
    CHECK(client->stats().outstanding == 0);
    client->open();
  }
  turn_until(context, [&] { return running == 0; });
  REQUIRE(replies.size() == 50);
  for (const auto& reply : replies) CHECK(reply.kind == Kind::unavailable);
  CHECK(run(context, kept.get()).kind == Kind::unavailable);
  server.resume();
  if (client) {
    turn_until(context, [&] { return client->up(); });
    client->close();
  }
  context.restart();
  context.run();  // ends: nothing is left running
}

TEST_CASE("redis client: closed while it resolves or connects, and a context destroyed under waiting coroutines") {
  {
    asio::io_context context{1};
    redis::Client client(context.get_executor(), {.url = "redis://localhost:1"});
    client.open();
    context.poll();
    client.close();
    context.restart();
    context.run();
  }
  RedisServer server;
  std::vector<redis::Reply> replies;
  int running = 0;
  {
    Loop loop(server.url());
    loop.wait_up();
    server.pause();
    for (int i = 0; i < 10; ++i) launch(loop.context, running, echo_once(loop.client, "x", 10s, replies));
    turn_until(loop.context, [&] { return loop.client.stats().outstanding == 10; });
  }
  CHECK(replies.empty());
}

TEST_CASE("redis client: a random mixture of kills, stops and floods never mixes up replies") {
  RedisServer server;
  redis::Settings settings{.url = server.url()};
  settings.breaker_pause = 20ms;
  settings.hung_after = 100ms;
  settings.connect_deadline = 100ms;
  Loop loop(settings);
  unsigned random = 12345;
  auto next = [&] { return (random = random * 1664525u + 1013904223u) >> 16; };
  int asked = 0, answered = 0, strange = 0, running = 0;
  auto ask = [&](std::string text, std::chrono::milliseconds deadline) -> awaitable<void> {
    auto reply = co_await loop.client.command({"ECHO", text}, deadline);
    if (reply.kind == Kind::string) ++answered;
    if (reply.kind == Kind::string && reply.text != text) ++strange;
    if (reply.kind == Kind::error || reply.kind == Kind::nil || reply.kind == Kind::integer) ++strange;
  };
  for (int round = 0; round < 60; ++round) {
    for (unsigned i = next() % 200; i > 0; --i)
      launch(loop.context, running, ask(std::to_string(++asked), std::chrono::milliseconds(5 + next() % 60)));
    auto fault = next() % 8;
    if (fault == 0) server.pause();
    if (fault == 1) server.kill();
    turn_for(loop.context, std::chrono::milliseconds(next() % 40));
    if (fault == 0) server.resume();
    if (fault == 1) server.start();
    if (fault < 2 || fault == 7) loop.wait_up();
  }
  turn_until(loop.context, [&] { return running == 0; });
  CHECK(strange == 0);
  CHECK(answered > 0);
  wait_for_answers(loop);
  CHECK(loop.command({"ECHO", "end"}).text == "end");
}

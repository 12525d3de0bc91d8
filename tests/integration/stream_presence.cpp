// Who looks at a conversation: what is refused, and how it comes to the listeners of each replica.
#include "conversations/events/presence/api.hpp"
#include "conversations/events/stream/api.hpp"
#include "tests/integration/conversations_service.hpp"
#include "tests/integration/stream_bed.hpp"

using namespace parley;
using namespace parley::stream_tests;
using conversations::presence::Presence;
using conversations::presence::State;
using conversations_tests::path_of;

namespace {

struct Replica {
  Replica(const Database& database, const std::string& redis_url)
      : teller(database),
        redis(teller.loop.context().get_executor(), redis::Settings{.url = redis_url}),
        relay(teller.loop.context(), redis, teller.hub, events_tests::quiet()) {
    redis.open();
    events_tests::start_beside(teller.loop, relay.follow(), following);
  }
  ~Replica() {
    teller.hub.stop();
    relay.stop();
    teller.loop.until([&] { return over == begun && following == 0; });
    redis.close();
  }
  void listen(const Uuid& organization) {
    const auto read = [](Replica& replica, Uuid of) -> awaitable<void> {
      const auto listener = co_await replica.teller.open(of, std::nullopt, 60s);
      for (auto piece = co_await listener->next(); !piece.empty(); piece = co_await listener->next())
        replica.heard += piece;
      ++replica.over;
    };
    ++begun;
    teller.loop.launch(read(*this, organization));
    teller.loop.until([&] { return !heard.empty(); });
  }
  void tell(const Presence& presence) {
    bool is_told = false;
    const auto work = [](Replica& replica, Presence what, bool& done) -> awaitable<void> {
      co_await replica.relay.tell(std::move(what));
      done = true;
    };
    teller.loop.launch(work(*this, presence, is_told));
    teller.loop.until([&] { return is_told; });
  }
  bool hears(std::string_view text) const { return heard.find(text) != heard.npos; }

  Teller teller;
  redis::Client redis;
  conversations::presence::Relay relay;
  std::string heard;
  int begun = 0, over = 0, following = 0;
};

Presence presence_of(const Uuid& organization, State state) {
  Presence out;
  out.conversationId = model::new_uuid();
  out.memberId = model::new_uuid();
  out.state = state;
  out.ttlSeconds = 10;
  out.organizationId = organization;
  out.at = {1'700'000'000'000};
  return out;
}

struct Bed : conversations_tests::Service {
  conversations::stream::Api streams{process_, pool_, feed_};
  conversations::presence::Api presence{process_, pool_, redis_, streams.hub()};
};

}  // namespace

TEST_SUITE("integration: streams, presence") {
  TEST_CASE("what one replica is told is heard at the others through Redis, and gone from there soon") {
    const support::RedisServer server;
    const Database database;
    const auto organization = model::new_uuid();
    Replica one(database, server.url()), other(database, server.url());
    one.teller.loop.until([&] { return one.redis.up(); });
    other.listen(organization);
    // Again and again, as clients do: the other may have begun to look only just now.
    for (int i = 0; i < 200 && !other.hears("conversation.presence"); ++i) {
      one.tell(presence_of(organization, State::typing));
      other.teller.loop.run_for(50ms);
    }
    CHECK(
        other.hears("\n\nevent: conversation.presence\ndata: {\"type\":\"conversation.presence\","
                    "\"timestamp\":\"2023-11-14T22:13:20.000Z\",\"data\":{\"conversationId\":"));
    CHECK(other.hears("\"state\":\"typing\",\"ttlSeconds\":10}}\n\n"));
    CHECK_FALSE(one.hears("conversation.presence"));  // nobody listens there
    one.tell(presence_of(model::new_uuid(), State::viewing));
    one.tell(presence_of(organization, State::left));
    other.teller.loop.until([&] { return other.hears("\"left\""); });
    CHECK_FALSE(other.hears("viewing"));
    redis::Reply life;
    const auto ask = [](Replica& replica, redis::Reply& out) -> awaitable<void> {
      out = co_await replica.redis.command({"PTTL", "parley:presence"}, 10s);
    };
    one.teller.loop.launch(ask(one, life));
    one.teller.loop.until([&] { return life.kind == redis::Reply::Kind::integer; });
    CHECK(life.integer > 0);
  }

  TEST_CASE("without Redis those hear of it who listen at the same replica") {
    const Database database;
    const auto organization = model::new_uuid();
    Replica replica(database, "redis://127.0.0.1:1");
    replica.listen(organization);
    replica.tell(presence_of(organization, State::viewing));
    replica.teller.loop.until([&] { return replica.hears("\"state\":\"viewing\""); });
  }

  TEST_CASE("who may see a conversation tells that they look at it, and nothing of it is written") {
    Bed bed;
    const auto id = bed.database.add_conversation(bed.organization, bed.contact);
    const auto tell = [&](const Uuid& of, const std::string& state) {
      return bed.post(path_of(of) + "/presence", R"({"state":")" + state + "\"}").status;
    };
    for (const std::string state : {"viewing", "typing", "left"}) CHECK(tell(id, state) == 204);
    CHECK(tell(id, "asleep") == 400);
    CHECK(tell(model::new_uuid(), "viewing") == 404);
    CHECK(tell(bed.database.add_conversation(bed.organization, bed.contact, "Deleted"), "viewing") == 404);
    CHECK(tell(bed.database.add_conversation(model::new_uuid(), bed.contact), "viewing") == 404);
    CHECK(bed.database.number("SELECT count(*) FROM outbox") == 0);
    bed.permissions.remove(identity::Permission::get_conversation);
    CHECK(tell(id, "viewing") == 403);
  }
}

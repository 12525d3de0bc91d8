// Places for statements that are made of filters: organizations whose filters are slow keep nobody else from theirs.
#include "common/http/problem.hpp"
#include "contacts/segments/room.hpp"
#include "contacts/segments/use.hpp"
#include "tests/integration/contacts_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;
using contacts::segments::Room;

namespace {

// Whether a place was free in time; it is given back at once.
awaitable<bool> may_enter(Room& room, Uuid organization) {
  try {
    co_await room.enter(organization);
  } catch (const http::Problem& problem) {
    CHECK_EQ(problem.status, 503);
    co_return false;
  }
  co_return true;
}

}  // namespace

TEST_CASE("segments: organizations whose filters take long share one place, and leave the others alone") {
  Loop loop(pg_tests::settings_for(pg_tests::shared_server()));
  const auto a = model::new_uuid(), b = model::new_uuid(), c = model::new_uuid();
  // Every statement takes too long.
  Room room(loop.context(), {.places = 1, .slow_places = 1, .wait = 20ms, .quick = -1ms, .slow_for = 1h});
  for (const auto& each : {a, b}) CHECK(loop.run(may_enter(room, each)));
  auto slow = loop.run(room.enter(a));
  CHECK(!loop.run(may_enter(room, b)));
  auto quick = loop.run(room.enter(c));  // it has not been slow before
  CHECK(!loop.run(may_enter(room, model::new_uuid())));
  quick.reset();
  CHECK(!loop.run(may_enter(room, c)));  // now it has
  slow.reset();
  CHECK(loop.run(may_enter(room, b)));
}

TEST_CASE("segments: an organization is no slow one for ever, and quick ones stay so") {
  Loop loop(pg_tests::settings_for(pg_tests::shared_server()));
  const auto a = model::new_uuid(), b = model::new_uuid();
  for (const Room::Limits& limits :
       {Room::Limits{.places = 1, .slow_places = 1, .wait = 20ms, .quick = 1h, .slow_for = 1h},
        Room::Limits{.places = 1, .slow_places = 1, .wait = 20ms, .quick = -1ms, .slow_for = 0ms}}) {
    Room room(loop.context(), limits);
    CHECK(loop.run(may_enter(room, a)));
    const auto place = loop.run(room.enter(b));
    CHECK(!loop.run(may_enter(room, a)));
  }
}

TEST_CASE("segments: of a slow lane's connections one is left to what is not made of filters") {
  CHECK_EQ(Room::limits_for(3).places + Room::limits_for(3).slow_places, 2);
  CHECK_EQ(Room::limits_for(8).places + Room::limits_for(8).slow_places, 7);
  CHECK_EQ(Room::limits_for(2).places + Room::limits_for(2).slow_places, 1);
}

TEST_CASE("segments: while all places are taken a page of one is refused, and any other is not") {
  Database database;
  Loop loop(patient(database.settings()));
  support::RedisServer redis;
  Replica replica(loop, patient(database.settings()), redis.url());
  const auto organization = model::new_uuid(), other = model::new_uuid();
  database.add_contact(organization, "Some", "", "Active", R"({"n":1})");
  auto room =
      std::make_shared<Room>(loop.context(), Room::Limits{.places = 1, .slow_places = 0, .wait = 20ms, .quick = 1h});
  contacts::contacts::Store store(replica.pool, replica.counts, chassis::Quotas::none(), room);
  const auto segment = model::new_uuid();
  database.sql().rows(
      "INSERT INTO segment (organization_id, id, name, filter) VALUES ($1, $2, 'some', "
      "'{\"type\":\"present\",\"attribute\":\"n\"}')",
      {organization.text(), segment.text()});
  Filter by_segment, by_status;
  by_segment.segment_id = segment;
  by_status.status = ContactStatus::Active;
  by_status.sort_by = SortBy::name;
  auto place = loop.run(room->enter(other));
  const auto status_of = [&](const Filter& filter) -> unsigned {
    try {
      return loop.run(store.list(organization, filter)).total == 1 ? 200 : 0;
    } catch (const http::Problem& problem) {
      return problem.status;
    }
  };
  CHECK_EQ(status_of(by_segment), 503);
  CHECK_EQ(status_of(by_status), 200);
  place.reset();
  CHECK_EQ(status_of(by_segment), 200);
}

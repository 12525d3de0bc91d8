#include "common/pg/replica_health.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace parley;

namespace {

const pg::PrimaryRow primary{.system = 1,
                             .database = 2,
                             .schema = "contacts",
                             .position = 1'000,
                             .timeline = "00000001",
                             .started = {},
                             .durable = true};

pg::ReplicaRow replica() {
  return {.system = 1, .database = 2, .schema = "contacts", .backend = 77, .position = 1'000, .timeline = "00000001"};
}

std::string fault(const pg::ReplicaRow& row, const pg::PrimaryRow& of = primary) {
  const char* const fault = pg::fault_of(row, of, 77);
  return fault ? fault : "";
}

// Of a replica that is right but for one thing.
template <class Change>
std::string fault_when(Change change) {
  auto row = replica();
  change(row);
  return fault(row);
}

}  // namespace

TEST_CASE("a replica of the primary that has replayed no more than it has flushed is right") {
  CHECK(fault(replica()) == "");
  CHECK(fault_when([](auto& row) { row.position = 999; }) == "");
  CHECK(fault_when([](auto& row) { row.position = 0; }) == "");
}

TEST_CASE("whatever else a replica may be is said") {
  CHECK(fault_when([](auto& row) { row.backend = 78; }) == "there is a pooler before it");
  CHECK(fault_when([](auto& row) { row.position.reset(); }) == "it is not in recovery");
  CHECK(fault_when([](auto& row) { row.system = 9; }) == "it is of another system");
  CHECK(fault_when([](auto& row) { row.database = 9; }) == "it is of another database");
  CHECK(fault_when([](auto& row) { row.schema = ""; }) == "its role finds another schema");
  CHECK(fault_when([](auto& row) { row.timeline = "00000002"; }) == "it is not on the primary's timeline");
  CHECK(fault_when([](auto& row) { row.position = 1'001; }) == "it is ahead of the primary");
  auto careless = primary;
  careless.durable = false;
  CHECK(fault(replica(), careless) == "the primary tells of commits that it has not written");
}

#include "contacts/lists/tally.hpp"

#include <random>

#include "contacts/lists/sql.hpp"

namespace parley::contacts::lists {

namespace {

constexpr int kSlots = 16;

// What a writer adds to while others hold all rows that are there.
int any_slot() {
  thread_local std::minstd_rand generator{std::random_device{}()};
  return std::uniform_int_distribution<int>(0, kSlots - 1)(generator);
}

}  // namespace

void add_to_tallies(pg::Batch& batch, const model::Uuid& organization, std::int64_t contacts,
                    const std::map<model::Uuid, std::int64_t>& members) {
  batch.add(sql::add_to_tally, organization, model::Uuid{}, any_slot(), contacts);
  for (const auto& [list, difference] : members)
    batch.add(sql::add_to_tally, organization, list, any_slot(), difference);
}

}  // namespace parley::contacts::lists

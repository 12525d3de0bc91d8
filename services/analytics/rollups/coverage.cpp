#include "analytics/rollups/coverage.hpp"

#include <algorithm>

#include "analytics/rollups/sql.hpp"

namespace parley::analytics::rollups {

namespace {

struct RepeatedRow {
  std::int64_t position = 0;
  model::Timestamp until;
};
BOOST_DESCRIBE_STRUCT(RepeatedRow, (), (position, until))

}  // namespace

awaitable<std::optional<Repeated>> find_repeated(pg::Transaction& transaction, std::string_view producer) {
  const auto found = co_await transaction.run(pg::Batch(sql::find_repeated, producer));
  const auto row = found.optional<RepeatedRow>();
  if (!row) co_return std::nullopt;
  co_return Repeated{row->position, row->until};
}

void note_progress(pg::Batch& batch, std::string_view producer, std::span<const events::Event> events) {
  std::optional<model::Timestamp> newest;
  for (const auto& event : events) newest = std::max(newest, event.at);
  batch.add(sql::note_progress, producer, newest);
}

awaitable<bool> begin_anew(pg::Transaction& transaction, std::string_view producer) {
  const auto found = co_await transaction.run(pg::Batch(sql::find_beginning, producer));
  const bool from_first = found.optional<std::int64_t>().value_or(0) == 0;
  co_await transaction.run(pg::Batch(from_first ? sql::cover_all : sql::cover_rest, producer));
  co_return from_first;
}

}  // namespace parley::analytics::rollups

#include "contacts/indexing/store.hpp"

#include <algorithm>

#include "contacts/indexing/sql.hpp"

namespace parley::contacts::indexing {

namespace {

constexpr std::int64_t kMostLooked = 1'000;  // indexes at once

struct OpenRow {
  model::Uuid organization_id, id;
  bool is_new = false;
  std::int64_t begun = 0, ended = 0;
};
BOOST_DESCRIBE_STRUCT(OpenRow, (), (organization_id, id, is_new, begun, ended))

struct ClaimedRow {
  model::Uuid organization_id, id;
  std::string name, kind;
  model::Uuid position;
};
BOOST_DESCRIBE_STRUCT(ClaimedRow, (), (organization_id, id, name, kind, position))

struct FilledRow {
  std::optional<model::Uuid> position;
  std::int64_t contacts = 0;
  bool is_over = false;
};
BOOST_DESCRIBE_STRUCT(FilledRow, (), (position, contacts, is_over))

}  // namespace

// A transaction that wrote contacts before it could see an index has a number from before this look. Its contacts have
// no values of the index, so they must be there when the index is filled.
awaitable<std::size_t> Store::open() {
  const auto results = co_await database_.write(pg::Batch(sql::look, kMostLooked));
  const auto rows = results.rows<OpenRow>();
  pg::Batch batch;
  std::map<model::Uuid, std::int64_t> waiting;
  for (const auto& row : rows) {
    if (!row.is_new) continue;
    const auto known = waiting_.find(row.id);
    const auto begun = known == waiting_.end() ? row.begun : std::min(known->second, row.begun);
    if (row.ended >= begun)
      batch.add(sql::open, row.organization_id, row.id);
    else
      waiting.emplace(row.id, begun);
  }
  waiting_ = std::move(waiting);
  if (!batch.empty()) co_await database_.write(std::move(batch));
  co_return rows.size();
}

awaitable<Store::Step> Store::fill(std::size_t most) {
  auto transaction = co_await database_.begin();
  const auto claimed = co_await transaction.run(pg::Batch(sql::claim));
  const auto index = claimed.optional<ClaimedRow>();
  if (!index) co_return Step{};
  const auto filled =
      co_await transaction.run(pg::Batch(sql::fill, index->organization_id, index->id, index->name, index->kind,
                                         index->position, static_cast<std::int64_t>(most)));
  const auto row = filled.one<FilledRow>();
  co_await transaction.commit(pg::Batch(sql::advance, index->organization_id, index->id, row.position, row.is_over));
  co_return Step{row.contacts, row.is_over};
}

awaitable<bool> Store::sweep() {
  const auto results = co_await database_.write(pg::Batch(sql::sweep));
  co_return results.row_count() > 0;
}

}  // namespace parley::contacts::indexing

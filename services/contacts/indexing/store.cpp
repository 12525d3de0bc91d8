#include "contacts/indexing/store.hpp"

#include <exception>

#include "contacts/indexing/sql.hpp"

namespace parley::contacts::indexing {

namespace {

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

// `index` tells which one it was, also if this throws.
awaitable<Store::Step> fill_next(pg::Pool& database, std::size_t most, std::optional<ClaimedRow>& index) {
  auto transaction = co_await database.begin();
  const auto claimed = co_await transaction.run(pg::Batch(sql::claim));
  index = claimed.optional<ClaimedRow>();
  if (!index) co_return Store::Step{};
  const auto filled =
      co_await transaction.run(pg::Batch(sql::fill, index->organization_id, index->id, index->name, index->kind,
                                         index->position, static_cast<std::int64_t>(most)));
  const auto row = filled.one<FilledRow>();
  co_await transaction.commit(pg::Batch(sql::advance, index->organization_id, index->id, row.position, row.is_over));
  co_return Store::Step{row.contacts, row.is_over};
}

}  // namespace

awaitable<std::size_t> Store::open() {
  pg::Batch batch(sql::see);
  batch.add(sql::open).add(sql::count_open);
  const auto results = co_await database_.write(std::move(batch));
  co_return static_cast<std::size_t>(results.one<std::int64_t>(2));
}

awaitable<Store::Step> Store::fill(std::size_t most) {
  std::optional<ClaimedRow> index;
  std::exception_ptr failure;
  try {
    co_return co_await fill_next(database_, most, index);
  } catch (...) {
    failure = std::current_exception();
  }
  if (index) co_await database_.write(pg::Batch(sql::serve, index->organization_id, index->id));
  std::rethrow_exception(failure);
}

awaitable<bool> Store::sweep() {
  const auto results = co_await database_.write(pg::Batch(sql::sweep));
  co_return results.row_count() > 0;
}

}  // namespace parley::contacts::indexing

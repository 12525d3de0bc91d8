#include "contacts/segments/use.hpp"

#include "contacts/segments/rows.hpp"
#include "contacts/segments/sql.hpp"

namespace parley::contacts::segments {

namespace {

struct UseRow {
  std::vector<std::string> filters;
  bool is_large = false;
  std::int64_t activity = 0;
  std::vector<std::string> indexes;  // of attributes, by kind and name
  std::vector<model::Uuid> index_ids;
};
BOOST_DESCRIBE_STRUCT(UseRow, (), (filters, is_large, activity, indexes, index_ids))

awaitable<UseRow> read(pg::Pool& database, model::Uuid organization, std::vector<model::Uuid> ids) {
  const auto results = co_await database.read(pg::Batch(sql::to_use, organization, ids));
  co_return results.one<UseRow>();
}

// Its version of what contacts did is from before the filter is evaluated: a total that is kept under it is never
// older.
Scope scope_of(const UseRow& row) {
  Scope out{row.is_large, today(), row.activity, {}};
  for (std::size_t i = 0; i < row.indexes.size(); ++i) out.indexes.emplace(row.indexes[i], row.index_ids.at(i));
  return out;
}

// Contacts may still have rows of tags and lists that are gone.
awaitable<PredicatePtr> compiled(pg::Pool& database, model::Uuid organization, Condition filter, Scope scope) {
  const auto named = named_in(filter, "");
  if (!named.tags.empty() || !named.lists.empty()) {
    const auto results =
        co_await database.read(pg::Batch(sql::known, organization, ids_of(named.tags), ids_of(named.lists)));
    const auto known = results.one<KnownRow>();
    keep_known(filter, known.tag_ids, known.list_ids);
  }
  co_return std::make_shared<const Predicate>(filter, scope);
}

}  // namespace

awaitable<PredicatePtr> use(pg::Pool& database, model::Uuid organization, std::vector<model::Uuid> segments,
                            std::vector<model::Uuid> lists) {
  const auto row = co_await read(database, organization, std::move(segments));
  Any any;
  if (!lists.empty()) any.conditions.push_back({Lists{std::move(lists)}});
  for (const auto& filter : row.filters) any.conditions.push_back(read_stored(filter));
  if (any.conditions.empty()) any.conditions.push_back({Lists{}});  // nobody
  auto filter = any.conditions.size() == 1 ? std::move(any.conditions.front()) : Condition{std::move(any)};
  co_return co_await compiled(database, organization, std::move(filter), scope_of(row));
}

awaitable<PredicatePtr> use(pg::Pool& database, model::Uuid organization, Condition filter) {
  const auto row = co_await read(database, organization, {});
  co_return co_await compiled(database, organization, std::move(filter), scope_of(row));
}

}  // namespace parley::contacts::segments

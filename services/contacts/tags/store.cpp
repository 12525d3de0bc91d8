#include "contacts/tags/store.hpp"

#include <algorithm>

#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"
#include "common/removals/sql.hpp"
#include "contacts/lists/rows.hpp"
#include "contacts/lists/sql.hpp"
#include "contacts/lists/tally.hpp"
#include "contacts/tags/resolve.hpp"
#include "contacts/tags/rows.hpp"
#include "contacts/tags/sql.hpp"

namespace parley::contacts::tags {

namespace {

// Pages that skip more, or that no index serves, run on the slow lane, to not delay other reads.
constexpr std::int64_t kFarSkip = 5'000;

pg::Batch page_batch(const model::Uuid& organization, const Filter& filter) {
  const auto& statement = sql::page[{.after = filter.after.has_value(),
                                     .by_label = filter.sort_by == SortBy::label,
                                     .by_search = !filter.search.empty(),
                                     .descending = filter.descending,
                                     .skip = filter.paging.skip > 0}];
  const auto after = filter.after.value_or(http::Cursor{});
  pg::Batch batch(statement, organization, filter.search, after.id, after.text, filter.paging.per_page,
                  filter.paging.skip);
  batch.add(lists::sql::version, organization);
  return batch;
}

http::Problem taken(const std::optional<model::Tag>& tag) {
  http::Problem problem({.status = 409, .detail = "there is a tag with this label already"});
  if (tag) problem.detail += ": " + tag->label + ", " + tag->uniqueId.text();
  problem.errors.push_back({"/label", "is that of another tag"});
  return problem;
}

}  // namespace

awaitable<Page> Store::list(model::Uuid organization, Filter filter) {
  auto lookup = counts_.start({organization, "tags", filter.search});  // runs during the page's query
  auto asked = !filter.search.empty() || filter.paging.skip > kFarSkip
                   ? database_.slow_anywhere(page_batch(organization, filter))
                   : database_.read_anywhere(page_batch(organization, filter));
  const auto results = co_await std::move(asked);
  Page page{results.rows<model::Tag>(0), 0};
  const auto version = results.one<lists::VersionRow>(1);
  counts_.renew(version.epoch);
  const redis::CountFunction count = [this, organization, &filter]() -> awaitable<redis::Counted> {
    const bool all = filter.search.empty();  // served by the primary key alone
    pg::Batch batch(sql::count[{.by_search = !all}], organization, filter.search);
    auto asked = all ? database_.read_anywhere(std::move(batch)) : database_.slow_anywhere(std::move(batch));
    const auto counted = co_await std::move(asked);
    const auto row = counted.one<CountRow>();
    co_return redis::Counted{row.version, row.count, row.epoch};
  };
  page.total = co_await counts_.finish(std::move(lookup), version.version, count);
  co_return page;
}

awaitable<std::optional<VersionedTag>> Store::find(model::Uuid organization, model::Uuid id) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization, id));
  co_return results.optional<VersionedTag>();
}

awaitable<model::Tag> Store::create(pg::Transaction& transaction, model::Uuid organization, std::string label) {
  co_await quotas_.require(transaction, organization, kTagsQuota);
  pg::Batch batch(sql::insert, organization, model::new_uuid(), label);
  batch.add(sql::named, organization, label);
  lists::add_to_tallies(batch, organization, 0);
  const auto results = co_await transaction.run(std::move(batch));
  const auto made = results.optional<model::Tag>(0);
  if (!made) throw taken(results.optional<model::Tag>(1));
  co_return *made;
}

awaitable<std::vector<model::Tag>> Store::resolve(pg::Transaction& transaction, model::Uuid organization,
                                                  std::vector<std::string> names) {
  const auto resolved = co_await tags::resolve(transaction, organization, names, quotas_);
  pg::Batch batch(sql::labels, organization, ids_of(resolved, names, "/tags"));
  lists::add_to_tallies(batch, organization, 0);
  const auto results = co_await transaction.run(std::move(batch));
  std::vector<model::Tag> out;
  const auto rows = results.rows<model::Tag>(0);
  for (const auto& name : names) {
    const auto is_it = [&](const model::Tag& tag) { return tag.uniqueId == resolved.at(name); };
    if (std::ranges::none_of(out, is_it)) out.push_back(*std::ranges::find_if(rows, is_it));
  }
  co_return out;
}

awaitable<std::optional<VersionedTag>> Store::lock(pg::Transaction& transaction, model::Uuid organization,
                                                   model::Uuid id) {
  const auto results = co_await transaction.run(pg::Batch(sql::lock, organization, id));
  co_return results.optional<VersionedTag>();
}

awaitable<std::optional<VersionedTag>> Store::lock_to_delete(pg::Transaction& transaction, model::Uuid organization,
                                                             model::Uuid id) {
  const auto results = co_await transaction.run(pg::Batch(sql::lock_to_delete, organization, id));
  co_return results.optional<VersionedTag>();
}

awaitable<model::Tag> Store::rename(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                                    std::string label) {
  const auto found = co_await transaction.run(pg::Batch(sql::named, organization, label));
  const auto named = found.optional<model::Tag>();
  if (named && named->uniqueId != id) throw taken(named);
  pg::Batch batch(sql::update_label, organization, id, label);
  lists::add_to_tallies(batch, organization, 0);
  try {
    const auto results = co_await transaction.run(std::move(batch));
    co_return results.one<model::Tag>(0);
  } catch (const pg::SqlError& error) {  // created concurrently
    if (!error.is_unique_violation("tag_label")) throw;
  }
  throw taken(std::nullopt);
}

awaitable<void> Store::remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  pg::Batch batch(sql::delete_tag, organization, id);
  batch.add(removals::sql::begin, organization, "tag", std::vector<model::Uuid>{id});
  lists::add_to_tallies(batch, organization, 0);
  co_await transaction.run(std::move(batch));
}

}  // namespace parley::contacts::tags

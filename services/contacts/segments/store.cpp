#include "contacts/segments/store.hpp"

#include <algorithm>

#include "contacts/segments/rows.hpp"
#include "contacts/segments/sql.hpp"

namespace parley::contacts::segments {

namespace {

using Ids = std::vector<model::Uuid>;

constexpr std::int64_t kMaxExamined = 10'000, kMaxAttributes = 1'000;

struct AttributeRow : AttributeTypes {
  std::string name;
  std::int64_t numberOfContacts = 0;
};
BOOST_DESCRIBE_STRUCT(AttributeRow, (AttributeTypes), (name, numberOfContacts))

http::Problem taken(const std::optional<model::Uuid>& id) {
  http::Problem problem({.status = 409, .detail = "there is a segment with this name already"});
  if (id) problem.detail += ": " + id->text();
  problem.errors.push_back({"/name", "is that of another segment"});
  return problem;
}

void add_unknown(const std::vector<Named>& named, const Ids& known, const char* what, http::Faults& faults) {
  for (const auto& each : named)
    if (!std::ranges::binary_search(known, each.id))
      faults.add(each.pointer, "there is no " + std::string(what) + " " + each.id.text());
}

}  // namespace

awaitable<Page> Store::list(model::Uuid organization, PageFilter filter) {
  const auto& statement = sql::page[{.after = filter.after.has_value(),
                                     .by_name = filter.sort_by == SortBy::name,
                                     .by_search = !filter.search.empty(),
                                     .descending = filter.descending}];
  const auto after = filter.after.value_or(http::Cursor{});
  pg::Batch batch(statement, organization, filter.search, after.id, after.text, filter.paging.per_page,
                  filter.paging.skip);
  batch.add(sql::count[{.by_search = !filter.search.empty()}], organization, filter.search);
  const auto results = co_await database_.read_anywhere(std::move(batch));
  co_return Page{results.rows<Segment>(0), results.one<std::int64_t>(1)};
}

awaitable<std::optional<VersionedSegment>> Store::find(model::Uuid organization, model::Uuid id) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization, id));
  co_return results.optional<VersionedSegment>();
}

awaitable<Ids> Store::known(model::Uuid organization, Ids ids) {
  const auto results = co_await database_.read(pg::Batch(sql::known_segments, organization, ids));
  co_return results.rows<model::Uuid>();
}

awaitable<AttributesResponse> Store::attributes(model::Uuid organization) {
  pg::Batch batch(sql::attributes, organization, kMaxExamined, kMaxAttributes);
  batch.add(sql::examined, organization, kMaxExamined);
  const auto results = co_await database_.slow_anywhere(std::move(batch));
  AttributesResponse out;
  for (auto& row : results.rows<AttributeRow>(0)) {
    const AttributeTypes& types = row;
    out.attributes.push_back({std::move(row.name), row.numberOfContacts, types});
  }
  out.examinedContacts = results.one<std::int64_t>(1);
  co_return out;
}

awaitable<void> Store::require(model::Uuid organization, AllNamed named) {
  if (named.tags.empty() && named.lists.empty()) co_return;
  const auto results =
      co_await database_.read(pg::Batch(sql::known, organization, ids_of(named.tags), ids_of(named.lists)));
  const auto known = results.one<KnownRow>();
  http::Faults faults;
  add_unknown(named.tags, known.tag_ids, "tag", faults);
  add_unknown(named.lists, known.list_ids, "list", faults);
  faults.throw_if_any();
}

awaitable<Segment> Store::create(pg::Transaction& transaction, model::Uuid organization, Changes segment) {
  co_await quotas_.require(transaction, organization, kSegmentsQuota);
  pg::Batch batch(sql::insert, organization, model::new_uuid(), segment.name, segment.description.value_or(""),
                  segment.filter);
  batch.add(sql::named, organization, segment.name);
  const auto results = co_await transaction.run(std::move(batch));
  auto made = results.optional<Segment>(0);
  if (!made) throw taken(results.optional<model::Uuid>(1));
  co_return std::move(*made);
}

awaitable<std::optional<VersionedSegment>> Store::lock(pg::Transaction& transaction, model::Uuid organization,
                                                       model::Uuid id) {
  const auto results = co_await transaction.run(pg::Batch(sql::lock, organization, id));
  co_return results.optional<VersionedSegment>();
}

awaitable<Segment> Store::update(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                                 Changes changes) {
  if (changes.name) {
    const auto found = co_await transaction.run(pg::Batch(sql::named, organization, changes.name));
    const auto named = found.optional<model::Uuid>();
    if (named && *named != id) throw taken(named);
  }
  try {
    const auto results = co_await transaction.run(
        pg::Batch(sql::update, organization, id, changes.name, changes.description, changes.filter));
    co_return results.one<Segment>();
  } catch (const pg::SqlError& error) {  // created concurrently
    if (!error.is_unique_violation("segment_name")) throw;
  }
  throw taken(std::nullopt);
}

awaitable<void> Store::remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  co_await transaction.run(pg::Batch(sql::delete_segment, organization, id));
}

}  // namespace parley::contacts::segments

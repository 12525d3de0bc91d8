#include "contacts/lists/store.hpp"

#include <algorithm>

#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"
#include "common/removals/sql.hpp"
#include "contacts/lists/rows.hpp"
#include "contacts/lists/sql.hpp"
#include "contacts/lists/tally.hpp"
#include "contacts/tags/resolve.hpp"

namespace parley::contacts::lists {

namespace {

constexpr std::size_t kMaxNamed = 100;  // missing contacts named in a response
// Pages that skip more, or that no index serves, run on the slow lane, to not delay other reads.
constexpr std::int64_t kFarSkip = 5'000;

bool is_slow(const Filter& filter) {
  return !filter.search.empty() || filter.tag || filter.sort_by == SortBy::numberOfContacts ||
         filter.paging.skip > kFarSkip;
}

std::optional<model::Uuid> tag_id(const Filter& filter) {
  return filter.tag ? model::Uuid::parse(*filter.tag) : std::nullopt;
}

pg::Batch page_batch(const model::Uuid& organization, const Filter& filter) {
  const auto& statement = sql::page[{.after = filter.after.has_value(),
                                     .by_contacts = filter.sort_by == SortBy::numberOfContacts,
                                     .by_name = filter.sort_by == SortBy::name,
                                     .by_search = !filter.search.empty(),
                                     .by_tag = filter.tag.has_value(),
                                     .descending = filter.descending,
                                     .skip = filter.paging.skip > 0}];
  const auto after = filter.after.value_or(http::Cursor{});
  pg::Batch batch(statement, organization, filter.search, tag_id(filter), filter.tag, after.id, after.text,
                  filter.paging.per_page, filter.paging.skip);
  batch.add(sql::version, organization);
  return batch;
}

std::optional<VersionedList> read_found(const pg::Results& results, std::size_t i) {
  auto row = results.optional<model::Versioned<ListRow>>(i);
  if (!row) return std::nullopt;
  return to_list(std::move(*row));
}

// Locks the named contacts against deletion. Throws a Problem 400 that names missing ones.
awaitable<void> require_contacts(pg::Transaction& transaction, const model::Uuid& organization,
                                 const std::vector<std::pair<std::string, const std::vector<model::Uuid>*>>& named) {
  std::vector<model::Uuid> ids;
  for (const auto& [pointer, some] : named) ids.insert(ids.end(), some->begin(), some->end());
  if (ids.empty()) co_return;
  const auto results = co_await transaction.run(pg::Batch(sql::lock_contacts, organization, ids));
  const auto found = results.rows<model::Uuid>();
  if (found.size() == ids.size()) co_return;
  http::Problem problem(
      {.status = 400, .detail = std::to_string(ids.size() - found.size()) + " contacts do not exist: "});
  for (const auto& [pointer, some] : named)
    for (const auto& id : *some) {
      if (problem.errors.size() == kMaxNamed || std::binary_search(found.begin(), found.end(), id)) continue;
      if (!problem.errors.empty()) problem.detail += ", ";
      id.append_to(problem.detail);
      problem.errors.push_back({pointer, "there is no contact " + id.text()});
    }
  throw problem;
}

// Contacts that cannot join the list because they are in kMaxListsOfContact already.
awaitable<std::vector<model::Uuid>> full(pg::Transaction& transaction, const model::Uuid& organization,
                                         const model::Uuid& list, const std::vector<model::Uuid>& contacts) {
  if (contacts.empty()) co_return contacts;
  const auto results = co_await transaction.run(pg::Batch(sql::full, organization, list, contacts, kMaxListsOfContact));
  co_return results.rows<model::Uuid>();
}

// Throws a Problem 409 if the change would put a contact into too many lists.
awaitable<void> require_room(pg::Transaction& transaction, const model::Uuid& organization, const model::Uuid& list,
                             const char* pointer, const std::vector<model::Uuid>& contacts) {
  const auto found = co_await full(transaction, organization, list, contacts);
  if (found.empty()) co_return;
  http::Problem problem({.status = 409,
                         .detail = std::to_string(found.size()) + " contacts are in " +
                                   std::to_string(kMaxListsOfContact) + " lists already: a contact can be in no more"});
  for (std::size_t i = 0; i < std::min(found.size(), kMaxNamed); ++i)
    problem.errors.push_back({pointer, found[i].text() + " is in as many lists as a contact can be"});
  throw problem;
}

}  // namespace

awaitable<Page> Store::list(model::Uuid organization, Filter filter) {
  const std::string spelling = filter.tag.value_or("") + "\n" + filter.search;
  auto lookup = counts_.start({organization, "lists", spelling});  // runs during the page's query
  auto asked = is_slow(filter) ? database_.slow_anywhere(page_batch(organization, filter))
                               : database_.read_anywhere(page_batch(organization, filter));
  const auto results = co_await std::move(asked);
  Page page;
  for (auto& row : results.rows<ListRow>(0)) page.lists.push_back(to_list(std::move(row)));
  const auto version = results.one<VersionRow>(1);
  counts_.renew(version.epoch);
  const redis::CountFunction count = [this, organization, &filter]() -> awaitable<redis::Counted> {
    const bool all = filter.search.empty() && !filter.tag;  // served by the primary key alone
    const auto& statement = sql::count[{.by_search = !filter.search.empty(), .by_tag = filter.tag.has_value()}];
    pg::Batch batch(statement, organization, filter.search, tag_id(filter), filter.tag);
    auto asked = all ? database_.read_anywhere(std::move(batch)) : database_.slow_anywhere(std::move(batch));
    const auto counted = co_await std::move(asked);
    const auto row = counted.one<CountRow>();
    co_return redis::Counted{row.version, row.count, row.epoch};
  };
  page.total = co_await counts_.finish(std::move(lookup), version.version, count);
  co_return page;
}

awaitable<std::vector<model::Uuid>> Store::known(model::Uuid organization, std::vector<model::Uuid> ids) {
  const auto results = co_await database_.read(pg::Batch(sql::known, organization, ids));
  co_return results.rows<model::Uuid>();
}

awaitable<std::optional<VersionedList>> Store::find(model::Uuid organization, model::Uuid id) {
  co_return read_found(co_await database_.read(pg::Batch(sql::find, organization, id)), 0);
}

awaitable<model::List> Store::create(pg::Transaction& transaction, model::Uuid organization, NewList list) {
  const auto id = list.id;
  co_await quotas_.require(transaction, organization, kListsQuota);
  const auto tags = co_await tags::resolve(transaction, organization, list.tags, quotas_);
  co_await require_contacts(transaction, organization, {{"/contactIds", &list.contact_ids}});
  co_await require_room(transaction, organization, id, "/contactIds", list.contact_ids);
  pg::Batch batch;
  batch.add(sql::insert_list, organization, id, list.name, list.description);
  batch.add(sql::insert_list_tags, organization, id, tags::ids_of(tags, list.tags, "/tags"));
  batch.add(sql::insert_members, organization, id, list.contact_ids);
  add_to_tallies(batch, organization, 0, {{id, static_cast<std::int64_t>(list.contact_ids.size())}});
  const auto last = batch.size();
  batch.add(sql::find, organization, id);
  const auto results = co_await transaction.run(std::move(batch));
  co_return read_found(results, last).value();
}

// A second statement reads the list, so that it sees what earlier holders of the lock have committed.
awaitable<std::optional<VersionedList>> Store::lock(pg::Transaction& transaction, model::Uuid organization,
                                                    model::Uuid id) {
  pg::Batch batch(sql::lock, organization, id);
  batch.add(sql::find, organization, id);
  co_return read_found(co_await transaction.run(std::move(batch)), 1);
}

awaitable<std::optional<VersionedList>> Store::lock_to_delete(pg::Transaction& transaction, model::Uuid organization,
                                                              model::Uuid id) {
  pg::Batch batch(sql::lock_to_delete, organization, id);
  batch.add(sql::find, organization, id);
  co_return read_found(co_await transaction.run(std::move(batch)), 1);
}

awaitable<model::List> Store::update(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                                     UpdateList changes) {
  const auto names = changes.tags.value_or(std::vector<std::string>{});
  const auto tags = tags::ids_of(co_await tags::resolve(transaction, organization, names, quotas_), names, "/tags");
  pg::Batch batch;
  batch.add(sql::update_list, organization, id, changes.name, changes.description);
  if (changes.tags) {
    batch.add(sql::delete_other_tags, organization, id, tags);
    batch.add(sql::insert_list_tags, organization, id, tags);
  }
  add_to_tallies(batch, organization, 0);
  const auto last = batch.size();
  batch.add(sql::find, organization, id);
  const auto results = co_await transaction.run(std::move(batch));
  co_return read_found(results, last).value();
}

awaitable<model::List> Store::change_members(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                                             MemberChanges changes) {
  co_await require_contacts(transaction, organization, {{"/add", &changes.add}, {"/remove", &changes.remove}});
  co_await require_room(transaction, organization, id, "/add", changes.add);
  pg::Batch batch;
  batch.add(sql::delete_members, organization, id, changes.remove);
  batch.add(sql::insert_members, organization, id, changes.add);
  const auto changed = co_await transaction.run(std::move(batch));
  const auto removed = static_cast<std::int64_t>(changed.affected(0));
  const auto added = static_cast<std::int64_t>(changed.affected(1));
  pg::Batch last;
  if (removed + added > 0) add_to_tallies(last, organization, 0, {{id, added - removed}});
  const auto at = last.size();
  last.add(sql::find, organization, id);
  const auto results = co_await transaction.run(std::move(last));
  co_return read_found(results, at).value();
}

awaitable<std::int64_t> Store::add_members(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                                           std::vector<model::Uuid> contacts) {
  const auto locked = co_await transaction.run(pg::Batch(sql::lock_contacts, organization, contacts));
  auto there = locked.rows<model::Uuid>();
  const auto without_room = co_await full(transaction, organization, id, there);  // sorted like `there`
  std::erase_if(there, [&](const auto& contact) { return std::ranges::binary_search(without_room, contact); });
  const auto results = co_await transaction.run(pg::Batch(sql::insert_members, organization, id, there));
  const auto added = static_cast<std::int64_t>(results.affected());
  pg::Batch last;
  add_to_tallies(last, organization, 0, {{id, added}});
  if (added > 0) co_await transaction.run(std::move(last));
  co_return std::ssize(there);
}

awaitable<void> Store::remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  pg::Batch batch;
  batch.add(sql::delete_list, organization, id);
  batch.add(removals::sql::begin, organization, "list", std::vector<model::Uuid>{id});
  add_to_tallies(batch, organization, 0);
  batch.add(sql::delete_tally, organization, id);
  co_await transaction.run(std::move(batch));
}

}  // namespace parley::contacts::lists

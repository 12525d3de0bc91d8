#include "contacts/contacts/store.hpp"

#include <unordered_map>

#include "contacts/contacts/rows.hpp"
#include "contacts/contacts/sql.hpp"
#include "contacts/lists/rows.hpp"

namespace parley::contacts::contacts {

namespace {

// Beyond this, or by no index, a page's work belongs where it holds up nobody else's.
constexpr std::int64_t kFarSkip = 5'000;

bool is_slow(const Filter& filter) {
  return !filter.search.empty() || filter.paging.skip > kFarSkip ||
         (filter.sort_by == SortBy::name && filter.list_id) || (filter.status && filter.list_id);
}

// One spelling for one meaning: what the total depends on.
std::string spelling(const Filter& filter) {
  std::string out = filter.list_id ? filter.list_id->text() : "";
  out.append("|").append(filter.status ? model::name_of(*filter.status) : "").append("|").append(filter.search);
  return out;
}

pg::Batch page_batch(const model::Uuid& organization, const Filter& filter) {
  const std::int64_t skip = filter.after ? 0 : filter.paging.skip;
  const auto part = [](bool is, std::string_view name) { return is ? name : std::string_view{}; };
  const std::initializer_list<std::string_view> parts{part(filter.list_id.has_value(), "by_list"),
                                                      part(!filter.search.empty(), "by_search"),
                                                      part(filter.status.has_value(), "by_status"),
                                                      part(filter.sort_by == SortBy::name, "by_name"),
                                                      part(filter.descending, "descending"),
                                                      part(filter.after.has_value(), "after"),
                                                      part(skip > 0, "skip")};
  pg::Batch batch;
  for (const auto* statement : {&sql::page, &sql::page_lists, &sql::page_tags})
    batch.add((*statement)[parts], organization, filter.list_id, filter.search, filter.status, filter.after,
              filter.paging.per_page, skip, filter.after_name);
  batch.add(sql::tally, organization, filter.list_id.value_or(model::Uuid{}));
  return batch;
}

using JsonById = std::unordered_map<model::Uuid, std::string>;

template <class T>
JsonById to_json_by_id(const std::vector<T>& values) {
  JsonById out;
  for (const auto& value : values) out.emplace(value.uniqueId, model::to_json(value));
  return out;
}

std::string array_of(const std::vector<model::Uuid>& ids, const JsonById& json) {
  std::string out = "[";
  for (const auto& id : ids) {
    if (out.size() > 1) out += ',';
    out += json.at(id);
  }
  out += ']';
  return out;
}

// Puts the lists and tags of a page to its contacts.
std::vector<PageContact> assemble(const pg::Results& results) {
  const auto lists = to_json_by_id(lists::to_lists(results.rows<lists::ListTagRow>(1)));
  const auto tags = to_json_by_id(results.rows<model::Tag>(2));
  std::vector<PageContact> contacts;
  for (auto& row : results.rows<PageRow>(0)) {
    auto& contact = contacts.emplace_back();
    contact.lists.text = array_of(row.list_ids, lists);
    contact.tags.text = array_of(row.tag_ids, tags);
    static_cast<model::ContactSummary&>(contact) = std::move(row);
  }
  return contacts;
}

}  // namespace

awaitable<Page> Store::list(model::Uuid organization, Filter filter) {
  // An unfiltered total, or a list's, is a sum in the page's own snapshot. Any other is asked of Redis meanwhile.
  const bool needs_count = !filter.search.empty() || filter.status.has_value();
  std::optional<redis::CountCache::Lookup> lookup;
  if (needs_count) lookup = counts_.start({organization, "contacts", spelling(filter)});
  auto asked = is_slow(filter) ? database_.slow(page_batch(organization, filter))
                               : database_.read(page_batch(organization, filter));
  const auto results = co_await std::move(asked);
  auto tally = results.one<TallyRow>(3);
  Page page{assemble(results), tally.contacts};
  counts_.renew(tally.epoch);
  if (needs_count) page.total = co_await filtered_total(organization, filter, std::move(*lookup), tally.version);
  co_return page;
}

awaitable<std::int64_t> Store::filtered_total(model::Uuid organization, const Filter& filter,
                                              redis::CountCache::Lookup lookup, std::int64_t version) {
  const redis::CountFunction count = [this, organization, &filter]() -> awaitable<redis::Counted> {
    const auto part = [](bool is, std::string_view name) { return is ? name : std::string_view{}; };
    const auto& statement =
        sql::count[{part(filter.list_id.has_value(), "by_list"), part(!filter.search.empty(), "by_search"),
                    part(filter.status.has_value(), "by_status")}];
    const auto results =
        co_await database_.slow(pg::Batch(statement, organization, filter.list_id, filter.search, filter.status));
    const auto row = results.one<CountRow>();
    co_return redis::Counted{row.version, row.count};
  };
  co_return co_await counts_.finish(std::move(lookup), version, count);
}

pg::Pending Store::start_find(const model::Uuid& organization, const model::Uuid& id) {
  pg::Batch batch;
  batch.add(sql::find, organization, id).add(sql::lists_of, organization, id).add(sql::tags_of, organization, id);
  return database_.start_read(std::move(batch));
}

awaitable<std::optional<model::Contact>> Store::found(pg::Pending asked) {
  const auto results = co_await asked.get();
  auto contact = results.optional<model::Contact>(0);
  if (contact) {
    contact->lists = lists::to_lists(results.rows<lists::ListTagRow>(1));
    contact->tags = results.rows<model::Tag>(2);
  }
  co_return contact;
}

awaitable<ContactParts> Store::parts(model::Uuid organization, std::vector<model::Uuid> contact_ids,
                                     std::vector<model::Uuid> tag_ids) {
  pg::Batch batch;
  batch.add(sql::summaries, organization, contact_ids).add(sql::tag_labels, organization, tag_ids);
  const auto results = co_await database_.read(std::move(batch));
  co_return ContactParts{results.rows<model::ContactSummary>(0), results.rows<model::Tag>(1)};
}

}  // namespace parley::contacts::contacts

#include "contacts/contacts/store.hpp"

#include <algorithm>
#include <unordered_map>

#include "common/events/outbox/sql.hpp"
#include "common/http/etag.hpp"
#include "contacts/contacts/matching.hpp"
#include "contacts/contacts/rows.hpp"
#include "contacts/contacts/sql.hpp"
#include "contacts/segments/use.hpp"

namespace parley::contacts::contacts {

namespace {

// Pages that skip more rows run on the slow lane, to not delay other reads.
constexpr std::int64_t kFarSkip = 500;
constexpr auto kCountMemory = "32MB";  // of a hash of a segment's tags or lists

constexpr std::size_t kMaxCatalogueOctets = 4 << 20;
constexpr std::size_t kMostFound = 8;  // contacts of one statement
constexpr std::size_t kLongReads = 2, kLongReadsWaiting = 64;
constexpr auto kLongReadWait = std::chrono::seconds(3);

// True if one index has both the page's filter and its order.
bool is_indexed(const PageFilter& filter) {
  if (!filter.search.empty() || !filter.attributes.empty() || filter.segment_id) return false;
  const int filters = filter.list_id.has_value() + filter.tag.has_value() + filter.status.has_value();
  return filters == 0 || (filters == 1 && filter.sort_by == SortBy::createdAt);
}

bool is_plain(const PageFilter& filter) { return is_indexed(filter) && filter.paging.skip <= kFarSkip; }

bool needs_count(const Filter& filter) {
  return !filter.search.empty() || filter.status || filter.tag || !filter.attributes.empty() || filter.segment;
}

// The canonical text of a filter: the cache key of its total.
std::string spelling(const Filter& filter) {
  std::vector<std::string> parts{filter.list_id ? filter.list_id->text() : "",
                                 filter.status ? std::string(model::name_of(*filter.status)) : "",
                                 filter.tag_id ? filter.tag_id->text() : "", filter.search};
  for (const auto& [name, value] : filter.attributes) {
    parts.push_back(name);
    parts.push_back(value);
  }
  if (filter.segment) parts.push_back(filter.segment->spelling());
  return model::to_json(parts);
}

void add_tally(pg::Batch& batch, const model::Uuid& organization, const Filter& filter) {
  batch.add(sql::tally, organization, filter.list_id);
}

std::optional<model::Uuid> after_id(const PageFilter& filter) {
  return filter.after ? std::optional(filter.after->id) : std::nullopt;
}
std::string after_name(const PageFilter& filter) { return filter.after ? filter.after->text : ""; }

// `parts` has the parts that only some of these statements have.
template <class Parts>
void add_indexed(pg::Batch& batch, const pg::Variants<Parts>& statement, const model::Uuid& organization,
                 const PageFilter& filter, Parts parts = {}) {
  parts.after = filter.after.has_value();
  parts.by_list = filter.list_id.has_value();
  parts.by_name = filter.sort_by == SortBy::name;
  parts.by_status = filter.status.has_value();
  parts.by_tag = filter.tag.has_value();
  parts.descending = filter.descending;
  parts.skip = filter.paging.skip > 0;
  batch.add(statement[parts], organization, filter.list_id, filter.tag_id, filter.status, after_id(filter),
            after_name(filter), filter.paging.per_page, filter.paging.skip);
}

void add_choose(pg::Batch& batch, const model::Uuid& organization, const PageFilter& filter) {
  Matching(filter).add(
      batch, sql::choose,
      {.after = filter.after.has_value(), .by_name = filter.sort_by == SortBy::name, .descending = filter.descending},
      organization, after_id(filter), after_name(filter), filter.paging.per_page, filter.paging.skip);
}

pg::Batch plain_batch(const model::Uuid& organization, const PageFilter& filter) {
  pg::Batch batch;
  add_indexed(batch, sql::page, organization, filter);
  add_tally(batch, organization, filter);
  return batch;
}

// The lists and tags of these contacts, or of the chosen ones. If `guarded`, however many.
void add_catalogue(pg::Batch& batch, const model::Uuid& organization, const std::optional<Ids>& contacts,
                   bool guarded) {
  batch.add(sql::chosen_lists[{.guarded = guarded}], organization, contacts);
  batch.add(sql::chosen_tags, organization, contacts);
}

// The first statement passes the chosen ids to the others inside the database, so that all see one snapshot.
pg::Batch whole_batch(const model::Uuid& organization, const PageFilter& filter, bool guarded) {
  pg::Batch batch;
  Matching(filter).limit_time(batch);
  if (is_indexed(filter))
    add_indexed(batch, sql::choose_indexed, organization, filter);
  else
    add_choose(batch, organization, filter);
  batch.add(sql::chosen, organization, std::nullopt);
  add_tally(batch, organization, filter);
  add_catalogue(batch, organization, std::nullopt, guarded);
  return batch;
}

std::size_t json_octets(std::string_view text) {
  std::size_t octets = 2;
  for (const char c : text) octets += static_cast<unsigned char>(c) < ' ' ? 6 : c == '"' || c == '\\' ? 2 : 1;
  return octets;
}

}  // namespace

bool has_all_lists(const pg::Results& results, std::size_t i, bool guarded) {
  if (!guarded) return results.row_count(i) < kUsualListRows;
  if (results.row_count(i) > kMaxListRows) return false;
  std::size_t lists = 0, octets = 0, json = 0;
  model::Uuid last;
  for (const auto& row : results.rows<ListTagRow>(i)) {
    const std::string_view label = row.tag_label ? std::string_view(*row.tag_label) : "";
    for (const std::string_view text : {std::string_view(row.name), std::string_view(row.description), label}) {
      octets += text.size();
      json += json_octets(text);
    }
    if (lists == 0 || row.uniqueId != last) ++lists;
    last = row.uniqueId;
  }
  return lists < kMaxPageLists && octets <= kMaxListOctets && json <= kMaxListJson;
}

void write(std::string& out, const ContactList& list) {
  out += list.text->head;
  model::write(out, list.contacts);
  out += list.text->tail;
}

void write(std::string& out, const ContactTag& tag) { out += *tag.text; }

std::size_t PageContact::octets() const {
  constexpr std::size_t kDigits = 10;
  std::size_t octets = attributes.text.size();
  for (const auto& list : lists) octets += list.text->head.size() + kDigits + list.text->tail.size();
  for (const auto& tag : tags) octets += tag.text->size();
  return octets;
}

PageContact to_contact(PageRow row, const Catalogue& catalogue) {
  PageContact contact;
  for (std::size_t i = 0; i < row.list_ids.size(); ++i)
    if (auto text = catalogue.list(row.list_ids[i]))
      contact.lists.push_back({std::move(text), row.list_contacts.at(i)});
  for (const auto& id : row.tag_ids)
    if (auto text = catalogue.tag(id)) contact.tags.push_back({std::move(text)});
  static_cast<model::ContactSummary&>(contact) = std::move(row);
  return contact;
}

std::vector<PageContact> to_contacts(std::vector<PageRow> rows, const Catalogue& catalogue) {
  std::vector<PageContact> contacts;
  std::size_t octets = 0;
  for (auto& row : rows) {
    auto contact = to_contact(std::move(row), catalogue);
    octets += contact.octets();
    if (octets > http::kMaxPageOctets && !contacts.empty()) break;
    contacts.push_back(std::move(contact));
  }
  return contacts;
}

void add_to_version(std::string& version, const BelongingsRow& belongings) {
  http::add_to_version(version, belongings.list_ids);
  http::add_to_version(version, belongings.tag_ids);
}

Store::Store(pg::Pool& database, redis::CountCache& counts, const chassis::Quotas& quotas,
             std::shared_ptr<segments::Room> room)
    : database_(database),
      counts_(counts),
      catalogues_(kMaxCatalogueOctets),
      finding_(database.context(), kMostFound,
               [this](model::Uuid organization, std::monostate, std::vector<model::Uuid> ids) {
                 return find(organization, std::move(ids));
               }),
      long_reads_(std::make_shared<http::Admission>(database.context(), kLongReads, kLongReadsWaiting, kLongReadWait)),
      room_(room ? std::move(room) : std::make_shared<segments::Room>(database)),
      quotas_(quotas) {}

awaitable<std::unique_ptr<http::Admitted>> Store::enter_long_read(const model::Uuid& organization) {
  const auto owner = std::hash<model::Uuid>{}(organization);
  const bool is_in = co_await long_reads_->enter(owner);
  if (is_in) co_return std::make_unique<http::Admitted>(long_reads_, owner);
  throw http::Problem({.status = 503,
                       .detail = "too many contacts in many lists are read at once: try again",
                       .head = "Retry-After: 1\r\n"});
}

awaitable<std::unique_ptr<segments::Room::Place>> Store::enter(const model::Uuid& organization, const Filter& filter,
                                                               int times) {
  if (!filter.segment) co_return nullptr;
  co_return co_await room_->enter(organization, times);
}

awaitable<void> Store::find_tag(const model::Uuid& organization, Filter& filter) {
  if (!filter.tag) co_return;
  const auto results = co_await database_.read_anywhere(
      pg::Batch(sql::tag_named, organization, model::Uuid::parse(*filter.tag), *filter.tag));
  filter.tag_id = results.one<std::optional<model::Uuid>>().value_or(model::Uuid{});
}

awaitable<void> Store::find_segment(const model::Uuid& organization, Filter& filter) {
  if (filter.segment_id) filter.segment = co_await segments::use(database_, organization, {*filter.segment_id});
}

std::shared_ptr<const Catalogue> Store::kept_catalogue(const model::Uuid& organization, const std::string& version,
                                                       std::span<const PageRow> rows) {
  static const auto nothing = std::make_shared<const Catalogue>();
  auto kept = catalogues_.find(organization, version);
  if (!kept) kept = nothing;
  const auto is_known = [&](const PageRow& row) { return kept->knows(row.list_ids, row.tag_ids); };
  const bool has_all = std::ranges::all_of(rows, is_known);
  ++(has_all ? catalogues_.stats().hits : catalogues_.stats().misses);
  return has_all ? kept : nullptr;
}

void Store::keep_catalogue(const model::Uuid& organization, const std::string& version, std::span<const PageRow> rows,
                           Catalogue& read) {
  for (const auto& row : rows) read.note_missing(row.list_ids, row.tag_ids);
  catalogues_.add(organization, version, read);
}

struct Store::PageRows {
  std::vector<PageRow> rows;
  TallyRow tally;
  std::optional<std::int64_t> known;  // the total, if the statement counted it
  std::shared_ptr<const Catalogue> catalogue;
  bool cut = false;                       // fewer rows than asked for
  std::unique_ptr<http::Admitted> place;  // of a long read
};

awaitable<Store::PageRows> Store::read_page(model::Uuid organization, PageFilter filter) {
  if (is_plain(filter)) {
    PageRows page;
    const auto results = co_await database_.read_anywhere(plain_batch(organization, filter));
    page.rows = results.rows<PageRow>(0);
    page.tally = results.one<TallyRow>(1);
    page.catalogue = kept_catalogue(organization, page.tally.catalogue, page.rows);
    if (page.catalogue) co_return page;
  }
  co_return co_await read_whole_page(organization, std::move(filter));
}

awaitable<Store::PageRows> Store::read_whole_page(model::Uuid organization, PageFilter filter) {
  PageRows page;
  const std::size_t first = filter.segment ? 1 : 0;
  const auto made = co_await enter(organization, filter);
  const auto read = [&](bool guarded) {
    auto batch = whole_batch(organization, filter, guarded);
    return is_plain(filter) && !guarded ? database_.read_anywhere(std::move(batch))
                                        : database_.slow_anywhere(std::move(batch));
  };
  auto results = co_await read(false);
  const bool is_usual = has_all_lists(results, first + 3, false);
  if (!is_usual) {
    results = {};
    page.place = co_await enter_long_read(organization);
    results = co_await read(true);
    while (!has_all_lists(results, first + 3, true) && filter.paging.per_page > 1) {  // retry with fewer contacts
      results = {};
      filter.paging.per_page = std::max<std::int64_t>(1, filter.paging.per_page / 4);
      page.cut = true;
      results = co_await read(true);
    }
  }
  page.rows = results.rows<PageRow>(first + 1);
  page.tally = results.one<TallyRow>(first + 2);
  page.known = results.one<ChosenRow>(first).total;
  Catalogue catalogue(results, first + 3);
  if (is_usual) keep_catalogue(organization, page.tally.catalogue, page.rows, catalogue);
  page.catalogue = std::make_shared<const Catalogue>(std::move(catalogue));
  co_return page;
}

awaitable<Page> Store::list(model::Uuid organization, PageFilter filter) {
  co_await find_tag(organization, filter);
  co_await find_segment(organization, filter);
  // An unfiltered total and a list's are sums in the page's snapshot. Any other is looked up in Redis meanwhile.
  std::optional<redis::CountCache::Lookup> lookup;
  if (needs_count(filter)) lookup = counts_.start({organization, "contacts", spelling(filter)});
  auto read = co_await read_page(organization, filter);
  const auto row_count = read.rows.size();
  Page page{to_contacts(std::move(read.rows), *read.catalogue), read.tally.contacts};
  page.cut = read.cut || page.contacts.size() < row_count;
  for (const auto& contact : page.contacts) page.octets += contact.octets();
  read.catalogue.reset();
  read.place.reset();
  counts_.renew(read.tally.epoch);
  if (lookup)
    page.total = co_await filtered_total(organization, filter, std::move(*lookup), read.tally.version, read.known);
  co_return page;
}

// `known` is the total if the page's statement counted it; it is cached as well.
awaitable<std::int64_t> Store::filtered_total(model::Uuid organization, const Filter& filter,
                                              redis::CountCache::Lookup lookup, std::int64_t version,
                                              std::optional<std::int64_t> known) {
  const redis::CountFunction count = [this, organization, &filter, version, known]() -> awaitable<redis::Counted> {
    if (known) co_return redis::Counted{version, *known};
    const bool tag_alone = filter.tag && !filter.list_id && !filter.status && filter.search.empty() &&
                           filter.attributes.empty() && !filter.segment;
    const auto made = co_await enter(organization, filter);
    pg::Batch batch;
    if (filter.segment) batch.add(sql::prepare_count, kCountMemory, segments::kLongestMade);
    const auto at = batch.size();
    Matching(filter).add(batch, sql::count, {.by_segment = filter.segment != nullptr, .tag_alone = tag_alone},
                         organization);
    const auto results = co_await database_.slow_anywhere(std::move(batch));
    const auto row = results.one<CountRow>(at);
    co_return redis::Counted{row.version, row.count, row.epoch};
  };
  co_return co_await counts_.finish(std::move(lookup), version, count);
}

awaitable<std::int64_t> Store::count(model::Uuid organization, segments::Condition condition) {
  Filter filter;
  filter.segment = co_await segments::use(database_, organization, std::move(condition));
  co_return co_await count(organization, filter);
}

awaitable<std::int64_t> Store::count(model::Uuid organization, const Filter& filter) {
  std::optional<redis::CountCache::Lookup> lookup;
  if (needs_count(filter)) lookup = counts_.start({organization, "contacts", spelling(filter)});
  pg::Batch batch;
  add_tally(batch, organization, filter);
  const auto results = co_await database_.read(std::move(batch));
  const auto tally = results.one<TallyRow>();
  counts_.renew(tally.epoch);
  if (!lookup) co_return tally.contacts;
  co_return co_await filtered_total(organization, filter, std::move(*lookup), tally.version, {});
}

auto Store::start_find(const model::Uuid& organization, const model::Uuid& id) -> Finding::Asked {
  return finding_.ask(organization, id);
}

awaitable<std::vector<FindRow>> Store::find(model::Uuid organization, std::vector<model::Uuid> ids) {
  auto batch = ids.size() == 1 ? pg::Batch(sql::find, organization, ids.front())
                               : pg::Batch(sql::find_several, organization, ids);
  const auto results = co_await database_.read(std::move(batch));
  co_return results.rows<FindRow>();
}

namespace {

VersionedContact to_versioned(FindRow row, const Catalogue& catalogue) {
  BelongingsRow belongings;
  for (const auto& id : row.list_ids)
    if (catalogue.list(id)) belongings.list_ids.push_back(id);
  for (const auto& id : row.tag_ids)
    if (catalogue.tag(id)) belongings.tag_ids.push_back(id);
  add_to_version(row.version, belongings);
  auto version = std::move(row.version);
  return {to_contact(std::move(row), catalogue), std::move(version)};
}

}  // namespace

awaitable<std::optional<VersionedContact>> Store::found(model::Uuid organization, model::Uuid id,
                                                        Finding::Asked asked) {
  {
    const auto rows = co_await asked.get();
    const auto row = std::ranges::find(*rows, id, &FindRow::uniqueId);
    if (row == rows->end()) co_return std::nullopt;
    const PageRow& contact = *row;
    const auto kept = kept_catalogue(organization, row->catalogue, {&contact, 1});
    if (kept) co_return to_versioned(*row, *kept);
  }
  co_return co_await find_whole(organization, id);
}

awaitable<std::optional<VersionedContact>> Store::find_whole(model::Uuid organization, model::Uuid id) {
  const auto batch = [&](bool guarded) {
    pg::Batch out(sql::find, organization, id);
    add_catalogue(out, organization, Ids{id}, guarded);
    return out;
  };
  std::unique_ptr<http::Admitted> place;
  auto results = co_await database_.read(batch(false));
  const bool is_usual = has_all_lists(results, 1, false);
  if (!is_usual) {
    results = {};
    place = co_await enter_long_read(organization);
    results = co_await database_.slow(batch(true));
  }
  auto row = results.optional<FindRow>();
  if (!row) co_return std::nullopt;
  Catalogue catalogue(results, 1);
  const PageRow& contact = *row;
  if (is_usual) keep_catalogue(organization, row->catalogue, {&contact, 1}, catalogue);
  co_return to_versioned(std::move(*row), catalogue);
}

awaitable<std::vector<model::Uuid>> Store::search(model::Uuid organization, std::string text, std::int64_t most) {
  PageFilter filter;
  filter.search = std::move(text);
  filter.paging.per_page = most;
  pg::Batch batch;
  add_choose(batch, organization, filter);
  batch.add(sql::chosen_ids);
  const auto results = co_await database_.slow(std::move(batch));
  co_return results.rows<model::Uuid>(1);
}

awaitable<void> Store::emit(model::RawJson told) { co_await database_.write(pg::Batch(events::outbox::append, told)); }

awaitable<ContactParts> Store::parts(model::Uuid organization, std::vector<model::Uuid> contact_ids,
                                     std::vector<model::Uuid> tag_ids) {
  pg::Batch batch;
  batch.add(sql::summaries, organization, contact_ids).add(sql::tag_labels, organization, tag_ids);
  const auto results = co_await database_.read(std::move(batch));
  co_return ContactParts{results.rows<model::ContactSummary>(0), results.rows<model::Tag>(1)};
}

}  // namespace parley::contacts::contacts

#include "contacts/contacts/store.hpp"

#include <algorithm>
#include <unordered_map>

#include "common/events/outbox/sql.hpp"
#include "common/http/etag.hpp"
#include "contacts/contacts/rows.hpp"
#include "contacts/contacts/search.hpp"
#include "contacts/contacts/sql.hpp"
#include "contacts/lists/rows.hpp"

namespace parley::contacts::contacts {

namespace {

// Pages that skip more rows run on the slow lane, to not delay other reads.
constexpr std::int64_t kFarSkip = 500;
constexpr std::int64_t kMaxExportOctets = 1 << 20;

constexpr std::size_t kLongReads = 2, kLongReadsWaiting = 64;
constexpr auto kLongReadWait = std::chrono::seconds(3);

// True if one index has both the page's filter and its order.
bool is_indexed(const PageFilter& filter) {
  if (!filter.search.empty() || !filter.attributes.empty()) return false;
  const int filters = filter.list_id.has_value() + filter.tag.has_value() + filter.status.has_value();
  return filters == 0 || (filters == 1 && filter.sort_by == SortBy::createdAt);
}

bool is_plain(const PageFilter& filter) { return is_indexed(filter) && filter.paging.skip <= kFarSkip; }

bool needs_count(const Filter& filter) {
  return !filter.search.empty() || filter.status || filter.tag || !filter.attributes.empty();
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
  return model::to_json(parts);
}

// The parts and parameters that all statements with filters have in common.
struct Matching {
  explicit Matching(const Filter& filter)
      : numbers(number_patterns(filter.search)),
        tails(contacts::tails(filter.search, numbers)),
        by_list(filter.list_id.has_value()),
        by_tag(filter.tag.has_value()),
        by_search(!filter.search.empty()),
        by_letters(!filter.search.empty() && numbers.empty() && is_short(filter.search)),
        by_attributes(!filter.attributes.empty()) {
    if (filter.status)
      statuses.push_back(*filter.status);
    else
      statuses = {model::ContactStatus::Active, model::ContactStatus::Inactive, model::ContactStatus::Blocked,
                  model::ContactStatus::OptedOut};
    if (!filter.attributes.empty()) attributes = attribute_documents(filter.attributes);
  }
  std::vector<std::string> numbers, tails, attributes;
  std::vector<model::ContactStatus> statuses;
  bool by_list, by_tag, by_search, by_letters, by_attributes;
};

void add_tally(pg::Batch& batch, const model::Uuid& organization, const Filter& filter) {
  batch.add(sql::tally, organization, filter.list_id.value_or(model::Uuid{}));
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
  const Matching matching(filter);
  const auto& variant = sql::choose[{.after = filter.after.has_value(),
                                     .by_attributes = matching.by_attributes,
                                     .by_letters = matching.by_letters,
                                     .by_list = matching.by_list,
                                     .by_name = filter.sort_by == SortBy::name,
                                     .by_search = matching.by_search,
                                     .by_tag = matching.by_tag,
                                     .descending = filter.descending}];
  batch.add(variant, organization, filter.list_id, filter.tag_id, filter.search, matching.numbers, matching.statuses,
            matching.attributes, matching.tails, after_id(filter), after_name(filter), filter.paging.per_page,
            filter.paging.skip);
}

pg::Batch plain_batch(const model::Uuid& organization, const PageFilter& filter, bool guarded) {
  pg::Batch batch;
  add_indexed(batch, sql::page, organization, filter);
  add_indexed(batch, sql::page_lists, organization, filter, {.guarded = guarded});
  add_indexed(batch, sql::page_tags, organization, filter);
  add_tally(batch, organization, filter);
  return batch;
}

// The first statement passes the chosen ids to the others inside the database, so that all see one snapshot.
pg::Batch chosen_batch(const model::Uuid& organization, const PageFilter& filter, bool guarded) {
  pg::Batch batch;
  if (is_indexed(filter))
    add_indexed(batch, sql::choose_far, organization, filter);
  else
    add_choose(batch, organization, filter);
  batch.add(sql::chosen, organization, std::nullopt);
  batch.add(sql::chosen_lists[{.guarded = guarded}], organization, std::nullopt);
  batch.add(sql::chosen_tags, organization, std::nullopt);
  add_tally(batch, organization, filter);
  return batch;
}

pg::Batch find_batch(const model::Uuid& organization, const model::Uuid& id, bool guarded) {
  pg::Batch batch(sql::find, organization, id);
  batch.add(sql::lists_of[{.guarded = guarded}], organization, id);
  batch.add(sql::tags_of, organization, id);
  return batch;
}

using JsonById = std::unordered_map<model::Uuid, std::string>;

template <class T>
JsonById to_json_by_id(const std::vector<T>& values) {
  JsonById out;
  for (const auto& value : values) out.emplace(value.uniqueId, model::to_json(value));
  return out;
}

// Skips ids of deleted lists and tags, whose rows may remain for a while.
std::string array_of(const std::vector<model::Uuid>& ids, const JsonById& json) {
  std::string out = "[";
  for (const auto& id : ids) {
    const auto found = json.find(id);
    if (found == json.end()) continue;
    if (out.size() > 1) out += ',';
    out += found->second;
  }
  out += ']';
  return out;
}

}  // namespace

std::size_t json_octets(std::string_view text) {
  std::size_t octets = 2;
  for (const char c : text) octets += static_cast<unsigned char>(c) < ' ' ? 6 : c == '"' || c == '\\' ? 2 : 1;
  return octets;
}

bool has_all_lists(const pg::Results& results, std::size_t i, bool guarded) {
  if (!guarded) return results.row_count(i) < kUsualListRows;
  if (results.row_count(i) > kMaxListRows) return false;
  std::size_t lists = 0, octets = 0, json = 0;
  model::Uuid last;
  for (const auto& row : results.rows<lists::ListTagRow>(i)) {
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

std::vector<PageContact> assemble(const pg::Results& results, std::size_t first) {
  const auto lists = to_json_by_id(lists::to_lists(results.rows<lists::ListTagRow>(first + 1)));
  const auto tags = to_json_by_id(results.rows<model::Tag>(first + 2));
  std::vector<PageContact> contacts;
  std::size_t octets = 0;
  for (auto& row : results.rows<PageRow>(first)) {
    PageContact contact;
    contact.lists.text = array_of(row.list_ids, lists);
    contact.tags.text = array_of(row.tag_ids, tags);
    octets += row.attributes.text.size() + contact.lists.text.size() + contact.tags.text.size();
    if (octets > http::kMaxPageOctets && !contacts.empty()) break;
    static_cast<model::ContactSummary&>(contact) = std::move(row);
    contacts.push_back(std::move(contact));
  }
  return contacts;
}

void add_to_version(std::string& version, const BelongingsRow& belongings) {
  http::add_to_version(version, belongings.list_ids);
  http::add_to_version(version, belongings.tag_ids);
}

Store::Store(pg::Pool& database, redis::CountCache& counts, const chassis::Quotas& quotas)
    : database_(database),
      counts_(counts),
      long_reads_(std::make_shared<http::Admission>(database.context(), kLongReads, kLongReadsWaiting, kLongReadWait)),
      quotas_(quotas) {}

awaitable<std::unique_ptr<http::Admitted>> Store::enter_long_read(const model::Uuid& organization) {
  const auto owner = std::hash<model::Uuid>{}(organization);
  const bool is_in = co_await long_reads_->enter(owner);
  if (is_in) co_return std::make_unique<http::Admitted>(long_reads_, owner);
  throw http::Problem({.status = 503,
                       .detail = "too many contacts in many lists are read at once: try again",
                       .head = "Retry-After: 1\r\n"});
}

awaitable<void> Store::find_tag(const model::Uuid& organization, Filter& filter) {
  if (!filter.tag) co_return;
  const auto results = co_await database_.read_anywhere(
      pg::Batch(sql::tag_named, organization, model::Uuid::parse(*filter.tag), *filter.tag));
  filter.tag_id = results.one<std::optional<model::Uuid>>().value_or(model::Uuid{});
}

awaitable<Page> Store::list(model::Uuid organization, PageFilter filter) {
  co_await find_tag(organization, filter);
  // An unfiltered total and a list's are sums in the page's snapshot. Any other is looked up in Redis meanwhile.
  std::optional<redis::CountCache::Lookup> lookup;
  if (needs_count(filter)) lookup = counts_.start({organization, "contacts", spelling(filter)});
  const bool plain = is_plain(filter);
  const std::size_t first = plain ? 0 : 1;
  bool guarded = false, cut = false;
  std::unique_ptr<http::Admitted> place;
  pg::Results results;
  for (bool is_whole = false; !is_whole;) {
    results = {};
    if (guarded && !place) place = co_await enter_long_read(organization);
    auto batch = plain ? plain_batch(organization, filter, guarded) : chosen_batch(organization, filter, guarded);
    auto asked =
        plain && !guarded ? database_.read_anywhere(std::move(batch)) : database_.slow_anywhere(std::move(batch));
    results = co_await std::move(asked);
    is_whole = has_all_lists(results, first + 1, guarded) || (guarded && filter.paging.per_page == 1);
    if (guarded && !is_whole) {  // retry with fewer contacts
      filter.paging.per_page = std::max<std::int64_t>(1, filter.paging.per_page / 4);
      cut = true;
    }
    guarded = true;
  }
  const auto tally = results.one<TallyRow>(first + 3);
  Page page{assemble(results, first), tally.contacts, cut};
  page.cut = cut || page.contacts.size() < results.row_count(first);
  for (const auto& each : page.contacts)
    page.octets += each.attributes.text.size() + each.lists.text.size() + each.tags.text.size();
  counts_.renew(tally.epoch);
  std::optional<std::int64_t> known;
  if (!plain) known = results.one<ChosenRow>(0).total;
  results = {};
  place.reset();
  if (lookup) page.total = co_await filtered_total(organization, filter, std::move(*lookup), tally.version, known);
  co_return page;
}

// `known` is the total if the page's statement counted it; it is cached as well.
awaitable<std::int64_t> Store::filtered_total(model::Uuid organization, const Filter& filter,
                                              redis::CountCache::Lookup lookup, std::int64_t version,
                                              std::optional<std::int64_t> known) {
  const redis::CountFunction count = [this, organization, &filter, version, known]() -> awaitable<redis::Counted> {
    if (known) co_return redis::Counted{version, *known};
    const Matching matching(filter);
    const bool tag_alone =
        filter.tag && !filter.list_id && !filter.status && filter.search.empty() && filter.attributes.empty();
    const auto& statement = sql::count[{.by_attributes = matching.by_attributes,
                                        .by_letters = matching.by_letters,
                                        .by_list = matching.by_list,
                                        .by_search = matching.by_search,
                                        .by_tag = matching.by_tag,
                                        .tag_alone = tag_alone}];
    const auto results = co_await database_.slow_anywhere(
        pg::Batch(statement, organization, filter.list_id, filter.tag_id, filter.search, matching.numbers,
                  matching.statuses, matching.attributes, matching.tails));
    const auto row = results.one<CountRow>();
    co_return redis::Counted{row.version, row.count, row.epoch};
  };
  co_return co_await counts_.finish(std::move(lookup), version, count);
}

pg::Pending Store::start_find(const model::Uuid& organization, const model::Uuid& id) {
  return database_.start_read(find_batch(organization, id, false));
}

awaitable<std::optional<VersionedContact>> Store::found(model::Uuid organization, model::Uuid id, pg::Pending asked) {
  auto results = co_await asked.get();
  std::unique_ptr<http::Admitted> place;
  if (!has_all_lists(results, 1, false)) {
    results = {};
    place = co_await enter_long_read(organization);
    results = co_await database_.slow(find_batch(organization, id, true));
  }
  auto contact = results.optional<VersionedContact>(0);
  if (!contact) co_return std::nullopt;
  contact->lists = lists::to_lists(results.rows<lists::ListTagRow>(1));
  contact->tags = results.rows<model::Tag>(2);
  BelongingsRow belongings;
  for (const auto& list : contact->lists) belongings.list_ids.push_back(list.uniqueId);
  for (const auto& tag : contact->tags) belongings.tag_ids.push_back(tag.uniqueId);
  add_to_version(contact->version, belongings);
  co_return contact;
}

awaitable<ExportStep> Store::export_step(model::Uuid organization, Filter filter, std::optional<model::Uuid> after,
                                         std::int64_t most) {
  const Matching matching(filter);
  pg::Batch batch;
  const auto& rows = sql::export_rows[{.after = after.has_value(),
                                       .by_attributes = matching.by_attributes,
                                       .by_list = matching.by_list,
                                       .by_search = matching.by_search,
                                       .by_tag = matching.by_tag}];
  const auto& end =
      sql::export_end[{.after = after.has_value(), .by_list = matching.by_list, .by_tag = matching.by_tag}];
  batch.add(rows, organization, filter.list_id, filter.tag_id, filter.search, matching.numbers, matching.statuses,
            matching.attributes, matching.tails, after, most, kMaxExportOctets);
  batch.add(end, organization, filter.list_id, filter.tag_id, filter.search, matching.numbers, matching.statuses,
            matching.attributes, matching.tails, after, most);
  const auto results = co_await database_.slow_anywhere(std::move(batch));
  ExportStep step{results.rows<ExportRow>(0), results.optional<model::Uuid>(1)};
  step.cut = !step.rows.empty() && step.rows.back().matching > std::ssize(step.rows);
  if (step.cut) step.end = step.rows.back().uniqueId;
  co_return step;
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

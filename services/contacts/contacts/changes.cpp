// Store's changes of contacts. Lock order: contacts, lists, tags, memberships, tallies.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"
#include "contacts/contacts/emit.hpp"
#include "contacts/contacts/rows.hpp"
#include "contacts/contacts/sql.hpp"
#include "contacts/contacts/store.hpp"
#include "contacts/lists/tally.hpp"
#include "contacts/tags/resolve.hpp"

namespace parley::contacts::contacts {

namespace {

void sort_once(Ids& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

bool is_among(const model::Uuid& id, const Ids& sorted) { return std::binary_search(sorted.begin(), sorted.end(), id); }

// Locks the wanted lists, which must exist, and the lists that `member` is in; returns all their ids, sorted.
awaitable<Ids> hold_lists(pg::Transaction& transaction, model::Uuid organization, const std::vector<Changes>& contacts,
                          model::Uuid member) {
  Ids wanted;
  for (const auto& contact : contacts)
    if (contact.lists) wanted.insert(wanted.end(), contact.lists->begin(), contact.lists->end());
  if (wanted.empty() && member.is_nil()) co_return wanted;
  sort_once(wanted);
  const auto results = co_await transaction.run(pg::Batch(sql::lock_lists, organization, wanted, member));
  auto held = results.rows<model::Uuid>();
  http::Faults faults;
  for (const auto& contact : contacts)
    for (std::size_t i = 0; contact.lists && i < contact.lists->size(); ++i)
      if (const auto& id = (*contact.lists)[i]; !is_among(id, held))
        faults.add(contact.pointer + "/lists/" + std::to_string(i), "there is no list " + id.text());
  faults.throw_if_any();
  co_return held;
}

awaitable<tags::Resolved> resolve_tags(pg::Transaction& transaction, model::Uuid organization,
                                       const std::vector<Changes>& contacts, const chassis::Quotas& quotas) {
  std::vector<std::string> names;
  std::unordered_set<std::string_view> seen;
  for (const auto& contact : contacts)
    for (std::size_t i = 0; contact.tags && i < contact.tags->size(); ++i)
      if (const auto& name = (*contact.tags)[i]; seen.insert(name).second) names.push_back(name);
  co_return co_await tags::resolve(transaction, organization, std::move(names), quotas);
}

void add_read(pg::Batch& batch, const model::Uuid& organization, const Ids& ids, bool guarded = false) {
  batch.add(sql::chosen, organization, ids);
  batch.add(sql::chosen_lists[{.guarded = guarded}], organization, ids);
  batch.add(sql::chosen_tags, organization, ids);
}

struct Columns {
  explicit Columns(const std::vector<Changes>& contacts) {
    for (const auto& contact : contacts) {
      ids.push_back(model::new_uuid());
      names.push_back(*contact.name);
      phones.push_back(*contact.phone);
      attributes.push_back(contact.attributes ? std::string_view(contact.attributes->text) : "{}");
      statuses.push_back(contact.status.value_or(model::ContactStatus::Active));
    }
  }
  Ids ids;
  std::vector<std::string_view> names, phones, attributes;
  std::vector<model::ContactStatus> statuses;
};

using Members = std::map<model::Uuid, std::int64_t>;  // change of the member count by list

// Adds the statement that inserts the memberships of new contacts; returns how many members each list gains.
Members add_memberships(pg::Batch& batch, const model::Uuid& organization, const std::vector<Changes>& contacts,
                        const Ids& ids) {
  Members members;
  Ids list_ids, contact_ids;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    auto lists = contacts[i].lists.value_or(Ids{});
    sort_once(lists);
    for (const auto& list : lists) {
      list_ids.push_back(list);
      contact_ids.push_back(ids[i]);
      ++members[list];
    }
  }
  if (!list_ids.empty()) batch.add(sql::insert_memberships, organization, list_ids, contact_ids);
  return members;
}

void add_tags(pg::Batch& batch, const model::Uuid& organization, const std::vector<Changes>& contacts, const Ids& ids,
              const tags::Resolved& resolved) {
  Ids contact_ids, tag_ids;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!contacts[i].tags) continue;
    const auto tags = tags::ids_of(resolved, *contacts[i].tags, contacts[i].pointer + "/tags");
    tag_ids.insert(tag_ids.end(), tags.begin(), tags.end());
    contact_ids.resize(tag_ids.size(), ids[i]);
  }
  if (!tag_ids.empty()) batch.add(sql::insert_tags, organization, contact_ids, tag_ids);
}

model::RawJson told_of_creation(const model::Uuid& organization, const Columns& columns, model::Timestamp said_at) {
  std::map<model::ContactStatus, Ids> said;
  for (std::size_t i = 0; i < columns.ids.size(); ++i)
    if (columns.statuses[i] != model::ContactStatus::Active) said[columns.statuses[i]].push_back(columns.ids[i]);
  events::Changes changes;
  emit(changes, events::ContactsCreated{organization, {}}, columns.ids);
  for (const auto& [status, ids] : said)
    emit(changes, events::ContactStatusChanged{organization, {}, status, said_at}, ids);
  return changes.json();
}

// The second statement reads lists and tags, so that it sees what earlier holders of the lock have committed.
awaitable<std::optional<std::string>> locked_version(pg::Transaction& transaction, const pg::Statement& lock,
                                                     model::Uuid organization, model::Uuid id) {
  pg::Batch batch(lock, organization, id);
  batch.add(sql::belongings, organization, id);
  const auto results = co_await transaction.run(std::move(batch));
  auto version = results.optional<std::string>(0);
  if (version) add_to_version(*version, results.one<BelongingsRow>(1));
  co_return version;
}

http::Problem number_taken(std::size_t count) {
  return http::Problem({.status = 409,
                        .detail = count == 0   ? "a contact that had this phone number has just gone: try again"
                                  : count == 1 ? "another contact has this phone number"
                                               : std::to_string(count) + " phone numbers belong to contacts already"});
}

}  // namespace

// On the read lane: to wait for a second write connection while holding one could deadlock.
awaitable<void> Store::throw_taken(model::Uuid organization, const std::vector<Changes>& contacts) {
  std::vector<std::string_view> phones;
  for (const auto& contact : contacts) phones.push_back(*contact.phone);
  const auto results = co_await database_.read(pg::Batch(sql::with_phones, organization, phones));
  std::unordered_map<std::string, model::Uuid> taken;
  for (auto& row : results.rows<TakenRow>()) taken.emplace(std::move(row.phone), row.id);
  auto problem = number_taken(taken.size());
  for (const auto& contact : contacts)
    if (const auto found = taken.find(*contact.phone); found != taken.end())
      problem.errors.push_back({contact.pointer + "/phone", "is the number of contact " + found->second.text()});
  throw problem;
}

// Runs a batch that ends with add_read(), at index `first`. Throws a Problem 400 if the response would be too long.
awaitable<std::vector<PageContact>> Store::run_and_read(pg::Transaction& transaction, pg::Batch batch,
                                                        std::size_t first, model::Uuid organization, Ids ids) {
  auto results = co_await transaction.run(std::move(batch));
  std::unique_ptr<http::Admitted> place;
  bool is_whole = has_all_lists(results, first + 1, false);
  if (!is_whole) {
    first = 0;
    results = {};
    // Waits with locks and a connection held: only this transaction sees its changes.
    place = co_await enter_long_read(organization);
    pg::Batch again;
    add_read(again, organization, ids, true);
    results = co_await transaction.run(std::move(again));
    is_whole = ids.size() == 1 || has_all_lists(results, first + 1, true);
  }
  auto contacts = to_contacts(results.rows<PageRow>(first), Catalogue(results, first + 1));
  if (is_whole && contacts.size() == results.row_count(first)) co_return contacts;
  throw http::Problem(
      {.status = 400, .detail = "with the contacts' lists and tags the answer would be too long: make fewer at once"});
}

awaitable<std::vector<PageContact>> Store::create(pg::Transaction& transaction, model::Uuid organization,
                                                  std::vector<Changes> contacts) {
  co_await hold_lists(transaction, organization, contacts, {});
  const auto resolved = co_await resolve_tags(transaction, organization, contacts, quotas_);
  const Columns columns(contacts);
  const auto now = model::Timestamp::now();
  pg::Batch making(sql::insert, organization, columns.ids, columns.names, columns.phones, columns.attributes,
                   columns.statuses, now);
  const auto asked = quotas_.ask(making, organization, kContactsQuota);
  const auto inserted = co_await transaction.run(std::move(making));
  if (inserted.affected() < contacts.size()) co_await throw_taken(organization, contacts);
  co_await quotas_.settle(transaction, organization, asked, inserted, std::ssize(contacts));

  pg::Batch batch;
  const auto members = add_memberships(batch, organization, contacts, columns.ids);
  add_tags(batch, organization, contacts, columns.ids, resolved);
  batch.add(events::outbox::append, told_of_creation(organization, columns, now));
  lists::add_to_tallies(batch, organization, static_cast<std::int64_t>(contacts.size()), members);
  const auto first = batch.size();
  add_read(batch, organization, columns.ids);
  co_return co_await run_and_read(transaction, std::move(batch), first, organization, columns.ids);
}

awaitable<std::optional<std::string>> Store::lock(pg::Transaction& transaction, model::Uuid organization,
                                                  model::Uuid id) {
  co_return co_await locked_version(transaction, sql::lock_to_change, organization, id);
}

awaitable<std::optional<std::string>> Store::lock_to_delete(pg::Transaction& transaction, model::Uuid organization,
                                                            model::Uuid id) {
  co_return co_await locked_version(transaction, sql::lock_to_delete, organization, id);
}

awaitable<PageContact> Store::update(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                                     Changes changes) {
  if (!changes.phone_fault.empty()) {
    const auto same = co_await transaction.run(pg::Batch(sql::has_phone, organization, id, *changes.phone));
    if (!same.one<bool>()) http::throw_faults({{"/phone", changes.phone_fault}});
    changes.phone.reset();
  }
  const std::vector<Changes> all{std::move(changes)};
  const auto& wanted = all.front();
  Ids left;
  if (wanted.lists) left = co_await hold_lists(transaction, organization, all, id);
  std::erase_if(left, [&](const auto& list) { return std::ranges::count(*wanted.lists, list) > 0; });
  const auto resolved = co_await resolve_tags(transaction, organization, all, quotas_);

  pg::Batch batch(sql::update, organization, id, wanted.name, wanted.phone, wanted.attributes, wanted.status);
  if (wanted.tags)
    batch.add(sql::drop_tags, organization, id, tags::ids_of(resolved, *wanted.tags, wanted.pointer + "/tags"));
  add_tags(batch, organization, all, {id}, resolved);
  const auto leaving = batch.size();
  if (wanted.lists) {
    batch.add(sql::leave_lists, organization, id, left);
    batch.add(sql::insert_memberships, organization, *wanted.lists, Ids(wanted.lists->size(), id));
  }
  pg::Results results;
  bool is_taken = false;
  try {
    results = co_await transaction.run(std::move(batch));
  } catch (const pg::SqlError& error) {
    is_taken = error.is_unique_violation("contact_phone");
    if (!is_taken) throw;
  }
  if (is_taken) co_await throw_taken(organization, all);

  Members members;
  if (wanted.lists) {
    for (const auto& list : results.rows<model::Uuid>(leaving)) --members[list];
    for (const auto& list : results.rows<model::Uuid>(leaving + 1)) ++members[list];
  }
  events::Changes told;
  told.add(events::ContactsUpdated{organization, {id}});
  if (const auto said_at = results.one<std::optional<model::Timestamp>>(0))
    told.add(events::ContactStatusChanged{organization, {id}, *wanted.status, *said_at});
  pg::Batch last(events::outbox::append, told.json());
  lists::add_to_tallies(last, organization, 0, members);
  const auto first = last.size();
  add_read(last, organization, {id});
  auto read = co_await run_and_read(transaction, std::move(last), first, organization, {id});
  co_return std::move(read.front());
}

awaitable<void> Store::remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  const auto lists = co_await hold_lists(transaction, organization, {}, id);
  pg::Batch batch;
  batch.add(sql::leave_lists, organization, id, lists).add(sql::remove, organization, id);
  const auto results = co_await transaction.run(std::move(batch));
  Members members;
  for (const auto& list : results.rows<model::Uuid>(0)) --members[list];
  pg::Batch last;
  lists::add_to_tallies(last, organization, -1, members);
  co_await transaction.run(std::move(last));
}

}  // namespace parley::contacts::contacts

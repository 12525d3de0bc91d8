#include "conversations/inbox/conversations/store.hpp"

#include <algorithm>

#include "common/events/conversation_changes.hpp"
#include "common/events/event.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/http/etag.hpp"
#include "common/http/problem.hpp"
#include "common/model/versioned.hpp"
#include "common/removals/sql.hpp"
#include "conversations/inbox/conversations/rows.hpp"
#include "conversations/inbox/conversations/sql.hpp"
#include "conversations/messages/long_data.hpp"
#include "conversations/messages/outgoing.hpp"
#include "conversations/messages/store.hpp"

namespace parley::conversations::conversations {

using model::ConversationInitiator;
using model::ConversationStatus;

namespace {

constexpr std::int64_t kConversationsOfContact = 20;

void add_find(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& id) {
  batch.add(sql::find, organization, id).add(sql::messages, organization, id, kMessages);
}

Found found_of(ConversationRow row, std::vector<model::Message> messages) {
  Found found;
  found.conversation.numberOfUnreadMessages = row.numberOfUnreadMessages;
  found.conversation.totalMessages = row.totalMessages;
  found.conversation.serviceWindowEndsAt = row.serviceWindowEndsAt;
  found.assigned_member_id = row.assigned_member_id;
  found.tag_ids = std::move(row.tag_ids);
  found.tombstone = row.tombstone;
  static_cast<model::ConversationInContact&>(found.conversation) = std::move(row);
  found.conversation.messages = std::move(messages);
  if (found.tombstone)
    std::for_each(found.conversation.messages.begin(), found.conversation.messages.end(), messages::forget_words);
  return found;
}

Found found_of(model::Versioned<ConversationRow> row, std::vector<model::Message> messages) {
  http::add_to_version(row.version, row.tag_ids);
  auto version = std::move(row.version);
  auto found = found_of(static_cast<ConversationRow&&>(row), std::move(messages));
  found.version = std::move(version);
  return found;
}

awaitable<std::optional<Found>> read_found(messages::Ask ask, pg::Results results, std::size_t first) {
  auto row = results.optional<model::Versioned<ConversationRow>>(first);
  if (!row) co_return std::nullopt;
  const auto organization = row->organizationId;
  auto rows = messages::with_senders(results.rows<messages::MessageRow>(first + 1));
  auto found = found_of(std::move(*row), {std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end())});
  results = {};
  auto& messages = found.conversation.messages;
  std::vector<model::Message*> all;
  for (auto& message : messages) all.push_back(&message);
  messages.resize(co_await messages::add_long_data(std::move(ask), organization, std::move(all)));
  co_return found;
}

awaitable<Found> run_and_read(pg::Transaction& transaction, pg::Batch batch, std::size_t first) {
  const auto ask = [&transaction](pg::Batch more) { return transaction.run(std::move(more)); };
  auto results = co_await transaction.run(std::move(batch));
  co_return (co_await read_found(ask, std::move(results), first)).value();
}

// Deleted by a member, not with its contact.
bool is_gone(const Found& found) {
  return found.conversation.status == ConversationStatus::Deleted && !found.tombstone;
}

void add_change(pg::Batch& batch, const StatusChange& change) {
  events::Changes changes;
  changes.add(change);
  batch.add(sql::set_status, change.organizationId, change.conversationId, change.to);
  batch.add(events::outbox::append, changes.json());
}

model::Message message_of(MessageColumns& row, const model::Uuid& conversation) {
  return {*row.message_id,
          conversation,
          row.direction.value(),
          row.message_status.value(),
          row.message_type.value(),
          row.message_created_at.value(),
          row.reply_to_message_id,
          std::move(row.channel_message_id),
          std::move(row.data.value()),
          row.error_code,
          std::move(row.error_text),
          row.sender(),
          row.message_campaign_id};
}

// ---- pages ----------------------------------------------------------------------------------------------------------

// Beyond these bounds a page runs on the slow lane.
constexpr std::int64_t kFarSkip = 500;
constexpr std::size_t kManyContacts = 100;
// Within the range of timestamptz, and later than any conversation.
constexpr std::int64_t kLastMoment = 253'402'300'799'000'000;  // 9999-12-31

http::Cursor beginning(const Filter& filter) {
  if (filter.after) return *filter.after;
  http::Cursor before_all{{}, "0"};
  if (filter.descending) before_all.text = std::to_string(kLastMoment);
  if (filter.descending) before_all.id.bytes.fill(0xff);
  return before_all;
}

// The kinds of conversations that the filter lets through: every pair of these.
struct Kinds {
  std::vector<ConversationInitiator> initiators{ConversationInitiator::Contact, ConversationInitiator::Campaign,
                                                ConversationInitiator::Member};
  std::vector<bool> inbound{false, true};
};

Kinds kinds_of(const Filter& filter) {
  Kinds kinds;
  if (filter.initiated_by) kinds.initiators = {*filter.initiated_by};
  if (filter.has_inbound) kinds.inbound = {*filter.has_inbound};
  // Without an inbound message nothing is unread or awaiting.
  if (filter.unread || filter.awaiting) std::erase(kinds.inbound, false);
  return kinds;
}

// False if other filters let through no more kinds.
bool is_by_kind(const Filter& filter) {
  return filter.initiated_by || (filter.has_inbound && !(*filter.has_inbound && (filter.unread || filter.awaiting)));
}

pg::Batch page_batch(const model::Uuid& organization, const Filter& filter,
                     const std::vector<ConversationStatus>& statuses,
                     const std::optional<std::vector<model::Uuid>>& contacts) {
  const auto after = beginning(filter);
  const std::int64_t after_at = after.text.empty() ? 0 : std::stoll(after.text);
  const auto& statement = sql::page[{.ascending = !filter.descending,
                                     .awaiting = filter.awaiting,
                                     .by_campaign = filter.campaign_id.has_value(),
                                     .by_contacts = contacts.has_value(),
                                     .by_creation = filter.sort_by == SortBy::createdAt,
                                     .by_kind = is_by_kind(filter),
                                     .by_member = filter.member_id.has_value(),
                                     .far = filter.paging.skip > kFarSkip,
                                     .unassigned = filter.unassigned,
                                     .unread = filter.unread}];
  const auto kinds = kinds_of(filter);
  return pg::Batch(statement, organization, statuses, contacts.value_or(std::vector<model::Uuid>{}), filter.member_id,
                   filter.campaign_id, after_at, after.id, filter.paging.per_page, filter.paging.skip, kinds.initiators,
                   kinds.inbound);
}

// False if a tally is the total: one member's or all conversations, of some kinds, and one more condition at most.
bool needs_count(const Filter& filter, const std::optional<std::vector<model::Uuid>>& contacts) {
  return filter.campaign_id || contacts || filter.unread + filter.awaiting + filter.unassigned > 1;
}

// False if the page is filtered by its statuses alone.
bool is_filtered(const Filter& filter, const std::optional<std::vector<model::Uuid>>& contacts) {
  return filter.unread || filter.awaiting || filter.unassigned || filter.member_id || filter.campaign_id || contacts ||
         is_by_kind(filter);
}

void add_tally(pg::Batch& batch, const model::Uuid& organization, const Filter& filter,
               const std::vector<ConversationStatus>& statuses) {
  const auto kinds = kinds_of(filter);
  batch.add(sql::tally, organization, filter.member_id, statuses, kinds.initiators, kinds.inbound);
}

std::int64_t total_of(const TallyRow& tally, const Filter& filter) {
  if (filter.unread) return tally.unread;
  if (filter.awaiting) return tally.awaiting;
  return filter.unassigned ? tally.unassigned : tally.total;
}

// Whether messages change what the filter lets through.
bool is_of_messages(const Filter& filter) { return filter.unread || filter.awaiting || filter.has_inbound; }

// The cache key of the total: equal filters yield equal text.
std::string spelling(const Filter& filter, const std::vector<ConversationStatus>& statuses,
                     const std::optional<std::vector<model::Uuid>>& contacts) {
  std::string out;
  for (const auto status : statuses) out.append(model::name_of(status)).append(" ");
  out += filter.unread ? "unread " : "";
  out += filter.awaiting ? "awaiting " : "";
  if (filter.has_inbound) out += *filter.has_inbound ? "inbound " : "outbound ";
  if (filter.initiated_by) out.append("by ").append(model::name_of(*filter.initiated_by)).append(" ");
  out += filter.unassigned ? "none" : filter.member_id ? filter.member_id->text() : "";
  out += filter.campaign_id ? " of " + filter.campaign_id->text() : "";
  if (contacts) out += " with";
  for (const auto& contact : contacts.value_or(std::vector<model::Uuid>{})) contact.append_to(out);
  return out;
}

// Clients mostly open one contact's page: its statement has constant bounds. `light` leaves out long messages' data.
pg::Batch of_contacts_batch(const model::Uuid& organization, const std::vector<model::Uuid>& contact_ids,
                            std::int64_t messages, bool light) {
  if (messages == kMessages && !contact_ids.empty())
    return pg::Batch(sql::of_contact[{.light = light, .one = true, .several = are_several(contact_ids, messages)}],
                     organization, contact_ids);
  return pg::Batch(sql::of_contacts[{.light = light}], organization, contact_ids, kConversationsOfContact, messages);
}

}  // namespace

bool are_several(const std::vector<model::Uuid>& contact_ids, std::int64_t messages) {
  return contact_ids.size() > 1 && messages == kMessages;
}

awaitable<void> Store::add_long_data(model::Uuid organization, Page& page) {
  std::vector<model::Message*> messages;
  for (auto& found : page.conversations)
    for (auto& message : found.conversation.messages) messages.push_back(&message);
  const auto ask = [this](pg::Batch batch) { return database_.slow_anywhere(std::move(batch)); };
  const auto fitting = co_await messages::add_long_data(ask, organization, messages);
  page.cut = fitting < messages.size();
  if (page.cut) {
    const auto has_first_without = [&](const Found& found) {
      return !found.conversation.messages.empty() && &found.conversation.messages.front() == messages[fitting];
    };
    page.conversations.erase(std::ranges::find_if(page.conversations, has_first_without), page.conversations.end());
  }
  for (const auto& found : page.conversations)
    for (const auto& message : found.conversation.messages) page.octets += message.messageData.text.size();
}

awaitable<Page> Store::list(model::Uuid organization, Filter filter, std::optional<std::vector<model::Uuid>> contacts) {
  std::vector<ConversationStatus> statuses{ConversationStatus::Active, ConversationStatus::Closed};
  if (filter.status) statuses = {*filter.status};
  // Tallies are in the page's snapshot. Any other total is looked up in Redis meanwhile.
  std::optional<redis::CountCache::Lookup> lookup;
  if (needs_count(filter, contacts))
    lookup = counts_.start({organization, "conversations", spelling(filter, statuses, contacts)});
  auto batch = page_batch(organization, filter, statuses, contacts);
  if (lookup)
    batch.add(sql::version[{.of_messages = is_of_messages(filter)}], organization);
  else
    add_tally(batch, organization, filter, statuses);
  // No index has a filter beside the order of creation, and none leaves out what a member deleted.
  const bool walks = (filter.sort_by == SortBy::createdAt && is_filtered(filter, contacts)) ||
                     filter.status == ConversationStatus::Deleted;
  const bool is_long = walks || filter.paging.skip > kFarSkip || (contacts && contacts->size() > kManyContacts);
  auto asked = is_long ? database_.slow_anywhere(std::move(batch)) : database_.read_anywhere(std::move(batch));
  auto results = co_await std::move(asked);
  const auto now = lookup ? results.one<VersionRow>(1) : VersionRow{};
  const auto tally = lookup ? TallyRow{} : results.one<TallyRow>(1);
  auto rows = results.rows<PageRow>(0);
  results = {};
  Page page;
  for (auto& row : rows) {
    page.positions.emplace(row.uniqueId, row.position);
    std::vector<model::Message> newest;
    if (row.message_id) newest.push_back(message_of(row, row.uniqueId));
    page.conversations.push_back(found_of(std::move(row), std::move(newest)));
  }
  co_await add_long_data(organization, page);
  if (!lookup) {
    page.total = total_of(tally, filter);
    co_return page;
  }
  // A page with room left is the last one: the total is known without counting.
  const auto length = std::ssize(page.conversations);
  page.total = filter.paging.skip + length;
  const bool ends =
      !page.cut && !filter.after && length < filter.paging.per_page && (length > 0 || filter.paging.skip == 0);
  if (ends) co_return page;
  counts_.renew(now.epoch);
  const redis::CountFunction count = [&] { return this->count(organization, filter, statuses, contacts); };
  const auto version = filter.after ? redis::CountCache::kAnyVersion : now.version;
  page.total = co_await counts_.finish(std::move(*lookup), version, count);
  co_return page;
}

awaitable<redis::Counted> Store::count(model::Uuid organization, const Filter& filter,
                                       const std::vector<ConversationStatus>& statuses,
                                       const std::optional<std::vector<model::Uuid>>& contacts) {
  const auto& statement = sql::count[{.awaiting = filter.awaiting,
                                      .by_campaign = filter.campaign_id.has_value(),
                                      .by_contacts = contacts.has_value(),
                                      .by_kind = is_by_kind(filter),
                                      .by_member = filter.member_id.has_value(),
                                      .of_messages = is_of_messages(filter),
                                      .tombstones = filter.status == ConversationStatus::Deleted,
                                      .unassigned = filter.unassigned,
                                      .unread = filter.unread}];
  const auto kinds = kinds_of(filter);
  const auto results = co_await database_.slow_anywhere(
      pg::Batch(statement, organization, statuses, contacts.value_or(std::vector<model::Uuid>{}), filter.member_id,
                filter.campaign_id, kinds.initiators, kinds.inbound));
  auto row = results.one<CountRow>();
  co_return redis::Counted{row.version, row.count, std::move(row.epoch)};
}

awaitable<Counts> Store::counts(model::Uuid organization, model::Uuid member, std::optional<bool> has_inbound) {
  auto asked = database_.read_anywhere(pg::Batch(sql::counts, organization, member, has_inbound));
  co_return (co_await std::move(asked)).one<Counts>();
}

// ---- one conversation -----------------------------------------------------------------------------------------------

awaitable<std::optional<Found>> Store::find(model::Uuid organization, model::Uuid id) {
  pg::Batch batch;
  add_find(batch, organization, id);
  const auto ask = [this](pg::Batch more) { return database_.slow(std::move(more)); };
  auto results = co_await database_.read(std::move(batch));
  auto found = co_await read_found(ask, std::move(results), 0);
  if (found && is_gone(*found)) co_return std::nullopt;
  co_return found;
}

awaitable<std::optional<Found>> Store::find_alone(model::Uuid organization, model::Uuid id) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization, id));
  auto row = results.optional<model::Versioned<ConversationRow>>();
  if (!row) co_return std::nullopt;
  auto found = found_of(std::move(*row), {});
  if (is_gone(found)) co_return std::nullopt;
  co_return found;
}

awaitable<bool> Store::wants_receipt(model::Uuid organization, model::Uuid id) {
  co_return (co_await database_.read(pg::Batch(sql::wants_receipt, organization, id))).one<bool>();
}

awaitable<std::optional<Found>> Store::find_active(model::Uuid organization, model::Uuid contact) {
  const auto results = co_await database_.read(pg::Batch(sql::active_of, organization, contact));
  const auto id = results.optional<model::Uuid>();
  if (!id) co_return std::nullopt;
  co_return co_await find_alone(organization, *id);
}

awaitable<std::vector<ContactConversations>> Store::of_contacts(model::Uuid organization,
                                                                std::vector<model::Uuid> contact_ids,
                                                                std::int64_t messages) {
  // Usually no message is long, and the cheaper statement is enough.
  auto rows =
      (co_await database_.read(of_contacts_batch(organization, contact_ids, messages, true))).rows<OfContactsRow>();
  const auto lacks_data = [](const OfContactsRow& row) { return row.message_id && !row.data; };
  const bool several = are_several(contact_ids, messages);
  if (!several && std::ranges::any_of(rows, lacks_data))
    rows =
        (co_await database_.read(of_contacts_batch(organization, contact_ids, messages, false))).rows<OfContactsRow>();
  std::vector<ContactConversations> out;
  for (auto& row : rows) {
    if (out.empty() || out.back().contact_id != row.contact_id) out.push_back({row.contact_id, {}});
    out.back().is_long |= several && lacks_data(row);
    auto& conversations = out.back().conversations;
    if (conversations.empty() || conversations.back().uniqueId != row.id)
      conversations.push_back(
          {row.id, row.contact_id, row.campaign_id, organization, row.initiated_by, {}, row.created_at, row.status});
    if (row.message_id && row.data) conversations.back().messages.push_back(message_of(row, row.id));
  }
  co_return out;
}

// ---- in the caller's transaction ------------------------------------------------------------------------------------

awaitable<std::optional<Locked>> Store::lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  // Reads tags by a second statement, whose snapshot follows the wait for the lock.
  pg::Batch batch(sql::lock, organization, id);
  batch.add(sql::tags, organization, id);
  const auto results = co_await transaction.run(std::move(batch));
  auto locked = results.optional<Locked>(0);
  if (locked) http::add_to_version(locked->version, results.rows<model::Uuid>(1));
  if (locked && locked->tombstone)
    throw http::Problem(
        {.status = 409, .detail = "its contact was deleted: what is left of it does not change any more"});
  if (locked && locked->status == ConversationStatus::Deleted) co_return std::nullopt;
  co_return locked;
}

awaitable<Started> Store::start(pg::Transaction& transaction, model::Uuid organization, model::Uuid contact) {
  const auto id = model::new_uuid();
  const auto results = co_await transaction.run(pg::Batch(sql::start, organization, id, contact));
  const auto active = results.one<model::Uuid>();
  if (active != id) co_return Started{active, false};
  events::Changes changes;
  changes.add(events::ConversationCreated{organization, id, contact, model::ConversationInitiator::Member});
  co_await transaction.run(pg::Batch(events::outbox::append, changes.json()));
  co_return Started{id, true};
}

awaitable<Found> Store::see(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  pg::Batch batch;
  add_find(batch, organization, id);
  co_return co_await run_and_read(transaction, std::move(batch), 0);
}

awaitable<Found> Store::set_status(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old,
                                   ConversationStatus status) {
  pg::Batch batch;
  if (old.status != status) add_change(batch, {organization, id, old.contact_id, old.status, status});
  const auto first = batch.size();
  add_find(batch, organization, id);  // the lock holds off new messages, so both statements see the same
  try {
    co_return co_await run_and_read(transaction, std::move(batch), first);
  } catch (const pg::SqlError& error) {
    if (!error.is_unique_violation("conversation_active")) throw;
  }
  throw http::Problem({.status = 409, .detail = "another conversation of this contact is Active: close it first"});
}

awaitable<Found> Store::assign(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old,
                               std::optional<model::Uuid> member) {
  const auto results = co_await transaction.run(pg::Batch(sql::assign, organization, id, member));
  co_return co_await told(transaction, organization, id, old.contact_id, results.affected() > 0, {});
}

awaitable<Found> Store::set_tags(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old,
                                 std::vector<model::Uuid> tags) {
  pg::Batch batch;
  batch.add(sql::remove_tags, organization, id, tags).add(sql::add_tags, organization, id, tags);
  const auto results = co_await transaction.run(std::move(batch));
  const bool is_changed = results.affected(0) + results.affected(1) > 0;
  co_return co_await told(transaction, organization, id, old.contact_id, is_changed, {});
}

awaitable<Found> Store::mark_read(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old,
                                  std::string phone_number_id) {
  if (old.unread_messages == 0) co_return co_await see(transaction, organization, id);
  const auto results = co_await transaction.run(pg::Batch(sql::read_messages, organization, id));
  const auto newest = results.optional<model::Uuid>();
  pg::Batch receipt;
  if (newest && !phone_number_id.empty()) messages::add_receipt(receipt, organization, *newest, phone_number_id);
  co_return co_await told(transaction, organization, id, old.contact_id, true, std::move(receipt));
}

awaitable<void> Store::remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old) {
  pg::Batch batch;
  add_change(batch, {organization, id, old.contact_id, old.status, ConversationStatus::Deleted});
  batch.add(removals::sql::begin, organization, kDeletion, std::vector<model::Uuid>{id});
  co_await transaction.run(std::move(batch));
}

awaitable<Found> Store::told(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                             model::Uuid contact, bool is_changed, pg::Batch batch) {
  events::Changes changes;
  changes.add(events::ConversationChanged{organization, id, contact});
  if (is_changed) batch.add(events::outbox::append, changes.json());
  const auto first = batch.size();
  add_find(batch, organization, id);
  co_return co_await run_and_read(transaction, std::move(batch), first);
}

}  // namespace parley::conversations::conversations

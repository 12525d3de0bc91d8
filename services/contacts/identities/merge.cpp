#include "contacts/identities/merge.hpp"

#include <algorithm>
#include <map>

#include "common/events/contact_changes.hpp"
#include "common/events/event.hpp"
#include "common/events/outbox/sql.hpp"
#include "contacts/activity/activity.hpp"
#include "contacts/contacts/sql.hpp"
#include "contacts/identities/sql.hpp"
#include "contacts/lists/tally.hpp"

namespace parley::contacts::identities {

namespace {

constexpr std::int64_t kMaxAttributeOctets = 16 * 1024;

struct UnitedRow {
  model::ContactStatus status = model::ContactStatus::Active;
  std::optional<model::Timestamp> at;
};
BOOST_DESCRIBE_STRUCT(UnitedRow, (), (status, at))

using Members = std::map<model::Uuid, std::int64_t>;  // change of the member count by list

// A contact with a number is kept before one without, then the older one.
bool goes_before(const KnownRow* a, const KnownRow* b) {
  return std::pair(!a->phone, a->id) < std::pair(!b->phone, b->id);
}

// Merges lists, tags, attributes, status, former ids and deeds of `gone` into `into`, and deletes `gone`.
awaitable<void> merge(pg::Transaction& transaction, model::Uuid organization, model::Uuid gone, model::Uuid into,
                      Members& members, events::Changes& changes) {
  const auto held =
      co_await transaction.run(pg::Batch(contacts::sql::lock_lists, organization, std::vector<model::Uuid>{}, gone));
  const auto lists = held.rows<model::Uuid>();
  pg::Batch batch;
  batch.add(sql::unite, organization, gone, into, kMaxAttributeOctets);
  batch.add(sql::move_tags, organization, gone, into);
  batch.add(sql::move_memberships, organization, gone, into, lists);
  batch.add(contacts::sql::leave_lists, organization, gone, lists);
  batch.add(sql::move_former_users, organization, gone, into);
  activity::add_merge(batch, organization, gone, into);
  batch.add(contacts::sql::remove, organization, gone);
  const auto results = co_await transaction.run(std::move(batch));
  for (const auto& list : results.rows<model::Uuid>(2)) ++members[list];
  for (const auto& list : results.rows<model::Uuid>(3)) --members[list];
  changes.add(events::ContactMerged{organization, gone, into});
  const auto united = results.one<UnitedRow>(0);
  if (united.at) changes.add(events::ContactStatusChanged{organization, {into}, united.status, *united.at});
}

}  // namespace

std::optional<Identity> find_identity(const Person& person, const Known& known) {
  const auto* by_phone = known.with_phone(person.phone);
  const auto* by_former = known.with_phone(person.formerPhone);
  const auto* by_user = known.with_user(person.channelUserId);
  const auto* by_former_user = known.with_user(person.formerChannelUserId);
  auto former_user_id = person.formerChannelUserId;

  // The channel's id belongs to a contact with another number, which nobody gave up. Numbers win: the id is outdated.
  const bool is_apart =
      by_user && (by_phone || by_former) && by_user != by_phone && by_user != by_former && by_user->phone;
  // Likewise the former id, but without a former number the channel's word holds: this person had the id.
  if (by_former_user && by_former && by_former_user != by_former && by_former_user->phone) {
    by_former_user = nullptr;
    former_user_id.reset();
  }
  std::vector<const KnownRow*> same_person;
  for (const auto* row : {by_phone, by_former, is_apart ? nullptr : by_user, by_former_user})
    if (row && std::ranges::count(same_person, row) == 0) same_person.push_back(row);
  if (same_person.empty()) return std::nullopt;
  std::ranges::sort(same_person, goes_before);

  const auto* kept = same_person.front();
  Identity out{kept->id, person.phone, person.channelUserId, {}, {}, {}, false};
  if (!out.phone && by_user && !is_apart) out.phone = by_user->phone;  // newer than that of the former id
  for (const auto* row : same_person) {
    if (row != kept) out.gone.push_back(row->id);
    if (!out.phone && row->phone != person.formerPhone) out.phone = row->phone;
    if (!out.channel_user_id) out.channel_user_id = row->channel_user_id;
  }
  if (is_apart) out.robbed = by_user->id;
  if (former_user_id != out.channel_user_id) out.former_user_id = former_user_id;
  out.is_new = !out.gone.empty() || out.robbed || out.former_user_id || out.phone != kept->phone ||
               out.channel_user_id != kept->channel_user_id;
  return out;
}

awaitable<void> put_identity(pg::Transaction& transaction, model::Uuid organization, const Person& person,
                             const Identity& identity) {
  events::Changes changes;
  Members members;
  for (const auto& gone : identity.gone)
    co_await merge(transaction, organization, gone, identity.contact, members, changes);
  std::vector<model::Uuid> changed{identity.contact};
  pg::Batch batch;
  if (identity.robbed) {
    batch.add(sql::forget_user, organization, *identity.robbed);
    batch.add(sql::move_former_users, organization, *identity.robbed, identity.contact);
    changed.push_back(*identity.robbed);
  }
  batch.add(sql::identify, organization, identity.contact, person.name, identity.phone, identity.channel_user_id);
  batch.add(sql::remember_users, organization, identity.contact, identity.channel_user_id, identity.former_user_id);
  changes.add(events::ContactsUpdated{organization, changed});
  batch.add(events::outbox::append, changes.json());
  lists::add_to_tallies(batch, organization, -static_cast<std::int64_t>(identity.gone.size()), members);
  co_await transaction.run(std::move(batch));
}

}  // namespace parley::contacts::identities

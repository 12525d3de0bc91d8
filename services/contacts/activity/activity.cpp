#include "contacts/activity/activity.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "common/events/changes.hpp"
#include "common/events/conversation_changes.hpp"
#include "common/events/engagement_changes.hpp"
#include "common/pg/column.hpp"
#include "contacts/activity/sql.hpp"

namespace parley::contacts::activity {

namespace {

using pg::column;

using model::MessageStatus;

// Counted from a campaign's first fact. More than a year, so that last year's campaign can be asked for.
constexpr int kKeptDays = 400;
// Longer than the feed may lag.
constexpr int kMergedDays = 30;
// Facts of one statement: the planner takes any array for ten rows.
constexpr std::size_t kFacts = 1'000;

struct Day {
  model::Uuid contact;
  std::optional<model::Timestamp> inbound, campaign;
  bool is_held = false;
};

struct Deed {
  model::Uuid campaign, contact;
  bool read = false, clicked = false, replied = false;
  bool is_held = false;
};

// What events tell of an organization.
struct Told {
  std::vector<Day> days;
  std::vector<Deed> deeds;
};

struct MergedRow {
  model::Uuid gone_id, into_id;
};
BOOST_DESCRIBE_STRUCT(MergedRow, (), (gone_id, into_id))

using ToldOf = std::map<model::Uuid, Told>;  // by organization

void add(const events::MessageStatusChanged& change, ToldOf& all) {
  if (!change.campaignId) return;
  const bool was_sent = change.from != MessageStatus::Queued && change.from != MessageStatus::Failed;
  const bool is_sent = change.to != MessageStatus::Queued && change.to != MessageStatus::Failed;
  if (is_sent && !was_sent) all[change.organizationId].days.push_back({change.contactId, {}, change.at});
  if (change.to == MessageStatus::Delivered || change.to == MessageStatus::Read)
    all[change.organizationId].deeds.push_back(
        {*change.campaignId, change.contactId, change.to == MessageStatus::Read});
}

// Who did anything with a message has received it, though the channel may not say so.
void add(const events::CampaignEngaged& change, ToldOf& all) {
  const bool clicked = change.did == events::Engagement::Clicked;
  for (const auto& contact : change.contactIds)
    all[change.organizationId].deeds.push_back({change.campaignId, contact, false, clicked, !clicked});
}

ToldOf told_by(std::span<const events::Event> events) {
  ToldOf out;
  for (const auto& event : events)
    for (const auto& change : events::changes_of(event)) {
      if (const auto created = change.as<events::MessageCreated>();
          created && created->direction == model::MessageDirection::InBound)
        out[created->organizationId].days.push_back({created->contactId, created->at, {}});
      if (const auto status = change.as<events::MessageStatusChanged>()) add(*status, out);
      if (const auto engaged = change.as<events::CampaignEngaged>()) add(*engaged, out);
    }
  return out;
}

// Holds the contacts that will get rows. What is told of one that was merged is told of the one it was merged into.
awaitable<void> hold(pg::Transaction& transaction, ToldOf& all) {
  pg::Batch batch;
  for (const auto& [organization, told] : all) {
    const std::span days(told.days);
    const std::span deeds(told.deeds);
    auto contacts = column(days, &Day::contact);
    const auto recipients = column(deeds, &Deed::contact);
    batch.add(sql::hold, organization, contacts, column(deeds, &Deed::campaign), recipients);
    contacts.insert(contacts.end(), recipients.begin(), recipients.end());
    batch.add(sql::hold_merged, organization, contacts);
  }
  const auto results = co_await transaction.run(std::move(batch));
  std::size_t i = 0;
  for (auto& [organization, told] : all) {
    const auto rows = results.rows<model::Uuid>(i++);
    std::set<model::Uuid> held(rows.begin(), rows.end());
    std::map<model::Uuid, model::Uuid> into;
    for (const auto& row : results.rows<MergedRow>(i++)) into.emplace(row.gone_id, row.into_id);
    for (const auto& [gone, kept] : into) held.insert(kept);
    const auto settle = [&](auto& fact) {
      if (const auto merged = into.find(fact.contact); merged != into.end()) fact.contact = merged->second;
      fact.is_held = held.contains(fact.contact);
    };
    std::ranges::for_each(told.days, settle);
    std::ranges::for_each(told.deeds, settle);
  }
}

template <class Fact, class Add>
void in_parts(const std::vector<Fact>& facts, const Add& add) {
  for (std::size_t at = 0; at < facts.size(); at += kFacts)
    add(std::span(facts).subspan(at, std::min(kFacts, facts.size() - at)));
}

}  // namespace

awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events) {
  auto all = told_by(events);
  if (all.empty()) co_return;
  co_await hold(transaction, all);
  pg::Batch notes;
  std::vector<model::Uuid> organizations;  // of the statements
  for (const auto& [organization, told] : all) {
    in_parts(told.days, [&](std::span<const Day> days) {
      notes.add(sql::note_days, organization, column(days, &Day::contact), column(days, &Day::inbound),
                column(days, &Day::campaign), column(days, &Day::is_held));
      organizations.push_back(organization);
    });
    in_parts(told.deeds, [&](std::span<const Deed> deeds) {
      notes.add(sql::note_recipients, organization, column(deeds, &Deed::campaign), column(deeds, &Deed::contact),
                column(deeds, &Deed::read), column(deeds, &Deed::clicked), column(deeds, &Deed::replied),
                column(deeds, &Deed::is_held));
      organizations.push_back(organization);
    });
  }
  const auto results = co_await transaction.run(std::move(notes));

  pg::Batch last;
  std::set<model::Uuid> raised;
  for (std::size_t i = 0; i < organizations.size(); ++i)
    if (results.one<std::int64_t>(i) > 0 && raised.insert(organizations[i]).second)
      last.add(sql::raise_version, organizations[i]);
  if (last.empty()) co_return;
  last.add(sql::expire, kKeptDays, kMergedDays);
  co_await transaction.run(std::move(last));
}

void add_merge(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& gone, const model::Uuid& into) {
  batch.add(sql::move_days, organization, gone, into);
  batch.add(sql::move_recipient, organization, gone, into);
  batch.add(sql::move_merged, organization, gone, into);
  batch.add(sql::remember_merge, organization, gone, into);
}

}  // namespace parley::contacts::activity

#include "conversations/dispatch/store.hpp"

#include <algorithm>
#include <map>

#include "common/events/outbox/sql.hpp"
#include "conversations/campaigns/status.hpp"
#include "conversations/dispatch/sql.hpp"

namespace parley::conversations::dispatch {

using namespace std::chrono_literals;
using What = Result::What;

namespace {

constexpr std::int64_t kSeen = 2'000;  // rows that a look scans
// A claim is answered within 5 s of waiting plus the channel's connect and answer times and the commit.
constexpr std::int64_t kMaxSending = 60'000;

std::int64_t milliseconds(auto duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

struct Numbers {
  explicit Numbers(const std::vector<NumberId>& numbers) {
    for (const auto& number : numbers) {
      organizations.push_back(number.organization_id);
      phones.push_back(number.phone_number_id);
    }
  }
  std::vector<model::Uuid> organizations;
  std::vector<std::string> phones;
};

enum class Of { all, messages, queue, first_attempts };

// Results of some kinds as column arrays for statements.
struct Columns {
  std::vector<model::Uuid> messages, claims, contacts;
  std::vector<Kind> kinds;
  std::vector<std::string> channel_ids, recipients;
  std::vector<std::optional<std::int64_t>> codes;
  std::vector<std::optional<std::string>> texts;
  std::vector<std::int64_t> delays, counted;

  Columns(const std::vector<Result>& results, std::initializer_list<What> wanted, Of of = Of::all) {
    for (const auto& result : results) {
      if (std::find(wanted.begin(), wanted.end(), result.what) == wanted.end()) continue;
      if (of == Of::messages && result.kind != Kind::Message) continue;
      if (of == Of::queue && result.first) continue;
      if (of == Of::first_attempts && !result.first) continue;
      messages.push_back(result.message_id);
      claims.push_back(result.claim);
      contacts.push_back(result.contact_id);
      kinds.push_back(result.kind);
      channel_ids.push_back(result.channel_message_id);
      recipients.push_back(result.recipient);
      codes.push_back(result.code);
      texts.push_back(result.text);
      delays.push_back(result.delay);
      counted.push_back(result.counted ? 1 : 0);
    }
  }
  bool empty() const { return messages.empty(); }
};

struct Suppressed {
  model::Uuid contact_id;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(Suppressed, (), (contact_id, at))

// The events and counters of a transaction, of one or several organizations.
struct Told {
  events::Changes changes;
  std::map<model::Uuid, engagement::CampaignCounters> by_organization;

  engagement::CampaignCounters& counters(const model::Uuid& organization) {
    return by_organization.try_emplace(organization, organization).first->second;
  }
  // Keeps only risen statuses: an accepted message may have had its status before.
  void add(const model::Uuid& organization, std::vector<messages::Rise> rises) {
    std::erase_if(rises, [](const auto& rise) { return rise.was == rise.status; });
    messages::emit(changes, counters(organization), organization, rises);
  }
  void add(const std::vector<AnyRise>& rises) {
    std::map<model::Uuid, std::vector<messages::Rise>> by_organization;
    for (const auto& rise : rises) by_organization[rise.organization_id].push_back(rise);
    for (auto& [organization, theirs] : by_organization) add(organization, std::move(theirs));
  }
  // Must come last in the transaction, after its other locks; empty if there are no events.
  pg::Batch last(pg::Batch out = {}) {
    for (const auto& [organization, counters] : by_organization) {
      counters.emit(changes);
      counters.add_to(out);
    }
    if (!changes.empty()) out.add(events::outbox::append, changes.json());
    return out;
  }
};

// The lock order of all transactions here: messages, queue, suppressions, numbers, chunks, campaigns, events.
struct RecordBatch {
  pg::Batch batch;
  std::optional<std::size_t> accepted, failed, suppressed;
};

RecordBatch batch_of(const NumberId& number, const Record& record, const Settings& settings) {
  RecordBatch out;
  auto& batch = out.batch;
  const auto& organization = number.organization_id;
  const auto& results = record.results;
  const auto add = [&](const pg::Statement& statement, const auto&... arguments) {
    batch.add(statement, organization, arguments...);
    return batch.size() - 1;
  };
  const auto doubt = milliseconds(settings.doubt);
  if (const Columns c(results, {What::sent}, Of::messages); !c.empty())
    out.accepted = add(sql::accept, c.messages, c.channel_ids);
  if (const Columns c(results, {What::failed, What::opted_out}, Of::messages); !c.empty())
    out.failed = add(sql::fail, c.messages, c.codes, c.texts);
  if (const Columns c(results, {What::again}, Of::first_attempts); !c.empty())
    add(sql::again_first, number.phone_number_id, c.messages, c.recipients, c.delays, c.counted, c.codes, c.texts);
  if (const Columns c(results, {What::in_doubt}, Of::first_attempts); !c.empty())
    add(sql::doubt_first, number.phone_number_id, c.messages, c.recipients, doubt);
  for (const auto* chunks : {&record.finished, &record.released})
    for (const auto& chunk : *chunks) add(sql::doubt_chunk, chunk.campaign_id, chunk.first, chunk.last, doubt);
  if (const Columns c(results, {What::sent, What::failed, What::opted_out, What::dropped}); !c.empty())
    add(sql::settle, c.messages, c.kinds);
  if (const Columns c(results, {What::again}, Of::queue); !c.empty())
    add(sql::again, c.messages, c.kinds, c.claims, c.delays, c.counted, c.codes, c.texts);
  if (const Columns c(results, {What::in_doubt}, Of::queue); !c.empty()) add(sql::doubt, c.messages, c.claims, doubt);
  if (const Columns c(results, {What::opted_out}); !c.empty()) out.suppressed = add(sql::suppress, c.contacts);
  if (record.stop)
    add(sql::stop, number.phone_number_id, settings.stop_pause.count(), record.stop->code, record.stop->text);
  else if (record.unstop)
    add(sql::unstop, number.phone_number_id);
  for (const auto& chunk : record.finished) add(sql::finish_chunk, chunk.campaign_id, chunk.first, record.owner);
  for (const auto& chunk : record.released) add(sql::release_chunk, chunk.campaign_id, chunk.first, record.owner);
  return out;
}

}  // namespace

awaitable<std::vector<Waiting>> Store::numbers(model::Uuid owner, NumberId after, std::int64_t most) {
  pg::Batch batch(sql::numbers, owner, after.organization_id, after.phone_number_id, most, context_.value(),
                  context_.world());
  batch.add(sql::first, context_.value(), context_.world());
  context_.ask(batch);
  const auto results = co_await database_.slow(std::move(batch));
  context_.learn(results.one<events::QueueState>(2), results.one<std::optional<std::int64_t>>(1));
  co_return results.rows<Waiting>();
}

awaitable<std::vector<Taken>> Store::take(model::Uuid owner, std::vector<NumberId> wanted) {
  const Numbers numbers(wanted);
  pg::Batch batch(sql::add_senders, numbers.organizations, numbers.phones);
  batch.add(sql::take, owner, numbers.organizations, numbers.phones, settings_.lease.count());
  batch.add(sql::doubt_abandoned, owner, numbers.organizations, numbers.phones, milliseconds(settings_.doubt));
  const auto results = co_await database_.write(std::move(batch));
  co_return results.rows<Taken>(1);
}

awaitable<std::vector<NumberId>> Store::renew(model::Uuid owner, std::vector<NumberId> held) {
  const Numbers numbers(held);
  const auto results = co_await database_.write(
      pg::Batch(sql::renew, owner, numbers.organizations, numbers.phones, settings_.lease.count()));
  co_return results.rows<NumberId>();
}

awaitable<void> Store::release(NumberId number, model::Uuid owner) {
  co_await database_.write(pg::Batch(sql::release, number.organization_id, number.phone_number_id, owner));
}

awaitable<Store::Look> Store::look(NumberId number, QueuePosition after, std::int64_t most) {
  if (after == QueuePosition{}) after.due = context_.value();
  Look out;
  auto results = co_await database_.read(
      pg::Batch(sql::look, number.organization_id, number.phone_number_id, after.due, after.message_id, kSeen, most));
  out.due = results.rows<Due>();
  if (static_cast<std::int64_t>(out.due.size()) == most) co_return out;
  results = co_await database_.read(
      pg::Batch(sql::edge, number.organization_id, number.phone_number_id, after.due, after.message_id, kSeen));
  out.edge = results.optional<QueuePosition>();
  co_return out;
}

awaitable<std::vector<Item>> Store::claim(NumberId number, model::Uuid owner, model::Uuid claim, std::vector<Due> due) {
  std::vector<model::Uuid> messages;
  std::vector<Kind> kinds;
  std::vector<std::int64_t> dues;
  for (const auto& row : due) {
    messages.push_back(row.message_id);
    kinds.push_back(row.kind);
    dues.push_back(row.due);
  }
  const auto results = co_await database_.write(
      pg::Batch(sql::claim, number.organization_id, number.phone_number_id, owner, claim, messages, kinds, dues));
  co_return results.rows<Item>();
}

// Uses a transaction of its own, so that it holds no other locks while it waits.
awaitable<void> Store::settle_unanswered(const NumberId& number, const Record& record) {
  pg::Batch batch;
  for (const auto& claim : record.void_claims)
    batch.add(sql::unclaim, number.organization_id, claim.id, claim.messages);
  if (std::any_of(record.results.begin(), record.results.end(), [](const Result& result) { return result.unsure; }))
    batch.add(sql::await_intents, number.organization_id, number.phone_number_id);
  if (!batch.empty()) co_await database_.write(std::move(batch));
}

awaitable<void> Store::record(NumberId number, const Record& record) {
  co_await settle_unanswered(number, record);
  auto built = batch_of(number, record, settings_);
  if (built.batch.empty()) co_return;
  auto transaction = co_await database_.begin();
  const auto results = co_await transaction.run(std::move(built.batch));
  Told told;
  for (const auto& rises : {built.accepted, built.failed})
    if (rises) told.add(number.organization_id, results.rows<messages::Rise>(*rises));
  if (built.suppressed)
    for (const auto& row : results.rows<Suppressed>(*built.suppressed))
      told.changes.add(events::ContactOptedOut{number.organization_id, row.contact_id, row.at});
  for (const auto& [campaign, why] : record.paused)
    co_await campaigns::pause(transaction, number.organization_id, campaign, why, told.changes);
  pg::Batch last;
  if (const Columns c(record.results, {What::sent}, Of::messages); !c.empty())
    last.add(sql::reach, number.organization_id, number.phone_number_id, c.messages);
  co_await transaction.commit(told.last(std::move(last)));
}

awaitable<std::uint64_t> Store::keep_house(model::Uuid owner, std::int64_t most) {
  auto transaction = co_await database_.begin();
  pg::Batch batch(sql::fail_expired, most);
  batch.add(sql::fail_unknown, most);
  batch.add(sql::doubt_forgotten, kMaxSending, milliseconds(settings_.doubt), most, context_.value(), context_.world());
  const auto results = co_await transaction.run(std::move(batch));
  Told told;
  told.add(results.rows<AnyRise>(0));
  told.add(results.rows<AnyRise>(1));
  co_await transaction.commit(told.last());
  co_return results.affected(0) + results.affected(1) + results.affected(2) + co_await settle_left_chunks(owner, most);
}

awaitable<std::uint64_t> Store::settle_left_chunks(model::Uuid owner, std::int64_t most) {
  const auto results = co_await database_.read(pg::Batch(sql::left_chunks, owner, most));
  std::uint64_t settled = 0;
  for (const auto& chunk : results.rows<LeftChunk>()) {
    if (chunk.held && !co_await take_away({chunk.organization_id, chunk.phone_number_id.value()})) continue;
    pg::Batch batch(sql::doubt_chunk, chunk.organization_id, chunk.campaign_id, chunk.first, chunk.last,
                    milliseconds(settings_.doubt));
    batch.add(sql::release_chunk, chunk.organization_id, chunk.campaign_id, chunk.first, chunk.owner);
    co_await database_.write(std::move(batch));
    ++settled;
  }
  co_return settled;
}

// Takes the number from an owner with an expired lease and leaves it unowned: that owner then makes no more messages,
// and those it made are visible. False: the owner is making some now, or another has taken the number.
awaitable<bool> Store::take_away(NumberId number) {
  const Numbers numbers({std::move(number)});
  constexpr std::int64_t kNoLease = 0;
  const auto results = co_await database_.write(
      pg::Batch(sql::take, model::new_uuid(), numbers.organizations, numbers.phones, kNoLease));
  co_return results.affected() > 0;
}

awaitable<Depth> Store::depth() {
  const auto results = co_await database_.slow(pg::Batch(sql::depth));
  co_return results.one<Depth>();
}

}  // namespace parley::conversations::dispatch

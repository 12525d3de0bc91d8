#include "conversations/recovery/reconciliation/reconciler.hpp"

#include <map>

#include "common/chassis/service_client.hpp"
#include "common/contracts/contacts.hpp"
#include "common/events/conversation_changes.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/http/answer.hpp"
#include "conversations/recovery/deletions/store.hpp"
#include "conversations/recovery/reconciliation/feed.hpp"
#include "conversations/recovery/reconciliation/sql.hpp"

namespace parley::conversations::reconciliation {

namespace {

struct ContactRow {
  model::Uuid organization_id, contact_id;
};
BOOST_DESCRIBE_STRUCT(ContactRow, (), (organization_id, contact_id))

// The stored suppression; no time: never stated.
struct SuppressionRow {
  model::Uuid contact_id;
  bool opted_out = false;
  std::optional<model::Timestamp> opted_out_at;
  bool blocked = false;
  std::optional<model::Timestamp> blocked_at;
};
BOOST_DESCRIBE_STRUCT(SuppressionRow, (), (contact_id, opted_out, opted_out_at, blocked, blocked_at))

constexpr std::chrono::seconds kAnswerTime{10};

using contracts::contacts::Address;

}  // namespace

// Contacts of one organization, as read before the request to contacts.
struct Reconciler::Part {
  model::Uuid organization;
  std::vector<model::Uuid> ids;
  std::map<model::Uuid, SuppressionRow> seen;
  std::map<model::Uuid, Address> addresses;  // of existing contacts
};

Reconciler::Reconciler(boost::asio::io_context& context, pg::Pool& database, Ask ask, events::Report report,
                       ReconcilerSettings settings)
    : database_(database),
      ask_(std::move(ask)),
      report_(std::move(report)),
      settings_(settings),
      loop_(
          context, {settings.retry_pause, settings.retry_pause}, [this] { return step(); },
          [this](const auto& what) {
            ++stats_.failures;
            report_(what);
          }) {}

awaitable<std::chrono::milliseconds> Reconciler::step() {
  const auto results = co_await database_.read(pg::Batch(sql::walk));
  const auto place = results.optional<ReconcilerPosition>();
  if (!place) co_return settings_.idle_pause;  // no walk in progress
  auto part = co_await look(*place);
  if (part.ids.empty()) {
    const auto ended =
        co_await database_.write(pg::Batch(sql::end_walk, place->walk, place->organization_id, place->contact_id));
    if (ended.affected() == 1) report_("all contacts were compared with contacts'");
    stats_.walks += ended.affected();
    co_return settings_.busy_pause;
  }
  co_await ask(part);
  co_await apply(*place, std::move(part));
  co_return settings_.busy_pause;
}

awaitable<Reconciler::Part> Reconciler::look(ReconcilerPosition place) {
  const auto found =
      co_await database_.read(pg::Batch(sql::next_contacts, place.organization_id, place.contact_id, settings_.most));
  Part part;
  for (const auto& row : found.rows<ContactRow>()) {
    if (part.ids.empty()) part.organization = row.organization_id;
    if (row.organization_id == part.organization) part.ids.push_back(row.contact_id);
  }
  if (part.ids.empty()) co_return part;
  const auto seen = co_await database_.read(pg::Batch(sql::suppressions, part.organization, part.ids));
  for (const auto& row : seen.rows<SuppressionRow>()) part.seen.emplace(row.contact_id, row);
  co_return part;
}

awaitable<void> Reconciler::ask(Part& part) {
  const contracts::contacts::AddressesQuery query{part.organization, part.ids};
  auto response =
      co_await ask_(chassis::request_of(contracts::contacts::addresses, query, {.answer_time = kAnswerTime}));
  if (response.status != 200) throw std::runtime_error("contacts answered " + std::to_string(response.status));
  const chassis::Fragments lines(std::move(response.body), std::move(response.hold));
  for (const auto& id : part.ids)
    if (const auto line = lines.of(id)) part.addresses.emplace(id, http::read_answer<Address>(*line, "contacts"));
}

// The corrections for an existing contact. Concurrent events win: by a later time, or as what was read changed.
struct Reconciler::Corrections {
  Statuses statuses;
  pg::Batch blocked;
  events::Changes changes;

  void add(const model::Uuid& organization, const SuppressionRow& seen, const Address& known) {
    const auto& id = seen.contact_id;
    if (known.statusAt) statuses.add(organization, id, known.status, *known.statusAt);
    const bool is_blocked = known.status == model::ContactStatus::Blocked;
    if (seen.blocked != is_blocked && seen.blocked_at >= known.statusAt)
      blocked.add(sql::correct_blocked, organization, id, is_blocked, seen.blocked_at);
    const bool agrees = !is_blocked && seen.opted_out == (known.status == model::ContactStatus::OptedOut);
    if (!seen.opted_out_at || seen.opted_out_at < known.statusAt || agrees) return;
    if (seen.opted_out)
      changes.add(events::ContactOptedOut{organization, id, *seen.opted_out_at});
    else
      changes.add(events::ContactOptedIn{organization, id, *seen.opted_out_at});
  }
};

awaitable<void> Reconciler::apply(ReconcilerPosition place, Part part) {
  std::vector<model::Uuid> gone, there;
  Corrections corrections;
  for (const auto& id : part.ids) {
    const auto known = part.addresses.find(id);
    (known == part.addresses.end() ? gone : there).push_back(id);
    if (known == part.addresses.end()) continue;
    auto& seen = part.seen[id];
    seen.contact_id = id;
    corrections.add(part.organization, seen, known->second);
  }

  auto transaction = co_await database_.begin();
  const auto moved = co_await transaction.run(pg::Batch(sql::move_walk, place.walk, place.organization_id,
                                                        place.contact_id, part.organization, part.ids.back()));
  if (moved.affected() != 1) co_return;  // another replica has advanced, or the walk has restarted
  auto& changes = corrections.changes;
  co_await deletions::mark_missing(transaction, part.organization, std::move(gone), changes);
  co_await deletions::restore(transaction, part.organization, std::move(there), changes);
  pg::Batch batch(sql::lock_suppressions, part.organization, part.ids);
  corrections.statuses.write(batch);
  co_await transaction.run(std::move(batch));
  if (!corrections.blocked.empty()) co_await transaction.run(std::move(corrections.blocked));
  if (!changes.empty()) co_await transaction.run(pg::Batch(events::outbox::append, changes.json()));
  co_await transaction.commit();
  stats_.compared += part.ids.size();
}

}  // namespace parley::conversations::reconciliation

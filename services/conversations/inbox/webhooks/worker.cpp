#include "conversations/inbox/webhooks/worker.hpp"

#include <array>
#include <set>

#include "common/events/outbox/sql.hpp"
#include "conversations/channel/notices/store.hpp"
#include "conversations/channel/templates/store.hpp"
#include "conversations/inbox/webhooks/sql.hpp"

namespace parley::conversations::webhooks {

using namespace std::chrono_literals;

namespace {

// Limits of a batch; a body that exceeds them is its last.
constexpr std::int64_t kMaxRows = 256, kMaxOctets = 1 << 20;
constexpr std::int64_t kMaxParked = 64;
constexpr std::int64_t kMaxRowsApart = 16;
constexpr int kFailuresUntilApart = 3;
constexpr std::chrono::milliseconds kIdlePause{40};
constexpr auto kFirstFailurePause = 100ms, kMaxFailurePause = 5'000ms;
constexpr auto kHousekeepingPause = 10s;
constexpr int kParkedDays = 30;
constexpr std::int64_t kMaxPruned = 1'000;
constexpr std::int64_t kMaxOfGroups = 10'000;  // kept, of all organizations together
// Elements due before `parked_after_` are skipped. One that a slower transaction parks is found by the full look.
constexpr std::int64_t kMaxParkingMs = 5 * 60'000;
constexpr auto kAllParkedPause = 10min;
// Rows are held slightly longer than the requests to other services take.
constexpr std::int64_t kHoldSeconds = 15;
constexpr std::int64_t kUnknownSeconds = 300;  // until a newer release is looked for again
constexpr std::array kAllKinds{Awaited::message, Awaited::answer, Awaited::contacts, Awaited::organizations};

// Retries of elements that came too early. After the last, they stay parked until an operator replays them.
constexpr std::array<std::int64_t, 5> kRetrySeconds{15, 60, 5 * 60, 30 * 60, 6 * 60 * 60};

std::optional<std::int64_t> retry_after(std::int64_t attempts) {
  const auto index = static_cast<std::size_t>(attempts);
  return index < kRetrySeconds.size() ? std::optional(kRetrySeconds[index]) : std::nullopt;
}

// Retries of elements that another service failed to answer for: until it does, or the element is pruned.
constexpr std::int64_t kMaxRetry = 300;

std::int64_t ask_after(std::int64_t attempts) {
  return std::min<std::int64_t>(std::int64_t(1) << std::min<std::int64_t>(attempts, 10), kMaxRetry);
}

std::optional<std::int64_t> retry_seconds(const Item& item, std::int64_t attempts) {
  if (item.verdict != Verdict::waits) return std::nullopt;
  if (item.pause) return item.pause->count();
  return item.awaited == Awaited::answer ? ask_after(attempts) : retry_after(attempts);
}

// A message of a group belongs to no conversation with its sender, and there are none with groups: shown there, a
// member would answer it to one person. It is kept as it came, and not shown.
constexpr std::string_view kGroup = "group";

bool is_about_sender(const Element& element) {
  return std::holds_alternative<InboundMessage>(element.what) || std::holds_alternative<Preference>(element.what);
}

// Other elements would fail, too.
bool is_out_of_reach(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const pg::Unavailable&) {
    return true;
  } catch (...) {
    return false;
  }
}

// What refers to a message that stays unknown is about one that another program sent or received, which uses the number
// too. A status with our own id is not: the message may come back, with what follows a restored database. An edit is
// kept, as it has content; so is what users wrote to a number that nobody has connected.
std::optional<Foreign> foreign_kind(const Item& item) {
  const auto& what = item.element->what;
  if (const auto* report = std::get_if<StatusReport>(&what); report && !report->message_id) return Foreign::status;
  if (std::holds_alternative<notices::News>(what)) return Foreign::account;
  if (item.organization.is_nil()) return std::nullopt;
  if (const auto* alteration = std::get_if<Alteration>(&what); alteration && !alteration->type)
    return Foreign::revocation;
  const bool is_applied = std::holds_alternative<InboundMessage>(what) && item.contact;
  return is_applied ? std::optional(Foreign::reference) : std::nullopt;
}

constexpr std::array kKinds{"unreadable", "message", "alteration", "status", "preference", "template", "account"};
constexpr std::array kResults{"malformed", "waiting", "failed", "duplicate", "accepted", "foreign", "group"};

std::size_t result_of(const Item& item) {
  if (item.element->kind == kGroup) return 6;
  if (!item.element->fault.empty()) return 0;
  if (item.verdict == Verdict::waits) return 1;
  if (!item.error.empty()) return 2;
  if (item.verdict == Verdict::foreign) return 5;
  return item.verdict == Verdict::repeated ? 3 : 4;
}

}  // namespace

Worker::Worker(chassis::Process& process, pg::Pool& database, channel::Accounts& accounts,
               chassis::ServiceClient& contacts)
    : process_(process),
      database_(database),
      ownership_(process, accounts),
      asking_(process, contacts),
      elements_(process.metrics().counters("webhook_events_total",
                                           "What webhooks brought, by its kind and what became of it")),
      lag_(process.metrics()
               .histograms("webhook_lag_seconds", "From a webhook's commit to the one that applied what it brought")
               .Add({}, chassis::kSeconds)),
      loop_(
          process.context(), {kFirstFailurePause, kMaxFailurePause}, [this] { return step(); },
          [this](const auto& what) { process_.log().warn("webhooks").with("error", what); }) {
  show();
}

void Worker::show() {
  auto& metrics = process_.metrics();
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
    for (std::size_t result = 0; result < kResults.size(); ++result)
      counters_[kind][result] = &elements_.Add({{"kind", kKinds[kind]}, {"result", kResults[result]}});
  auto& foreign = metrics.counters("webhook_foreign_elements_total",
                                   "What webhooks brought about messages of other programs that use the same number");
  for (std::size_t kind = 0; kind < foreign_.size(); ++kind)
    foreign_[kind] = &foreign.Add({{"kind", std::string(model::name_of(Foreign(kind)))}});
  metrics.gauge_from("webhook_inbox_bodies", "Webhooks that are not applied yet, 10,000 standing for more", {},
                     [this] { return double(backlog_.waiting); });
  metrics.gauge_from("webhook_inbox_age_seconds",
                     "The age of the oldest of them, or of what waits for contacts or organizations", {},
                     [this] { return backlog_.oldest_seconds; });
  auto& parked = metrics.gauges(
      "webhook_parked_elements",
      "Elements of webhooks that were set aside: to be tried again, until they are replayed, or of groups");
  auto& retried = parked.Add({{"state", "retried"}});
  auto& kept = parked.Add({{"state", "parked"}});
  auto& of_groups = parked.Add({{"state", "group"}});
  metrics.before_scrape([this, &retried, &kept, &of_groups] {
    retried.Set(double(backlog_.retried));
    kept.Set(double(backlog_.parked));
    of_groups.Set(double(backlog_.of_groups));
  });
  metrics.counter_from("webhook_failures_total", "Batches of webhooks that could not be applied as a whole", {},
                       [this] { return double(failed_); });
}

void Worker::start() { process_.spawn("webhooks", run()); }

awaitable<void> Worker::stop() {
  co_await loop_.stop();
  co_await asking_.absence().stop();
  co_await ownership_.absence().stop();
}

awaitable<std::chrono::milliseconds> Worker::step() {
  co_await keep_house();
  bool busy = co_await look();  // a read costs less than an empty transaction
  if (busy) busy = co_await work();
  co_return busy ? 0ms : kIdlePause;
}

awaitable<bool> Worker::look() {
  if (const auto now = std::chrono::steady_clock::now(); now >= next_all_parked_) {
    parked_after_ = {};
    next_all_parked_ = now + kAllParkedPause;
  }
  pg::Batch batch(sql::look, floor_.value(), floor_.world(), parked_after_, kinds_to_try(), kAllKinds);
  floor_.ask(batch);
  const auto results = co_await database_.read(std::move(batch));
  const auto look = results.one<LookRow>();
  floor_.learn(results.one<events::QueueState>(1), look.first);
  auto nothing_until = look.due_at.value_or(look.now);
  nothing_until.milliseconds_since_epoch =
      std::min(nothing_until.milliseconds_since_epoch - 1, look.now.milliseconds_since_epoch - kMaxParkingMs);
  parked_after_ = std::max(parked_after_, nothing_until);
  co_return look.has_free || look.ready_at.value_or(look.now) < look.now;
}

std::vector<Awaited> Worker::kinds_to_try() {
  std::vector<Awaited> out{Awaited::message, Awaited::answer};
  for (auto [absence, kind] :
       {std::pair(&asking_.absence(), Awaited::contacts), std::pair(&ownership_.absence(), Awaited::organizations)}) {
    absence->look();
    if (!absence->holds()) out.push_back(kind);
  }
  return out;
}

awaitable<bool> Worker::work() {
  const bool apart = apart_ > 0;
  std::size_t rows = 0;
  Load asked;  // rows on hold
  std::exception_ptr thrown;
  try {
    auto claim = co_await database_.begin();
    auto taken = co_await take(claim);
    rows = taken.size();
    if (rows == 0) co_return false;
    auto [known, unknown] = read(std::move(taken));
    co_await prepare(known.items);
    if (!unknown.rows.empty()) hold(known.end, unknown, kHoldSeconds);
    co_await finish(claim, known, apart);
    asked = std::move(unknown);
    if (!asked.rows.empty()) {
      co_await prepare(asked.items);
      claim = co_await database_.begin();
      co_await take_again(claim, asked);
      co_await finish(claim, asked, apart);
    }
  } catch (...) {
    thrown = std::current_exception();
  }
  if (!thrown) {
    failures_ = 0;
    apart_ -= std::min(apart_, rows);
    co_return true;
  }
  if (!asked.rows.empty()) co_await async::attempt(let_go(asked));
  ++failed_;
  ++failures_;
  if (apart) std::rethrow_exception(thrown);
  bool hopeless = false;  // whether retrying the same batch is pointless
  try {
    std::rethrow_exception(thrown);
  } catch (const pg::SqlError& error) {
    hopeless = !error.is_temporary();
  } catch (const pg::Unavailable&) {  // temporary
  } catch (...) {
    hopeless = true;
  }
  if (hopeless || failures_ >= kFailuresUntilApart) apart_ = std::max<std::size_t>(rows, 1);
  std::rethrow_exception(thrown);
}

awaitable<std::vector<TakenRow>> Worker::take(pg::Transaction& claim) {
  pg::Batch batch(sql::take_parked, kinds_to_try(), parked_after_, kMaxParked);  // older ones first
  batch.add(sql::take, floor_.value(), floor_.world(), apart_ > 0 ? kMaxRowsApart : kMaxRows, kMaxOctets);
  const auto results = co_await claim.run(std::move(batch));
  auto rows = results.rows<TakenRow>(0);
  auto fresh = results.rows<TakenRow>(1);
  std::move(fresh.begin(), fresh.end(), std::back_inserter(rows));
  co_return rows;
}

// An unreadable body counts as one element.
std::pair<Worker::Load, Worker::Load> Worker::read(std::vector<TakenRow> rows) const {
  Load known, unknown;
  for (auto& row : rows) {
    std::string fault;
    auto payload = read_payload(row.body, row.received_at, fault);
    if (!payload) {
      payload.emplace();
      auto& element = payload->elements.emplace_back();
      element.kind = "body";
      element.fault = std::move(fault);
    }
    const bool is_known = std::all_of(payload->elements.begin(), payload->elements.end(),
                                      [this](const Element& element) { return ownership_.is_known(element); });
    auto& load = is_known ? known : unknown;
    load.rows.push_back(std::move(row));
    load.payloads.push_back(std::move(*payload));
  }
  for (auto* load : {&known, &unknown})
    for (std::size_t i = 0; i < load->payloads.size(); ++i)
      for (const auto& element : load->payloads[i].elements) {
        auto& item = load->items.emplace_back();
        item.element = &element;
        item.source = i;
        item.error = element.fault;
      }
  return {std::move(known), std::move(unknown)};
}

// Finds owners and senders. Elements without an answer wait.
awaitable<void> Worker::prepare(Items items) {
  co_await ownership_.find(items);
  std::vector<Item*> sent;
  for (auto& item : items) {
    if (item.error.empty() && item.element->kind == kGroup) item.error = "the message is of a group";
    if (item.error.empty() && is_about_sender(*item.element)) sent.push_back(&item);
  }
  if (!sent.empty()) co_await asking_.ask(sent);
}

// Puts rows on hold while other services are asked; 0 seconds releases them.
void Worker::hold(pg::Batch& batch, const Load& load, std::int64_t seconds) {
  std::vector<std::int64_t> inbox, parked;
  for (const auto& row : load.rows) (row.attempts == 0 ? inbox : parked).push_back(row.id);
  batch.add(sql::hold, inbox, parked, seconds);
}

awaitable<void> Worker::let_go(const Load& load) {
  pg::Batch batch;
  hold(batch, load, 0);
  co_await database_.write(std::move(batch));
}

// Drops rows that other dispatchers took because the hold expired.
awaitable<void> Worker::take_again(pg::Transaction& claim, Load& load) {
  std::vector<std::int64_t> inbox, parked;
  for (const auto& row : load.rows) (row.attempts == 0 ? inbox : parked).push_back(row.id);
  pg::Batch batch(sql::take_again, inbox);
  batch.add(sql::take_parked_again, parked);
  const auto results = co_await claim.run(std::move(batch));
  const auto read = [&](std::size_t statement) {
    const auto ids = results.rows<std::int64_t>(statement);
    return std::set<std::int64_t>(ids.begin(), ids.end());
  };
  const auto ours = read(0), ours_parked = read(1);
  for (auto& row : load.rows) row.is_ours = (row.attempts == 0 ? ours : ours_parked).contains(row.id);
  std::erase_if(load.items, [&](const Item& item) { return !load.rows[item.source].is_ours; });
}

// Applies the prepared items, and commits with the removal or parking of their rows.
awaitable<void> Worker::finish(pg::Transaction& claim, Load& load, bool apart) {
  if (apart)
    co_await apply_apart(claim, load.items);
  else
    co_await apply_prepared(claim, load.items);
  settle(load);
  co_await claim.commit(std::move(load.end));
  count(load);
}

awaitable<void> Worker::apply_prepared(pg::Transaction& transaction, Items items) {
  std::map<model::Uuid, std::vector<Item*>> by_organization;
  std::vector<notices::Addressed> news;
  std::multimap<std::string, templates::Report> reports;  // by account: lists are locked in one order
  pg::Batch batch;
  for (auto& item : items) {
    if (!item.error.empty()) continue;
    if (const auto* report = std::get_if<templates::Report>(&item.element->what)) {
      reports.emplace(report->business_account_id, *report);
    } else if (const auto* told = std::get_if<notices::News>(&item.element->what)) {
      for (const auto& organization : item.organizations) news.push_back({organization, told});
    } else {
      by_organization[item.organization].push_back(&item);
    }
  }
  if (!news.empty() || !reports.empty()) {
    events::Changes changes;
    std::vector<templates::Report> in_order;
    for (auto& [account, report] : reports) in_order.push_back(std::move(report));
    if (!in_order.empty()) co_await templates::follow(transaction, in_order, changes);
    if (!news.empty()) co_await notices::add(transaction, news, changes);
    if (!changes.empty()) batch.add(events::outbox::append, changes.json());
  }
  for (const auto& [organization, theirs] : by_organization) {
    events::Changes changes;
    co_await apply(transaction, organization, theirs, changes);
    if (!changes.empty()) batch.add(events::outbox::append, changes.json());
  }
  if (!batch.empty()) co_await transaction.run(std::move(batch));
}

// Applies items in transactions of their own, in halves until the failing ones are found; `claim` still holds the rows.
awaitable<void> Worker::apply_apart(pg::Transaction& claim, Items items) {
  if (items.empty()) co_return;
  co_await claim.run(pg::Batch(sql::keep));
  const std::vector<Item> prepared(items.begin(), items.end());
  std::exception_ptr thrown;
  try {
    auto transaction = co_await database_.begin();
    co_await apply_prepared(transaction, items);
    co_await transaction.commit();
  } catch (...) {
    thrown = std::current_exception();
  }
  if (!thrown) co_return;
  std::copy(prepared.begin(), prepared.end(), items.begin());
  if (items.size() > 1) {
    const auto half = items.size() / 2;
    co_await apply_apart(claim, items.first(half));
    co_await apply_apart(claim, items.subspan(half));
    co_return;
  }
  if (is_out_of_reach(thrown)) std::rethrow_exception(thrown);
  items.front().error = async::words_of(thrown);
}

// Removes rows whose elements are all applied; the other elements stay, or become rows of their own.
void Worker::settle(Load& load) {
  std::vector<std::int64_t> inbox, parked;
  for (std::size_t i = 0; i < load.rows.size(); ++i) {
    const auto& row = load.rows[i];
    if (!row.is_ours) continue;
    if (row.attempts == 0) inbox.push_back(row.id);
    const auto& payload = load.payloads[i];
    const bool is_unknown = payload.elements.empty() && payload.passed_over.contains("other");
    if (row.attempts > 0 && is_unknown)
      // Of a newer release, which is being installed or was: it takes it from here.
      load.end.add(sql::park_again, row.id, row.organization_id, std::string("this release knows nothing in it"),
                   std::optional<std::int64_t>(kUnknownSeconds), Awaited::message, row.attempts + 1);
    else if (row.attempts > 0 && !load.is_alone(i))
      parked.push_back(row.id);
  }
  for (const auto& item : load.items) {
    if (!item.error.empty())
      park(load, item);
    else if (load.is_alone(item.source))
      parked.push_back(load.rows[item.source].id);
  }
  if (!inbox.empty()) load.end.add(sql::finish, inbox);
  if (!parked.empty()) load.end.add(sql::finish_parked, parked);
}

void Worker::park(Load& load, const Item& item) {
  const auto& row = load.rows[item.source];
  const auto& element = *item.element;
  const bool waits = item.verdict == Verdict::waits;
  const auto awaited = waits ? item.awaited : Awaited::message;
  const auto tried = row.awaits == awaited ? row.attempts : 0;
  const auto retry = retry_seconds(item, tried);
  const auto organization = item.organization.is_nil() ? row.organization_id : std::optional(item.organization);
  const bool is_over = waits && !retry && awaited == Awaited::message;
  const auto foreign = is_over ? foreign_kind(item) : std::nullopt;
  if (foreign) load.note(*foreign);
  const bool is_alone = load.is_alone(item.source);
  if (foreign && is_alone)
    load.end.add(sql::finish_parked, std::vector{row.id});
  else if (is_alone)
    load.end.add(sql::park_again, row.id, organization, item.error, retry, awaited,
                 std::max<std::int64_t>(item.pause ? tried : tried + 1, 1));
  else if (!foreign)
    load.end.add(sql::park, organization, element.phone_number_id, element.field, element.kind,
                 element.place.change ? enclose(element.place) : row.body, item.error, row.received_at, retry, awaited);
}

void Worker::count(Load& load) {
  const auto now = model::Timestamp::now();
  for (const auto& row : load.rows)
    if (row.is_ours && row.attempts == 0) {
      const auto age = now.milliseconds_since_epoch - row.received_at.milliseconds_since_epoch;
      lag_.Observe(static_cast<double>(std::max<std::int64_t>(age, 0)) / 1e3);
    }
  for (const auto& item : load.items) {
    counters_.at(item.element->what.index()).at(result_of(item))->Increment();
    if (item.verdict == Verdict::foreign && item.error.empty()) load.note(Foreign::status);
  }
  for (std::size_t kind = 0; kind < foreign_.size(); ++kind) foreign_[kind]->Increment(double(load.foreign[kind]));
  for (std::size_t i = 0; i < load.rows.size(); ++i)
    if (load.rows[i].is_ours)
      for (const auto& [kind, times] : load.payloads[i].passed_over)
        elements_.Add({{"kind", kind}, {"result", "passed_over"}}).Increment(times);
}

awaitable<void> Worker::keep_house() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_housekeeping_) co_return;
  next_housekeeping_ = now + kHousekeepingPause;
  const auto results = co_await database_.read(pg::Batch(sql::backlog, floor_.value(), floor_.world(), parked_after_));
  backlog_ = results.one<BacklogRow>();
  if (backlog_.parked + backlog_.retried + backlog_.of_groups > 0)
    co_await database_.write(pg::Batch(sql::prune_parked, kParkedDays, kMaxPruned));
  if (backlog_.of_groups > kMaxOfGroups)
    co_await database_.write(pg::Batch(sql::prune_groups, kMaxOfGroups, kMaxPruned));
}

}  // namespace parley::conversations::webhooks

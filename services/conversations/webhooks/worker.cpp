#include "conversations/webhooks/worker.hpp"

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>

#include "common/events/outbox/sql.hpp"
#include "conversations/templates/store.hpp"
#include "conversations/webhooks/sql.hpp"

namespace parley::conversations::webhooks {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// Of a batch; a longer body is one by itself.
constexpr std::int64_t kMostRows = 256, kMostOctets = 1 << 20;
constexpr std::int64_t kMostParked = 64;
constexpr std::int64_t kMostRowsApart = 16;
constexpr int kFailuresUntilApart = 3;
constexpr auto kIdlePause = 40ms;
constexpr auto kFirstFailurePause = 100ms, kLongestFailurePause = 5'000ms;
constexpr auto kHousekeepingPause = 10s;
constexpr int kParkedDays = 30;
constexpr std::int64_t kMostPruned = 1'000;

// Until what came too early is tried again: after that it stays where it is until somebody has it replayed.
constexpr std::array<std::int64_t, 5> kRetrySeconds{15, 60, 5 * 60, 30 * 60, 6 * 60 * 60};

std::optional<std::int64_t> retry_after(std::int64_t attempts) {
  const auto index = static_cast<std::size_t>(attempts);
  return index < kRetrySeconds.size() ? std::optional(kRetrySeconds[index]) : std::nullopt;
}

std::string what_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "unknown";
  }
}

bool is_about_sender(const Element& element) {
  return std::holds_alternative<InboundMessage>(element.what) || std::holds_alternative<Preference>(element.what);
}

bool is_of_template(const Element& element) { return std::holds_alternative<TemplateReport>(element.what); }

// For metrics, as below.
constexpr std::array kKinds{"unreadable", "message", "alteration", "status", "preference", "template"};
constexpr std::array kResults{"malformed", "waiting", "failed", "duplicate", "accepted"};

std::size_t result_of(const Item& item) {
  if (!item.element->fault.empty()) return 0;
  if (item.verdict == Verdict::waits) return 1;
  if (!item.error.empty()) return 2;
  return item.verdict == Verdict::repeated ? 3 : 4;
}

}  // namespace

Worker::Worker(chassis::Process& process, pg::Pool& database, chassis::EventFeed& feed, channel::Accounts& accounts,
               chassis::Peer& contacts)
    : process_(process),
      database_(database),
      feed_(feed),
      accounts_(accounts),
      contacts_(contacts),
      timer_(process.context()),
      elements_(process.metrics().counters("webhook_events_total",
                                           "What webhooks brought, by its kind and what became of it")),
      lag_(process.metrics()
               .histograms("webhook_lag_seconds", "From a webhook's commit to the one that applied what it brought")
               .Add({}, chassis::kSeconds)) {
  show();
}

void Worker::show() {
  auto& metrics = process_.metrics();
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
    for (std::size_t result = 0; result < kResults.size(); ++result)
      counters_[kind][result] = &elements_.Add({{"kind", kKinds[kind]}, {"result", kResults[result]}});
  metrics.gauge_from("webhook_inbox_bodies", "Webhooks that are not applied yet, 10,000 standing for more", {},
                     [this] { return double(backlog_.waiting); });
  metrics.gauge_from("webhook_inbox_age_seconds", "The age of the oldest of them", {},
                     [this] { return backlog_.oldest_seconds; });
  auto& parked =
      metrics.gauges("webhook_parked_elements",
                     "Elements of webhooks that were set aside: to be tried again, or until they are replayed");
  auto& retried = parked.Add({{"state", "retried"}});
  auto& kept = parked.Add({{"state", "parked"}});
  metrics.before_scrape([this, &retried, &kept] {
    retried.Set(double(backlog_.retried));
    kept.Set(double(backlog_.parked));
  });
  metrics.counter_from("webhook_failures_total", "Batches of webhooks that could not be applied as a whole", {},
                       [this] { return double(failed_); });
}

void Worker::start() { process_.spawn("webhooks", run()); }

awaitable<void> Worker::stop() {
  stopped_ = true;
  timer_.cancel();
  asio::steady_timer timer(process_.context());
  while (running_ > 0) {
    timer.expires_after(5ms);
    co_await timer.async_wait(asio::as_tuple(asio::deferred));
  }
}

awaitable<void> Worker::pause(std::chrono::milliseconds time) {
  if (stopped_) co_return;
  timer_.expires_after(time);
  co_await timer_.async_wait(asio::as_tuple(asio::deferred));
}

awaitable<void> Worker::run() {
  int failures = 0;  // in a row
  for (++running_; !stopped_;) {
    std::string failure;
    bool busy = false;
    try {
      co_await keep_house();
      busy = co_await look();  // a read costs less than a transaction that finds nothing
      if (busy) co_await work();
    } catch (const std::exception& error) {
      failure = error.what();
    }
    if (!failure.empty()) {
      process_.log().warn("webhooks").with("error", failure);
      co_await pause(std::min<std::chrono::milliseconds>(kFirstFailurePause * (1 << std::min(failures++, 8)),
                                                         kLongestFailurePause));
      continue;
    }
    failures = 0;
    if (!busy) co_await pause(kIdlePause);
  }
  --running_;
}

awaitable<bool> Worker::look() {
  const auto results = co_await database_.read(pg::Batch(sql::look));
  co_return results.one<bool>();
}

awaitable<bool> Worker::work() {
  const bool apart = apart_ > 0;
  std::size_t rows = 0;
  std::exception_ptr thrown;
  try {
    auto claim = co_await database_.begin();
    auto load = co_await take(claim);
    rows = load.rows.size();
    if (rows == 0) co_return false;
    read(load);
    if (apart) {
      co_await apply_apart(claim, load.items);
    } else {
      co_await prepare(load.items);
      co_await apply_prepared(claim, load.items);
    }
    settle(load);
    co_await claim.commit(std::move(load.end));
    feed_.kick();
    count(load);
  } catch (...) {
    thrown = std::current_exception();
  }
  if (!thrown) {
    failures_ = 0;
    apart_ -= std::min(apart_, rows);
    co_return true;
  }
  ++failed_;
  ++failures_;
  if (apart) std::rethrow_exception(thrown);
  bool hopeless = false;  // to be tried again as it is
  try {
    std::rethrow_exception(thrown);
  } catch (const pg::SqlError& error) {
    hopeless = !error.is_temporary();
  } catch (const pg::Unavailable&) {
  } catch (const http::Unreachable&) {
  } catch (const std::exception&) {
    hopeless = true;
  }
  if (hopeless || failures_ >= kFailuresUntilApart) apart_ = std::max<std::size_t>(rows, 1);
  std::rethrow_exception(thrown);
}

awaitable<Worker::Load> Worker::take(pg::Transaction& claim) {
  pg::Batch batch(sql::take_parked, kMostParked);
  batch.add(sql::take, apart_ > 0 ? kMostRowsApart : kMostRows, kMostOctets);
  const auto results = co_await claim.run(std::move(batch));
  Load load;
  load.rows = results.rows<TakenRow>(0);
  auto fresh = results.rows<TakenRow>(1);
  std::move(fresh.begin(), fresh.end(), std::back_inserter(load.rows));
  co_return load;
}

// What cannot be read at all is one element, without anything in it.
void Worker::read(Load& load) {
  load.items_of_row.assign(load.rows.size(), 0);
  for (std::size_t i = 0; i < load.rows.size(); ++i) {
    std::string fault;
    auto payload = read_payload(load.rows[i].body, load.rows[i].received_at, fault);
    if (!payload) {
      payload.emplace();
      auto& element = payload->elements.emplace_back();
      element.kind = "body";
      element.fault = std::move(fault);
    }
    load.payloads.push_back(std::move(*payload));
    load.items_of_row[i] = load.payloads.back().elements.size();
    for (const auto& [kind, times] : load.payloads.back().passed_over) load.passed_over[kind] += times;
  }
  for (std::size_t i = 0; i < load.payloads.size(); ++i)
    for (const auto& element : load.payloads[i].elements) {
      auto& item = load.items.emplace_back();
      item.element = &element;
      item.source = i;
      item.error = element.fault;
    }
}

// Finds out whose the elements are and who sent them.
awaitable<void> Worker::prepare(Items items) {
  std::map<std::string, std::shared_ptr<const channel::Account>> accounts{{"", nullptr}};
  std::map<model::Uuid, std::vector<Item*>> strangers;
  for (auto& item : items) {
    if (!item.element->fault.empty() || is_of_template(*item.element)) continue;
    const auto& number = item.element->phone_number_id;
    if (!accounts.contains(number)) accounts[number] = co_await accounts_.of_phone_number(number);
    const auto& account = accounts[number];
    item.verdict = account ? Verdict::applied : Verdict::waits;
    item.error = account ? "" : "no organization has connected this phone number";
    item.organization = account ? account->organizationId : model::Uuid{};
    if (account && is_about_sender(*item.element)) strangers[item.organization].push_back(&item);
  }
  for (auto& [organization, theirs] : strangers) {
    std::vector<const Sender*> senders;
    for (const auto* item : theirs) senders.push_back(&item->element->sender);
    const auto found = co_await resolve(contacts_, organization, senders);
    for (std::size_t i = 0; i < theirs.size(); ++i) theirs[i]->contact = found[i];
  }
}

awaitable<void> Worker::apply_prepared(pg::Transaction& transaction, Items items) {
  std::map<model::Uuid, std::vector<Item*>> by_organization;
  pg::Batch batch;
  for (auto& item : items) {
    if (!item.element->fault.empty() || item.verdict == Verdict::waits) continue;
    if (const auto* report = std::get_if<TemplateReport>(&item.element->what)) {
      if (report->status.empty())
        templates::expire(batch, report->business_account_id);
      else
        templates::follow(batch, {report->business_account_id, report->template_id, report->status, report->reason});
    } else {
      by_organization[item.organization].push_back(&item);
    }
  }
  for (const auto& [organization, theirs] : by_organization) {
    events::Changes changes;
    co_await apply(transaction, organization, theirs, changes);
    if (!changes.empty()) batch.add(events::outbox::append, changes.json());
  }
  if (!batch.empty()) co_await transaction.run(std::move(batch));
}

// In transactions of their own, in halves until those that fail are found. `claim` keeps the rows from others
// meanwhile.
awaitable<void> Worker::apply_apart(pg::Transaction& claim, Items items) {
  if (items.empty()) co_return;
  co_await claim.run(pg::Batch(sql::keep));
  std::exception_ptr thrown;
  try {
    co_await prepare(items);
    auto transaction = co_await database_.begin();
    co_await apply_prepared(transaction, items);
    co_await transaction.commit();
  } catch (...) {
    thrown = std::current_exception();
  }
  if (!thrown) co_return;
  if (items.size() > 1) {
    const auto half = items.size() / 2;
    co_await apply_apart(claim, items.first(half));
    co_await apply_apart(claim, items.subspan(half));
    co_return;
  }
  auto& item = items.front();
  const bool is_its_fault = co_await is_at_fault(thrown, item);
  if (!is_its_fault) std::rethrow_exception(thrown);
  item.verdict = Verdict::applied;
  item.error = what_of(thrown);
}

// Whether others could be applied though this one could not. One that PostgreSQL only had no time for is tried again
// later.
awaitable<bool> Worker::is_at_fault(std::exception_ptr thrown, const Item& item) {
  bool unreachable = false;
  try {
    std::rethrow_exception(thrown);
  } catch (const pg::Unavailable&) {
    co_return false;
  } catch (const http::Unreachable&) {
    unreachable = true;
  } catch (const std::exception&) {
  }
  if (!unreachable) co_return true;
  if (item.organization.is_nil()) co_return false;
  // It may be only this question that contacts cannot answer.
  co_await resolve(contacts_, item.organization, {});
  co_return true;
}

// What becomes of the rows: those whose elements are all applied go, elements that are not stay or become rows of their
// own.
void Worker::settle(Load& load) {
  std::vector<std::int64_t> inbox, parked;
  for (std::size_t i = 0; i < load.rows.size(); ++i) {
    const auto& row = load.rows[i];
    if (row.attempts == 0) inbox.push_back(row.id);
    if (row.attempts > 0 && load.items_of_row[i] != 1) parked.push_back(row.id);
  }
  for (const auto& item : load.items) {
    const auto& row = load.rows[item.source];
    const bool stays = row.attempts > 0 && load.items_of_row[item.source] == 1;
    if (!item.error.empty())
      park(load, row, item);
    else if (stays)
      parked.push_back(row.id);
  }
  if (!inbox.empty()) load.end.add(sql::finish, inbox);
  if (!parked.empty()) load.end.add(sql::finish_parked, parked);
}

void Worker::park(Load& load, const TakenRow& row, const Item& item) {
  const auto& element = *item.element;
  const bool waits = item.verdict == Verdict::waits;
  const auto retry = waits ? retry_after(row.attempts) : std::nullopt;
  const bool is_alone = row.attempts > 0 && load.items_of_row[item.source] == 1;
  const auto organization = item.organization.is_nil() ? row.organization_id : std::optional(item.organization);
  // The message itself is here: that what it refers to will never be is no reason to keep it.
  const bool is_there = waits && !retry && item.contact && std::holds_alternative<InboundMessage>(element.what);
  if (is_there && is_alone)
    load.end.add(sql::finish_parked, std::vector{row.id});
  else if (is_alone)
    load.end.add(sql::park_again, row.id, organization, item.error, retry);
  else if (!is_there)
    load.end.add(sql::park, organization, element.phone_number_id, element.field, element.kind,
                 element.place.change ? enclose(element.place) : row.body, item.error, row.received_at, retry);
}

void Worker::count(const Load& load) {
  const auto now = model::Timestamp::now();
  for (const auto& row : load.rows)
    if (row.attempts == 0) {
      const auto age = now.milliseconds_since_epoch - row.received_at.milliseconds_since_epoch;
      lag_.Observe(static_cast<double>(std::max<std::int64_t>(age, 0)) / 1e3);
    }
  for (const auto& item : load.items) counters_.at(item.element->what.index()).at(result_of(item))->Increment();
  for (const auto& [kind, times] : load.passed_over)
    elements_.Add({{"kind", kind}, {"result", "passed_over"}}).Increment(times);
}

awaitable<void> Worker::keep_house() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_housekeeping_) co_return;
  next_housekeeping_ = now + kHousekeepingPause;
  const auto results = co_await database_.read(pg::Batch(sql::backlog));
  backlog_ = results.one<BacklogRow>();
  if (backlog_.parked > 0) co_await database_.write(pg::Batch(sql::prune_parked, kParkedDays, kMostPruned));
}

}  // namespace parley::conversations::webhooks

#include "conversations/events/subscriptions/deliverer.hpp"

#include "conversations/events/subscriptions/signature.hpp"
#include "conversations/events/subscriptions/sql.hpp"

namespace parley::conversations::subscriptions {

namespace {
constexpr int kMaxFailurePauses = 10;  // times the shortest one
}

DeliverySettings DeliverySettings::read(chassis::Environment& environment) {
  DeliverySettings out;
  out.allow_private = environment.flag("PARLEY_WEBHOOKS_ALLOW_PRIVATE", false);
  return out;
}

Deliverer::Deliverer(chassis::Process& process, pg::Pool& database, const secrets::KeyRing& keys,
                     DeliverySettings settings)
    : process_(process),
      database_(database),
      keys_(keys),
      settings_(std::move(settings)),
      poster_(process.context(), process.wheel(), settings_.allow_private),
      places_(settings_.most, 1, settings_.reserved),
      loop_(
          process.context(), {settings_.failure_pause, kMaxFailurePauses * settings_.failure_pause},
          [this] { return step(); }, [this](const auto& what) { failed(what); }) {
  show();
}

void Deliverer::show() {
  auto& metrics = process_.metrics();
  metrics.gauge_from("webhook_deliveries_in_flight", "Calls of webhooks under way", {},
                     [this] { return double(places_.taken()); });
  const auto count = [&](const char* result, const std::uint64_t& value) {
    metrics.counter_from("webhook_deliveries_total", "Calls of webhooks, by what became of them", {{"result", result}},
                         [&value] { return double(value); });
  };
  count("delivered", stats_.delivered);
  count("failed", stats_.failed);
  metrics.counter_from("webhook_deliveries_given_up_total", "Deliveries that are not tried again", {},
                       [this] { return double(stats_.given_up); });
  metrics.counter_from("webhook_delivery_failures_total", "Attempts to work that failed and are made again", {},
                       [this] { return double(stats_.failures); });
}

void Deliverer::failed(std::string_view what) {
  ++stats_.failures;
  process_.log().warn("webhooks").with("error", what);
}

awaitable<std::chrono::milliseconds> Deliverer::step() {
  const bool found = co_await take();
  if (std::chrono::steady_clock::now() >= next_sweep_) co_await sweep();
  co_return found ? std::chrono::milliseconds(0) : settings_.idle_pause;
}

awaitable<void> Deliverer::stop() {
  co_await loop_.stop();
  co_await deliveries_.join();
}

awaitable<bool> Deliverer::take() {
  if (places_.free() == 0) co_return false;
  std::vector<model::Uuid> busy, holders;
  std::vector<std::size_t> held;
  for (const auto& [webhook, attempts] : busy_) busy.push_back(webhook);
  places_.for_each([&](const model::Uuid& organization, std::size_t places) {
    holders.push_back(organization);
    held.push_back(places);
  });
  const auto lease = static_cast<std::int64_t>(settings_.lease.count());
  pg::Batch batch(sql::claim, busy, holders, held, lease, settings_.max_of_one, settings_.reserved, places_.free(),
                  floor_.value(), floor_.world());
  batch.add(sql::first, floor_.value(), floor_.world());
  floor_.ask(batch);
  const auto results = co_await database_.write(std::move(batch));
  floor_.learn(results.one<events::QueueState>(2), results.one<std::optional<std::int64_t>>(1));
  auto due = results.rows<DueRow>();
  for (auto& row : due) process_.spawn("webhook", deliveries_.run(deliver(std::move(row))));
  co_return !due.empty();
}

awaitable<void> Deliverer::deliver(DueRow due) {
  struct Busy {
    Busy(Deliverer& deliverer_, const DueRow& due)
        : deliverer(deliverer_), organization(due.organization_id), webhook(due.webhook_id) {
      deliverer.places_.take(organization);
      ++deliverer.busy_[webhook];
    }
    ~Busy() {
      deliverer.places_.give_back(organization);
      const auto place = deliverer.busy_.find(webhook);
      if (--place->second == 0) deliverer.busy_.erase(place);
      deliverer.loop_.notify();  // there is room
    }
    Deliverer& deliverer;
    model::Uuid organization, webhook;
  } const busy(*this, due);
  const auto thrown = co_await async::attempt(attempt(std::move(due)));
  if (thrown) failed(async::words_of(thrown));  // retried when the lease expires
}

awaitable<void> Deliverer::attempt(DueRow due) {
  if (!due.active && due.type != kTestType) co_return co_await refuse(due, "the webhook is not active");
  if (!due.body) co_return co_await refuse(due, "the contact that it told of was deleted");
  const auto now = model::Timestamp::now().milliseconds_since_epoch / 1'000;
  auto head = signed_fields(secrets_of(due), due.notice_id.text(), now, *due.body);
  const auto posted = co_await poster_.post(due.organization_id, due.url, std::move(head), *due.body);
  ++(posted.is_success() ? stats_.delivered : stats_.failed);
  co_await record(due, posted);
}

std::vector<std::string> Deliverer::secrets_of(const DueRow& due) const {
  const auto field = field_of(due.webhook_id);
  std::vector<std::string> out{keys_.open(due.organization_id, field, due.secret)};
  if (due.old_secret) out.push_back(keys_.open(due.organization_id, field, *due.old_secret));
  return out;
}

awaitable<void> Deliverer::record(const DueRow& due, const Posted& posted) {
  const bool is_last = static_cast<std::size_t>(due.tries) >= settings_.pauses.size();
  auto state = is_last ? DeliveryState::Failed : DeliveryState::Pending;
  if (posted.is_success()) state = DeliveryState::Delivered;
  if (state == DeliveryState::Failed) ++stats_.given_up;
  std::optional<std::int64_t> pause;
  if (state == DeliveryState::Pending) pause = settings_.pauses[static_cast<std::size_t>(due.tries)].count();
  pg::Batch batch(sql::record, due.organization_id, due.webhook_id, due.id, due.tries, state, pause, true,
                  static_cast<std::int64_t>(posted.duration.count()), posted.status, posted.body, posted.error);
  if (posted.is_success())
    batch.add(sql::succeeded, due.organization_id, due.webhook_id);
  else
    batch.add(sql::failed, due.organization_id, due.webhook_id, static_cast<std::int64_t>(settings_.timeout.count()));
  batch.add(sql::tell_health, due.organization_id, due.webhook_id);
  co_await database_.write(std::move(batch));
}

awaitable<void> Deliverer::refuse(const DueRow& due, std::string why) {
  ++stats_.given_up;
  co_await database_.write(pg::Batch(sql::record, due.organization_id, due.webhook_id, due.id, due.tries,
                                     DeliveryState::Failed, std::nullopt, false, std::nullopt, std::nullopt,
                                     std::nullopt, why));
}

awaitable<void> Deliverer::sweep() {
  pg::Batch batch(sql::sweep_deliveries, settings_.kept.count(), settings_.max_swept);
  batch.add(sql::sweep_notices, settings_.kept.count(), settings_.max_swept);
  const auto results = co_await database_.write(std::move(batch));
  const auto most = static_cast<std::uint64_t>(settings_.max_swept);
  const bool more = results.affected(0) >= most || results.affected(1) >= most;
  next_sweep_ = std::chrono::steady_clock::now();
  if (!more) next_sweep_ += settings_.sweep_pause;
}

}  // namespace parley::conversations::subscriptions

#pragma once
#include <chrono>
#include <unordered_map>
#include <vector>

#include "common/async/loop.hpp"
#include "common/async/shares.hpp"
#include "common/async/task_group.hpp"
#include "common/chassis/process.hpp"
#include "common/events/queue_floor.hpp"
#include "common/pg/pool.hpp"
#include "common/secrets/key_ring.hpp"
#include "conversations/events/subscriptions/poster.hpp"
#include "conversations/events/subscriptions/rows.hpp"
#include "conversations/events/subscriptions/shapes.hpp"

namespace parley::conversations::subscriptions {

struct DeliverySettings {
  bool allow_private = false;  // http, and private addresses: for development
  // After each failed attempt; after the last one, the delivery has Failed (https://docs.svix.com/retries).
  std::vector<std::chrono::seconds> pauses{std::chrono::seconds(5), std::chrono::minutes(5), std::chrono::minutes(30),
                                           std::chrono::hours(2),   std::chrono::hours(5),   std::chrono::hours(10),
                                           std::chrono::hours(10)};
  std::chrono::seconds timeout = std::chrono::days(5);  // of constant failure, after which a webhook is disabled
  std::chrono::days kept{30};                           // in the log
  std::chrono::seconds lease{60};                       // longer than any attempt
  std::size_t most = 64;                                // at once
  std::size_t reserved = 16;                            // kept for organizations without an attempt in flight
  int max_of_one = 4;                                   // for one webhook
  std::chrono::milliseconds idle_pause{250};
  std::chrono::milliseconds failure_pause{1'000};
  std::chrono::seconds sweep_pause{60};
  std::int64_t max_swept = 2'000;

  // PARLEY_WEBHOOKS_ALLOW_PRIVATE
  static DeliverySettings read(chassis::Environment& environment);
};

struct DeliveryStats {
  std::uint64_t delivered = 0, failed = 0, given_up = 0;  // attempts, and deliveries that are not retried
  std::uint64_t failures = 0;                             // of this process's own work
};

// Posts due deliveries, few at once for a webhook and a share for an organization, so that slow endpoints delay no
// others. May run in several processes: attempts of one that crashed are taken over after their lease.
class Deliverer {
 public:
  Deliverer(chassis::Process& process, pg::Pool& database, const secrets::KeyRing& keys, DeliverySettings settings);

  // Runs until stop(). Throws nothing.
  awaitable<void> run() { return loop_.run(); }
  // Claims nothing more, and waits for the attempts in flight.
  awaitable<void> stop();
  const DeliveryStats& stats() const { return stats_; }
  const events::QueueFloor& floor() const { return floor_; }

 private:
  awaitable<std::chrono::milliseconds> step();
  awaitable<bool> take();
  awaitable<void> deliver(DueRow due);
  awaitable<void> attempt(DueRow due);
  awaitable<void> record(const DueRow& due, const Posted& posted);
  awaitable<void> refuse(const DueRow& due, std::string why);
  std::vector<std::string> secrets_of(const DueRow& due) const;
  awaitable<void> sweep();
  void failed(std::string_view what);
  void show();

  chassis::Process& process_;
  pg::Pool& database_;
  const secrets::KeyRing& keys_;
  DeliverySettings settings_;
  Poster poster_;
  events::QueueFloor floor_{"webhook_delivery", std::chrono::minutes(10), events::QueueFloor::By::time};
  std::unordered_map<model::Uuid, int> busy_;  // attempts in flight, by webhook
  async::TaskGroup deliveries_;
  async::Shares<model::Uuid> places_;  // and by organization
  std::chrono::steady_clock::time_point next_sweep_{};
  DeliveryStats stats_;
  async::Loop loop_;
};

}  // namespace parley::conversations::subscriptions

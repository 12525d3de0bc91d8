#pragma once
#include <boost/describe/class.hpp>
#include <chrono>
#include <functional>

#include "common/async/loop.hpp"
#include "common/events/event.hpp"
#include "common/http/client.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::reconciliation {

using boost::asio::awaitable;

struct ReconcilerPosition {
  model::Uuid walk, organization_id, contact_id;
};
BOOST_DESCRIBE_STRUCT(ReconcilerPosition, (), (walk, organization_id, contact_id))

struct ReconcilerSettings {
  std::int64_t most = 100;                       // contacts per request: the limit of contacts
  std::chrono::milliseconds busy_pause{20};      // between two requests, to limit the load
  std::chrono::milliseconds idle_pause{1'000};   // between two checks for a walk
  std::chrono::milliseconds retry_pause{5'000};  // after a failure
};

struct WalkerStats {
  std::uint64_t compared = 0;  // contacts, by this process
  std::uint64_t walks = 0;     // completed by this process
  std::uint64_t failures = 0;
};

// Replaces events that cannot be read any more, since a database was restored from a backup or the feed has dropped
// them: walks over all contacts referenced here, and requests their existence and statuses from contacts.
//   - A contact unknown to contacts is missing: see deletions::mark_missing.
//   - The newer of a member's and the contact's own opt-out wins; the contact's own, recorded here, is then emitted
//     again. Blocking is decided by contacts alone.
// A walk is resumable and may run in several replicas: each step is applied once.
class Reconciler {
 public:
  // Sends a request to contacts. Throws as http::Client.
  using Ask = std::function<awaitable<http::ClientResponse>(http::ClientRequest)>;
  Reconciler(boost::asio::io_context& context, pg::Pool& database, Ask ask, events::Report report,
             ReconcilerSettings settings = {});

  // Runs until stop(). Throws nothing. May be killed at any moment.
  awaitable<void> run() { return loop_.run(); }
  void stop() { loop_.request_stop(); }
  const WalkerStats& stats() const { return stats_; }

 private:
  struct Part;
  struct Corrections;
  awaitable<std::chrono::milliseconds> step();
  awaitable<Part> look(ReconcilerPosition place);
  awaitable<void> ask(Part& part);
  awaitable<void> apply(ReconcilerPosition place, Part part);

  pg::Pool& database_;
  Ask ask_;
  events::Report report_;
  ReconcilerSettings settings_;
  WalkerStats stats_;
  async::Loop loop_;
};

}  // namespace parley::conversations::reconciliation

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

// How far a walk is.
struct ReconcilerPosition {
  model::Uuid walk, organization_id, contact_id;
};
BOOST_DESCRIBE_STRUCT(ReconcilerPosition, (), (walk, organization_id, contact_id))

struct ReconcilerSettings {
  std::int64_t most = 100;                       // contacts a question: contacts answers no more
  std::chrono::milliseconds busy_pause{20};      // between two questions, for the others' sake
  std::chrono::milliseconds idle_pause{1'000};   // between two looks whether a walk was begun
  std::chrono::milliseconds retry_pause{5'000};  // after a failure
};

struct WalkerStats {
  std::uint64_t compared = 0;  // contacts, by this process
  std::uint64_t walks = 0;     // brought to their end by it
  std::uint64_t failures = 0;
};

// Makes up for events that can be read no more, as contacts' or this service's database was restored from a backup or
// the feed has dropped them: walks over all contacts that anything here is for, and asks contacts which of them there
// are and what their statuses are.
//   - One that contacts does not know is gone: see deletions::mark_missing.
//   - Of what members and contacts said of opting out the newer word holds, and where that is this service's, contacts
//   is
//     told it again. Who is blocked contacts alone decides.
// A walk is resumable, and several replicas may be at it: what one applies no other does.
class Reconciler {
 public:
  // Sends a request to contacts. Throws what http::Client does.
  using Ask = std::function<awaitable<http::ClientResponse>(http::ClientRequest)>;
  Reconciler(boost::asio::io_context& context, pg::Pool& database, Ask ask, events::Report report,
             ReconcilerSettings settings = {});

  // Works until stop(). Throws nothing. May be killed at any moment.
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

#pragma once
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "common/async/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::webhooks {

using boost::asio::awaitable;

struct InboxStats {
  std::size_t octets = 0;      // in memory now
  std::uint64_t bodies = 0;    // committed
  std::uint64_t batches = 0;   // commits
  std::uint64_t rejected = 0;  // for lack of room
};

// Commits bodies in batches: a caller writes for all that wait. At most two write at once, so that one gathers a batch
// while the other waits for the disk.
class Inbox {
 public:
  explicit Inbox(pg::Pool& database);

  class Body {
   public:
    // `organization` is set for an organization's own URL.
    Body(Inbox& inbox, std::optional<model::Uuid> organization) : inbox_(inbox), organization_(organization) {}
    ~Body() { inbox_.stats_.octets -= octets_.size(); }
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;

    // Throws Problem 413 beyond 3 MiB, 503 without room.
    void add(std::string_view piece);

   private:
    friend class Inbox;
    Inbox& inbox_;
    std::optional<model::Uuid> organization_;
    std::string octets_;
  };

  // Throws Problem 503, before anything is received.
  void require_room();
  // Returns once the body is committed. After a Problem 503 or pg::Unavailable the body may be committed or not; the
  // channel sends it again, which is harmless.
  awaitable<void> store(Body& body);

  const InboxStats& stats() const { return stats_; }

 private:
  struct Waiter {
    const Body& body;
    async::Event called{};  // pulsed when done, or when it is this one's turn to write
    bool taken = false, done = false;
    std::exception_ptr error{};
  };
  class QueueEntry;
  [[noreturn]] void reject();
  awaitable<void> write();

  pg::Pool& database_;
  std::deque<Waiter*> queue_;
  int writers_ = 0;
  InboxStats stats_;
};

}  // namespace parley::conversations::webhooks

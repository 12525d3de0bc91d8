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
  std::size_t octets = 0;      // held in memory now
  std::uint64_t bodies = 0;    // committed
  std::uint64_t batches = 0;   // that they were committed in
  std::uint64_t rejected = 0;  // for want of room
};

// Commits bodies to the table `inbox`, many of them at once: whoever comes first writes for all who wait, and no more
// than two write, so that the second gathers its bodies and sends them while the first one's disk is busy.
class Inbox {
 public:
  explicit Inbox(pg::Pool& database);

  // A body that is being received, and the room that it takes.
  class Body {
   public:
    // Of the URL of an organization, or of the application's own.
    Body(Inbox& inbox, std::optional<model::Uuid> organization) : inbox_(inbox), organization_(organization) {}
    ~Body() { inbox_.stats_.octets -= octets_.size(); }
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;

    // Problem 413 when it gets longer than 3 MiB, 503 when there is no room.
    void add(std::string_view piece);

   private:
    friend class Inbox;
    Inbox& inbox_;
    std::optional<model::Uuid> organization_;
    std::string octets_;
  };

  // Problem 503 when there is no room for more; then nothing need be received.
  void require_room();
  // When it returns the body is committed. Throws the Problem 503 or pg::Unavailable, after which it may be committed
  // or not: whoever sent it will send it again, which does no harm.
  awaitable<void> store(Body& body);

  const InboxStats& stats() const { return stats_; }

 private:
  struct Waiter {
    const Body& body;
    async::Event called{};  // pulsed when it is done, or to write next
    bool taken = false, done = false;
    std::exception_ptr error{};
  };
  // Of who waits, in the queue until it goes.
  class QueueEntry;
  [[noreturn]] void reject();
  awaitable<void> write();

  pg::Pool& database_;
  std::deque<Waiter*> queue_;
  int writers_ = 0;
  InboxStats stats_;
};

}  // namespace parley::conversations::webhooks

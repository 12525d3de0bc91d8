#include "conversations/inbox/webhooks/inbox.hpp"

#include <algorithm>

#include "common/http/problem.hpp"
#include "conversations/inbox/webhooks/sql.hpp"

namespace parley::conversations::webhooks {

namespace {

constexpr std::size_t kMaxBodyLength = 3 << 20;
// For all bodies received or waiting. Beyond it only short bodies (nearly all) are accepted, so that slow senders of
// long unsigned bodies block nobody.
constexpr std::size_t kMaxOctets = 32 << 20;
constexpr std::size_t kShort = 64 << 10;
constexpr std::size_t kMaxWaiting = 1'024;
constexpr int kMaxWriters = 2;
// Limits of a commit.
constexpr std::size_t kMaxBodies = 64;
constexpr std::size_t kMaxOctetsOfBatch = 4 << 20;

}  // namespace

// Unlinks a waiter that is destroyed with its coroutine.
class Inbox::QueueEntry {
 public:
  QueueEntry(std::deque<Waiter*>& queue, Waiter& waiter) : queue_(queue), waiter_(waiter) {
    queue_.push_back(&waiter_);
  }
  ~QueueEntry() {
    if (!waiter_.taken) std::erase(queue_, &waiter_);
  }
  QueueEntry(const QueueEntry&) = delete;
  QueueEntry& operator=(const QueueEntry&) = delete;

 private:
  std::deque<Waiter*>& queue_;
  Waiter& waiter_;
};

Inbox::Inbox(pg::Pool& database) : database_(database) {}

void Inbox::reject() {
  ++stats_.rejected;
  throw http::Problem({.status = 503,
                       .detail = "more webhooks arrive than can be stored: send it again",
                       .head = "Retry-After: 5\r\n",
                       .close = true});
}

void Inbox::require_room() {
  if (queue_.size() >= kMaxWaiting) reject();
}

void Inbox::Body::add(std::string_view piece) {
  if (octets_.size() + piece.size() > kMaxBodyLength)
    throw http::Problem({.status = 413, .detail = "a webhook's body has at most 3 MiB", .close = true});
  if (octets_.size() + piece.size() > kShort && inbox_.stats_.octets + piece.size() > kMaxOctets) inbox_.reject();
  octets_.append(piece);
  inbox_.stats_.octets += piece.size();
}

awaitable<void> Inbox::store(Body& body) {
  require_room();
  Waiter waiter{body};
  const QueueEntry place(queue_, waiter);
  while (!waiter.done) {
    if (!waiter.taken && writers_ < kMaxWriters)
      co_await write();
    else
      co_await waiter.called.wait();
  }
  if (waiter.error) std::rethrow_exception(waiter.error);
}

// Writes the bodies at the front of the queue, which need not include the caller's own.
awaitable<void> Inbox::write() {
  struct Writing {
    explicit Writing(int& count_) : count(count_) { ++count; }
    ~Writing() { --count; }
    int& count;
  };
  std::vector<Waiter*> batch;
  std::vector<std::optional<model::Uuid>> organizations;
  std::vector<std::string_view> bodies;
  for (std::size_t octets = 0; !queue_.empty() && batch.size() < kMaxBodies; queue_.pop_front()) {
    auto& next = *queue_.front();
    octets += next.body.octets_.size();
    if (!batch.empty() && octets > kMaxOctetsOfBatch) break;
    next.taken = true;
    batch.push_back(&next);
    organizations.push_back(next.body.organization_);
    bodies.push_back(next.body.octets_);
  }
  std::exception_ptr error;
  try {
    const Writing writing(writers_);
    co_await database_.write(pg::Batch(sql::receive, organizations, bodies));
    stats_.bodies += batch.size();
    ++stats_.batches;
  } catch (const pg::SqlError& refused) {
    // The fault is never in the channel's body.
    error = std::make_exception_ptr(pg::Unavailable(refused.what()));
  } catch (...) {
    error = std::current_exception();
  }
  for (auto* waiter : batch) {
    waiter->error = error;
    waiter->done = true;
    waiter->called.pulse();
  }
  if (!queue_.empty()) queue_.front()->called.pulse();  // to write next
}

}  // namespace parley::conversations::webhooks

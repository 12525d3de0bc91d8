#include "common/pg/exchange.hpp"

namespace parley::pg {
namespace {

// Spent exchanges, whose buffers the next batches use. A thread's own, as all of the library is one thread's.
class Spares {
 public:
  ~Spares() {
    for (Exchange* exchange : exchanges_) delete exchange;
    gone_ = true;
  }
  Exchange* take() {
    if (exchanges_.empty()) return new Exchange;
    Exchange* exchange = exchanges_.back();
    exchanges_.pop_back();
    return exchange;
  }
  void give(Exchange* exchange) noexcept {
    if (gone_ || exchanges_.size() == most || exchange->bytes.capacity() > largest) {
      delete exchange;
      return;
    }
    exchange->clear();
    exchanges_.push_back(exchange);
  }

 private:
  static constexpr std::size_t most = 256;
  static constexpr std::size_t largest = 64 * 1024;
  std::vector<Exchange*> exchanges_ = [] {
    std::vector<Exchange*> empty;
    empty.reserve(most);
    return empty;
  }();
  bool gone_ = false;
};

thread_local Spares spares;

}  // namespace

void Exchange::rewind() {
  state = State::fresh;
  results.clear();
  failed = committed = stale_plan = untouched = false;
  fault = Fault();
  received = 0;
}

void Exchange::clear() {
  rewind();
  bytes.clear();
  parameters.clear();
  calls.clear();
  frame = Frame::bare;
  lane = Lane::read;
  publishes = false;
  unprepared = false;
  organization = {};
  trace = {};
  waiter.take();
  next = nullptr;
}

ExchangePtr ExchangePtr::make() { return ExchangePtr(spares.take()); }

void ExchangePtr::recycle(Exchange* exchange) noexcept { spares.give(exchange); }

void ExchangeQueue::push(ExchangePtr exchange) {
  Exchange* added = exchange.get();
  ++added->references;
  added->next = nullptr;
  (last_ ? last_->next : first_) = added;
  last_ = added;
  ++size_;
}

ExchangePtr ExchangeQueue::pop() {
  ExchangePtr out(first_);
  --first_->references;  // the queue's own
  first_ = first_->next;
  if (!first_) last_ = nullptr;
  out->next = nullptr;
  --size_;
  return out;
}

}  // namespace parley::pg

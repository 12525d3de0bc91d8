#include "common/pg/pipelined_batch.hpp"

namespace parley::pg {
namespace {

// Finished batches, kept for their buffers. Thread-local, as the library runs on one thread.
class Spares {
 public:
  ~Spares() {
    for (PipelinedBatch* exchange : exchanges_) delete exchange;
    gone_ = true;
  }
  PipelinedBatch* take() {
    if (exchanges_.empty()) return new PipelinedBatch;
    PipelinedBatch* exchange = exchanges_.back();
    exchanges_.pop_back();
    return exchange;
  }
  void give(PipelinedBatch* exchange) noexcept {
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
  std::vector<PipelinedBatch*> exchanges_ = [] {
    std::vector<PipelinedBatch*> empty;
    empty.reserve(most);
    return empty;
  }();
  bool gone_ = false;
};

thread_local Spares spares;

}  // namespace

void PipelinedBatch::rewind() {
  state = State::fresh;
  results.clear();
  failed = committed = stale_plan = untouched = false;
  fault = Fault();
  received = 0;
}

void PipelinedBatch::clear() {
  rewind();
  bytes.clear();
  parameters.clear();
  calls.clear();
  made.clear();
  frame = Frame::bare;
  lane = Lane::read;
  publishes = false;
  unprepared = false;
  organization = {};
  trace = {};
  waiter = {};
  next = nullptr;
}

PipelinedBatchPtr PipelinedBatchPtr::make() { return PipelinedBatchPtr(spares.take()); }

void PipelinedBatchPtr::recycle(PipelinedBatch* exchange) noexcept { spares.give(exchange); }

void PipelinedBatchQueue::push(PipelinedBatchPtr exchange) {
  PipelinedBatch* added = exchange.get();
  ++added->references;
  added->next = nullptr;
  (last_ ? last_->next : first_) = added;
  last_ = added;
  ++size_;
}

PipelinedBatchPtr PipelinedBatchQueue::pop() {
  PipelinedBatchPtr out(first_);
  --first_->references;  // the queue's reference
  first_ = first_->next;
  if (!first_) last_ = nullptr;
  out->next = nullptr;
  --size_;
  return out;
}

}  // namespace parley::pg

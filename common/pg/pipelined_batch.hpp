#pragma once
// What travels: statements and parameters on the way out, results on the way back. One object goes the whole way, held
// by whoever needs it, and its buffers serve the next batch. Internal to common/pg.

#include <libpq-fe.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/async/waiter.hpp"
#include "common/model/uuid.hpp"
#include "common/pg/statement.hpp"

namespace parley::pg {

struct ClearResult {
  void operator()(PGresult* result) const noexcept { ::PQclear(result); }
};
using Result = std::unique_ptr<PGresult, ClearResult>;

using Clock = std::chrono::steady_clock;

struct Parameter {
  std::size_t offset;  // in PipelinedBatch::bytes
  int length;          // -1 is NULL
};

struct Call {
  const Statement* statement;
  std::size_t first_parameter;
};

// What the server said of the statement that failed.
struct Fault {
  std::string statement, state, message, detail, constraint;
};

// Statements that go before and after the batch's own, in the same write.
enum class Frame : unsigned char {
  bare,         // none: one sync is one transaction
  snapshot,     // BEGIN REPEATABLE READ READ ONLY .. COMMIT, where the session has no such default
  slow,         // the same, with a statement_timeout
  begin,        // BEGIN ..
  commit,       // .. COMMIT
  transaction,  // BEGIN .. COMMIT
  rollback,     // ROLLBACK alone, by the connection itself
  prepare,      // one Parse, by the connection itself
};

struct PipelinedBatch {
  enum class State : unsigned char { fresh, sent, answered, lost };

  // The way out.
  std::string bytes;
  std::vector<Parameter> parameters;
  std::vector<Call> calls;
  Frame frame = Frame::bare;
  Lane lane = Lane::read;
  bool publishes = false;     // one of its transaction's statements so far does
  bool unprepared = false;    // sent with its text, whatever the connection has prepared
  model::Uuid organization;   // whose work it is; nil: nobody's in particular
  model::TraceContext trace;  // that it was made in

  // The way back.
  State state = State::fresh;
  std::vector<Result> results;  // one a call, unless failed
  bool failed = false;
  bool committed = false;   // the COMMIT's own result has come
  bool stale_plan = false;  // failed only because the schema has changed since it was prepared
  bool untouched = false;   // lost behind another one, before the server began with it
  Fault fault;              // when failed; its message alone when lost
  std::size_t received = 0;
  Clock::time_point sent_at{};
  Clock::time_point deadline{};
  async::Waiter<> waiter;

  // Book-keeping.
  PipelinedBatch* next = nullptr;
  unsigned references = 0;

  bool finished() const { return state == State::answered || state == State::lost; }
  // Forgets the way back, so that it may be sent again.
  void rewind();
  void clear();
};

// Counts its holders; one thread only. The last one gives the exchange back for another batch.
class PipelinedBatchPtr {
 public:
  PipelinedBatchPtr() = default;
  explicit PipelinedBatchPtr(PipelinedBatch* exchange) : exchange_(exchange) { ++exchange_->references; }
  PipelinedBatchPtr(const PipelinedBatchPtr& other) : exchange_(other.exchange_) {
    if (exchange_) ++exchange_->references;
  }
  PipelinedBatchPtr(PipelinedBatchPtr&& other) noexcept : exchange_(std::exchange(other.exchange_, nullptr)) {}
  PipelinedBatchPtr& operator=(PipelinedBatchPtr other) noexcept {
    std::swap(exchange_, other.exchange_);
    return *this;
  }
  ~PipelinedBatchPtr() {
    if (exchange_ && --exchange_->references == 0) recycle(exchange_);
  }

  static PipelinedBatchPtr make();

  PipelinedBatch* get() const { return exchange_; }
  PipelinedBatch& operator*() const { return *exchange_; }
  PipelinedBatch* operator->() const { return exchange_; }
  explicit operator bool() const { return exchange_ != nullptr; }

 private:
  static void recycle(PipelinedBatch* exchange) noexcept;
  PipelinedBatch* exchange_ = nullptr;
};

// First in, first out, linked through PipelinedBatch::next; holds a reference to each.
class PipelinedBatchQueue {
 public:
  PipelinedBatchQueue() = default;
  PipelinedBatchQueue(const PipelinedBatchQueue&) = delete;
  PipelinedBatchQueue& operator=(const PipelinedBatchQueue&) = delete;
  ~PipelinedBatchQueue() {
    while (!empty()) pop();
  }
  bool empty() const { return first_ == nullptr; }
  std::size_t size() const { return size_; }
  PipelinedBatch& front() const { return *first_; }
  void push(PipelinedBatchPtr exchange);
  PipelinedBatchPtr pop();
  void swap(PipelinedBatchQueue& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(last_, other.last_);
    std::swap(size_, other.size_);
  }

 private:
  PipelinedBatch* first_ = nullptr;
  PipelinedBatch* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace parley::pg

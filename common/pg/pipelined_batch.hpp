#pragma once
// A batch's statements and parameters, then its results, in one shared, reused object. Internal to common/pg.

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

struct Fault {
  std::string statement, state, message, detail, constraint;
};

// The statements sent before and after the batch's own, in the same write.
enum class Frame : unsigned char {
  bare,         // none: one sync is one transaction
  snapshot,     // BEGIN REPEATABLE READ READ ONLY .. COMMIT, for sessions without that default
  slow,         // the same, with a statement_timeout
  begin,        // BEGIN ..
  commit,       // .. COMMIT
  transaction,  // BEGIN .. COMMIT
  rollback,     // ROLLBACK alone, sent by the connection itself
  prepare,      // one Parse, sent by the connection itself
};

struct PipelinedBatch {
  enum class State : unsigned char { fresh, sent, answered, lost };

  // Request.
  std::string bytes;
  std::vector<Parameter> parameters;
  std::vector<Call> calls;
  Frame frame = Frame::bare;
  Lane lane = Lane::read;
  bool publishes = false;     // its transaction has written to `outbox` so far
  bool unprepared = false;    // sent as text even where the statement is prepared
  model::Uuid organization;   // charged for the work; nil: none
  model::TraceContext trace;  // current when the batch was made

  // Response.
  State state = State::fresh;
  std::vector<Result> results;  // one per call, unless failed
  bool failed = false;
  bool committed = false;   // the COMMIT's result has arrived
  bool stale_plan = false;  // failed only because the schema changed after the statement was prepared
  bool untouched = false;   // lost behind another batch, before the server began with this one
  Fault fault;              // set when failed; when lost, only the message
  std::size_t received = 0;
  Clock::time_point sent_at{};
  Clock::time_point deadline{};
  async::Waiter<> waiter;

  PipelinedBatch* next = nullptr;
  unsigned references = 0;

  std::vector<std::shared_ptr<const Statement>> made;  // those of the calls that no one else keeps

  bool finished() const { return state == State::answered || state == State::lost; }
  // Clears the response, so that the batch may be sent again.
  void rewind();
  void clear();
};

// Reference-counting pointer, for one thread. The last holder recycles the object for another batch.
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

// A FIFO linked through PipelinedBatch::next; holds a reference to each element.
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

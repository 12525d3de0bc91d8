#include "common/pg/connection.hpp"

#include <boost/asio/post.hpp>
#include <cstring>
#include <random>
#include <utility>

#include "common/pg/frames.hpp"

namespace parley::pg {
namespace {

// PG_DIAG_SEVERITY is in the server's language; the non-localized field is not.
bool is_fatal(const PGresult* result) {
  const char* severity = ::PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  return severity && (std::strcmp(severity, "FATAL") == 0 || std::strcmp(severity, "PANIC") == 0);
}

std::string field(const PGresult* result, int code) {
  const char* text = ::PQresultErrorField(result, code);
  return text ? text : "";
}

std::string without_newline(const char* text) {
  std::string out = text ? text : "";
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

}  // namespace

Connection::Connection(asio::io_context& context, ConnectionSettings settings, Events events)
    : context_(context),
      settings_(std::move(settings)),
      events_(std::move(events)),
      descriptor_(context),
      watchdog_(context),
      pause_(context),
      address_(settings_.url, settings_.to_replica),
      first_host_(settings_.to_replica ? std::random_device{}() % 1'024 : 0) {}

Connection::~Connection() {
  if (descriptor_.is_open()) descriptor_.release();  // libpq owns the socket
}

void Connection::close() {
  if (std::exchange(closed_, true)) return;
  drop("the pool is closed");
  events_ = {};
  pause_.cancel();
}

void Connection::send(PipelinedBatchPtr exchange) {
  exchange->state = PipelinedBatch::State::sent;
  exchange->sent_at = Clock::now();
  exchange->deadline = exchange->sent_at + settings_.deadline;
  if (events_.sent) events_.sent(*exchange);
  const bool free = in_flight_.empty() && unsent_.empty() && ::PQtransactionStatus(connection_.get()) == PQTRANS_IDLE;
  if (settings_.pipelined || taken_ || free)
    transmit(std::move(exchange));
  else
    unsent_.push(std::move(exchange));
}

void Connection::transmit(PipelinedBatchPtr exchange) {
  const bool large = exchange->bytes.size() > 4'096;
  const bool written = write(*exchange);
  in_flight_.push(std::move(exchange));
  if (!written) return drop(without_newline(::PQerrorMessage(connection_.get())));
  watch();
  flush();
  if (large) drain_soon();  // libpq may have sent, and read meanwhile, before the flush
}

bool Connection::write(const PipelinedBatch& exchange) {
  bool ok = true;
  if (exchange.frame == Frame::prepare) {
    ok = write_prepare(*exchange.calls.front().statement);
  } else {
    for (const Statement* statement : before(exchange.frame)) ok = ok && write(*statement, nullptr, nullptr);
    for (const Call& call : exchange.calls)
      ok = ok && write(*call.statement, &exchange, exchange.parameters.data() + call.first_parameter);
    for (const Statement* statement : after(exchange.frame)) ok = ok && write(*statement, nullptr, nullptr);
  }
  return ok && ::PQpipelineSync(connection_.get()) == 1;
}

bool Connection::write(const Statement& statement, const PipelinedBatch* exchange, const Parameter* parameters) {
  const std::size_t count = statement.types.size();
  values_.resize(count);
  lengths_.resize(count);
  formats_.assign(count, 1);
  for (std::size_t i = 0; i < count; ++i) {
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): statements that have no parameters here take none
    const bool null = parameters[i].length < 0;
    values_[i] = null ? nullptr : exchange->bytes.data() + parameters[i].offset;
    lengths_[i] = null ? 0 : parameters[i].length;
  }
  const int n = static_cast<int>(count);
  const bool may_be_prepared = statement.kind != Statement::Kind::unprepared && !(exchange && exchange->unprepared);
  if (may_be_prepared && preparation(statement) == Preparation::done)
    return ::PQsendQueryPrepared(connection_.get(), statement.prepared_name.c_str(), n, values_.data(), lengths_.data(),
                                 formats_.data(), 1) == 1;
  return ::PQsendQueryParams(connection_.get(), statement.sql.c_str(), n, statement.types.data(), values_.data(),
                             lengths_.data(), formats_.data(), 1) == 1;
}

bool Connection::write_prepare(const Statement& statement) {
  preparation(statement) = Preparation::under_way;
  return ::PQsendPrepare(connection_.get(), statement.prepared_name.c_str(), statement.sql.c_str(),
                         static_cast<int>(statement.types.size()), statement.types.data()) == 1;
}

void Connection::flush() {
  if (flushing_ || !connection_) return;
  if (::PQflush(connection_.get()) != 1) return;  // 0: all is sent; -1: the reader will see the broken socket
  flushing_ = true;
  descriptor_.async_wait(asio::posix::descriptor_base::wait_write,
                         [self = shared_from_this(), epoch = epoch_](error_code) {
                           if (epoch != self->epoch_) return;
                           self->flushing_ = false;
                           self->flush();
                           self->drain();
                         });
}

void Connection::drain_soon() {
  if (std::exchange(draining_soon_, true)) return;
  asio::post(context_, [self = shared_from_this(), epoch = epoch_] {
    self->draining_soon_ = false;
    if (epoch == self->epoch_) self->drain();
  });
}

void Connection::wait_readable() {
  descriptor_.async_wait(asio::posix::descriptor_base::wait_read,
                         [self = shared_from_this(), epoch = epoch_](error_code error) {
                           if (epoch == self->epoch_) self->on_readable(error);
                         });
}

void Connection::on_readable(error_code error) {
  if (error) return drop("wait: " + error.message());
  const auto epoch = epoch_;
  const bool fed = ::PQconsumeInput(connection_.get()) == 1;
  const std::string why = fed ? std::string() : without_newline(::PQerrorMessage(connection_.get()));
  drain();  // results that arrived before a failure still count
  if (epoch != epoch_) return;
  if (!fed || ::PQstatus(connection_.get()) == CONNECTION_BAD)
    return drop(why.empty() ? "the connection was closed" : why);
  wait_readable();
}

void Connection::drain() {
  PipelinedBatchQueue done;
  collect(done);
  const auto epoch = epoch_;
  while (!done.empty()) finish(done.pop());  // no libpq call is on the stack here
  if (epoch == epoch_ && !fatal_.empty()) return drop(std::string(fatal_));
  settle();
}

// libpq 15: each query yields its result and a NULL, then comes PGRES_PIPELINE_SYNC without a NULL; after an error all
// up to the sync is PGRES_PIPELINE_ABORTED; PQgetResult does not block when PQisBusy returned 0.
void Connection::collect(PipelinedBatchQueue& done) {
  int nulls = 0;
  while (!in_flight_.empty() && fatal_.empty() && !::PQisBusy(connection_.get())) {
    Result result(::PQgetResult(connection_.get()));
    if (!result) {  // the end of one query's results; two in a row: no more
      if (++nulls == 2 || ::PQstatus(connection_.get()) == CONNECTION_BAD) return;
      continue;
    }
    nulls = 0;
    if (::PQresultStatus(result.get()) == PGRES_PIPELINE_SYNC) {
      in_flight_.front().state = PipelinedBatch::State::answered;
      done.push(in_flight_.pop());
      // On a shared connection each batch's transaction must end at its sync, or the next batch would run in it. libpq
      // reports "active" while results of later batches are outstanding.
      const auto transaction = ::PQtransactionStatus(connection_.get());
      if (settings_.pipelined && !taken_ && settings_.lane == Lane::read &&
          (transaction == PQTRANS_INTRANS || transaction == PQTRANS_INERROR))
        retiring_ = true;
    } else {
      take_result(in_flight_.front(), std::move(result));
    }
  }
}

void Connection::take_result(PipelinedBatch& exchange, Result result) {
  const auto status = ::PQresultStatus(result.get());
  if (status == PGRES_PIPELINE_ABORTED) return;
  if (status == PGRES_FATAL_ERROR || status == PGRES_NONFATAL_ERROR || status == PGRES_BAD_RESPONSE)
    return take_error(exchange, result.get());
  const std::size_t lead = before(exchange.frame).size();
  const std::size_t index = exchange.received++;
  if (exchange.frame == Frame::prepare || index < lead) return;
  if (index - lead < exchange.calls.size()) {
    exchange.results.push_back(std::move(result));
  } else if (index - lead == exchange.calls.size() && commits(exchange.frame)) {
    exchange.committed = std::strcmp(::PQcmdStatus(result.get()), "COMMIT") == 0;
  }
}

void Connection::take_error(PipelinedBatch& exchange, const PGresult* result) {
  if (is_fatal(result) || !::PQresultErrorField(result, PG_DIAG_SQLSTATE)) {  // libpq's own errors have no SQLSTATE
    fatal_ = without_newline(::PQresultErrorMessage(result));
    if (fatal_.empty()) fatal_ = "the connection was closed";
    return;
  }
  if (std::exchange(exchange.failed, true)) return;
  const std::size_t lead = before(exchange.frame).size();
  const std::size_t index = exchange.received;
  auto& fault = exchange.fault;
  if (index < lead)
    fault.statement = before(exchange.frame)[index]->name;
  else
    fault.statement = index - lead < exchange.calls.size() ? exchange.calls[index - lead].statement->name : "COMMIT";
  fault.state = field(result, PG_DIAG_SQLSTATE);
  fault.message = field(result, PG_DIAG_MESSAGE_PRIMARY);
  fault.detail = field(result, PG_DIAG_MESSAGE_DETAIL);
  fault.constraint = field(result, PG_DIAG_CONSTRAINT_NAME);
  // "cached plan must not change result type", recognized in any language.
  exchange.stale_plan = fault.state == "26000" ||
                        (fault.state == "0A000" && field(result, PG_DIAG_SOURCE_FUNCTION) == "RevalidateCachedQuery");
}

void Connection::finish(PipelinedBatchPtr exchange) {
  if (exchange->failed) look_at_failure(*exchange);
  if (exchange->frame == Frame::prepare) {
    const Statement& statement = *exchange->calls.front().statement;
    if (connected_) preparation(statement) = exchange->failed ? Preparation::none : Preparation::done;
  } else if (connected_ && settings_.prepared && !exchange->failed) {
    prepare_what_ran(*exchange);
  }
  if (!ready_ && connected_) {  // the session's first
    if (exchange->failed) return drop(exchange->fault.message);
    ready_ = was_ready_ = true;
    connecting_ = false;
    failures_ = 0;
    if (events_.ready) events_.ready(*this);
    return;
  }
  if (events_.finished && exchange->frame != Frame::prepare) events_.finished(*exchange);
  if (exchange->waiter) exchange->waiter();
}

void Connection::look_at_failure(const PipelinedBatch& exchange) {
  if (exchange.stale_plan) retiring_ = true;  // the schema changed under the prepared statements
  if (exchange.frame == Frame::rollback && exchange.fault.state != "25P01") retiring_ = true;
}

void Connection::prepare_what_ran(const PipelinedBatch& exchange) {
  const auto prepare = [this](const Statement& statement) {
    if (statement.kind == Statement::Kind::unprepared || preparation(statement) != Preparation::none) return;
    preparation(statement) = Preparation::under_way;  // lists the statement only once
    to_prepare_.push_back(&statement);
  };
  for (const Statement* statement : before(exchange.frame)) prepare(*statement);
  for (const Call& call : exchange.calls) prepare(*call.statement);
  for (const Statement* statement : after(exchange.frame)) prepare(*statement);
}

// Does the work due between two batches (reconnect, rollback, prepare, next batch); no libpq call may be on the stack.
void Connection::settle() {
  if (!connected_) return;
  const bool shared = settings_.lane == Lane::read && settings_.pipelined;
  if (!shared && (taken_ || !in_flight_.empty())) return;
  if (retiring_) {
    if (in_flight_.empty()) drop("its session went stale");
    return;
  }
  if (!shared && ::PQtransactionStatus(connection_.get()) != PQTRANS_IDLE) {
    auto rollback = PipelinedBatchPtr::make();
    rollback->frame = Frame::rollback;
    rollback->lane = settings_.lane;
    rollback->calls.push_back({&rollback_statement(), 0});
    rollback->sent_at = Clock::now();
    rollback->deadline = rollback->sent_at + settings_.deadline;
    return transmit(std::move(rollback));
  }
  for (const auto epoch = epoch_; epoch == epoch_ && !to_prepare_.empty();) {
    auto prepare = PipelinedBatchPtr::make();
    prepare->frame = Frame::prepare;
    prepare->lane = settings_.lane;
    prepare->calls.push_back({to_prepare_.back(), 0});
    prepare->sent_at = Clock::now();
    prepare->deadline = prepare->sent_at + settings_.deadline;
    to_prepare_.pop_back();
    transmit(std::move(prepare));
  }
  if (!connected_ || !ready_ || !in_flight_.empty()) return;
  if (!unsent_.empty()) return transmit(unsent_.pop());
  if (events_.idle) events_.idle(*this);
}

void Connection::retire() {
  if (!connected_) return;
  retiring_ = true;
  settle();
}

void Connection::move_on() {
  ++first_host_;
  retire();
}

void Connection::release(unsigned epoch) {
  if (epoch != epoch_) {  // the connection that was taken is lost
    if (events_.given_back) events_.given_back();
    return;
  }
  taken_ = false;
  settle();
}

void Connection::drop(const std::string& why) {
  const bool was_ready = std::exchange(ready_, false);
  ++epoch_;
  connecting_ = connected_ = retiring_ = taken_ = flushing_ = watching_ = false;
  fatal_.clear();
  to_prepare_.clear();
  if (descriptor_.is_open()) descriptor_.release();  // before PQfinish, which closes libpq's socket
  connection_.reset();
  watchdog_.cancel();
  if (!was_ready) failure_ = why;
  PipelinedBatchQueue lost, unsent;
  lost.swap(in_flight_);
  unsent.swap(unsent_);
  bool is_first = true;
  for (auto* queue : {&lost, &unsent})
    while (!queue->empty()) {
      auto exchange = queue->pop();
      // A confirmed commit stands; so does an error, after which no commit can have happened.
      const bool decided = exchange->committed || exchange->failed;
      exchange->untouched = !std::exchange(is_first, false);
      exchange->state = decided ? PipelinedBatch::State::answered : PipelinedBatch::State::lost;
      if (!decided) exchange->fault.message = why;
      if (events_.finished && was_ready && exchange->frame != Frame::prepare) events_.finished(*exchange);
      // Posted, because the caller of drop() may be a coroutine that is sending.
      if (exchange->waiter) asio::post(context_, std::move(exchange->waiter));
    }
  if (was_ready && events_.lost) events_.lost(*this, why);
  if (!pausing_) pause_.cancel();
}

// Arms the timer for the oldest batch and re-arms it only on expiry: a batch in time touches no timer.
void Connection::watch() {
  if (std::exchange(watching_, true)) return;
  watchdog_.expires_at(in_flight_.front().deadline);
  watchdog_.async_wait([self = shared_from_this(), epoch = epoch_](error_code error) {
    if (error || epoch != self->epoch_) return;
    self->watching_ = false;
    self->on_watch();
  });
}

void Connection::on_watch() {
  if (in_flight_.empty()) return;
  if (in_flight_.front().deadline > Clock::now()) return watch();
  if (events_.overdue) events_.overdue();
  drop("a batch was not answered in time");
}

Connection::Preparation& Connection::preparation(const Statement& statement) {
  if (statement.id >= preparations_.size()) preparations_.resize(statement_count(), Preparation::none);
  return preparations_[statement.id];
}

}  // namespace parley::pg

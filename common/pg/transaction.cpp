#include "common/pg/core.hpp"
#include "common/pg/frames.hpp"

namespace parley::pg {

struct Transaction::State {
  std::shared_ptr<Core> core;
  model::Uuid organization;
  std::function<awaitable<void>()> first;  // see Pool::begin_later
  Lease lease;
  bool begun = false;
  bool publishes = false;
  bool failed = false;  // the transaction can only be rolled back
  bool over = false;
  bool running = false;

  static awaitable<void> begin(State& state);
  static awaitable<PipelinedBatchPtr> exchange(State& state, Batch batch, bool last);
};

Transaction::Transaction(std::unique_ptr<State> state) : state_(std::move(state)) {}
Transaction::Transaction(Transaction&&) noexcept = default;
Transaction& Transaction::operator=(Transaction&&) noexcept = default;
Transaction::~Transaction() = default;  // giving the lease back rolls back an open transaction

Transaction Pool::begin_later(model::Uuid organization, std::function<awaitable<void>()> first) {
  auto state = std::make_unique<Transaction::State>();
  state->core = core_;
  state->organization = organization;
  state->first = std::move(first);
  return Transaction(std::move(state));
}

awaitable<Transaction> Pool::begin(model::Uuid organization) {
  auto transaction = begin_later(organization);
  co_await Transaction::State::begin(*transaction.state_);
  co_return transaction;
}

awaitable<void> Transaction::State::begin(State& state) {
  state.lease = co_await Core::checkout(state.core, Lane::write, state.organization);
  const auto first = std::exchange(state.first, {});
  if (!first) co_return;
  try {
    co_await first();
  } catch (...) {
    state.failed = true;
    throw;
  }
}

awaitable<PipelinedBatchPtr> Transaction::State::exchange(State& state, Batch batch, bool last) {
  if (state.over || state.failed || state.running)
    throw std::logic_error("a transaction is used after its end, after an error or by two at once");
  if (!state.lease && !state.begun) co_await begin(state);
  const Frame frames[2][2] = {{Frame::begin, Frame::transaction}, {Frame::bare, Frame::commit}};
  auto exchange = state.core->prepare(std::move(batch), Lane::write, frames[state.begun][last]);
  state.publishes = exchange->publishes |= state.publishes;
  state.failed = true;  // until the batch has succeeded
  if (!state.lease.holds()) throw Unavailable("the transaction was lost with its connection");
  state.begun = state.running = true;
  state.lease.connection().send(exchange);
  if (!exchange->finished()) co_await answer(*exchange);
  state.running = false;
  throw_failure(*exchange);
  state.failed = false;
  co_return exchange;
}

awaitable<Results> Transaction::run(Batch batch) {
  auto exchange = co_await State::exchange(*state_, std::move(batch), false);
  co_return Results(std::move(exchange));
}

awaitable<Results> Transaction::commit(Batch batch) {
  auto exchange = co_await State::exchange(*state_, std::move(batch), true);
  state_->over = true;
  state_->lease.give_back();
  if (!exchange->committed) throw std::logic_error("COMMIT did not commit");
  co_return Results(std::move(exchange));
}

Ending Transaction::roll_back() {
  State& state = *state_;
  Ending ending;
  if (state.begun && !state.over && !state.running && state.lease.holds()) {
    ending.exchange_ = state.core->prepare(Batch(rollback_statement()), Lane::write, Frame::rollback);
    state.lease.connection().send(ending.exchange_);
  }
  state.over = true;
  state.lease.give_back();
  return ending;
}

awaitable<void> Ending::wait() {
  if (!over()) co_await answer(*exchange_);
}

awaitable<void> Transaction::commit() {
  if (state_->begun) {
    co_await commit(Batch());
  } else {
    state_->over = true;
    state_->lease.give_back();
  }
}

}  // namespace parley::pg

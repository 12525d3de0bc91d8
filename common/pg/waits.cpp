#include "common/pg/waits.hpp"

#include <utility>

namespace parley::pg {

awaitable<void> within(asio::io_context& context, PipelinedBatchPtr exchange, Clock::duration time) {
  if (exchange->finished()) co_return;
  Timer timer(context);
  timer.expires_after(time);
  // The timer may have gone off, and its handler not have run, when the answer comes.
  const auto waits = std::make_shared<bool>(true);
  timer.async_wait([exchange, waits](error_code error) {
    if (!error && *waits && exchange->waiter) exchange->waiter.take()();
  });
  co_await answer(*exchange);
  *waits = false;
}

awaitable<void> pause(asio::io_context& context, Clock::duration time) {
  Timer timer(context);
  timer.expires_after(time);
  auto start = [&timer](auto handler) {
    const auto waiter = std::make_shared<Waiter>();  // for the trace
    waiter->set(std::move(handler));
    timer.async_wait([waiter](error_code error) {
      if (!error) waiter->take()();
    });
  };
  co_await asio::async_initiate<const asio::deferred_t, void()>(start, asio::deferred);
}

awaitable<PipelinedBatchPtr> ask(std::shared_ptr<Core> server, const Statement& question) {
  auto exchange = server->prepare(Batch(question), Lane::read, server->frame_of(Lane::read, 1));
  server->try_read(exchange);
  if (exchange->state != PipelinedBatch::State::fresh) co_await within(server->context(), exchange, timeout);
  co_return exchange;
}

bool answered_well(const PipelinedBatch& exchange) {
  return exchange.state == PipelinedBatch::State::answered && !exchange.failed;
}

}  // namespace parley::pg

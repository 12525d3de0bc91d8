#include "common/pg/waits.hpp"

#include <utility>

namespace parley::pg {

awaitable<void> within(asio::io_context& context, PipelinedBatchPtr exchange, Clock::duration time) {
  if (exchange->finished()) co_return;
  Timer timer(context);
  timer.expires_after(time);
  // The timer may have expired, with its handler still queued, when the answer arrives.
  const auto waits = std::make_shared<bool>(true);
  timer.async_wait([exchange, waits](error_code error) {
    if (!error && *waits && exchange->waiter) exchange->waiter();
  });
  co_await answer(*exchange);
  *waits = false;
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

#pragma once
// Waiting for servers that may hang. Internal to common/pg.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <memory>

#include "common/pg/core.hpp"

namespace parley::pg {

// Who has not answered a short question by then hangs.
constexpr std::chrono::milliseconds timeout{500};

// Until it is answered or lost, but not for long.
awaitable<void> within(asio::io_context& context, PipelinedBatchPtr exchange, Clock::duration time);

// Asks a server a short question on its read lane, with timeout. The answer may be missing: see answered_well.
awaitable<PipelinedBatchPtr> ask(std::shared_ptr<Core> server, const Statement& question);
bool answered_well(const PipelinedBatch& exchange);

}  // namespace parley::pg

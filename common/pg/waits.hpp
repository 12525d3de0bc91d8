#pragma once
// Waits for servers that may hang. Internal to common/pg.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <memory>

#include "common/pg/core.hpp"

namespace parley::pg {

// A server that answers no short query within this time is considered hanging.
constexpr std::chrono::milliseconds timeout{500};

// Waits at most `time` for the exchange to be answered or lost.
awaitable<void> within(asio::io_context& context, PipelinedBatchPtr exchange, Clock::duration time);

// Runs a short query on a server's read lane. After `timeout` the result is missing: check answered_well().
awaitable<PipelinedBatchPtr> ask(std::shared_ptr<Core> server, const Statement& question);
bool answered_well(const PipelinedBatch& exchange);

}  // namespace parley::pg

#include "common/chassis/once_pruner.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>

#include "common/chassis/once/sql.hpp"

namespace parley::chassis {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr int kMostAtOnce = 1'000;
constexpr auto kBreath = 100ms;  // between two steps, as requests need the connections too

}  // namespace

OncePruner::OncePruner(Process& process, pg::Pool& database, std::chrono::milliseconds pause)
    : process_(process), database_(database), pause_(pause), timer_(process.context()) {}

void OncePruner::stop() {
  stopped_ = true;
  timer_.cancel();
}

awaitable<void> OncePruner::run() {
  while (!stopped_) {
    const bool done = co_await prune();
    timer_.expires_after(done ? pause_ : std::chrono::milliseconds(kBreath));
    if (!stopped_) co_await timer_.async_wait(asio::as_tuple(asio::deferred));
  }
}

awaitable<bool> OncePruner::prune() {
  try {
    const auto results = co_await database_.write(pg::Batch(once::prune, kMostAtOnce));
    co_return results.affected() < kMostAtOnce;
  } catch (const std::exception& error) {
    if (!stopped_) process_.log().warn("kept answers were not pruned").with("error", error.what());
  }
  co_return true;
}

}  // namespace parley::chassis

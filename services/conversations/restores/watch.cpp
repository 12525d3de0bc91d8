#include "conversations/restores/watch.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>

#include "conversations/restores/sql.hpp"

namespace parley::conversations::restores {

namespace {

constexpr std::string_view kWhy =
    "the database was restored from a dump: nothing is sent before parley-conversations after-restore";

}  // namespace

Watch::Watch(chassis::Process& process, pg::Pool& database)
    : process_(process), database_(database), timer_(process.context()) {
  process.metrics().gauge_from("dispatch_halted", "1 while nothing is sent, as the database was restored from a dump",
                               {}, [this] { return restored_ ? 1.0 : 0.0; });
}

void Watch::stop() {
  stopped_ = true;
  timer_.cancel();
}

std::string Watch::not_ready() const { return restored_ ? std::string(kWhy) : ""; }

awaitable<void> Watch::run() {
  using namespace std::chrono_literals;
  while (!stopped_) {
    co_await look();
    if (stopped_) co_return;
    timer_.expires_after(restored_ ? 1s : 10s);
    co_await timer_.async_wait(boost::asio::as_tuple(boost::asio::deferred));
  }
}

awaitable<void> Watch::look() {
  const bool was = restored_;
  try {
    const auto results = co_await database_.read(pg::Batch(sql::is_restored));
    restored_ = results.one<bool>();
  } catch (const std::exception&) {
    co_return;  // the pool tells of its own trouble, SchemaWatch of an older schema
  }
  if (restored_ && !was) process_.log().warn("nothing is sent").with("why", kWhy);
  if (was && !restored_) process_.log().info("it is sent again");
}

}  // namespace parley::conversations::restores

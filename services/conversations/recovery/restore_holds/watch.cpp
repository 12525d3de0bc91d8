#include "conversations/recovery/restore_holds/watch.hpp"

#include "conversations/recovery/restore_holds/sql.hpp"

namespace parley::conversations::restore_holds {

namespace {

constexpr auto kPause = std::chrono::seconds(1);
constexpr std::string_view kWhy =
    "the database was restored from a dump: nothing is sent before parley-conversations after-restore";

}  // namespace

Watch::Watch(chassis::Process& process, pg::Pool& database)
    : process_(process),
      database_(database),
      loops_(
          process.context(), 1, kPause, [this] { return look(); },
          [](const auto&) {}) {  // the pool and SchemaWatch report the failures
  process.metrics().gauge_from("dispatch_halted", "1 while nothing is sent, as the database was restored from a dump",
                               {}, [this] { return restored_ ? 1.0 : 0.0; });
}

std::string Watch::not_ready() const { return restored_ ? std::string(kWhy) : ""; }

awaitable<bool> Watch::look() {
  const auto results = co_await database_.read(pg::Batch(sql::is_restored));
  const bool was = std::exchange(restored_, results.one<bool>());
  if (restored_ && !was) process_.log().warn("nothing is sent").with("why", kWhy);
  if (was && !restored_) process_.log().info("it is sent again");
  co_return false;
}

}  // namespace parley::conversations::restore_holds

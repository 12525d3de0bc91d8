#pragma once
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <string>

#include "analytics/rollups/store.hpp"
#include "common/chassis/process.hpp"

namespace parley::analytics::rollups {

// Tells operators, in the log and as a metric, from when on figures are exact.
class CoverageWatch {
 public:
  CoverageWatch(chassis::Process& process, pg::Pool& database, std::initializer_list<std::string_view> producers);

  void start() { process_.spawn("coverage watch", run()); }
  void stop();

 private:
  awaitable<void> run();
  awaitable<void> look();

  chassis::Process& process_;
  pg::Pool& database_;
  boost::asio::steady_timer timer_;
  std::map<std::string, model::Timestamp, std::less<>> exact_from_;  // by producer; 1970 while all is exact
  bool stopped_ = false;
};

}  // namespace parley::analytics::rollups

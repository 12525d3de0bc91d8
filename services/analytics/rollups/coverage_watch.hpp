#pragma once
#include <map>
#include <string>

#include "analytics/rollups/store.hpp"
#include "common/chassis/loops.hpp"
#include "common/chassis/process.hpp"

namespace parley::analytics::rollups {

// Reports in the log and as a metric from when on figures are exact.
class CoverageWatch {
 public:
  CoverageWatch(chassis::Process& process, pg::Pool& database, std::initializer_list<std::string_view> producers);

  void start() { loops_.start(process_, "coverage watch"); }
  awaitable<void> stop() { return loops_.stop(); }

 private:
  awaitable<bool> look();

  chassis::Process& process_;
  pg::Pool& database_;
  std::map<std::string, model::Timestamp, std::less<>> exact_from_;  // by producer; 1970 if all is exact
  chassis::Loops loops_;
};

}  // namespace parley::analytics::rollups

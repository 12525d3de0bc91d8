#pragma once
#include "common/chassis/loops.hpp"
#include "common/chassis/process.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::restore_holds {

using boost::asio::awaitable;

// Says that nothing is sent, and why, while the database was restored from a dump and nobody has said what is to become
// of what was sent since. What keeps it from being sent is in the statements that take it.
class Watch {
 public:
  Watch(chassis::Process& process, pg::Pool& database);

  void start() { loops_.start(process_, "restore watch"); }
  awaitable<void> stop() { return loops_.stop(); }
  // For Application::not_ready().
  std::string not_ready() const;

 private:
  awaitable<bool> look();

  chassis::Process& process_;
  pg::Pool& database_;
  bool restored_ = false;
  chassis::Loops loops_;
};

}  // namespace parley::conversations::restore_holds

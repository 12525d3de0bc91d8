#pragma once
#include "common/chassis/loops.hpp"
#include "common/chassis/process.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::restore_holds {

using boost::asio::awaitable;

// Reports that nothing is sent before after-restore. The statements that take work enforce that.
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

#pragma once
#include <boost/asio/steady_timer.hpp>

#include "common/chassis/process.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::restores {

using boost::asio::awaitable;

// Says that nothing is sent, and why, while the database was restored from a dump and nobody has said what is to become
// of what was sent since. What keeps it from being sent is in the statements that take it.
class Watch {
 public:
  Watch(chassis::Process& process, pg::Pool& database);

  void start() { process_.spawn("restore watch", run()); }
  void stop();
  // For Application::not_ready().
  std::string not_ready() const;

 private:
  awaitable<void> run();
  awaitable<void> look();

  chassis::Process& process_;
  pg::Pool& database_;
  boost::asio::steady_timer timer_;
  bool restored_ = false, stopped_ = false;
};

}  // namespace parley::conversations::restores

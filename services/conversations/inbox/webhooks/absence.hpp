#pragma once
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "common/async/task_group.hpp"
#include "common/chassis/process.hpp"

namespace parley::conversations::webhooks {

using boost::asio::awaitable;

// Circuit breaker for a service that does not respond: only a periodic probe calls it until it is back.
class Absence {
 public:
  // Must not throw, and must have a deadline.
  using Question = std::function<awaitable<bool>()>;

  Absence(chassis::Process& process, std::string service) : process_(process), service_(std::move(service)) {}

  // True while the service is away: do not call it.
  bool holds() const { return holds_; }
  // The service did not respond: probe it with `question` from now on. `why` is logged.
  void begin(Question question, const std::string& why);
  void look();
  awaitable<bool> stop() { return probes_.join(); }

 private:
  using Clock = std::chrono::steady_clock;
  awaitable<void> probe();

  chassis::Process& process_;
  const std::string service_;
  Question question_;
  async::TaskGroup probes_;  // at most one
  bool holds_ = false;
  Clock::time_point next_probe_{};
  Clock::duration pause_{};  // after a failed probe
};

}  // namespace parley::conversations::webhooks

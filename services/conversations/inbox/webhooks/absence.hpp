#pragma once
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "common/async/task_group.hpp"
#include "common/chassis/process.hpp"

namespace parley::conversations::webhooks {

using boost::asio::awaitable;

// Of another service that answers nobody: it is asked now and then, beside all else, whether it is back, and nothing
// else until it is.
class Absence {
 public:
  // Whether the service is there. Throws nothing, and has a deadline.
  using Question = std::function<awaitable<bool>()>;

  // `service` is its name.
  Absence(chassis::Process& process, std::string service) : process_(process), service_(std::move(service)) {}

  // What waits for the service need not be tried.
  bool holds() const { return holds_; }
  // It did not answer this question. `why` is for people.
  void begin(Question question, const std::string& why);
  // To be called often.
  void look();
  // Waits for the question, if it is under way.
  awaitable<bool> stop() { return probes_.join(); }

 private:
  using Clock = std::chrono::steady_clock;
  awaitable<void> probe();

  chassis::Process& process_;
  const std::string service_;
  Question question_;
  async::TaskGroup probes_;  // one at most
  bool holds_ = false;
  Clock::time_point next_probe_{};
  Clock::duration pause_{};  // after a question that was not answered
};

}  // namespace parley::conversations::webhooks

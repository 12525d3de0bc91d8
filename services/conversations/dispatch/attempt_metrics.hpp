#pragma once
#include <optional>
#include <vector>

#include "common/chassis/process.hpp"
#include "conversations/channel/refusals.hpp"
#include "conversations/dispatch/shapes.hpp"

namespace parley::conversations::dispatch {

class AttemptMetrics {
 public:
  enum class Result { sent, failed, unknown, not_sent, retried, rate_limited };
  explicit AttemptMetrics(chassis::Process& process);
  void count(Kind kind, Result result, std::optional<channel::Reaction> refused) {
    at(kind, result, refused).Increment();
  }

 private:
  prometheus::Counter& at(Kind kind, Result result, std::optional<channel::Reaction> refused);
  prometheus::Family<prometheus::Counter>& family_;
  std::vector<prometheus::Counter*> known_;  // created on first use
};

}  // namespace parley::conversations::dispatch

#include "conversations/campaigns/experiments/worker.hpp"

namespace parley::conversations::experiments {

namespace {

constexpr std::int64_t kCampaigns = 100;  // per step
constexpr auto kPause = std::chrono::milliseconds(500);

}  // namespace

Worker::Worker(chassis::Process& process, pg::Pool& database)
    : process_(process),
      store_(database),
      loops_(
          process.context(), 1, kPause, [this] { return look(); },
          [this](const auto& what) {
            ++failures_;
            process_.log().warn("experiments").with("what", what);
          }) {
  auto& metrics = process.metrics();
  metrics.counter_from("experiments_decided_total", "Tests of campaigns' messages that the rule decided", {},
                       [this] { return double(decided_); });
  metrics.counter_from("experiments_failures_total", "Steps that failed and were made again", {},
                       [this] { return double(failures_); });
}

awaitable<bool> Worker::look() {
  const auto tested = co_await store_.note_tested(kCampaigns);
  const auto decided = co_await store_.decide_due(kCampaigns);
  decided_ += static_cast<std::uint64_t>(decided);
  co_return tested == kCampaigns || decided == kCampaigns;
}

}  // namespace parley::conversations::experiments

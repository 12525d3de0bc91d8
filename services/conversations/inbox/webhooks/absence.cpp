#include "conversations/inbox/webhooks/absence.hpp"

#include <algorithm>

namespace parley::conversations::webhooks {

using namespace std::chrono_literals;

namespace {

constexpr auto kFirstPause = 250ms, kMaxPause = 10'000ms;

}  // namespace

void Absence::begin(Question question, const std::string& why) {
  question_ = std::move(question);
  holds_ = true;
  pause_ = kFirstPause;
  next_probe_ = Clock::now() + pause_;
  process_.log().warn(service_ + " is away: what webhooks brought waits for it").with("error", why);
}

void Absence::look() {
  if (!holds_ || probes_.size() > 0 || Clock::now() < next_probe_) return;
  process_.spawn("looking for " + service_, probes_.run(probe()));
}

awaitable<void> Absence::probe() {
  const bool there = co_await question_();
  if (there) process_.log().info(service_ + " is back");
  holds_ = !there;
  pause_ = std::min<Clock::duration>(2 * pause_, kMaxPause);
  next_probe_ = Clock::now() + pause_;
}

}  // namespace parley::conversations::webhooks

#include "conversations/inbox/webhooks/absence.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>

namespace parley::conversations::webhooks {

namespace asio = boost::asio;
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
  if (!holds_ || probing_ || Clock::now() < next_probe_) return;
  probing_ = true;
  process_.spawn("looking for " + service_, probe());
}

awaitable<void> Absence::probe() {
  const bool there = co_await question_();
  if (there) process_.log().info(service_ + " is back");
  holds_ = !there;
  pause_ = std::min<Clock::duration>(2 * pause_, kMaxPause);
  next_probe_ = Clock::now() + pause_;
  probing_ = false;
}

awaitable<void> Absence::stop() {
  asio::steady_timer timer(process_.context());
  while (probing_) {
    timer.expires_after(5ms);
    co_await timer.async_wait(asio::as_tuple(asio::deferred));
  }
}

}  // namespace parley::conversations::webhooks

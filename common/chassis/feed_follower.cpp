#include "common/chassis/feed_follower.hpp"

#include <algorithm>

#include "common/http/answer.hpp"

namespace parley::chassis {

using namespace std::chrono_literals;

namespace {

// An empty response faster than this did not wait for events; the next request follows after a pause.
constexpr auto kMinAnswer = 20ms;

}  // namespace

FeedFollower::FeedFollower(Process& process, ServiceClient& producer, Hear hear, std::function<void()> forget_all,
                           FollowTimes times)
    : process_(process),
      producer_(producer),
      hear_(std::move(hear)),
      forget_all_(std::move(forget_all)),
      times_(times),
      loop_(
          process.context(), {times.min_pause, times.max_pause}, [this] { return step(); },
          [this](const auto& what) { note(what); }) {
  scope_.request_id = process.signer().name() + "-follows-" + producer.context();
}

// Logs once when failures begin, not at each attempt.
void FeedFollower::note(const std::string& failure) {
  if (!failure.empty()) ++failures_;
  if (!failure.empty() && failure_.empty() && !loop_.stopping())
    process_.log().warn("events are out of reach").with("of", producer_.context()).with("error", failure);
  if (failure.empty() && !failure_.empty())
    process_.log().info("events are heard again").with("of", producer_.context());
  failure_ = failure;
}

awaitable<std::chrono::milliseconds> FeedFollower::step() {
  const auto asked = http::Clock::now();
  const bool news = co_await ask(times_.wait);
  note("");
  co_return !news && http::Clock::now() - asked < kMinAnswer ? times_.min_pause : 0ms;
}

awaitable<bool> FeedFollower::catch_up() {
  const auto begin = http::Clock::now();
  if (!place_ || loop_.stopping()) co_return false;  // not following
  try {
    co_await ask(0);
  } catch (...) {  // the loop meets the same failure and logs it
  }
  co_return known_until_ >= begin;
}

// Returns true if there were new events.
awaitable<bool> FeedFollower::ask(std::int64_t wait) {
  const auto begin = http::Clock::now();
  const auto asked = place_;
  const auto page = co_await page_behind(asked, wait);
  const bool news = take(asked, page);
  // Unsequenced events have happened but have no position yet.
  if (place_->epoch == page.epoch && place_->position >= page.head && !page.unsequenced)
    known_until_ = std::max(known_until_, begin);
  co_return news;
}

// Two requests may be in flight: a response is checked against the position it was requested from, and events that the
// other one brought are skipped.
bool FeedFollower::take(const std::optional<FeedPosition>& asked, const events::FeedPage& page) {
  const bool follows = asked && asked->epoch == page.epoch && asked->position <= page.head &&
                       asked->position >= page.pruned && place_->epoch == page.epoch;
  if (!follows) {
    // Events may have been missed. Responses in flight may be older, too.
    if (place_) ++gaps_;
    place_ = FeedPosition{page.epoch, page.head};
    forget_all_();
    return true;
  }
  const auto is_new = [&](const events::Event& event) { return event.position > place_->position; };
  const auto news = std::find_if(page.events.begin(), page.events.end(), is_new);
  if (news == page.events.end()) return !page.events.empty();
  place_->position = page.events.back().position;
  hear_({news, page.events.end()});
  return true;
}

awaitable<events::FeedPage> FeedFollower::page_behind(std::optional<FeedPosition> place, std::int64_t wait) {
  http::ClientRequest request;
  request.target = "/internal/events";
  if (place)
    request.target += "?epoch=" + place->epoch.text() + "&after=" + std::to_string(place->position) +
                      "&limit=1000&wait=" + std::to_string(wait);
  request.answer_time = std::chrono::seconds(wait) + times_.answer_time;
  const auto response = co_await producer_.send(std::move(request), scope_);
  co_return http::read_answer<events::FeedPage>(response, "the feed of " + producer_.context());
}

}  // namespace parley::chassis

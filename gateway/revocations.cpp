#include "gateway/revocations.hpp"

#include <algorithm>

#include "common/events/changes.hpp"
#include "common/http/answer.hpp"

namespace parley::gateway {

using namespace std::chrono_literals;

namespace {

// An answer without news that came sooner than this was not waited for: then it is asked again only after a pause.
constexpr auto kShortestAnswer = 20ms;

void gather(const events::Event& event, Changed& changed) {
  try {
    for (const auto& change : events::changes_of(event)) {
      if (const auto access = change.as<events::AccessChanged>()) changed.add(*access);
      if (const auto deleted = change.as<events::OrganizationDeleted>()) changed.add(*deleted);
    }
  } catch (const events::BadEvent&) {
    changed.add_everything();  // whatever it was to say
  }
}

}  // namespace

Revocations::Revocations(chassis::Process& process, chassis::Peer& organizations, Callers& callers,
                         RevocationTimes times)
    : process_(process),
      organizations_(organizations),
      callers_(callers),
      times_(times),
      loop_(
          process.context(), {times.shortest_pause, times.longest_pause}, [this] { return step(); },
          [this](const auto& what) { note(what); }) {
  scope_.request_id = "gateway-follows-organizations";
  auto& metrics = process.metrics();
  metrics.gauge_from("gateway_callers", "Callers that are remembered", {}, [this] { return double(callers_.size()); });
  metrics.gauge_from("gateway_revocations_heard", "1 while organizations' events are heard", {},
                     [this] { return place_ && failure_.empty() ? 1.0 : 0.0; });
  metrics.counter_from("gateway_revocations_failures_total", "Questions for organizations' events that failed", {},
                       [this] { return double(failures_); });
  metrics.counter_from("gateway_revocations_gaps_total", "Times that events were missed and all callers forgotten", {},
                       [this] { return double(gaps_); });
}

// Said once a time that it fails, not at each attempt.
void Revocations::note(const std::string& failure) {
  if (!failure.empty()) ++failures_;
  if (!failure.empty() && failure_.empty() && !loop_.stopping())
    process_.log().warn("organizations' events are out of reach").with("error", failure);
  if (failure.empty() && !failure_.empty()) process_.log().info("organizations' events are heard again");
  failure_ = failure;
}

awaitable<std::chrono::milliseconds> Revocations::step() {
  const auto asked = http::Clock::now();
  const auto page = co_await ask();
  const bool news = !follows(page) || !page.events.empty();
  if (follows(page)) {
    apply(page);
  } else {
    // Nobody knows what was missed. Answers that are under way may be from before it, too.
    if (place_) ++gaps_;
    callers_.forget_all();
    place_ = Place{page.epoch, page.head};
  }
  // Events that have no position yet will come, but have happened.
  if (place_->position >= page.head && !page.unsequenced) known_until_ = asked;
  note("");
  co_return !news && http::Clock::now() - asked < kShortestAnswer ? times_.shortest_pause : 0ms;
}

awaitable<events::FeedPage> Revocations::ask() {
  http::ClientRequest request;
  request.target = "/internal/events";
  if (place_)
    request.target += "?epoch=" + place_->epoch.text() + "&after=" + std::to_string(place_->position) +
                      "&limit=1000&wait=" + std::to_string(times_.wait);
  request.answer_time = std::chrono::seconds(times_.wait) + times_.answer_time;
  const auto response = co_await organizations_.send(std::move(request), scope_);
  co_return http::read_answer<events::FeedPage>(response, "the feed of organizations");
}

bool Revocations::follows(const events::FeedPage& page) const {
  return place_ && place_->epoch == page.epoch && place_->position <= page.head && place_->position >= page.pruned;
}

void Revocations::apply(const events::FeedPage& page) {
  Changed changed;
  for (const auto& event : page.events) gather(event, changed);
  callers_.forget(changed);
  if (!page.events.empty()) place_->position = page.events.back().position;
}

}  // namespace parley::gateway

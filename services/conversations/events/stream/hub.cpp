#include "conversations/events/stream/hub.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <tuple>

#include "common/http/problem.hpp"
#include "conversations/events/public_events/notices.hpp"

namespace parley::conversations::stream {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr auto kLongPause = std::chrono::hours(1);  // until a listener wakes the loop
constexpr std::int64_t kWait = 10;                  // seconds that a feed request waits for an event
constexpr std::string_view kRetry = "retry: 2000\n";

http::Problem busy(std::string detail) {
  return http::Problem({.status = 503, .detail = std::move(detail), .head = "Retry-After: 5\r\n"});
}

std::shared_ptr<const std::string> block(const Position& place, std::string_view type, std::string_view data) {
  auto out = std::make_shared<std::string>("id: " + place.text() + "\n");
  out->append("event: ").append(type).append("\ndata: ").append(data).append("\n\n");
  return out;
}

}  // namespace

Hub::Hub(asio::io_context& context, events::Feed& feed, pg::Pool& database, StreamSettings settings,
         events::Report report)
    : feed_(feed),
      database_(database),
      report_(std::move(report)),
      listeners_(std::make_shared<Listeners>(context, settings)),
      following_(
          context, {settings.failure_pause, settings.failure_pause}, [this] { return step(); },
          [this](const auto& what) { failed(what); }),
      catching_up_(
          context, {settings.failure_pause, settings.failure_pause}, [this] { return catch_up_some(); },
          [this](const auto& what) { failed(what); }) {}

void Hub::stop() {
  for (auto* listener : listeners_->all) listener->end();
  following_.request_stop();
  catching_up_.request_stop();
  listeners_->laggards.pulse();
}

void Hub::failed(std::string_view what) {
  ++stats_.failures;
  report_(what);
}

awaitable<std::shared_ptr<Listener>> Hub::listen(model::Uuid organization, Choice choice, std::optional<Position> after,
                                                 bool lost, std::chrono::seconds wait) {
  const auto& settings = listeners_->settings;
  const auto& places = listeners_->places;
  const bool is_full = !places.may_take(organization) || places.of(organization) >= settings.max_of_organization;
  if (is_full) ++stats_.refused;
  if (is_full) throw busy("too many streams are open");
  auto listener = std::make_shared<Listener>(listeners_, organization, choice, wait);
  const auto timeout = Clock::now() + settings.max_start;
  while (!known_ && !following_.stopping() && Clock::now() < timeout) {
    following_.notify();
    listener->timer_.expires_at(timeout);
    co_await listener->timer_.async_wait(asio::as_tuple(asio::deferred));
  }
  if (!known_ || following_.stopping()) throw busy("events cannot be followed at the moment");
  if (lost || after) {
    start_behind(*listener, after.value_or(Position{}));  // the nil epoch of Position{} leads to a reset
  } else {
    listener->done_ = taken_;
    listener->state_ = State::live;
    listener->push(std::make_shared<std::string>(std::string(kRetry) + "id: " + listener->place().text() + "\n\n"));
  }
  co_return listener;
}

void Hub::start_behind(Listener& listener, const Position& after) {
  const bool is_whole = after.index == Position::kWhole;
  listener.epoch_ = after.epoch;
  listener.done_ = is_whole ? after.position : after.position - 1;
  listener.partial_ = is_whole ? -1 : after.index;
  listener.state_ = State::behind;
  listener.turn_ = ++turns_;
  listener.push(std::make_shared<std::string>(std::string(kRetry) + "\n"));
  listeners_->laggards.pulse();
}

// Tells the client to reload its state; events behind `position` follow.
void Hub::reset(Listener& listener, std::int64_t position) {
  ++stats_.resets;
  listener.done_ = position;
  listener.partial_ = -1;
  listener.state_ = State::live;
  const auto data = "{\"type\":\"reset\",\"timestamp\":" + model::to_json(model::Timestamp::now()) + ",\"data\":{}}";
  listener.push(block(listener.place(), "reset", data));
}

void Hub::tell(const model::Uuid& organization, const Topic& topic, std::string_view data) {
  auto text = std::make_shared<std::string>("event: ");
  text->append(kTypes[topic.type]).append("\ndata: ").append(data).append("\n\n");
  for (auto* listener : listeners_->all)
    if (listener->organization_ == organization && listener->state_ == State::live) listener->offer(topic, text);
}

// ---- live listeners -------------------------------------------------------------------------------------------------

awaitable<std::chrono::milliseconds> Hub::step() {
  if (listeners_->all.empty()) {  // nobody can miss events
    known_ = false;
    co_return kLongPause;
  }
  if (!known_) {
    const auto now = co_await feed_.look();
    listeners_->epoch = now.epoch;
    position_ = taken_ = now.head;
    known_ = true;
    for (auto* listener : listeners_->all) listener->wake();
    co_return 0ms;
  }
  const auto page = co_await feed_.read(position_, listeners_->settings.max_read, kWait);
  const bool is_lost = page.epoch != listeners_->epoch || page.head < position_ || page.pruned > position_;
  if (is_lost) {
    listeners_->epoch = page.epoch;
    position_ = taken_ = page.head;
    for (auto* listener : listeners_->all)
      if (listener->state_ == State::live) reset(*listener, page.head);
    co_return 0ms;
  }
  taken_ = page.events.empty() ? page.head : page.events.back().position;
  const auto is_live = [](const Listener& listener) { return listener.state_ == State::live; };
  const auto told = co_await told_of(page, choices_of(is_live));
  for (auto* listener : listeners_->all) {
    if (listener->state_ != State::live || listener->ended_ || emit(*listener, told, taken_)) continue;
    ++stats_.slow;
    listener->end();
  }
  position_ = taken_;
  co_return 0ms;
}

Hub::Choices Hub::choices_of(const std::function<bool(const Listener&)>& chosen) const {
  Choices out;
  for (const auto* listener : listeners_->all)
    if (chosen(*listener)) out[listener->organization_].push_back(listener->choice_);
  return out;
}

// Only what a listener takes: nothing is looked up for the rest.
awaitable<Hub::ByOrganization> Hub::told_of(const events::FeedPage& page, Choices choices) {
  const auto is_taken = [&](const model::Uuid& organization, const Topic& topic) {
    const auto found = choices.find(organization);
    return found != choices.end() &&
           std::ranges::any_of(found->second, [&](const auto& each) { return each.takes(topic); });
  };
  std::vector<public_events::Notice> all;
  std::vector<Told> places;
  for (const auto& event : page.events) {
    std::unordered_map<model::Uuid, std::int32_t> last;  // an organization's last change
    try {
      auto notices = public_events::notices_with_relayed(event);
      for (std::int32_t index = 0; const auto& notice : notices) last[notice.organization_id] = index++;
      for (std::int32_t index = -1; auto& notice : notices) {
        ++index;
        auto topic = Topic::of(notice);
        if (!is_taken(notice.organization_id, topic)) continue;
        const bool is_last = last[notice.organization_id] == index;
        places.push_back({event.position, is_last ? Position::kWhole : index, std::move(topic), nullptr});
        all.push_back(std::move(notice));
      }
    } catch (const events::BadEvent& error) {  // the event's consumers park and report it
      failed(error.what());
    }
  }
  ByOrganization out;
  if (all.empty()) co_return out;
  auto question = public_events::Resources::question(all);
  public_events::Resources resources;
  if (!question.empty()) {
    const auto answer = co_await database_.read(std::move(question));
    resources = public_events::Resources(answer);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto& place = places[i];
    place.text = block({page.epoch, place.position, place.index}, all[i].type, resources.show(all[i]));
    out[all[i].organization_id].push_back(std::move(place));
  }
  co_return out;
}

// Queues the new events up to `last`; false if there is no room for all.
bool Hub::emit(Listener& listener, const ByOrganization& told, std::int64_t last) {
  const auto mine = told.find(listener.organization_);
  if (mine != told.end())
    for (const auto& each : mine->second)
      if (!listener.emit(each)) return false;
  listener.move_to(last);
  return true;
}

// ---- listeners that are behind --------------------------------------------------------------------------------------

awaitable<std::chrono::milliseconds> Hub::catch_up_some() {
  const bool found = co_await pass();
  if (!found && !catching_up_.stopping()) co_await listeners_->laggards.wait();
  const auto goes_on = [](const Listener* listener) { return is_waiting(*listener) && listener->goes_on_; };
  const bool is_hurried = !found || std::any_of(listeners_->all.begin(), listeners_->all.end(), goes_on);
  co_return is_hurried ? 0ms : listeners_->settings.catch_up_pause;  // lets later listeners join the next read
}

namespace {

bool is_gone(const events::FeedPage& page, const model::Uuid& epoch, std::int64_t done) {
  return epoch != page.epoch || done > page.head || done < page.pruned;
}

}  // namespace

bool Hub::is_waiting(const Listener& listener) {
  return listener.state_ == State::behind && !listener.ended_ && (listener.queue_.empty() || listener.goes_on_);
}

// The next listener to read for, of those behind that have room: organizations take turns in the order of their ids.
Listener* Hub::next() const {
  const auto order = [&](const Listener& listener) {
    return std::tuple(listener.organization_ <= last_turn_, listener.organization_, listener.turn_);
  };
  Listener* out = nullptr;
  for (auto* listener : listeners_->all)
    if (is_waiting(*listener) && (out == nullptr || order(*listener) < order(*out))) out = listener;
  return out;
}

// Reads one page for the next listener, and queues it for every listener that it advances. False if there is none.
awaitable<bool> Hub::pass() {
  auto* const first = next();
  if (first == nullptr) co_return false;
  last_turn_ = first->organization_;
  const auto turn = first->turn_ = ++turns_;
  const auto position = first->done_;
  const auto page = co_await feed_.read(position, listeners_->settings.max_read, 0);
  const auto last = page.events.empty() ? page.head : page.events.back().position;
  // A listener that joined during the read may be ahead of page.head: it must not be reset.
  const auto was_waiting = [&](const Listener& listener) { return is_waiting(listener) && listener.turn_ <= turn; };
  for (auto* listener : listeners_->all)
    if (was_waiting(*listener) && is_gone(page, listener->epoch_, listener->done_)) reset(*listener, page.head);
  const auto is_here = [&](const Listener& listener) {
    return was_waiting(listener) && listener.done_ >= position && listener.done_ <= last;
  };
  const auto told = co_await told_of(page, choices_of(is_here));
  // No co_await from here on: the position of the live listeners cannot change.
  const bool is_all = known_ && page.epoch == listeners_->epoch && last >= page.head && last >= taken_;
  for (auto* listener : listeners_->all) {
    if (!is_here(*listener)) continue;
    const bool is_told = emit(*listener, told, last);
    if (is_told && is_all) listener->state_ = State::live;
    listener->goes_on_ = is_told && !is_all && !page.events.empty();
    listener->wake();
  }
  co_return true;
}

}  // namespace parley::conversations::stream

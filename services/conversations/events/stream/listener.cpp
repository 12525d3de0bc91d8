#include "conversations/events/stream/listener.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>

namespace parley::conversations::stream {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kPiece = 64 * 1024;
constexpr auto kMaxCatchUp = 15s;  // beyond the requested `wait`

}  // namespace

Listener::Listener(std::shared_ptr<Listeners> all, const model::Uuid& organization, Choice choice,
                   std::chrono::seconds wait)
    : all_(std::move(all)),
      at_(all_->all.insert(all_->all.end(), this)),
      organization_(organization),
      share_(all_->places, organization),
      choice_(choice),
      timer_(all_->context),
      until_(Clock::now() + wait),
      next_heartbeat_(Clock::now() + all_->settings.heartbeat) {}

Listener::~Listener() { all_->all.erase(at_); }

bool Listener::emit(const Told& told) {
  if (!choice_.takes(told.topic)) return true;
  const bool is_told = told.position <= done_ || (told.position == done_ + 1 && told.index <= partial_);
  if (is_told) return true;
  if (queue_.size() >= all_->settings.max_events || octets_ >= all_->settings.most_octets) return false;
  const bool is_whole = told.index == Position::kWhole;
  done_ = is_whole ? told.position : told.position - 1;
  partial_ = is_whole ? -1 : told.index;
  moved_ = false;
  ++all_->told;
  push(told.text);
  return true;
}

void Listener::offer(const Topic& topic, std::shared_ptr<const std::string> text) {
  const auto& settings = all_->settings;
  // The rest of the room is left to events, of which none may be dropped.
  const bool has_room = queue_.size() < settings.max_events / 2 && octets_ < settings.most_octets / 2;
  if (ended_ || !has_room || !choice_.takes(topic)) return;
  ++all_->told;
  push(std::move(text));
}

void Listener::move_to(std::int64_t position) {
  if (position <= done_) return;
  done_ = position;
  partial_ = -1;
  moved_ = true;
}

void Listener::push(std::shared_ptr<const std::string> text) {
  octets_ += text->size();
  queue_.push_back(std::move(text));
  wake();
}

void Listener::end() {
  ended_ = true;
  wake();
}

// With `wait` 0 a client still gets what it missed.
bool Listener::is_over() const {
  if (ended_) return true;
  const auto now = Clock::now();
  return now >= until_ && (state_ == State::live || now >= until_ + kMaxCatchUp);
}

awaitable<std::string_view> Listener::next() {
  for (piece_.clear();;) {
    while (!queue_.empty() && piece_.size() < kPiece) {
      piece_ += *queue_.front();
      octets_ -= queue_.front()->size();
      queue_.pop_front();
    }
    const auto now = Clock::now();
    const bool is_last = is_over() && state_ == State::live && moved_;
    if (piece_.empty() && (is_last || (!is_over() && now >= next_heartbeat_))) {
      // The id advances a client without events, so that its position does not expire.
      piece_ = ":\n";
      if (state_ == State::live) piece_.append("id: ").append(place().text()).append("\n");
      piece_ += '\n';
      moved_ = false;
    }
    if (!piece_.empty()) {
      next_heartbeat_ = now + all_->settings.heartbeat;
      co_return piece_;
    }
    if (is_over()) co_return std::string_view{};
    if (state_ == State::behind) all_->laggards.pulse();  // there is room for more
    timer_.expires_at(std::min(next_heartbeat_, state_ == State::live ? until_ : until_ + kMaxCatchUp));
    co_await timer_.async_wait(asio::as_tuple(asio::deferred));
  }
}

}  // namespace parley::conversations::stream

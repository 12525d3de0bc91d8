#include "gateway/event_stream.hpp"

namespace parley::gateway {

EventStream::EventStream(std::shared_ptr<EventStreams> open, std::shared_ptr<http::Exchange> exchange, Check may_go_on)
    : open_(std::move(open)),
      at_(open_->insert(open_->end(), this)),
      exchange_(std::move(exchange)),
      may_go_on_(std::move(may_go_on)) {}

EventStream::~EventStream() { open_->erase(at_); }

void EventStream::end() {
  ended_ = true;
  exchange_->abandon();
}

// Checks before passing a piece on, not after: nothing that follows a revocation known here is sent.
awaitable<std::string_view> EventStream::next() {
  std::string_view piece;
  try {
    piece = co_await exchange_->next();
  } catch (const http::Unreachable&) {
    if (!ended_) throw;
  }
  if (piece.empty() || ended_ || !may_go_on_) co_return ended_ ? std::string_view{} : piece;
  const bool may_go_on = co_await may_go_on_();
  co_return may_go_on && !ended_ ? piece : std::string_view{};
}

}  // namespace parley::gateway

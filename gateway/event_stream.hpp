#pragma once
#include <functional>
#include <list>
#include <memory>

#include "common/http/upstream.hpp"

namespace parley::gateway {

using boost::asio::awaitable;

class EventStream;
// The open streams. Shared with each stream, as a stream may outlive the gateway's list.
using EventStreams = std::list<EventStream*>;

// Relays a service's endless response piece by piece, until the caller loses access or this gateway shuts down.
class EventStream final : public http::BodySource {
 public:
  using Check = std::function<awaitable<bool>()>;
  // `may_go_on` may be empty if the caller is anonymous.
  EventStream(std::shared_ptr<EventStreams> open, std::shared_ptr<http::Exchange> exchange, Check may_go_on);
  ~EventStream() override;
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  awaitable<std::string_view> next() override;
  void reader_left() override { end(); }
  // Ends the stream cleanly at the current piece.
  void end();

 private:
  std::shared_ptr<EventStreams> open_;
  EventStreams::iterator at_;
  std::shared_ptr<http::Exchange> exchange_;
  Check may_go_on_;
  bool ended_ = false;
};

}  // namespace parley::gateway

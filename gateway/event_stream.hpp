#pragma once
#include <functional>
#include <list>
#include <memory>

#include "common/http/upstream.hpp"

namespace parley::gateway {

using boost::asio::awaitable;

class EventStream;
// Those that are open. Shared with them, as they may be destroyed after it.
using EventStreams = std::list<EventStream*>;

// A service's answer that goes on for as long as something happens, passed on piece by piece: until whoever asked may
// not hear it any more, or this gateway leaves.
class EventStream final : public http::BodySource {
 public:
  using Check = std::function<awaitable<bool>()>;
  // Without a check nobody in particular hears it.
  EventStream(std::shared_ptr<EventStreams> open, std::shared_ptr<http::Exchange> exchange, Check may_go_on);
  ~EventStream() override;
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  awaitable<std::string_view> next() override;
  // The stream ends in order, where it is.
  void end();

 private:
  std::shared_ptr<EventStreams> open_;
  EventStreams::iterator at_;
  std::shared_ptr<http::Exchange> exchange_;
  Check may_go_on_;
  bool ended_ = false;
};

}  // namespace parley::gateway

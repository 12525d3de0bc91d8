#pragma once
#include <deque>

#include "common/async/event.hpp"

namespace parley::conversations::dispatch {

using boost::asio::awaitable;

// Lets so many in at once, the others in the order in which they came. Each number waits for one place at a time, so
// that none of them can keep the others out.
class Gate {
 public:
  explicit Gate(std::size_t places) : free_(places) {}

  // To be given back with leave().
  awaitable<void> enter() {
    if (free_ > 0) {
      --free_;
      co_return;
    }
    async::Event turn;
    waiting_.push_back(&turn);
    co_await turn.wait();
  }
  // The place goes to who waits longest.
  void leave() {
    if (waiting_.empty()) {
      ++free_;
      return;
    }
    waiting_.front()->set();
    waiting_.pop_front();
  }

 private:
  std::size_t free_;
  std::deque<async::Event*> waiting_;  // dangling only once the loop has ended, when nobody leaves
};

}  // namespace parley::conversations::dispatch

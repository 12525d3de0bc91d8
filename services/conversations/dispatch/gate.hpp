#pragma once
#include <deque>

#include "common/async/event.hpp"

namespace parley::conversations::dispatch {

using boost::asio::awaitable;

// A FIFO semaphore. Each number waits for one place at a time, so that no number starves the others.
class Gate {
 public:
  explicit Gate(std::size_t places) : free_(places) {}

  // The caller gives the place back with leave().
  awaitable<void> enter() {
    if (free_ > 0) {
      --free_;
      co_return;
    }
    async::Event turn;
    waiting_.push_back(&turn);
    co_await turn.wait();
  }
  // The place goes to the longest waiter.
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
  std::deque<async::Event*> waiting_;  // dangles only after the loop has ended, when nobody calls leave()
};

}  // namespace parley::conversations::dispatch

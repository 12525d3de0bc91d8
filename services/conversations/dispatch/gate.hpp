#pragma once
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>

namespace parley::conversations::dispatch {

using boost::asio::awaitable;

// Lets so many in at once, the others in the order in which they came. Each number waits for one place at a time, so
// that none of them can keep the others out.
class Gate {
 public:
  Gate(boost::asio::io_context& context, std::size_t places) : context_(context), free_(places) {}

  // To be given back with leave().
  awaitable<void> enter() {
    if (free_ > 0) {
      --free_;
      co_return;
    }
    boost::asio::steady_timer turn(context_, boost::asio::steady_timer::time_point::max());
    waiting_.push_back(&turn);
    co_await turn.async_wait(boost::asio::as_tuple(boost::asio::deferred));
  }
  // The place goes to who waits longest.
  void leave() {
    if (waiting_.empty()) {
      ++free_;
      return;
    }
    waiting_.front()->cancel();
    waiting_.pop_front();
  }

 private:
  boost::asio::io_context& context_;
  std::size_t free_;
  std::deque<boost::asio::steady_timer*> waiting_;  // dangling only once the loop has ended, when nobody leaves
};

}  // namespace parley::conversations::dispatch

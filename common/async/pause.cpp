#include "common/async/pause.hpp"

#include <boost/asio/this_coro.hpp>

namespace parley::async {

awaitable<void> pause(std::chrono::steady_clock::duration time) {
  boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor, time);
  co_await wait(timer);
}

}  // namespace parley::async

#include "conversations/templates/limits.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>

namespace parley::conversations::templates {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {
constexpr auto kPause = 30s;
constexpr auto kLongestStop = 15s;
}  // namespace

void Limits::start() {
  over_ = false;
  process_.spawn("messaging limits", run());
}

awaitable<void> Limits::stop() {
  stopped_ = true;
  timer_.cancel();
  asio::steady_timer timer(process_.context());
  for (const auto limit = http::Clock::now() + kLongestStop; !over_ && http::Clock::now() < limit;) {
    timer.expires_after(10ms);
    co_await timer.async_wait(asio::as_tuple(asio::deferred));
  }
}

awaitable<void> Limits::run() {
  while (!stopped_) {
    std::string failure;
    try {
      co_await refresh();
    } catch (const std::exception& error) {
      failure = error.what();
    }
    if (!failure.empty()) process_.log().warn("messaging limits").with("what", failure);
    if (stopped_) break;
    timer_.expires_after(kPause);
    co_await timer_.async_wait(asio::as_tuple(asio::deferred));
  }
  over_ = true;
}

awaitable<void> Limits::refresh() {
  const auto organizations = co_await store_.old_limits(Catalogue::kGoodLimit);
  for (const auto& organization : organizations) {
    if (stopped_) break;
    co_await catalogue_.refresh(organization, Kind::PhoneNumbers, Catalogue::kGoodLimit);
  }
}

}  // namespace parley::conversations::templates

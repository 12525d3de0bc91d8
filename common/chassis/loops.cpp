#include "common/chassis/loops.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>

#include "common/chassis/process.hpp"

namespace parley::chassis {

namespace asio = boost::asio;
using namespace std::chrono_literals;

Loops::Loops(asio::io_context& context, std::size_t count, std::chrono::milliseconds rest, Step step, Failed failed)
    : context_(context), rest_(rest), step_(std::move(step)), failed_(std::move(failed)) {
  while (rests_.size() < count) rests_.emplace_back(context);
}

void Loops::start(Process& process, const std::string& name) {
  for (std::size_t number = 0; number < rests_.size(); ++number) process.spawn(name, run(number));
}

awaitable<void> Loops::run(std::size_t number) {
  auto& rest = rests_.at(number);
  struct Running {
    explicit Running(int& count_) : count(count_) { ++count; }
    ~Running() { --count; }
    int& count;
  } const running(running_);
  while (!stopping_) {
    std::exception_ptr thrown;
    bool more = false;
    try {
      more = co_await step_();
    } catch (...) {
      thrown = std::current_exception();
    }
    if (thrown) failed_(words_of(thrown));
    if (more || stopping_) continue;
    rest.expires_after(rest_);
    co_await rest.async_wait(asio::as_tuple(asio::deferred));
  }
}

void Loops::kick() {
  for (auto& rest : rests_) rest.cancel();
}

awaitable<void> Loops::stop() {
  stopping_ = true;
  kick();
  asio::steady_timer timer(context_);
  while (running_ > 0) {
    timer.expires_after(5ms);
    co_await timer.async_wait(asio::as_tuple(asio::deferred));
  }
}

}  // namespace parley::chassis

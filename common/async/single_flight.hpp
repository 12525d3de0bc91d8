#pragma once
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <map>
#include <memory>
#include <optional>

#include "common/async/event.hpp"

namespace parley::async {

// One load per key at a time: concurrent callers share its value or error. For one thread; callers may outlive this.
template <class Key, class Value>
class SingleFlight {
 public:
  // Calls `load`, which returns an awaitable<Value>, unless the key is being loaded. The load runs within the first
  // caller's coroutine; if that is cancelled or destroyed early, one of the waiters loads instead.
  template <class Load>
  awaitable<Value> run(Key key, Load load) {
    return run(flights_, std::move(key), std::move(load));
  }

 private:
  struct Flight {
    Event over;
    std::optional<Value> value;
    std::exception_ptr error;  // with neither, the load was abandoned
  };
  using Flights = std::map<Key, std::shared_ptr<Flight>>;

  struct Landing {
    ~Landing() {
      const auto flight = std::move(at->second);
      flights.erase(at);
      flight->over.set();
    }
    Flights& flights;
    typename Flights::iterator at;
  };

  template <class Load>
  static awaitable<Value> run(std::shared_ptr<Flights> flights, Key key, Load load) {
    for (auto at = flights->find(key); at != flights->end(); at = flights->find(key)) {
      const auto flight = at->second;
      co_await flight->over.wait();
      if (flight->error) std::rethrow_exception(flight->error);
      if (flight->value) co_return *flight->value;
    }
    const auto flight = std::make_shared<Flight>();
    const Landing landing{*flights, flights->emplace(std::move(key), flight).first};
    try {
      flight->value = co_await load();
    } catch (const boost::system::system_error& error) {
      if (error.code() != boost::asio::error::operation_aborted) flight->error = std::current_exception();
      throw;  // a cancellation reaches only the caller that ran the load
    } catch (...) {
      flight->error = std::current_exception();
      throw;
    }
    co_return *flight->value;
  }

  std::shared_ptr<Flights> flights_ = std::make_shared<Flights>();
};

}  // namespace parley::async

#include "common/redis/count_cache.hpp"

#include <sodium/crypto_generichash.h>
#include <sodium/utils.h>

#include <array>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <charconv>
#include <chrono>
#include <deque>
#include <exception>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/redis/waiters.hpp"

namespace parley::redis {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view lifetime_seconds = "3600";
// Long enough for those of a crowd whose question to Redis was on its way before the answer was stored there.
constexpr std::chrono::seconds remembered{1};

const unsigned char* bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

bool take_number(std::string_view& text, std::int64_t& out) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || out < 0 || text.starts_with('-')) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool is_of(const Counted& counted, std::string_view epoch) { return counted.epoch.empty() || counted.epoch == epoch; }

bool is_cancellation(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const boost::system::system_error& e) {
    return e.code() == boost::asio::error::operation_aborted;
  } catch (...) {
    return false;
  }
}

}  // namespace

std::string count_key(std::string_view epoch, const CountKey& key) {
  std::array<unsigned char, 32> salt{};
  std::array<unsigned char, 16> hash{};
  crypto_generichash(salt.data(), salt.size(), bytes(epoch), epoch.size(), nullptr, 0);
  crypto_generichash(hash.data(), hash.size(), bytes(key.filter), key.filter.size(), salt.data(), salt.size());
  std::string out = "parley:count:";
  key.organization.append_to(out);
  out.append(":").append(key.collection).append(":");
  std::array<char, 2 * hash.size() + 1> text;
  return out.append(sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size()));
}

std::optional<Counted> parse_counted(std::string_view text) {
  Counted out;
  if (!take_number(text, out.version) || !text.starts_with(':')) return std::nullopt;
  text.remove_prefix(1);
  if (!take_number(text, out.count) || !text.empty()) return std::nullopt;
  return out;
}

// A count under way, or the result of one that ended not long ago.
struct CountCache::Flight {
  enum class Outcome : unsigned char { running, counted, failed, abandoned };

  Outcome outcome = Outcome::running;
  Counted result;
  std::exception_ptr error;
  std::vector<Waiter> waiters;
};

// Outlives the cache for coroutines that are destroyed after it.
struct CountCache::State {
  State(Client& redis, std::string_view first_epoch) : client(redis), executor(redis.executor()), epoch(first_epoch) {}

  std::shared_ptr<Flight> flight_of(const std::string& key);
  void forget(const std::string& key, const Flight* flight);

  Client& client;
  boost::asio::any_io_executor executor;
  std::string epoch;  // of the last page
  std::unordered_map<std::string, std::shared_ptr<Flight>> flights;
  struct Landing {
    Clock::time_point at;
    std::string key;
    std::shared_ptr<Flight> flight;
  };
  std::deque<Landing> landed;  // those in `flights` that have been counted, oldest first
  Stats stats;
};

void CountCache::State::forget(const std::string& key, const Flight* flight) {
  auto at = flights.find(key);
  if (at != flights.end() && at->second.get() == flight) flights.erase(at);
}

std::shared_ptr<CountCache::Flight> CountCache::State::flight_of(const std::string& key) {
  for (auto now = Clock::now(); !landed.empty() && now - landed.front().at > remembered; landed.pop_front())
    forget(landed.front().key, landed.front().flight.get());
  auto at = flights.find(key);
  return at == flights.end() ? nullptr : at->second;
}

// Whoever runs a flight. Should its coroutine be destroyed before the end, another waiter takes over.
class CountCache::Lead {
 public:
  Lead(std::shared_ptr<State> state, const std::string& key)
      : state_(std::move(state)), key_(key), flight_(std::make_shared<Flight>()) {
    state_->flights[key_] = flight_;
  }
  Lead(const Lead&) = delete;
  Lead& operator=(const Lead&) = delete;
  ~Lead() {
    if (flight_->outcome == Flight::Outcome::running) end(Flight::Outcome::abandoned);
  }

  void counted(Counted result) {
    flight_->result = result;
    end(Flight::Outcome::counted);
  }

  // The request that ran it may have been cancelled; those who waited were not.
  void failed(std::exception_ptr error) {
    bool cancelled = is_cancellation(error);
    flight_->error = std::move(error);
    end(cancelled ? Flight::Outcome::abandoned : Flight::Outcome::failed);
  }

 private:
  void end(Flight::Outcome outcome) {
    flight_->outcome = outcome;
    if (outcome == Flight::Outcome::counted)
      state_->landed.push_back({Clock::now(), key_, flight_});
    else
      state_->forget(key_, flight_.get());
    for (auto& waiter : std::exchange(flight_->waiters, {}))
      boost::asio::post(state_->executor, [waiter = std::move(waiter)]() mutable { waiter(); });
  }

  std::shared_ptr<State> state_;
  std::string key_;
  std::shared_ptr<Flight> flight_;
};

CountCache::CountCache(Client& client, std::string_view epoch) : state_(std::make_shared<State>(client, epoch)) {}

void CountCache::renew(std::string_view epoch) { state_->epoch = epoch; }

CountCache::Lookup CountCache::start(const CountKey& key) {
  auto text = count_key(state_->epoch, key);
  auto reply = state_->client.start({"GET", text});
  return Lookup(key, state_->epoch, std::move(text), std::move(reply));
}

awaitable<std::int64_t> CountCache::finish(Lookup lookup, std::int64_t version, CountFunction count) {
  return answer(state_, std::move(lookup), state_->epoch, version, std::move(count));
}

awaitable<std::int64_t> CountCache::total(const CountKey& key, std::int64_t version, CountFunction count) {
  return finish(start(key), version, std::move(count));
}

awaitable<std::int64_t> CountCache::answer(std::shared_ptr<State> state, Lookup lookup, std::string epoch,
                                           std::int64_t version, CountFunction count) {
  auto reply = co_await lookup.reply_.get();
  if (lookup.epoch_ != epoch) {  // the page came from another server than the one before: its totals have other keys
    lookup.key_ = count_key(epoch, {lookup.organization_, lookup.collection_, lookup.filter_});
    auto asked = state->client.start({"GET", lookup.key_});
    reply = co_await asked.get();
  }
  if (reply.kind == Reply::Kind::string) {
    auto cached = parse_counted(reply.text);
    if (cached && (cached->version == version || version == kAnyVersion)) {
      ++state->stats.hits;
      co_return cached->count;
    }
  }
  ++(reply.ok() ? state->stats.misses : state->stats.bypasses);
  if (reply.kind == Reply::Kind::string) ++state->stats.stale;
  if (!reply.ok() && reply.kind != Reply::Kind::unavailable) ++state->stats.errors;
  auto counted = co_await count_once(state, std::move(lookup.key_), std::move(epoch), version, std::move(count));
  co_return counted.count;
}

awaitable<Counted> CountCache::count_once(std::shared_ptr<State> state, std::string key, std::string epoch,
                                          std::int64_t version, CountFunction count) {
  // Versions of two servers do not compare.
  const auto covers = [&](const Counted& result) { return is_of(result, epoch) && result.version >= version; };
  for (bool second = false;;) {
    auto flight = state->flight_of(key);
    bool running = flight && flight->outcome == Flight::Outcome::running;
    bool enough = flight && flight->outcome == Flight::Outcome::counted && covers(flight->result);
    if (!running && !enough) {
      auto counted = co_await count_and_store(state, std::move(key), std::move(epoch), std::move(count));
      co_return counted;
    }
    if (running) co_await sleep_until_called([&](Waiter waiter) { flight->waiters.push_back(std::move(waiter)); });
    if (flight->outcome == Flight::Outcome::abandoned) continue;
    // A second one began after this call, so it cannot be older, whichever server counted; were its version less all
    // the same, the database has gone back in time and that is what there is.
    if (flight->error || covers(flight->result) || second) {
      ++state->stats.shared;
      if (flight->error) std::rethrow_exception(flight->error);
      co_return flight->result;
    }
    second = true;
  }
}

awaitable<Counted> CountCache::count_and_store(std::shared_ptr<State> state, std::string key, std::string epoch,
                                               CountFunction count) {
  Lead lead(state, key);
  ++state->stats.counted;
  Counted counted;
  std::exception_ptr error;
  try {
    counted = co_await count();
  } catch (...) {
    error = std::current_exception();
  }
  if (error) {
    lead.failed(error);
    std::rethrow_exception(error);
  }
  lead.counted(counted);
  if (is_of(counted, epoch)) {
    auto value = std::to_string(counted.version) + ":" + std::to_string(counted.count);
    state->client.start({"SET", key, value, "EX", lifetime_seconds});
  }
  co_return counted;
}

const CountCache::Stats& CountCache::stats() const { return state_->stats; }

}  // namespace parley::redis

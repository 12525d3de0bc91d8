#include "common/redis/count_cache.hpp"

#include <sodium/crypto_generichash.h>
#include <sodium/utils.h>

#include <array>
#include <charconv>
#include <chrono>
#include <exception>
#include <unordered_map>
#include <utility>

#include "common/async/single_flight.hpp"

namespace parley::redis {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view lifetime_seconds = "3600";
// Covers concurrent callers that queried Redis before the result was stored there.
constexpr std::chrono::seconds remembered{1};

const unsigned char* bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

bool take_number(std::string_view& text, std::int64_t& out) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || out < 0 || text.starts_with('-')) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool is_of(const Counted& counted, std::string_view epoch) { return counted.epoch.empty() || counted.epoch == epoch; }

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

struct CountCache::State {
  State(Client& redis, std::string_view first_epoch) : client(redis), epoch(first_epoch) {}

  Client& client;
  std::string epoch;  // of the last page
  async::SingleFlight<std::string, Counted> flights;
  struct Landing {
    Clock::time_point at;
    Counted result;
    bool is_recent() const { return Clock::now() - at <= remembered; }
  };
  std::unordered_map<std::string, Landing> landed;  // recent results
  Stats stats;
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
  if (lookup.epoch_ != epoch) {  // the page came from another server than the previous one: other keys
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
  // Versions of two epochs do not compare.
  const auto covers = [&](const Counted& result) { return is_of(result, epoch) && result.version >= version; };
  // The second count began after this call and is recent enough; a lower version then means a database set back.
  for (bool is_second = false;; is_second = true) {
    bool is_own = false;
    Counted counted;
    std::exception_ptr error;
    const auto landed = state->landed.find(key);
    const bool is_known = landed != state->landed.end() && landed->second.is_recent() && covers(landed->second.result);
    try {
      counted = is_known ? landed->second.result : co_await state->flights.run(key, [&] {
        is_own = true;
        return count_and_store(state, key, epoch, count);
      });
    } catch (...) {
      error = std::current_exception();
    }
    const bool is_enough = is_own || error || is_second || covers(counted);
    if (is_enough && !is_own) ++state->stats.shared;
    if (error) std::rethrow_exception(error);
    if (is_enough) co_return counted;
  }
}

awaitable<Counted> CountCache::count_and_store(std::shared_ptr<State> state, std::string key, std::string epoch,
                                               CountFunction count) {
  ++state->stats.counted;
  const auto counted = co_await count();
  std::erase_if(state->landed, [](const auto& each) { return !each.second.is_recent(); });
  state->landed[key] = {Clock::now(), counted};
  if (is_of(counted, epoch)) {
    auto value = std::to_string(counted.version) + ":" + std::to_string(counted.count);
    state->client.start({"SET", key, value, "EX", lifetime_seconds});
  }
  co_return counted;
}

const CountCache::Stats& CountCache::stats() const { return state_->stats; }

}  // namespace parley::redis

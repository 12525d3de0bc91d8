#pragma once
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "common/model/uuid.hpp"
#include "common/redis/client.hpp"

namespace parley::redis {

// A total, and the version of the organization's data for which it holds, both read by one statement in one snapshot.
struct Counted {
  std::int64_t version = 0;
  std::int64_t count = 0;
  std::string epoch = {};  // epoch of the server that counted; "": the page's
};

struct CountKey {
  model::Uuid organization;
  std::string_view collection;  // "contacts"
  std::string_view filter;      // canonical; must hold everything the count depends on
};

// Counts in PostgreSQL, on the slow lane. Called at most once per finish(), and only while that is awaited.
using CountFunction = std::function<awaitable<Counted>()>;

// Caches totals of filtered lists in Redis as "version:count" for an hour.
// The version is the sum of the organization's `changes`, incremented by every writing transaction. Of two snapshots of
// one database the one with the greater version includes the other, and equal versions mean equal rows. A total thus
// holds for its version for ever, and nothing is invalidated:
//  - a cached total is a hit only for exactly the version that the caller read in its page's snapshot;
//  - a fresh count is right for every caller with an equal or lower version: it includes all that the caller's page
//    shows, its own writes too, and may be newer.
// Redis losing data costs a count, never a wrong total. Callers of this process that miss on the same key share a
// count; one that arrives too late for its snapshot waits for the next. Results are remembered for a second, for
// callers that asked Redis before the result was stored.
// The epoch, a part of every key, names one history of the database; in another one (a restored backup, a promoted
// standby that lacked commits, a read standby with another order of commits) a version may repeat with other rows. The
// system identifier with pg_postmaster_start_time() tells them apart, except for a backup restored into a running
// server: then the operator renews the feed's epoch.
class CountCache {
 public:
  class Lookup;

  // `client` must outlive the cache. Coroutines in finish() may be destroyed after it, but not resumed.
  CountCache(Client& client, std::string_view epoch);

  // Sets the epoch of the page's snapshot. Call right before finish() and after reconnects: pages may come from a
  // primary and its replicas in turn, and no total of another epoch is used.
  void renew(std::string_view epoch);

  // Queries Redis at once, while the page's statements run.
  Lookup start(const CountKey& key);
  // Pass as version to accept a total of any version, at most an hour old, as for pages behind a cursor.
  static constexpr std::int64_t kAnyVersion = -1;
  // Returns the total for a page of this version. Exceptions of `count` reach all callers that share it.
  awaitable<std::int64_t> finish(Lookup lookup, std::int64_t version, CountFunction count);
  // start() and finish() for a known version; the call itself queries Redis, not the co_await.
  awaitable<std::int64_t> total(const CountKey& key, std::int64_t version, CountFunction count);

  struct Stats {
    unsigned long long hits = 0;
    unsigned long long misses = 0;    // Redis had nothing, another version, or no valid total
    unsigned long long stale = 0;     // misses where Redis had something
    unsigned long long bypasses = 0;  // Redis did not answer, or was not asked
    unsigned long long errors = 0;    // bypasses where Redis was asked
    unsigned long long shared = 0;    // misses and bypasses answered by another caller's count
    unsigned long long counted = 0;   // counts run
  };
  const Stats& stats() const;

 private:
  struct State;

  static awaitable<std::int64_t> answer(std::shared_ptr<State> state, Lookup lookup, std::string epoch,
                                        std::int64_t version, CountFunction count);
  static awaitable<Counted> count_once(std::shared_ptr<State> state, std::string key, std::string epoch,
                                       std::int64_t version, CountFunction count);
  static awaitable<Counted> count_and_store(std::shared_ptr<State> state, std::string key, std::string epoch,
                                            CountFunction count);

  std::shared_ptr<State> state_;
};

class CountCache::Lookup {
 public:
  Lookup(Lookup&&) = default;
  Lookup& operator=(Lookup&&) = default;

 private:
  friend class CountCache;
  Lookup(const CountKey& of, std::string epoch, std::string key, Pending reply)
      : organization_(of.organization),
        collection_(of.collection),
        filter_(of.filter),
        epoch_(std::move(epoch)),
        key_(std::move(key)),
        reply_(std::move(reply)) {}

  model::Uuid organization_;
  std::string collection_, filter_;
  std::string epoch_;  // the epoch at start()
  std::string key_;
  Pending reply_;
};

// parley:count:{organization}:{collection}:{hash}; hash: hexadecimal BLAKE2b-128 of the filter, keyed by the epoch.
std::string count_key(std::string_view epoch, const CountKey& key);

// Two non-negative numbers, or nullopt.
std::optional<Counted> parse_counted(std::string_view text);

}  // namespace parley::redis

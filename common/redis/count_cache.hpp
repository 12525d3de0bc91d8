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

// A total and the version of the organization's data at which it is true; both from one statement, so of one snapshot.
struct Counted {
  std::int64_t version = 0;
  std::int64_t count = 0;
  std::string epoch = {};  // of the server that counted; "": the page's
};

// What is counted.
struct CountKey {
  model::Uuid organization;
  std::string_view collection;  // "contacts"
  std::string_view filter;      // one spelling for one meaning; whatever the count depends on must be in it
};

// Counts in PostgreSQL, on the slow lane. Run at most once a finish(), and only while that is awaited.
using CountFunction = std::function<awaitable<Counted>()>;

// Totals of filtered lists, cached in Redis as "version:count" for an hour.
//
// The version is the sum of the organization's `changes`, which every writing transaction raises: of two snapshots of
// one database the one with the greater version holds all of the other, and equal ones hold the same rows. So a total
// is true of a version for ever, nothing is ever invalidated, and:
//  - a cached total is a hit only for exactly the version that the caller read in its page's snapshot;
//  - a total counted now is right for every caller whose version is no greater: it holds all that its page holds, its
//    own writes too, and may be newer, as any count made after the page is.
// Whatever Redis lost, kept too long or never got, then, costs a count but makes no total wrong.
//
// Callers of this process who miss on the same key share a count: one runs at a time, and whoever arrived too late for
// its snapshot waits for the next, which starts after that; so nobody waits for more than two. A result is remembered
// for a second, for those of a crowd who had asked Redis before it was stored there.
//
// The epoch tells one history of the database from another, in which versions come again with other rows: a restored
// backup, a promoted standby that lacked the last commits, a standby that is read (it may show concurrent commits in
// another order). It is part of every key. The system identifier with pg_postmaster_start_time() differs between any
// two of these but a backup that is restored into a running server: that the feed's epoch tells, which its operator
// renews. renew() it whenever connections had to be made anew.
class CountCache {
 public:
  class Lookup;

  // `client` must outlive this; coroutines still in finish() may outlive it only to be destroyed.
  CountCache(Client& client, std::string_view epoch);

  // The epoch that the page's snapshot told, said right before finish(): nothing is taken from Redis or from a count
  // under way that belongs to another one. Pages may come from a primary and its replicas in turn.
  void renew(std::string_view epoch);

  // Asks Redis now, so that the answer comes while the page's statements run.
  Lookup start(const CountKey& key);
  // Instead of a version: a total of any will do, as on pages behind a cursor. It is an hour old at most.
  static constexpr std::int64_t kAnyVersion = -1;
  // The total for the page whose snapshot had this version. Throws what `count` throws, to all who share it.
  awaitable<std::int64_t> finish(Lookup lookup, std::int64_t version, CountFunction count);
  // Both, for a version known already. Redis is asked when this is called, not when it is awaited.
  awaitable<std::int64_t> total(const CountKey& key, std::int64_t version, CountFunction count);

  struct Stats {
    unsigned long long hits = 0;
    unsigned long long misses = 0;    // Redis had nothing, another version, or what is no total
    unsigned long long stale = 0;     // of those: something
    unsigned long long bypasses = 0;  // Redis did not answer, or was not asked
    unsigned long long errors = 0;    // of those: it was asked
    unsigned long long shared = 0;    // of misses and bypasses: answered by a count that another caller ran
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

// A question to Redis under way.
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
  std::string epoch_;  // that it was asked for
  std::string key_;
  Pending reply_;
};

// The key in Redis: parley:count:{organization}:{collection}:{hash}, hash being BLAKE2b-128 of the filter, keyed by the
// epoch, in hexadecimal.
std::string count_key(std::string_view epoch, const CountKey& key);

// Reads "version:count", two numbers of 0 and more; anything else is nullopt.
std::optional<Counted> parse_counted(std::string_view text);

}  // namespace parley::redis

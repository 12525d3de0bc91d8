#pragma once
// A service's figures computed from its rows, with their position in the feed: a consumer that replaces its figures by
// a snapshot and continues with later events misses nothing and counts nothing twice. For consumers that are new or
// cannot follow the feed any more.
//
// GET /internal/snapshot returns lines: a SnapshotHead, then changes as in events (events/counted_changes.hpp, and
// others that describe a state, not a difference), in any order, to be added up. Empty lines are ignored.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/http/message.hpp"
#include "common/model/json.hpp"

namespace parley::events {

using boost::asio::awaitable;

struct SnapshotHead {
  model::Uuid epoch;
  std::int64_t position = 0;  // contains exactly the events up to here
  std::optional<model::Timestamp>
      exactFrom;  // figures before this time may be incomplete, as rows were removed; null: all are exact
};
BOOST_DESCRIBE_STRUCT(SnapshotHead, (), (epoch, position, exactFrom))

// Parses a snapshot's response as it arrives.
class SnapshotReader {
 public:
  explicit SnapshotReader(std::unique_ptr<http::BodySource> source) : source_(std::move(source)) {}

  // Must be called first. begin() and next() throw like the source, and std::runtime_error for an invalid snapshot.
  awaitable<void> begin();
  const SnapshotHead& head() const { return head_; }
  // The next lines, some hundreds; empty at the end.
  awaitable<std::vector<std::string>> next();

 private:
  awaitable<bool> read();  // false at the end

  std::unique_ptr<http::BodySource> source_;
  std::string gathered_;
  SnapshotHead head_;
};

}  // namespace parley::events

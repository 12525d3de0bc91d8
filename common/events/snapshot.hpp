#pragma once
// A service's figures as its rows tell them, and the place in its feed where they were taken: who replaces what they
// have by these and goes on with the events behind that place has missed nothing and counted nothing twice. For whoever
// cannot follow the feed any more, or never has.
//
// GET /internal/snapshot answers lines: first a SnapshotHead, then changes as events have them (events/counted_changes
// .hpp, and others that say how something is, not how it changed), in any order, each to be added to what the others
// told. Empty lines mean nothing.
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
  std::int64_t position = 0;                  // what the events up to here told is in it, and nothing else
  std::optional<model::Timestamp> exactFrom;  // what was before may be missing, its rows being gone; null: nothing is
};
BOOST_DESCRIBE_STRUCT(SnapshotHead, (), (epoch, position, exactFrom))

// Takes a snapshot's answer apart as it arrives.
class SnapshotReader {
 public:
  explicit SnapshotReader(std::unique_ptr<http::BodySource> source) : source_(std::move(source)) {}

  // To be called first. This and next() throw what the source does, and std::runtime_error for what is no snapshot.
  awaitable<void> begin();
  const SnapshotHead& head() const { return head_; }
  // The next lines, some hundreds; none at the end.
  awaitable<std::vector<std::string>> next();

 private:
  awaitable<bool> read();  // false: there is no more

  std::unique_ptr<http::BodySource> source_;
  std::string gathered_;
  SnapshotHead head_;
};

}  // namespace parley::events

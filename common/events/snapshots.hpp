#pragma once
// The telling half of snapshots: see snapshot.hpp.
#include "common/events/feed.hpp"
#include "common/events/snapshot.hpp"

namespace parley::events {

struct SnapshotSettings {
  // What is told: each a statement (organization_id uuid, id uuid) that walks through a table by this key, of which it
  // looks at a bounded number of rows behind the one given. Its one row is the last of them, nulls at the end, and
  // `lines`, each with its line's end: (organization_id uuid, id uuid, lines text).
  std::vector<const pg::Statement*> walks;
  bool is_whole = true;  // rows are never removed, so that they tell all that events did
};

// A service's snapshots. They are taken and told in a transaction of the write lane, one at a time.
class Snapshots {
 public:
  Snapshots(Feed& feed, SnapshotSettings settings, Report report)
      : feed_(feed), settings_(std::move(settings)), report_(std::move(report)) {}

  // GET /internal/snapshot. A Problem 503 while another is being told.
  awaitable<http::Response> serve();

 private:
  class Lines;
  Feed& feed_;
  const SnapshotSettings settings_;
  Report report_;
  // Whether one is being told; shared with it, as it may be destroyed after this.
  std::shared_ptr<bool> busy_ = std::make_shared<bool>(false);
};

}  // namespace parley::events

#pragma once
// The producer of snapshots: see snapshot.hpp.
#include "common/events/feed.hpp"
#include "common/events/snapshot.hpp"

namespace parley::events {

struct SnapshotSettings {
  // Statements (organization_id uuid, id uuid) that walk a table by this key, a bounded number of rows per call. Each
  // returns one row: the last key, nulls at the end, and `lines`, each terminated: (organization_id uuid, id uuid,
  // lines text).
  std::vector<const pg::Statement*> walks;
  bool is_whole = true;  // rows are never removed, so the figures are complete
};

// A service's snapshots: taken and sent in a transaction of the write lane, one at a time.
class Snapshots {
 public:
  Snapshots(Feed& feed, SnapshotSettings settings, Report report)
      : feed_(feed), settings_(std::move(settings)), report_(std::move(report)) {}

  // Serves GET /internal/snapshot. A Problem 503 while another snapshot is being sent.
  awaitable<http::Response> serve();

 private:
  class Lines;
  Feed& feed_;
  const SnapshotSettings settings_;
  Report report_;
  // Whether a snapshot is being sent; shared with the response, which may outlive this object.
  std::shared_ptr<bool> busy_ = std::make_shared<bool>(false);
};

}  // namespace parley::events

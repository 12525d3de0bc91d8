#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "contacts/quotas.hpp"
#include "contacts/segments/shapes.hpp"

namespace parley::contacts::segments {

using boost::asio::awaitable;

struct Page {
  std::vector<Segment> segments;
  std::int64_t total = 0;
};

// Names are unique per organization, ignoring case: a duplicate throws a Problem 409 that names the existing segment.
class Store {
 public:
  explicit Store(pg::Pool& database, const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), quotas_(quotas) {}

  awaitable<Page> list(model::Uuid organization, PageFilter filter);
  awaitable<std::optional<VersionedSegment>> find(model::Uuid organization, model::Uuid id);
  awaitable<std::vector<model::Uuid>> known(model::Uuid organization, std::vector<model::Uuid> ids);
  // The attributes of the newest contacts, the most frequent first.
  awaitable<AttributesResponse> attributes(model::Uuid organization);
  // Throws a Problem 400 that names the tags and lists that do not exist.
  awaitable<void> require(model::Uuid organization, AllNamed named);

  // ---- in the caller's transaction ----

  awaitable<Segment> create(pg::Transaction& transaction, model::Uuid organization, Changes segment);
  // Locks the segment until the transaction ends.
  awaitable<std::optional<VersionedSegment>> lock(pg::Transaction& transaction, model::Uuid organization,
                                                  model::Uuid id);
  // Require the segment to be locked.
  awaitable<Segment> update(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Changes changes);
  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

 private:
  pg::Pool& database_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::contacts::segments

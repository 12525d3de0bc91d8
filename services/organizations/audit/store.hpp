#pragma once
#include <boost/asio/awaitable.hpp>
#include <span>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"
#include "organizations/audit/shapes.hpp"

namespace parley::organizations::audit {

using boost::asio::awaitable;

// What is written here by our own changes goes through record(), in their transactions.
class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // A page, by when it was done.
  awaitable<Page> list(model::Uuid organization, Filter filter);

 private:
  pg::Pool& database_;
};

// Keeps what contacts tells: see chassis::EventConsumer. Each entry once, however often it is told. What belongs to an
// organization that is no more is passed over.
awaitable<void> apply(pg::Transaction& transaction, std::span<const events::Event> events);
// Nothing is undone when the feed is read anew: what is told again is known by its id.
awaitable<void> forget(pg::Transaction& transaction);

}  // namespace parley::organizations::audit

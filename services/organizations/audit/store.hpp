#pragma once
#include <boost/asio/awaitable.hpp>
#include <span>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"
#include "organizations/audit/shapes.hpp"

namespace parley::organizations::audit {

using boost::asio::awaitable;

// Reads the audit. Changes of this service write to it by record().
class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // A page, ordered by time. A search looks at 20,000 entries at most; its total is among the first 20,000.
  awaitable<Page> list(model::Uuid organization, Filter filter);

 private:
  pg::Pool& database_;
};

// Stores audit events of the contacts feed (chassis::EventConsumer), each once. Skips those of deleted organizations.
awaitable<void> apply(pg::Transaction& transaction, std::span<const events::Event> events);
// Does nothing: repeated entries are recognized by their ids.
awaitable<void> forget(pg::Transaction& transaction);

}  // namespace parley::organizations::audit

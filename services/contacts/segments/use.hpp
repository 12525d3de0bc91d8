#pragma once
// Segments and filters, compiled for an organization as it is now.
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "contacts/segments/predicate.hpp"

namespace parley::contacts::segments {

using boost::asio::awaitable;

// The contacts of any of these lists and segments; what does not exist has none.
awaitable<PredicatePtr> use(pg::Pool& database, model::Uuid organization, std::vector<model::Uuid> segments,
                            std::vector<model::Uuid> lists = {});
awaitable<PredicatePtr> use(pg::Pool& database, model::Uuid organization, Condition filter);

}  // namespace parley::contacts::segments

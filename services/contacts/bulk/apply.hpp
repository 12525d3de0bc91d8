#pragma once
#include <boost/asio/awaitable.hpp>
#include <map>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"
#include "contacts/bulk/shapes.hpp"
#include "contacts/quotas.hpp"

namespace parley::contacts::bulk {

using boost::asio::awaitable;

// What a step did to its contacts.
struct Outcome {
  std::vector<model::Uuid> changed;  // sorted
  std::vector<ContactError> failed;
  std::int64_t contacts = 0;                    // change of the number of contacts
  std::map<model::Uuid, std::int64_t> members;  // and of members, by list
  events::Changes told;
  std::string refusal;  // why nothing can be done to any contact
};

// How many contacts a step may change, so that it writes no more than some thousand rows.
std::size_t most_of_step(const ActionBody& action);

// Locks those of these contacts that exist until the transaction ends; returns them, sorted.
awaitable<std::vector<model::Uuid>> lock(pg::Transaction& transaction, const Job& job, std::vector<model::Uuid> ids);

// Does the job's action to contacts, which must be locked.
awaitable<Outcome> apply(pg::Transaction& transaction, const Job& job, std::vector<model::Uuid> ids,
                         const chassis::Quotas& quotas);

}  // namespace parley::contacts::bulk

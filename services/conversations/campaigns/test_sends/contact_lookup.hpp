#pragma once
#include <span>

#include "common/chassis/pipeline.hpp"
#include "common/chassis/service_client.hpp"
#include "common/model/campaign.hpp"
#include "conversations/campaigns/test_sends/shapes.hpp"

namespace parley::conversations::test_sends {

using boost::asio::awaitable;

// Queries to contacts about people for previews and tests.
class ContactLookup {
 public:
  explicit ContactLookup(chassis::ServiceClient& contacts) : contacts_(contacts) {}

  // Returns the first Active contact of the campaign's audience; nullopt if none is among the first hundreds, or if
  // contacts is unavailable (then the call is marked degraded).
  awaitable<std::optional<model::Uuid>> first_of(chassis::Call& call, const model::Campaign& campaign);
  // Returns values in the order of the ids, nullopt for unknown ones; nullopt as a whole: contacts is unavailable.
  awaitable<std::optional<std::vector<std::optional<Person>>>> find(chassis::Call& call, std::vector<model::Uuid> ids,
                                                                    std::vector<std::string> variables);
  // Returns the contacts of the numbers, in order; creates missing ones. Throws http::Unreachable.
  awaitable<std::vector<model::Uuid>> resolve(chassis::Call& call, std::span<const std::string> phones);

 private:
  chassis::ServiceClient& contacts_;
};

}  // namespace parley::conversations::test_sends

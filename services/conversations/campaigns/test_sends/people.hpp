#pragma once
#include <span>

#include "common/chassis/pipeline.hpp"
#include "common/chassis/service_client.hpp"
#include "conversations/campaigns/test_sends/shapes.hpp"

namespace parley::conversations::test_sends {

using boost::asio::awaitable;

// Contacts' words about who a campaign may be tried with.
class People {
 public:
  explicit People(chassis::ServiceClient& contacts) : contacts_(contacts) {}

  // The first Active contact of these lists that is not on those; nullopt: there is nobody among the first hundreds.
  // While contacts is away nobody either, which the call notes.
  awaitable<std::optional<model::Uuid>> first_of(chassis::Call& call, std::vector<model::Uuid> lists,
                                                 std::vector<model::Uuid> excluded);
  // Their values, in the order of the contacts; nullopt for who is none. nullopt for all: contacts is away.
  awaitable<std::optional<std::vector<std::optional<Person>>>> find(chassis::Call& call, std::vector<model::Uuid> ids,
                                                                    std::vector<std::string> variables);
  // Whose numbers these are, in their order; strangers become contacts. Throws http::Unreachable.
  awaitable<std::vector<model::Uuid>> resolve(chassis::Call& call, std::span<const std::string> phones);

 private:
  chassis::ServiceClient& contacts_;
};

}  // namespace parley::conversations::test_sends

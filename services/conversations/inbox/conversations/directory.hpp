#pragma once
#include "common/chassis/pipeline.hpp"
#include "common/chassis/service_client.hpp"
#include "common/contracts/contacts.hpp"
#include "conversations/inbox/conversations/shapes.hpp"

namespace parley::conversations::conversations {

using boost::asio::awaitable;

// Lookups in contacts that no answer can do without: all throw http::Unreachable.
class Directory {
 public:
  explicit Directory(chassis::ServiceClient& contacts) : contacts_(contacts) {}

  // The contacts that match a filter; nullopt if it restricts none. A search yields the best 1,000; more than 100,000
  // in a list are a Problem 400.
  awaitable<std::optional<std::vector<model::Uuid>>> contacts_of(chassis::Call& call, const Filter& filter);

  // The tags for these names, each an id or a label, which is created if missing; sorted by id, distinct. An invalid
  // name is a Problem 400 at /tags/N.
  awaitable<std::vector<model::Tag>> named_tags(chassis::Call& call, const std::vector<std::string>& names);
  awaitable<std::vector<model::Uuid>> tags_of(chassis::Call& call, const std::vector<std::string>& names);

  awaitable<std::vector<model::Uuid>> known_lists(chassis::Call& call, const std::vector<model::Uuid>& ids);
  awaitable<std::vector<model::Uuid>> known_segments(chassis::Call& call, const std::vector<model::Uuid>& ids);

 private:
  awaitable<std::vector<model::Uuid>> ids(chassis::Call& call, contracts::contacts::IdsQuery query, std::size_t most);

  chassis::ServiceClient& contacts_;
};

}  // namespace parley::conversations::conversations

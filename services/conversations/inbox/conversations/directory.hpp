#pragma once
#include "common/chassis/pipeline.hpp"
#include "common/chassis/service_client.hpp"
#include "common/contracts/contacts.hpp"
#include "conversations/inbox/conversations/shapes.hpp"

namespace parley::conversations::conversations {

using boost::asio::awaitable;

// What only contacts can tell, and without which there is no answer: all throw http::Unreachable.
class Directory {
 public:
  explicit Directory(chassis::ServiceClient& contacts) : contacts_(contacts) {}

  // The contacts that a filter lets through; nullopt if it asks for nothing of them. Of those that match a search the
  // best 1,000 count; a list of more than 100,000 is a Problem 400.
  awaitable<std::optional<std::vector<model::Uuid>>> contacts_of(chassis::Call& call, const Filter& filter);

  // The tags that these texts name, each an id or else a label, whose tag is made if there is none: sorted by id, each
  // once. What is no tag is a Problem 400 at /tags/N.
  awaitable<std::vector<model::Tag>> named_tags(chassis::Call& call, const std::vector<std::string>& names);
  awaitable<std::vector<model::Uuid>> tags_of(chassis::Call& call, const std::vector<std::string>& names);

  // Those of these lists that exist.
  awaitable<std::vector<model::Uuid>> known_lists(chassis::Call& call, const std::vector<model::Uuid>& ids);

 private:
  awaitable<std::vector<model::Uuid>> ids(chassis::Call& call, contracts::contacts::IdsQuery query, std::size_t most);

  chassis::ServiceClient& contacts_;
};

}  // namespace parley::conversations::conversations

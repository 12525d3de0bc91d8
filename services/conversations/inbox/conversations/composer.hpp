#pragma once
#include <span>

#include "common/chassis/pipeline.hpp"
#include "common/chassis/service_client.hpp"
#include "conversations/inbox/conversations/shapes.hpp"

namespace parley::conversations::conversations {

using boost::asio::awaitable;

// Asks contacts for their parts of these contacts and tags, whose ids are never the same, in as many calls as it takes.
std::vector<http::PendingResponse> ask_contacts(chassis::ServiceClient& contacts, const chassis::Call& call,
                                                const std::vector<model::Uuid>& contact_ids,
                                                const std::vector<model::Uuid>& tag_ids);
// False: not all of them came.
awaitable<bool> gather(chassis::ServiceClient& peer, std::vector<http::PendingResponse> asked,
                       std::vector<chassis::Fragments>& out);
std::optional<std::string_view> part_of(const std::vector<chassis::Fragments>& parts, const model::Uuid& id);

// What contacts and organizations know of conversations.
struct Others {
  std::vector<chassis::Fragments> contacts, members;
  bool has_contacts = true;  // false: could not be asked
  bool has_members = true;

  std::optional<std::string_view> of_contact_or_tag(const model::Uuid& id) const;
  std::optional<std::string_view> of_member(const model::Uuid& id) const;
};

// Puts conversations together from what the contexts know.
class Composer {
 public:
  Composer(chassis::ServiceClient& contacts, chassis::ServiceClient& organizations)
      : contacts_(contacts), organizations_(organizations) {}

  // Asks both at once, with one call each for as many as fit into one; organizations only if somebody is in charge. Who
  // is out of reach is noted in the call's answer.
  awaitable<Others> ask(chassis::Call& call, std::span<const Found> conversations);
  // What the caller may see of it: what they may not is as if it were not there.
  static model::Conversation compose(const chassis::Call& call, Found found, const Others& others);

 private:
  chassis::ServiceClient& contacts_;
  chassis::ServiceClient& organizations_;
};

// Whether what the others know of the one is what they know of the other.
bool concerns_the_same(const Found& a, const Found& b);

}  // namespace parley::conversations::conversations

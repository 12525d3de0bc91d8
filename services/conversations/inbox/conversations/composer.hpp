#pragma once
#include <span>

#include "common/chassis/pipeline.hpp"
#include "common/chassis/service_client.hpp"
#include "conversations/inbox/conversations/shapes.hpp"

namespace parley::conversations::conversations {

using boost::asio::awaitable;

// Requests contacts and tags, whose ids never collide, from contacts in as many calls as needed.
std::vector<http::PendingResponse> ask_contacts(chassis::ServiceClient& contacts, const chassis::Call& call,
                                                const std::vector<model::Uuid>& contact_ids,
                                                const std::vector<model::Uuid>& tag_ids);
// False if parts are missing.
awaitable<bool> gather(chassis::ServiceClient& peer, std::vector<http::PendingResponse> asked,
                       std::vector<chassis::Fragments>& out);
std::optional<std::string_view> part_of(const std::vector<chassis::Fragments>& parts, const model::Uuid& id);

struct Others {
  std::vector<chassis::Fragments> contacts, members;
  bool has_contacts = true;  // false: unreachable
  bool has_members = true;

  std::optional<std::string_view> of_contact_or_tag(const model::Uuid& id) const;
  std::optional<std::string_view> of_member(const model::Uuid& id) const;
};

class Composer {
 public:
  Composer(chassis::ServiceClient& contacts, chassis::ServiceClient& organizations)
      : contacts_(contacts), organizations_(organizations) {}

  // Asks both at once (organizations only for assigned members). Notes unreachable services in the call.
  awaitable<Others> ask(chassis::Call& call, std::span<const Found> conversations);
  // Leaves out what the caller has no permission to see.
  static model::Conversation compose(const chassis::Call& call, Found found, const Others& others);

 private:
  chassis::ServiceClient& contacts_;
  chassis::ServiceClient& organizations_;
};

bool concerns_the_same(const Found& a, const Found& b);

}  // namespace parley::conversations::conversations

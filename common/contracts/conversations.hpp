#pragma once
// What other services ask conversations.
#include "common/chassis/operation.hpp"
#include "common/model/conversation.hpp"

namespace parley::contracts::conversations {

struct OfContactsQuery {
  std::optional<model::Uuid> organization_id;
  std::optional<std::int64_t> messages;  // the newest, of each conversation
  std::optional<std::vector<model::Uuid>> contact_ids;
};
BOOST_DESCRIBE_STRUCT(OfContactsQuery, (), (organization_id, messages, contact_ids))

// What contacts embed.
inline constexpr std::size_t kMaxContacts = 100;  // a page
inline constexpr std::int64_t kMaxMessages = 20;
using ConversationLines = chassis::Lines<std::vector<model::ConversationInContact>>;
inline constexpr chassis::Get<OfContactsQuery, ConversationLines> of_contacts{
    .caller = "contacts", .path = "/internal/conversations/of-contacts", .answer_time = chassis::kPartTime};

}  // namespace parley::contracts::conversations

#pragma once
// Operations of conversations that other services call.
#include "common/chassis/operation.hpp"
#include "common/model/conversation.hpp"

namespace parley::contracts::conversations {

struct OfContactsQuery {
  std::optional<model::Uuid> organization_id;
  std::optional<std::int64_t> messages;  // how many of the newest messages per conversation
  std::optional<std::vector<model::Uuid>> contact_ids;
};
BOOST_DESCRIBE_STRUCT(OfContactsQuery, (), (organization_id, messages, contact_ids))

// The parts that contacts embed.
inline constexpr std::size_t kMaxContacts = 100;  // per page
inline constexpr std::int64_t kMaxMessages = 20;
// With kMaxMessages, the answer about several contacts is short: `null` stands for one whose messages are long, which
// is to be asked for alone.
inline constexpr std::size_t kSeveralContacts = 8;
using ConversationLines = chassis::Lines<std::vector<model::ConversationInContact>, model::RawJson>;
inline constexpr chassis::Get<OfContactsQuery, ConversationLines> of_contacts{
    .caller = "contacts", .path = "/internal/conversations/of-contacts", .answer_time = chassis::kPartTime};

}  // namespace parley::contracts::conversations

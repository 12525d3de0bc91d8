#pragma once
#include "common/http/problem.hpp"
#include "conversations/messages/shapes.hpp"

namespace parley::conversations::messages {

// `pointer` locates the message in the body: "" or "/message".
NewMessage check(MessageBody body, std::string pointer, http::Faults& faults);

Cut read_cut(const OfConversationQuery& query);
Cut read_cut(const ListQuery& query);

std::string cursor_behind(const Cut& cut, const After& last);

}  // namespace parley::conversations::messages

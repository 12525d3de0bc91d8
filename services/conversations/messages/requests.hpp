#pragma once
#include "common/http/problem.hpp"
#include "conversations/messages/shapes.hpp"

namespace parley::conversations::messages {

// What requests ask for, checked; what is wrong with them is added to the faults, or one Problem 400.

// `pointer` is where the message stands in the body: "" or "/message".
NewMessage check(MessageBody body, std::string pointer, http::Faults& faults);

Cut read_cut(const OfConversationQuery& query);
Cut read_cut(const ListQuery& query);

// The link to what is behind a full page; "" where there is nothing.
std::string link_behind(const http::Request& request, const Cut& cut, const PageRow& last);

}  // namespace parley::conversations::messages

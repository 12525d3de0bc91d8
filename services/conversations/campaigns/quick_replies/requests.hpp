#pragma once
#include "conversations/campaigns/quick_replies/shapes.hpp"

namespace parley::conversations::quick_replies {

using boost::asio::awaitable;

awaitable<Changes> read_changes(http::Request& request, bool is_new);

// The reply as these make it. Throws Problem 400 for what the channel would not take.
QuickReply changed(QuickReply reply, const Changes& changes);

// The reply as a campaign's Text.
model::RawJson message_of(const QuickReply& reply);

}  // namespace parley::conversations::quick_replies

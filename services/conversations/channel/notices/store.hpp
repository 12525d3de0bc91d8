#pragma once
// What the channel tells about the accounts of organizations: kept, shown with the phone numbers, told as events.
#include <boost/asio/awaitable.hpp>
#include <span>
#include <vector>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"
#include "conversations/channel/notices/shapes.hpp"

namespace parley::conversations::notices {

using boost::asio::awaitable;

struct Addressed {
  model::Uuid organization;
  const News* news = nullptr;
};

// Adds what is new with its events, and leaves the newest 50 notices of each kind and organization. Has the lists of
// phone numbers of these accounts asked for again, as limits and quality may have changed. Idempotent.
awaitable<void> add(pg::Transaction& transaction, std::span<const Addressed> told, events::Changes& changes);

// The newest 5 of each kind about this account, the newest first.
awaitable<std::vector<Notice>> recent(pg::Pool& database, model::Uuid organization, std::string business_account_id);

}  // namespace parley::conversations::notices

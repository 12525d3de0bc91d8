#pragma once
#include "conversations/campaigns/shapes.hpp"

namespace parley::conversations::campaigns {

using boost::asio::awaitable;

// What requests ask for, checked; what is wrong with it is one Problem 400 that names each place.
Filter read_filter(const ListQuery& query);
awaitable<Changes> read_changes(http::Request& request, bool is_new);

// A schedule as it was given: a moment, or what clocks show in the campaign's time zone, as PostgreSQL reads it.
struct Schedule {
  std::optional<model::Timestamp> moment;
  std::string local;
};
// nullopt for what is neither.
std::optional<Schedule> read_schedule(const std::string& text);

// The campaign with the changes.
model::Campaign changed(model::Campaign campaign, const Changes& changes);
// The members that differ of those that are settled once a campaign has begun.
std::vector<std::string> settled_that_differ(const model::Campaign& a, const model::Campaign& b);

}  // namespace parley::conversations::campaigns

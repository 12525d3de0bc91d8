#pragma once
#include <chrono>

#include "conversations/campaigns/shapes.hpp"

namespace parley::conversations::campaigns {

using boost::asio::awaitable;

// Read and check requests; throw one Problem 400 that names each place.
Filter read_filter(const ListQuery& query);
awaitable<Changes> read_changes(http::Request& request, bool is_new);
std::chrono::seconds read_delay(const StartBody& body);
// The copy's name as given, or else made of the original's.
std::string read_name(const DuplicateBody& body, const std::string& original);

// A schedule as given: a timestamp, or local time in the campaign's time zone, in PostgreSQL's syntax.
struct Schedule {
  std::optional<model::Timestamp> moment;
  std::string local;
};
// Returns nullopt if the text is neither.
std::optional<Schedule> read_schedule(const std::string& text);

model::Campaign changed(model::Campaign campaign, const Changes& changes);
// Returns the differing members among those that are fixed once a campaign has begun.
std::vector<std::string> settled_that_differ(const model::Campaign& a, const model::Campaign& b);

}  // namespace parley::conversations::campaigns

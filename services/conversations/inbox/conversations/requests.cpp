#include "conversations/inbox/conversations/requests.hpp"

#include <charconv>

namespace parley::conversations::conversations {

namespace {

constexpr std::int64_t kLastMoment = 253'402'300'799'000'000;  // 9999-12-31, in microseconds

void read_assignment(const ListQuery& query, Filter& filter, http::Faults& faults) {
  if (!query.assigned_to) return;
  filter.unassigned = *query.assigned_to == "none";
  if (!filter.unassigned) filter.member_id = model::Uuid::parse(*query.assigned_to);
  if (!filter.unassigned && !filter.member_id) faults.add("?assigned_to", "must be a member's id, or none");
}

bool is_moment(const std::string& text) {
  std::int64_t moment = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), moment);
  return error == std::errc{} && end == text.data() + text.size() && moment >= 0 && moment <= kLastMoment;
}

}  // namespace

Filter read_filter(const ListQuery& query) {
  http::Faults faults;
  Filter filter{http::read_page_filter(query, http::Order::desc, faults),
                query.status,
                query.contact_id,
                query.campaign_id,
                query.list_id,
                {},
                false,
                query.unread.value_or(false),
                query.awaiting.value_or(false),
                query.has_inbound,
                query.initiated_by};
  read_assignment(query, filter, faults);
  const bool by_moment = filter.sort_by == SortBy::lastMessageAt;
  if (filter.after && (by_moment ? !is_moment(filter.after->text) : !filter.after->text.empty()))
    faults.add("?cursor", "is not one that this list gave for this order");
  faults.throw_if_any();
  return filter;
}

}  // namespace parley::conversations::conversations

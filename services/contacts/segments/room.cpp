#include "contacts/segments/room.hpp"

#include <algorithm>

#include "common/http/problem.hpp"

namespace parley::contacts::segments {

namespace {

constexpr std::size_t kQueue = 64;
constexpr std::size_t kMostRemembered = 1'000;  // organizations

http::Admission::Owner owner_of(const model::Uuid& organization) { return std::hash<model::Uuid>{}(organization); }

}  // namespace

Room::Limits Room::limits_for(std::size_t connections) {
  Limits limits;
  limits.places = std::max<std::size_t>(connections, 3) - 2;
  limits.slow_places = connections < 3 ? 0 : 1;
  return limits;
}

Room::Room(pg::Pool& database)
    : Room(database.context(), limits_for(static_cast<std::size_t>(database.stats(pg::Lane::slow).configured))) {}

Room::Room(boost::asio::io_context& context, const Limits& limits)
    : limits_(limits),
      quick_(std::make_shared<http::Admission>(context, limits.places, kQueue, limits.wait)),
      slow_(limits.slow_places == 0
                ? quick_
                : std::make_shared<http::Admission>(context, limits.slow_places, kQueue, limits.wait)) {}

Room::Place::Place(Room& room, const model::Uuid& organization, std::shared_ptr<http::Admission> admission)
    : room_(room), organization_(organization), admitted_(std::move(admission), owner_of(organization)) {}

Room::Place::~Place() { room_.note(organization_, http::Clock::now() - begin_); }

awaitable<std::unique_ptr<Room::Place>> Room::enter(model::Uuid organization, int times) {
  for (int i = 0; i < times; ++i) {
    const auto admission = is_slow(organization) ? slow_ : quick_;
    const bool is_in = co_await admission->enter(owner_of(organization));
    if (is_in) co_return std::make_unique<Place>(*this, organization, admission);
  }
  throw http::Problem(
      {.status = 503, .detail = "too many filters are evaluated at once: try again", .head = "Retry-After: 2\r\n"});
}

bool Room::is_slow(const model::Uuid& organization) {
  const auto found = slow_until_.find(organization);
  if (found == slow_until_.end()) return false;
  if (http::Clock::now() < found->second) return true;
  slow_until_.erase(found);
  return false;
}

// If too many are remembered, those go whose time is over; and if it is that of none, the one whose time is over next.
void Room::note(const model::Uuid& organization, http::Clock::duration took) {
  if (took <= limits_.quick) return;
  const auto now = http::Clock::now();
  if (slow_until_.size() >= kMostRemembered) {
    std::erase_if(slow_until_, [&](const auto& each) { return each.second <= now; });
    if (slow_until_.size() >= kMostRemembered)
      slow_until_.erase(std::ranges::min_element(slow_until_, {}, [](const auto& each) { return each.second; }));
  }
  slow_until_[organization] = now + limits_.slow_for;
}

}  // namespace parley::contacts::segments

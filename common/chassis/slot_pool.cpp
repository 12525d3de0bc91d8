#include "common/chassis/slot_pool.hpp"

#include "common/http/problem.hpp"

namespace parley::chassis {

namespace {

// A request whose slot was given away may notice late, and holds memory until then.
constexpr std::size_t kMaxGivenAway = 8;

}  // namespace

SlotPool::Slot SlotPool::take(const http::Request& request, const model::Uuid& organization) {
  const bool has_some = shares_.of(organization) > 0;
  if (shares_.free() == 0 && !has_some) make_room();
  if (shares_.may_take(organization)) return std::make_unique<Held>(*this, organization);
  throw http::Problem(
      {.status = has_some ? 429U : 503U,
       .detail = has_some ? "the " + what_ +
                                " of this organization that are under way take its share: wait until one has ended"
                          : "too many " + what_ + " are under way: try again",
       .head = "Retry-After: 10\r\n",
       .close = request.has_body});
}

// Takes the slot from the organization with the most, from its transfer with the fewest octets: the least work is lost,
// and a slow transfer soon becomes that one.
void SlotPool::make_room() {
  if (held_.size() - shares_.taken() >= kMaxGivenAway) return;
  Held* last = nullptr;
  std::size_t most = 2;
  for (auto* each : held_) {
    const auto has = shares_.of(each->organization_);
    if (!each->place_ || has < most || (last && has == most && each->octets_ >= last->octets_)) continue;
    last = each;
    most = has;
  }
  if (last) last->place_.reset();
}

SlotPool::Held::Held(SlotPool& places, const model::Uuid& organization)
    : places_(places),
      organization_(organization),
      place_(std::in_place, places.shares_, organization),
      here_(places.held_.insert(places.held_.end(), this)) {}

SlotPool::Held::~Held() { places_.held_.erase(here_); }

void SlotPool::Held::advance(std::size_t octets) {
  octets_ += octets;
  if (place_ || octets == 0) return;
  throw http::Problem({.status = 503,
                       .detail = "the place of this one of your " + places_.what_ +
                                 " was needed for another organization, which had none: try again",
                       .head = "Retry-After: 10\r\n",
                       .close = true});
}

}  // namespace parley::chassis

#include "common/http/answer_room.hpp"

#include <algorithm>

namespace parley::http {

AnswerRoom::Reservation::~Reservation() { room_.leave(*this); }

void AnswerRoom::Reservation::begin_to_be_read() {
  if (is_being_read_) return;
  is_being_read_ = true;
  read_since_ = Clock::now();
  in_reading_ = room_.reading_.insert(room_.reading_.end(), this);
}

// A response that cannot be refused evicts its own owner's other responses before their time, but not others'. A
// response longer than a quarter of the room is evicted for shorter ones.
AnswerRoom::Verdict AnswerRoom::Reservation::take(std::uint64_t octets, bool is_refusable) {
  const auto timeout_ends = Clock::now() - room_.timeout;
  for (;;) {
    const auto verdict = room_.verdict(*this, octets);
    if (verdict == Verdict::fits) break;
    const auto quarter = room_.most / 4;
    const auto may_go = [&](const Reservation& each) {
      const bool is_own = each.owner_ == owner_;
      if (&each == this || (verdict == Verdict::share_used_up && !is_own)) return false;
      if (each.read_since_ <= timeout_ends) return true;
      return is_own ? !is_refusable : each.octets_ > quarter && octets <= quarter;
    };
    const auto found = std::ranges::find_if(room_.reading_, [&](const Reservation* each) { return may_go(*each); });
    auto* const slowest = found == room_.reading_.end() ? nullptr : *found;
    if (is_refusable && !slowest) {
      ++(verdict == Verdict::full ? room_.refused : room_.over_share);
      return verdict;
    }
    if (!slowest) break;
    ++room_.cut_off;
    room_.leave(*slowest);
    slowest->reader_.cut_off();
  }
  room_.set(*this, octets);
  return Verdict::fits;
}

// An owner with no other response is not refused for its share: the length of one response is bounded elsewhere.
AnswerRoom::Verdict AnswerRoom::verdict(const Reservation& place, std::uint64_t octets) const {
  if (most == 0) return Verdict::fits;
  const auto found = place.owner_.empty() ? by_owner_.end() : by_owner_.find(place.owner_);
  const auto of_owner = found == by_owner_.end() ? 0 : found->second - place.octets_;
  if (of_owner > 0 && of_owner + octets > most / 4) return Verdict::share_used_up;
  const auto others = taken - place.octets_;
  return others > 0 && others + octets > most ? Verdict::full : Verdict::fits;
}

void AnswerRoom::set(Reservation& place, std::uint64_t octets) {
  taken += octets - place.octets_;
  if (!place.owner_.empty()) {
    auto& of_owner = by_owner_[place.owner_];
    of_owner += octets - place.octets_;
    if (of_owner == 0) by_owner_.erase(place.owner_);
  }
  place.octets_ = octets;
}

void AnswerRoom::leave(Reservation& place) {
  set(place, 0);
  if (place.is_being_read_) reading_.erase(place.in_reading_);
  place.is_being_read_ = false;
}

}  // namespace parley::http

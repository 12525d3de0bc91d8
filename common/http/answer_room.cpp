#include "common/http/answer_room.hpp"

#include <algorithm>

namespace parley::http {

AnswerRoom::Place::~Place() { room_.leave(*this); }

void AnswerRoom::Place::begin_to_be_read() {
  if (is_being_read_) return;
  is_being_read_ = true;
  read_since_ = Clock::now();
  in_reading_ = room_.reading_.insert(room_.reading_.end(), this);
}

AnswerRoom::Verdict AnswerRoom::Place::take(std::uint64_t octets, bool is_refusable) {
  for (;;) {
    const auto verdict = room_.verdict(*this, octets);
    if (verdict == Verdict::fits) break;
    auto* const slowest = room_.slowest(*this, verdict);
    const bool is_slow = slowest && Clock::now() - slowest->read_since_ >= room_.patience;
    if (is_refusable && !is_slow) {
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

// Whoever has nothing else there is not refused for the length of a single answer, which is bounded elsewhere.
AnswerRoom::Verdict AnswerRoom::verdict(const Place& place, std::uint64_t octets) const {
  if (most == 0) return Verdict::fits;
  const auto others = taken - place.octets_;
  if (others > 0 && others + octets > most) return Verdict::full;
  const auto found = place.owner_.empty() ? by_owner_.end() : by_owner_.find(place.owner_);
  if (found == by_owner_.end()) return Verdict::fits;
  const auto of_owner = found->second - place.octets_;
  return of_owner > 0 && of_owner + octets > most / 4 ? Verdict::share_used_up : Verdict::fits;
}

AnswerRoom::Place* AnswerRoom::slowest(const Place& for_whom, Verdict why) const {
  const auto found = std::find_if(reading_.begin(), reading_.end(), [&](const Place* each) {
    return each != &for_whom && (why == Verdict::full || each->owner_ == for_whom.owner_);
  });
  return found == reading_.end() ? nullptr : *found;
}

void AnswerRoom::set(Place& place, std::uint64_t octets) {
  taken += octets - place.octets_;
  if (!place.owner_.empty()) {
    auto& of_owner = by_owner_[place.owner_];
    of_owner += octets - place.octets_;
    if (of_owner == 0) by_owner_.erase(place.owner_);
  }
  place.octets_ = octets;
}

void AnswerRoom::leave(Place& place) {
  set(place, 0);
  if (place.is_being_read_) reading_.erase(place.in_reading_);
  place.is_being_read_ = false;
}

}  // namespace parley::http

#pragma once
#include <algorithm>

#include "common/events/contact_changes.hpp"
#include "common/events/event.hpp"

namespace parley::contacts::contacts {

// Adds a change of contacts, split so that each event names at most 1,000.
template <class Change>
void emit(events::Changes& changes, Change change, const std::vector<model::Uuid>& contacts) {
  constexpr std::size_t kMax = 1'000;
  for (std::size_t i = 0; i < contacts.size(); i += kMax) {
    const auto first = contacts.begin() + static_cast<std::ptrdiff_t>(i);
    change.contactIds.assign(first, first + static_cast<std::ptrdiff_t>(std::min(kMax, contacts.size() - i)));
    changes.add(change);
  }
}

}  // namespace parley::contacts::contacts

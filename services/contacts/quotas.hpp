#pragma once
#include "common/chassis/quotas.hpp"

namespace parley::contacts {

// The limits of what is this service's.
inline constexpr std::string_view kContactsQuota = "contacts";
inline constexpr std::string_view kListsQuota = "lists";
inline constexpr std::string_view kTagsQuota = "tags";

// Nobody waits for another who makes contacts while there is room for more than all can make at once: a thousand each,
// of a hundred connections.
inline std::vector<chassis::Quota> usual_quotas() {
  return {{std::string(kContactsQuota), 5'000'000, 100'000},
          {std::string(kListsQuota), 10'000},
          {std::string(kTagsQuota), 10'000}};
}

}  // namespace parley::contacts

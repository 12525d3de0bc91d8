#pragma once
#include "common/chassis/quotas.hpp"

namespace parley::contacts {

inline constexpr std::string_view kContactsQuota = "contacts";
inline constexpr std::string_view kListsQuota = "lists";
inline constexpr std::string_view kTagsQuota = "tags";
inline constexpr std::string_view kSegmentsQuota = "segments";

// More contacts than can be created at once (1,000 on each of 100 connections): with more left, creations do not queue.
inline std::vector<chassis::Quota> usual_quotas() {
  return {{std::string(kContactsQuota), 5'000'000, 100'000},
          {std::string(kListsQuota), 10'000},
          {std::string(kTagsQuota), 10'000},
          {std::string(kSegmentsQuota), 1'000}};
}

}  // namespace parley::contacts

#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>

#include "common/model/uuid.hpp"

namespace parley::bench {

// The id of contact `n` of contacts.sql, as pg_temp.numbered(3, n) makes it.
inline model::Uuid contact_id(std::uint64_t n) {
  const auto milliseconds = 1'767'225'600'000 + n;
  char text[37];
  std::snprintf(text, sizeof text, "%08" PRIx64 "-%04" PRIx64 "-7003-8000-%012" PRIx64, milliseconds >> 16,
                milliseconds & 0xffff, n);
  return model::Uuid::parse(text).value();
}

}  // namespace parley::bench

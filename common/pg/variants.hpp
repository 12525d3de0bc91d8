#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/pg/statement.hpp"

namespace parley::pg {

class AnyVariants {
 public:
  const std::vector<std::string>& parts() const { return parts_; }  // in alphabetical order
  // For tests.
  std::vector<const Statement*> all() const;

 protected:
  AnyVariants(std::string name, std::string_view sql, Lane lane, std::vector<Oid> types, bool of_organization,
              std::size_t count);

  std::vector<std::string> parts_;
  std::vector<std::unique_ptr<const Statement>> statements_;  // indexed by the set of parts; part i is bit i
};

// A statement with optional parts: `/*if NAME*/ text /*else*/ other text /*end*/`, which may nest. Each combination is
// one Statement, expanded at process start and prepared when first run; all have the same parameters. `Parts` is a
// struct with a bool per part, in alphabetical order; sql.cmake generates it (for `page`: `page_parts`).
template <class Parts>
class Variants : public AnyVariants {
 public:
  // At most 8 parts. Throws std::logic_error when the marks do not match or their number of parts differs from Parts'.
  Variants(std::string name, std::string_view sql, Lane lane, std::vector<Oid> types, bool of_organization = false)
      : AnyVariants(std::move(name), sql, lane, std::move(types), of_organization, sizeof(Parts)) {}

  // Returns the combination with exactly these parts: `page[{.by_list = true, .descending = filter.descending}]`.
  const Statement& operator[](const Parts& parts) const {
    std::size_t set = 0, part = 0;
    for (const bool wanted : std::bit_cast<std::array<bool, sizeof(Parts)>>(parts))
      set |= std::size_t{wanted} << part++;
    return *statements_[set];
  }
};

}  // namespace parley::pg

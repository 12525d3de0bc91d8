#pragma once

#include <array>
#include <atomic>
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
  AnyVariants(const AnyVariants&) = delete;
  AnyVariants& operator=(const AnyVariants&) = delete;

  const std::vector<std::string>& parts() const { return parts_; }  // in alphabetical order
  // For tests: all combinations.
  std::vector<const Statement*> all() const;

 protected:
  AnyVariants(std::string name, std::string_view sql, Lane lane, std::vector<Oid> types, bool of_organization,
              std::size_t count);
  ~AnyVariants();

  // Part i is bit i of the set. May be called by several threads.
  const Statement& combination(std::size_t set) const {
    const auto* made = statements_[set].load(std::memory_order_acquire);
    return made ? *made : make(set);
  }

 private:
  const Statement& make(std::size_t set) const;

  const std::string name_;
  const std::string_view sql_;
  const Lane lane_;
  const std::vector<Oid> types_;
  const bool of_organization_;
  std::vector<std::string> appearing_;  // the parts in the order of the text, as the names of combinations have them
  std::vector<std::string> parts_;
  std::unique_ptr<std::atomic<const Statement*>[]> statements_;  // null until its first use
};

// All statements of the process: statements(), and every combination of all variants. For tests, as it makes them all.
std::vector<const Statement*> statements_and_combinations();

// A statement with optional parts: `/*if NAME*/ text /*else*/ other text /*end*/`, which may nest. Each combination is
// one Statement, made and prepared when first used, as hardly any of them is; all have the same parameters. `Parts` is
// a struct with a bool per part, in alphabetical order; sql.cmake generates it (for `page`: `page_parts`).
template <class Parts>
class Variants : public AnyVariants {
 public:
  // `sql` must outlive it. At most 10 parts. Throws std::logic_error when the marks do not match or their number of
  // parts differs from Parts'.
  Variants(std::string name, std::string_view sql, Lane lane, std::vector<Oid> types, bool of_organization = false)
      : AnyVariants(std::move(name), sql, lane, std::move(types), of_organization, sizeof(Parts)) {}

  // Returns the combination with exactly these parts: `page[{.by_list = true, .descending = filter.descending}]`.
  const Statement& operator[](const Parts& parts) const {
    std::size_t set = 0, part = 0;
    for (const bool wanted : std::bit_cast<std::array<bool, sizeof(Parts)>>(parts))
      set |= std::size_t{wanted} << part++;
    return combination(set);
  }
};

}  // namespace parley::pg

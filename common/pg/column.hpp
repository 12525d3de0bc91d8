#pragma once
#include <functional>
#include <ranges>
#include <type_traits>
#include <vector>

namespace parley::pg {

// One value of each row, in order, for a statement that takes arrays: column(rows, &Row::id), or by any function of a
// row.
template <std::ranges::input_range Rows, class Get>
auto column(const Rows& rows, Get get) {
  std::vector<std::decay_t<std::invoke_result_t<Get&, std::ranges::range_reference_t<const Rows>>>> out;
  if constexpr (std::ranges::sized_range<Rows>) out.reserve(std::ranges::size(rows));
  for (const auto& row : rows) out.push_back(std::invoke(get, row));
  return out;
}

}  // namespace parley::pg

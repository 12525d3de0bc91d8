#pragma once

#include <array>
#include <boost/mp11/algorithm.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "common/pg/decode.hpp"
#include "common/pg/error.hpp"
#include "common/pg/pipelined_batch.hpp"

namespace parley::pg {

// The results of a batch, by statement. T is a described struct, filled by column NAME, or, for one column, a single
// value (scalar, optional or array). Columns and members must match one to one; only members that no column can fill
// (structs, vectors of structs, RawJson with a default such as "[]") may lack a column and keep their value. Each
// result's names and types are checked before its rows; a mismatch throws MappingError.
class Results {
 public:
  Results() : exchange_(PipelinedBatchPtr::make()) {}  // the result of no statement
  explicit Results(PipelinedBatchPtr exchange) : exchange_(std::move(exchange)) {}

  std::size_t size() const { return exchange_->results.size(); }
  // Rows that statement `i` returned; rows that it changed (INSERT, UPDATE, DELETE) or returned.
  std::size_t row_count(std::size_t i = 0) const;
  std::uint64_t affected(std::size_t i = 0) const;

  template <class T>
  std::vector<T> rows(std::size_t i = 0) const {
    const auto mapping = map<T>(i);
    std::vector<T> out;
    const int count = static_cast<int>(row_count(i));
    out.reserve(static_cast<std::size_t>(count));
    for (int row = 0; row < count; ++row) {
      if constexpr (std::is_same_v<T, bool>) {
        bool value = false;
        read(i, mapping, row, value);
        out.push_back(value);
      } else {
        read(i, mapping, row, out.emplace_back());
      }
    }
    return out;
  }
  // The only row, or nullopt. Throws MappingError for more than one.
  template <class T>
  std::optional<T> optional(std::size_t i = 0) const {
    const auto mapping = map<T>(i);
    std::optional<T> out;
    if (row_count(i) > 1) wrong(i, "gave more than one row");
    if (row_count(i) == 1) read(i, mapping, 0, out.emplace());
    return out;
  }
  // The only row. Throws MappingError for none or more than one.
  template <class T>
  T one(std::size_t i = 0) const {
    auto out = optional<T>(i);
    if (!out) wrong(i, "gave no row");
    return std::move(*out);
  }

 private:
  template <class T>
  static constexpr bool is_row = model::Described<T>;
  template <class T>
  static constexpr std::size_t columns_of() {
    if constexpr (is_row<T>)
      return boost::mp11::mp_size<model::Members<T>>::value;
    else
      return 1;
  }
  // The column of each member; -1 for none. Searched from the members' order: usually one comparison per column.
  template <class T>
  using Mapping = std::array<int, columns_of<T>()>;

  template <class T>
  Mapping<T> map(std::size_t i) const;
  template <class T>
  void read(std::size_t i, const Mapping<T>& mapping, int row, T& out) const;

  const PGresult* result(std::size_t i) const;
  int column_count(std::size_t i) const;
  // Tries column `guess` first; -1 for none.
  int find_column(std::size_t i, const char* name, int guess) const;
  void require_type(std::size_t i, int column, bool accepted, const char* expected) const;
  [[noreturn]] void missing_column(std::size_t i, const char* member) const;
  [[noreturn]] void unused_column(std::size_t i, const int* mapping, std::size_t members) const;
  [[noreturn]] void wrong(std::size_t i, const char* what) const;
  [[noreturn]] void wrong_value(std::size_t i, int column, const char* what) const;
  Cell cell(std::size_t i, int row, int column) const;
  Oid type(std::size_t i, int column) const;

  PipelinedBatchPtr exchange_;
};

template <class T>
Results::Mapping<T> Results::map(std::size_t i) const {
  Mapping<T> mapping{};
  const int columns = column_count(i);
  if constexpr (!is_row<T>) {
    if (columns != 1) wrong(i, "does not have one column, which a single value needs");
    require_type(i, 0, Decode<T>::accepts(type(i, 0)), Decode<T>::name);
  } else {
    std::size_t member_index = 0;
    int filled = 0;
    boost::mp11::mp_for_each<model::Members<T>>([&](auto member) {
      using Member = std::remove_cvref_t<decltype(std::declval<T&>().*member.pointer)>;
      int& column = mapping[member_index++];
      column = -1;
      if constexpr (Decodable<Member>) {
        column = find_column(i, member.name, filled);
        if (column >= 0) {
          ++filled;
          require_type(i, column, Decode<Member>::accepts(type(i, column)), Decode<Member>::name);
        } else if constexpr (std::is_same_v<Member, model::RawJson>) {
          static const bool has_default = !(T{}.*member.pointer).text.empty();
          if (!has_default) missing_column(i, member.name);
        } else {
          missing_column(i, member.name);
        }
      }
    });
    if (filled != columns) unused_column(i, mapping.data(), mapping.size());
  }
  return mapping;
}

template <class T>
void Results::read(std::size_t i, const Mapping<T>& mapping, int row, T& out) const {
  if constexpr (!is_row<T>) {
    if (const char* fault = decode(cell(i, row, 0), out)) wrong_value(i, 0, fault);
  } else {
    std::size_t member_index = 0;
    boost::mp11::mp_for_each<model::Members<T>>([&](auto member) {
      using Member = std::remove_cvref_t<decltype(out.*member.pointer)>;
      const int column = mapping[member_index++];
      if constexpr (Decodable<Member>) {
        if (column < 0) return;
        if (const char* fault = decode(cell(i, row, column), out.*member.pointer)) wrong_value(i, column, fault);
      }
    });
  }
}

}  // namespace parley::pg

#pragma once
// Decodes PostgreSQL's binary values into C++ values; Decode<T> defines the accepted types.

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/json.hpp"
#include "common/pg/types.hpp"

namespace parley::pg {

struct Cell {
  const char* data;  // nullptr is NULL
  std::size_t length;
  Oid type;
};

// Specialized below. `read` returns nullptr, or a text that says what is wrong with the value.
template <class T>
struct Decode;

template <class T>
concept Decodable = requires { Decode<T>::name; };

// Only std::optional accepts NULL.
template <Decodable T>
const char* decode(const Cell& cell, T& out) {
  if (!cell.data) return "is NULL";
  return Decode<T>::read(cell, out);
}
template <Decodable T>
const char* decode(const Cell& cell, std::optional<T>& out) {
  out.reset();
  if (!cell.data) return nullptr;
  return Decode<T>::read(cell, out.emplace());
}

namespace detail {
bool is_text(Oid type);
const char* read_integer(const Cell& cell, std::int64_t& out);
const char* read_text(const Cell& cell, std::string_view& out);

class ArrayCells {
 public:
  explicit ArrayCells(const Cell& cell);
  bool valid() const { return valid_; }
  std::size_t size() const { return size_; }
  bool next(Cell& out);  // false at the end, or when the bytes end early

 private:
  std::uint32_t take();
  const char* at_;
  const char* end_;
  std::size_t size_ = 0;
  Oid element_ = 0;
  bool valid_ = false;
};
}  // namespace detail

template <>
struct Decode<std::string> {
  static constexpr const char* name = "text";
  static bool accepts(Oid type);  // text, varchar, char, name, bytea, json, jsonb, enumerations
  static const char* read(const Cell& cell, std::string& out);
};

template <>
struct Decode<model::RawJson> {
  static constexpr const char* name = "json";
  static bool accepts(Oid type) { return type == oid::json || type == oid::jsonb || type == oid::text; }
  static const char* read(const Cell& cell, model::RawJson& out);
};

template <>
struct Decode<model::Uuid> {
  static constexpr const char* name = "uuid";
  static bool accepts(Oid type) { return type == oid::uuid; }
  static const char* read(const Cell& cell, model::Uuid& out);
};

// Rounds microseconds down to milliseconds, towards the past. Rejects the infinities.
template <>
struct Decode<model::Timestamp> {
  static constexpr const char* name = "timestamptz";
  static bool accepts(Oid type) { return type == oid::timestamptz; }
  static const char* read(const Cell& cell, model::Timestamp& out);
};

template <>
struct Decode<bool> {
  static constexpr const char* name = "bool";
  static bool accepts(Oid type) { return type == oid::boolean; }
  static const char* read(const Cell& cell, bool& out);
};

template <>
struct Decode<double> {
  static constexpr const char* name = "float8";
  static bool accepts(Oid type) { return type == oid::float8 || type == oid::float4; }
  static const char* read(const Cell& cell, double& out);
};

template <std::integral T>
struct Decode<T> {
  static constexpr const char* name = "int2, int4 or int8 (cast sum() and other numerics)";
  static bool accepts(Oid type) { return type == oid::int2 || type == oid::int4 || type == oid::int8; }
  static const char* read(const Cell& cell, T& out) {
    std::int64_t value = 0;
    if (const char* fault = detail::read_integer(cell, value)) return fault;
    if (!std::in_range<T>(value)) return "is out of the member's range";
    out = static_cast<T>(value);
    return nullptr;
  }
};

template <model::DescribedEnum T>
struct Decode<T> {
  static constexpr const char* name = "text (an enumerator's name)";
  static bool accepts(Oid type) { return detail::is_text(type); }
  static const char* read(const Cell& cell, T& out) {
    const std::string_view text(cell.data, cell.length);
    bool known = false;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>([&](auto enumerator) {
      if (text != enumerator.name) return;
      out = enumerator.value;
      known = true;
    });
    return known ? nullptr : "is no enumerator's name";
  }
};

template <Decodable T>
struct Decode<std::optional<T>> {
  static constexpr const char* name = Decode<T>::name;
  static bool accepts(Oid type) { return Decode<T>::accepts(type); }
};

template <Decodable T>
struct Decode<std::vector<T>> {
  static constexpr const char* name = "an array of the member's element type";
  static bool accepts(Oid type) {
    const Oid element = oid::element_of(type);
    return element != 0 && Decode<T>::accepts(element);
  }
  static const char* read(const Cell& cell, std::vector<T>& out) {
    out.clear();
    detail::ArrayCells cells(cell);
    if (!cells.valid()) return "is no one-dimensional array";
    out.reserve(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      Cell element{};
      if (!cells.next(element)) return "ends early";
      T value{};
      if (const char* fault = decode(element, value)) return fault;
      out.push_back(std::move(value));
    }
    return nullptr;
  }
};

}  // namespace parley::pg

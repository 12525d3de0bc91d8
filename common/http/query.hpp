#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/describe/enum.hpp>

#include "common/http/problem.hpp"
#include "common/model/csv.hpp"

namespace parley::http {

// The decoded names and values of a query (application/x-www-form-urlencoded), in order. What is not well-formed
// (`%zz`, U+0000, not UTF-8) is a Problem 400.
std::vector<std::pair<std::string, std::string>> parse_query(std::string_view query);

// Percent-encodes all but the unreserved characters (RFC 3986 2.3).
void append_encoded(std::string& out, std::string_view text);

// Reads one parameter's text into a typed value; false and a word about what it must be otherwise.
bool read_parameter(const std::string& text, std::string& out, std::string& must);
bool read_parameter(const std::string& text, std::int64_t& out, std::string& must);
bool read_parameter(const std::string& text, bool& out, std::string& must);
bool read_parameter(const std::string& text, model::Uuid& out, std::string& must);
bool read_parameter(const std::string& text, model::Timestamp& out, std::string& must);
bool read_parameter(const std::string& text, std::vector<model::Uuid>& out, std::string& must);  // commas between them
template <model::DescribedEnum E>
bool read_parameter(const std::string& text, E& out, std::string& must) {
  if (boost::describe::enum_from_string(text.c_str(), out)) return true;
  must = "must be one of ";
  bool first = true;
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto enumerator) {
    must.append(first ? "" : ", ").append(enumerator.name);
    first = false;
  });
  return false;
}

// A parameter `format` of what is CSV whatever it says: without it, guarded cells. Throws a Problem 400.
model::CsvCells csv_cells(const std::optional<std::string>& format);

// Parameters of an open set: a member `attributes` of this type takes `attributes.city=Paris` as ("city", "Paris"). In
// the order given, no name twice.
class Prefixed {
 public:
  // False when the name is there already.
  bool add(std::string_view name, std::string_view value);
  const std::vector<std::pair<std::string, std::string>>& values() const { return values_; }

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

// The fault that an unknown parameter is: names it and the nearest one known.
model::Fault unknown_parameter(std::string_view name, const std::vector<std::string_view>& known);

// Reads a query into a described struct whose members are std::optional or Prefixed: its member names are the
// parameters' names. Unknown, repeated and ill-typed parameters are one Problem 400 that names each.
template <model::Described T>
T read_query(std::string_view query) {
  T out;
  if (query.empty()) return out;
  Faults faults;
  for (const auto& [name, text] : parse_query(query)) {
    bool is_known = false;
    std::vector<std::string_view> known;
    boost::mp11::mp_for_each<model::Members<T>>([&](auto member) {
      auto& value = out.*member.pointer;
      std::string must = "is given twice";
      if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, Prefixed>) {
        static const std::string shown = std::string(member.name) + ".NAME";
        known.push_back(shown);
        const auto dot = shown.find('.');
        if (name.compare(0, dot + 1, shown, 0, dot + 1) != 0) return;
        is_known = true;
        if (!value.add(std::string_view(name).substr(dot + 1), text)) faults.add("?" + name, must);
      } else {
        known.push_back(member.name);
        if (name != member.name) return;
        is_known = true;
        if (value || !read_parameter(text, value.emplace(), must)) faults.add("?" + name, must);
      }
    });
    if (!is_known) {
      auto fault = unknown_parameter(name, known);
      faults.add(std::move(fault.pointer), std::move(fault.detail));
    }
  }
  faults.throw_if_any();
  return out;
}

// Writes one, as it is read.
void append_parameter(std::string& out, const std::string& value);
void append_parameter(std::string& out, std::int64_t value);
void append_parameter(std::string& out, const model::Uuid& value);
void append_parameter(std::string& out, const std::vector<model::Uuid>& values);

// Appends `?name=value&...` to a target: the members of a described struct that are set, as read_query() reads them.
template <model::Described T>
void append_query(std::string& target, const T& query) {
  char separator = '?';
  boost::mp11::mp_for_each<model::Members<T>>([&](auto member) {
    const auto& value = query.*member.pointer;
    if (!value) return;
    target += std::exchange(separator, '&');
    target.append(member.name).append("=");
    append_parameter(target, *value);
  });
}

enum class Order { asc, desc };
BOOST_DESCRIBE_ENUM(Order, asc, desc)

// The paging of every list: `skip` records, or `page` from 1; `per_page`, or `limit` which is the same.
struct Paging {
  std::int64_t skip = 0;
  std::int64_t per_page = 20;
  std::int64_t page() const { return skip / per_page + 1; }
};
Paging read_paging(const std::optional<std::int64_t>& skip, const std::optional<std::int64_t>& page,
                   const std::optional<std::int64_t>& per_page, const std::optional<std::int64_t>& limit);
// The same, adding what is wrong to the faults.
Paging read_paging(const std::optional<std::int64_t>& skip, const std::optional<std::int64_t>& page,
                   const std::optional<std::int64_t>& per_page, const std::optional<std::int64_t>& limit,
                   Faults& faults);

}  // namespace parley::http

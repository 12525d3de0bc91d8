#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/describe/enum.hpp>

#include "common/http/problem.hpp"
#include "common/model/csv.hpp"

namespace parley::http {

// Decodes application/x-www-form-urlencoded, in order. Throws a Problem 400 for `%zz`, U+0000 or invalid UTF-8.
std::vector<std::pair<std::string, std::string>> parse_query(std::string_view query);

// Percent-encodes all but the unreserved characters (RFC 3986 2.3).
void append_encoded(std::string& out, std::string_view text);

// On failure return false and set `must` to a description of valid values.
bool read_parameter(const std::string& text, std::string& out, std::string& must);
bool read_parameter(const std::string& text, std::int64_t& out, std::string& must);
bool read_parameter(const std::string& text, bool& out, std::string& must);
bool read_parameter(const std::string& text, model::Uuid& out, std::string& must);
bool read_parameter(const std::string& text, model::Timestamp& out, std::string& must);
bool read_parameter(const std::string& text, std::vector<model::Uuid>& out, std::string& must);  // comma-separated
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

// By default cells are guarded. Throws a Problem 400.
model::CsvCells csv_cells(const std::optional<std::string>& format);

// An open set of unique parameters, in order: a member `attributes` takes `attributes[city]=Paris` (deepObject of
// OpenAPI 3.1, 4.8.12) and `attributes.city=Paris` as ("city", "Paris").
class Prefixed {
 public:
  // The NAME of `MEMBER[NAME]` or `MEMBER.NAME`; nullopt for another parameter.
  static std::optional<std::string_view> name_in(std::string_view parameter, std::string_view member);
  bool add(std::string_view name, std::string_view value);
  const std::vector<std::pair<std::string, std::string>>& values() const { return values_; }

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

// Names the unknown parameter and the nearest known one.
model::Fault unknown_parameter(std::string_view name, const std::vector<std::string_view>& known);

// Reads a query into a described struct of std::optional and Prefixed members, named as the parameters. Throws one
// Problem 400 that lists all unknown, repeated and ill-typed parameters.
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
        static const std::string shown = std::string(member.name) + "[NAME]";
        known.push_back(shown);
        const auto inner = Prefixed::name_in(name, member.name);
        if (!inner) return;
        is_known = true;
        if (!value.add(*inner, text)) faults.add("?" + name, must);
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

void append_parameter(std::string& out, const std::string& value);
void append_parameter(std::string& out, std::int64_t value);
void append_parameter(std::string& out, const model::Uuid& value);
void append_parameter(std::string& out, const std::vector<model::Uuid>& values);

// Appends `?name=value&...`: the set members, as read_query() reads them.
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

// A parameter of operations that browsers call where they can set no header: the gateway has read it.
struct OfOrganization {
  std::optional<model::Uuid> organization_id;
};
BOOST_DESCRIBE_STRUCT(OfOrganization, (), (organization_id))

enum class Order { asc, desc };
BOOST_DESCRIBE_ENUM(Order, asc, desc)

// Paging: `skip` records, or `page` from 1; `per_page`, or its synonym `limit`.
struct Paging {
  std::int64_t skip = 0;
  std::int64_t per_page = 20;
  std::int64_t page() const { return skip / per_page + 1; }
};
Paging read_paging(const std::optional<std::int64_t>& skip, const std::optional<std::int64_t>& page,
                   const std::optional<std::int64_t>& per_page, const std::optional<std::int64_t>& limit);
// The same, adding what is invalid to the faults.
Paging read_paging(const std::optional<std::int64_t>& skip, const std::optional<std::int64_t>& page,
                   const std::optional<std::int64_t>& per_page, const std::optional<std::int64_t>& limit,
                   Faults& faults);

}  // namespace parley::http

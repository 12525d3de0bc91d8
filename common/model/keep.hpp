#pragma once
// What of a client's JSON is kept as it came: no members that nobody knows, and no more octets than it is given back
// with.
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "common/model/json.hpp"

namespace parley::model {

// The octets of the text that PostgreSQL makes of this as a jsonb, at most: a blank stands behind each colon and comma,
// and numbers are written out, so that 1e31 has 32 digits.
std::size_t kept_size(const boost::json::value& json);

// Whether that is not more than `most`.
bool is_kept_within(const RawJson& json, std::size_t most);

// Drops the members that T does not know, here and in what its members hold. What is not of T's shape stays.
template <class T>
void keep_known(boost::json::value& json);

namespace detail {

template <class T>
struct KeepKnown {
  static void in(boost::json::value& json) {
    if constexpr (Described<T>) {
      auto* object = json.if_object();
      if (!object) return;
      std::vector<std::string> unknown;
      for (const auto& member : *object) {
        bool is_known = false;
        boost::mp11::mp_for_each<Members<T>>([&](auto known) { is_known |= member.key() == known.name; });
        if (!is_known) unknown.emplace_back(member.key());
      }
      for (const auto& name : unknown) object->erase(name);
      boost::mp11::mp_for_each<Members<T>>([&](auto known) {
        using Member = std::remove_reference_t<decltype(std::declval<T&>().*known.pointer)>;
        if (auto* value = object->if_contains(known.name)) keep_known<Member>(*value);
      });
    }
  }
};
template <>
struct KeepKnown<RawJson> {
  static void in(boost::json::value&) {}
};
template <class T>
struct KeepKnown<std::optional<T>> : KeepKnown<T> {};
template <class T>
struct KeepKnown<std::vector<T>> {
  static void in(boost::json::value& json) {
    if (auto* array = json.if_array())
      for (auto& element : *array) keep_known<T>(element);
  }
};

}  // namespace detail

template <class T>
void keep_known(boost::json::value& json) {
  detail::KeepKnown<T>::in(json);
}

}  // namespace parley::model

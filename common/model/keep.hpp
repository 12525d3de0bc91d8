#pragma once
// Limits on stored JSON of clients: drops unknown members, and bounds the octets that it is returned with.
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "common/model/json.hpp"

namespace parley::model {

// The maximum octets of PostgreSQL's text of this as a jsonb: a space follows each colon and comma, and numbers are
// written out, so that 1e31 has 32 digits.
std::size_t kept_size(const boost::json::value& json);

// Whether kept_size() is at most `most`.
bool is_kept_within(const RawJson& json, std::size_t most);

// Drops members unknown to T, recursively. Values of another shape are kept.
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

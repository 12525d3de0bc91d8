#pragma once
// Reads the changes of an event.
#include <optional>
#include <string>
#include <vector>

#include "common/events/event.hpp"

namespace parley::events {

struct Change {
  std::string type;
  boost::json::value json;

  // The change, or nullopt if it has another type. Throws BadEvent if it has this type but another shape.
  template <model::Described T>
  std::optional<T> as() const {
    if (type != T::type) return std::nullopt;
    std::optional<T> out(std::in_place);
    model::Reader reader;
    reader.read(json, *out);
    if (!reader.faults.empty())
      throw BadEvent(type + reader.faults.front().pointer + " " + reader.faults.front().detail);
    return out;
  }
};

// Throws BadEvent unless the event is an array of objects with a type.
inline std::vector<Change> changes_of(const Event& event) {
  model::Fault fault;
  auto json = model::parse(event.changes.text, fault);
  auto* changes = json ? json->if_array() : nullptr;
  if (!changes) throw BadEvent("changes are not an array");
  std::vector<Change> out;
  for (auto& change : *changes) {
    const auto* object = change.if_object();
    const auto* type = object ? object->if_contains("type") : nullptr;
    if (!type || !type->is_string()) throw BadEvent("a change without a type");
    out.push_back({std::string(type->get_string()), std::move(change)});
  }
  return out;
}

}  // namespace parley::events

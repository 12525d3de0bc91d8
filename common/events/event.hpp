#pragma once
// What contexts tell each other: changes that carry their data, applied once by each that wants to know.
#include <boost/describe/class.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "common/model/json.hpp"

namespace parley::events {

// What one transaction told: a JSON array of objects with a `type`. Consumers pass over types that they do not know.
struct Event {
  std::int64_t position = 0;
  model::RawJson changes;
  std::optional<model::Timestamp> at{};  // when its transaction began; unknown of one that was set aside
};
BOOST_DESCRIBE_STRUCT(Event, (), (position, changes, at))

// The answer of a feed. Positions ascend but may have gaps; when one is visible, all below it are.
struct FeedPage {
  model::Uuid epoch;         // another one: what was given under the old one means nothing
  std::int64_t head = 0;     // the last position given
  std::int64_t pruned = 0;   // events up to here may be gone
  bool unsequenced = false;  // there are events that have happened and have no position yet
  std::vector<Event> events;
};
BOOST_DESCRIBE_STRUCT(FeedPage, (), (epoch, head, pruned, unsequenced, events))

// Thrown by who applies, for an event that cannot be: it is parked, and those behind it are applied.
struct BadEvent : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Told what went wrong in the background, for the log. The work goes on.
using Report = std::function<void(std::string_view what)>;

// Gathers the changes of one transaction. Each is a described struct with a `static constexpr std::string_view type`.
class Changes {
 public:
  template <model::Described T>
  void add(const T& change) {
    text_ += text_.empty() ? '[' : ',';
    text_ += "{\"type\":";
    model::write(text_, T::type);
    const auto at = text_.size();
    model::write(text_, change);
    text_[at] = ',';  // instead of the brace that opens the object
  }
  bool empty() const { return text_.empty(); }
  // For outbox::append.
  model::RawJson json() const { return {text_.empty() ? "[]" : text_ + ']'}; }

 private:
  std::string text_;
};

}  // namespace parley::events

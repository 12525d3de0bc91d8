#pragma once
// Events between contexts: changes that carry their data, applied once by each consumer.
#include <boost/describe/class.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "common/model/json.hpp"

namespace parley::events {

// The changes of one transaction: a JSON array of objects with a `type`. Consumers skip unknown types.
struct Event {
  std::int64_t position = 0;
  model::RawJson changes;
  std::optional<model::Timestamp> at{};  // start of the transaction; unknown for a parked event
};
BOOST_DESCRIBE_STRUCT(Event, (), (position, changes, at))

// The response of a feed. Positions ascend but may have gaps; once one is visible, all lower ones are.
struct FeedPage {
  model::Uuid epoch;         // a different epoch invalidates all earlier positions
  std::int64_t head = 0;     // the last assigned position
  std::int64_t pruned = 0;   // events up to here may be gone
  bool unsequenced = false;  // committed events exist that have no position yet
  std::vector<Event> events;
};
BOOST_DESCRIBE_STRUCT(FeedPage, (), (epoch, head, pruned, unsequenced, events))

// Thrown while applying an event that cannot be applied: the event is parked, and later ones are applied.
struct BadEvent : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Receives a background failure, for the log. The work continues.
using Report = std::function<void(std::string_view what)>;

// Collects the changes of one transaction. Each is a described struct with a `static constexpr std::string_view type`.
class Changes {
 public:
  template <model::Described T>
  void add(const T& change) {
    text_ += text_.empty() ? '[' : ',';
    text_ += "{\"type\":";
    model::write(text_, T::type);
    const auto at = text_.size();
    model::write(text_, change);
    text_[at] = ',';  // replaces the opening brace of the object
  }
  bool empty() const { return text_.empty(); }
  // The parameter of outbox::append.
  model::RawJson json() const { return {text_.empty() ? "[]" : text_ + ']'}; }

 private:
  std::string text_;
};

}  // namespace parley::events

#pragma once
// Filters of segments evaluated plainly, without SQL: what the service must find.
#include <boost/json/value.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "common/model/uuid.hpp"

namespace parley::contacts_tests {

// What a filter can ask of a contact.
struct Person {
  model::Uuid id;
  boost::json::object attributes;
  std::string status;
  std::set<model::Uuid> tags, lists;
  std::optional<std::int64_t> inbound, campaign;     // days from today
  std::map<model::Uuid, std::set<std::string>> did;  // by campaign
};

bool holds(const Person& person, const boost::json::value& filter);

// The day of UTC that is so many days after today: `2026-01-31`.
std::string day(std::int64_t from_today);

inline std::string string(const boost::json::value& value) { return value.as_string().c_str(); }

}  // namespace parley::contacts_tests

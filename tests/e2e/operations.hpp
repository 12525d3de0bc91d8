#pragma once
// What the document that the gateway serves says of an operation.
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "tests/e2e/world.hpp"

namespace parley::e2e {

// The object of an operation in the document, its parameters with those of its path, and its body's media type, schema
// and example; null where there is none.
const boost::json::object& object_of(System& system, const support::Operation& operation);
std::vector<const boost::json::object*> parameters_of(System& system, const support::Operation& operation);
struct BodyContract {
  std::string media_type;
  bool required = false;
  const boost::json::value* schema = nullptr;
  const boost::json::value* example = nullptr;
};
std::optional<BodyContract> body_of(System& system, const support::Operation& operation);
const boost::json::value& resolved(System& system, const boost::json::value& value);
const support::Operation* find_operation(System& system, const std::string& id);

}  // namespace parley::e2e

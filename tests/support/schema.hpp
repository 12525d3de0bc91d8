#pragma once
// Validates JSON values against the schemas of an OpenAPI 3.1 document (a part of JSON Schema 2020-12). An unknown
// keyword is a fault of the document, so that nothing passes unchecked. Objects of answers are open in the document, so
// that fields may be added, but must not have a field that it does not declare, unless it says additionalProperties.
// Debian's valijson knows draft 7: it passes over unknown keywords, what stands beside a $ref, readOnly, and formats
// such as uuid and int32.
#include <boost/json/value.hpp>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/formats.hpp"

namespace parley::support {

using Faults = std::vector<std::string>;

class Schemas {
 public:
  // The document must outlive this.
  explicit Schemas(const boost::json::value& document) : document_(document) {}

  // Adds a line per violation, beginning with the JSON pointer of the faulty part. `schema` must be in the document.
  void validate(const boost::json::value& schema, const boost::json::value& value, Direction direction,
                const std::string& at, Faults& faults) const;

  // Adds the faults of the schema at the pointer `at`: unknown keywords, formats, expressions and required properties,
  // dangling references, rejected defaults and examples.
  void inspect(const boost::json::value& schema, Direction direction, const std::string& at, Faults& faults) const;

  // The target of a `$ref`, or the value itself if it is none; nullptr for a dangling reference.
  const boost::json::value* resolve(const boost::json::value& value) const;

 private:
  friend class Validation;
  friend class Inspection;
  const std::regex& expression(const std::string& pattern) const;

  const boost::json::value& document_;
  mutable std::map<std::string, std::regex> expressions_;
};

// A key as a step of a JSON pointer (RFC 6901), with its slash.
std::string pointer_step(std::string_view key);

}  // namespace parley::support

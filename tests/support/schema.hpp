#pragma once
// Holds JSON values to the schemas of an OpenAPI 3.1 document (JSON Schema 2020-12, the part of it that the document
// uses). A keyword that is not known here is a fault of the document, so nothing passes because nobody looked.
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

  // Adds a line to `faults` for each way in which the value is not as the schema says, each beginning with the JSON
  // pointer `at` of the part that is wrong. `schema` is an element of the document.
  void validate(const boost::json::value& schema, const boost::json::value& value, Direction direction,
                const std::string& at, Faults& faults) const;

  // Adds what is wrong with the schema itself, `at` being its pointer in the document: keywords, formats and
  // expressions that are not known, references that lead nowhere, required properties that are not declared, defaults
  // and examples that the schema refuses.
  void inspect(const boost::json::value& schema, Direction direction, const std::string& at, Faults& faults) const;

  // What a `$ref` within the document leads to, the value itself if it is none; nullptr if it leads nowhere.
  const boost::json::value* resolve(const boost::json::value& value) const;

 private:
  friend class Validation;
  friend class Inspection;
  const std::regex& expression(const std::string& pattern) const;

  const boost::json::value& document_;
  mutable std::map<std::string, std::regex> expressions_;
};

// `/` and `~` of a key as JSON pointers write them (RFC 6901), with the slash before it.
std::string pointer_step(std::string_view key);

}  // namespace parley::support

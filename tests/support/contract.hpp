#pragma once
// Checks exchanges with the running system against the public contract, an OpenAPI 3.1 document.
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/schema.hpp"

namespace parley::support {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Operation {
  std::string method;                     // GET, POST ...
  std::string path;                       // a template: /api/contacts/{id}
  std::string id;                         // operationId
  std::optional<std::string> permission;  // x-permission; none: any member may call it
  std::vector<std::string> permissions;   // set if x-permission is a list: any one suffices
  bool needs_credential = true;           // false if `security` is empty or has an empty requirement
};

class Contract {
 public:
  // Throws std::invalid_argument if the value is no OpenAPI 3.1 document; faults() reports lesser faults.
  explicit Contract(boost::json::value document);
  Contract(const Contract&) = delete;
  Contract& operator=(const Contract&) = delete;

  const boost::json::value& document() const { return document_; }
  const std::vector<Operation>& operations() const { return operations_; }
  // The operation of a request; the target may have a query. HEAD counts as GET.
  const Operation* find(std::string_view method, std::string_view target) const;

  // Unknown fields and keywords, dangling references, rejected examples; operations without x-permission, operationId,
  // `default` response or path parameters.
  Faults faults() const;

  // A response's deviations: status, media type, headers, body (schema, order of keys, duplicates), a problem's
  // `status` and `requestId`. Without an operation, only `x-responses-outside-operations` are allowed. An empty
  // content_type is taken from the headers. Faults begin with "GET /api/lists 200: ".
  Faults check(std::string_view method, std::string_view target, unsigned status, std::string_view content_type,
               const Headers& headers, std::string_view body) const;

  // An event's deviations from the schema EventPayload. Faults begin with the type.
  Faults check_event(std::string_view body) const;

  // For requests that a test expects to succeed.
  Faults check_request_documented(std::string_view method, std::string_view target, const Headers& headers,
                                  std::string_view content_type, std::string_view body) const;

 private:
  struct Match {
    const Operation* operation = nullptr;
    const boost::json::object* path_item = nullptr;
    const boost::json::object* object = nullptr;  // of the operation
    std::vector<std::pair<std::string, std::string>> path_parameters;
  };
  Match match(std::string_view method, std::string_view path) const;
  const boost::json::value* find_response(const Match& match, std::string_view method, unsigned status) const;
  std::vector<const boost::json::object*> parameters_of(const Match& match) const;
  void check_headers(const boost::json::object& response, const Headers& headers, Faults& faults) const;
  void check_content(const boost::json::object& response, std::string_view content_type, std::string_view body,
                     Direction direction, Faults& faults) const;
  void check_json(const boost::json::value& schema, std::string_view text, Direction direction, Faults& faults) const;
  void check_text(const boost::json::object& parameter, const std::string& text, Direction direction,
                  const std::string& at, Faults& faults) const;

  boost::json::value document_;
  Schemas schemas_;
  std::vector<Operation> operations_;
};

// The first duplicate key in an object of valid JSON text, which a parsed value no longer shows.
std::optional<std::string> find_duplicate_key(std::string_view text);

}  // namespace parley::support

#pragma once
// The public contract (an OpenAPI 3.1 document) as a judge: end-to-end tests show it each exchange with the running
// system, and it says what is not as documented.
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
  std::optional<std::string> permission;  // x-permission; none: any member may
  std::vector<std::string> permissions;   // if that is a list, of which any one is enough: then `permission` is none
  bool needs_credential = true;           // false where `security` is empty or has an empty requirement among others
};

class Contract {
 public:
  // Throws std::invalid_argument if the value is no OpenAPI 3.1 document at all; lesser faults are for faults().
  explicit Contract(boost::json::value document);
  Contract(const Contract&) = delete;
  Contract& operator=(const Contract&) = delete;

  const boost::json::value& document() const { return document_; }
  // In the document's order.
  const std::vector<Operation>& operations() const { return operations_; }
  // The operation that a request is for; a target is a path with or without a query. HEAD is for the GET of its path.
  const Operation* find(std::string_view method, std::string_view target) const;

  // What is wrong with the document itself: unknown fields and keywords, references that lead nowhere, operations
  // without x-permission, operationId, `default` answer or parameters of their path, samples that their schemas refuse.
  Faults faults() const;

  // What of an answer is not as documented: status, media type, headers (required ones there, all of them well-formed),
  // body (schema, order of keys, keys that occur twice), and for problems that `status` and `requestId` are those of
  // the answer. A request that is for no operation may only be refused, as `x-responses-outside-operations` says. An
  // empty content_type is taken from the headers. Each fault begins with what it is about, "GET /api/lists 200: ".
  Faults check(std::string_view method, std::string_view target, unsigned status, std::string_view content_type,
               const Headers& headers, std::string_view body) const;

  // What of an event is not as `webhooks` says of its type: it is posted so, and told by the stream, whose `reset` is
  // the schema ResetEvent. Each fault begins with the type.
  Faults check_event(std::string_view body) const;

  // What of a request is not as documented; for requests that a test expects to succeed.
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
  // The parameters of an operation and of its path, resolved.
  std::vector<const boost::json::object*> parameters_of(const Match& match) const;
  void check_headers(const boost::json::object& response, const Headers& headers, Faults& faults) const;
  void check_content(const boost::json::object& response, std::string_view content_type, std::string_view body,
                     Direction direction, Faults& faults) const;
  void check_text(const boost::json::object& parameter, const std::string& text, Direction direction,
                  const std::string& at, Faults& faults) const;

  boost::json::value document_;
  Schemas schemas_;
  std::vector<Operation> operations_;
};

// The first key that an object in this (valid) JSON text has twice, which a parsed value no longer shows.
std::optional<std::string> find_duplicate_key(std::string_view text);

}  // namespace parley::support

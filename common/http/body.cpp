#include "common/http/body.hpp"

#include <boost/json/value.hpp>

#include "common/http/list.hpp"
#include "common/model/text.hpp"

namespace parley::http {

namespace {

// RFC 8259 11 defines no parameters, but clients send charset=utf-8.
bool is_json(std::string_view content_type) {
  const auto semicolon = content_type.find(';');
  if (!model::equals_ignoring_case(trimmed(content_type.substr(0, semicolon)), "application/json")) return false;
  if (semicolon == content_type.npos) return true;
  const auto parameter = trimmed(content_type.substr(semicolon + 1));
  return parameter.empty() || model::equals_ignoring_case(parameter, "charset=utf-8") ||
         model::equals_ignoring_case(parameter, "charset=\"utf-8\"");
}

}  // namespace

void require_json(const Request& request) {
  if (!is_json(request.field("Content-Type")))
    throw Problem({.status = 415,
                   .detail = "the body must be application/json in UTF-8",
                   .head = "Accept: application/json\r\n"});
  const auto coding = request.field("Content-Encoding");
  if (!coding.empty() && !model::equals_ignoring_case(coding, "identity"))
    throw Problem(
        {.status = 415, .detail = "the body must not be compressed", .head = "Accept-Encoding: identity\r\n"});
}

boost::json::value parse_body(std::string_view body) {
  if (body.empty()) throw Problem({.status = 400, .detail = "the body is missing: a JSON object is expected"});
  model::Fault fault;
  auto json = model::parse_of_client(body, fault);
  if (json) return std::move(*json);
  throw Problem({.status = 400, .detail = "the body: " + fault.detail, .errors = {{"", fault.detail}}});
}

void throw_faults(std::vector<model::Fault> found) {
  Faults faults;
  faults.add(std::move(found));
  faults.throw_if_any();
}

}  // namespace parley::http

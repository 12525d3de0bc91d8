#include "gateway/routes.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <stdexcept>

#include "common/http/problem.hpp"
#include "gateway/openapi/document.hpp"

namespace parley::gateway {

namespace {

// Changes state though it is a GET (the interface has it so): a second sending would end the key that the first
// answered.
constexpr std::string_view kRegenerate = "/api/auth/api-keys/regenerate";

// What the channel calls. It tells who it is by signatures, which only the service can check.
constexpr std::string_view kChannel = "/webhooks/";

// Answered when the channel has the whole file and has looked at it.
constexpr std::string_view kUpload = "/api/messages/media";
constexpr std::chrono::milliseconds kUploadTime{75'000};

Service service_of(std::string_view path) {
  for (const auto& prefix : kPrefixes)
    if (path.starts_with(prefix.path) && (path.size() == prefix.path.size() || path[prefix.path.size()] == '/'))
      return prefix.service;
  throw std::logic_error("no service answers under " + std::string(path));
}

http::Method method_of(std::string_view name) {
  if (name == "get") return http::Method::get;
  if (name == "post") return http::Method::post;
  if (name == "delete") return http::Method::del;
  return http::Method::other;  // a path's parameters and the like
}

// OpenAPI 3.1, 4.8.10: nothing in the list asks for nothing, an empty requirement in it makes the others optional.
Credential credential_of(const boost::json::object& operation) {
  const auto* security = operation.if_contains("security");
  if (!security) return Credential::required;  // as the document's
  const auto& alternatives = security->as_array();
  if (alternatives.empty()) return Credential::unwanted;
  const bool optional = std::any_of(alternatives.begin(), alternatives.end(),
                                    [](const auto& alternative) { return alternative.as_object().empty(); });
  return optional ? Credential::welcome : Credential::required;
}

// Whether its answer goes on for as long as something happens.
bool is_stream(const boost::json::object& operation) {
  const auto* answer = operation.at("responses").as_object().if_contains("200");
  const auto* content = answer ? answer->as_object().if_contains("content") : nullptr;
  return content && content->as_object().contains("text/event-stream");
}

}  // namespace

std::string_view name_of(Service service) {
  static constexpr std::array<std::string_view, kServiceCount> names{"contacts", "conversations", "organizations",
                                                                     "analytics"};
  return names[static_cast<std::size_t>(service)];
}

Routes::Routes(chassis::Boundary& boundary) {
  const auto document = boost::json::parse({openapi_json.data(), openapi_json.size()});
  for (const auto& [path, operations] : document.at("paths").as_object())
    for (const auto& [method, operation] : operations.as_object())
      if (method_of(method) != http::Method::other) add(boundary, method, path, operation.as_object());
}

void Routes::add(chassis::Boundary& boundary, std::string_view name, std::string_view path,
                 const boost::json::object& operation) {
  const auto method = method_of(name);
  const std::string& pattern = patterns_.emplace_back(path);
  router_.add(method, pattern);
  const bool regenerate = path == kRegenerate;
  const auto service = service_of(path);
  const bool reads = method == http::Method::get && !regenerate;
  routes_.push_back({service, credential_of(operation), is_stream(operation), reads,
                     !reads && service == Service::organizations, !reads && path.starts_with(kChannel),
                     path == kUpload ? kUploadTime : std::chrono::milliseconds{0},
                     boundary.route(std::string(http::name_of(method)), pattern)});
}

const Route& Routes::find(const http::Request& request, chassis::RequestContext& scope) const {
  if (!request.target.starts_with('/'))
    throw http::Problem({.status = 400, .detail = "the target must begin with a slash"});
  const auto match = router_.match(request.method, request.path);
  scope.pattern = match.pattern;
  if (request.method == http::Method::other)
    throw http::Problem({.status = 501, .detail = "this method is not known here"});
  if (match.found) {
    scope.metrics = routes_[match.route].metrics.get();
    return routes_[match.route];
  }
  if (match.allow.empty()) throw http::Problem({.status = 404, .detail = "there is no such resource"});
  throw http::Problem(
      {.status = 405, .detail = "this resource knows only " + match.allow, .head = "Allow: " + match.allow + "\r\n"});
}

}  // namespace parley::gateway

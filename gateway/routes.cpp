#include "gateway/routes.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <stdexcept>

#include "common/http/problem.hpp"
#include "gateway/openapi/document.hpp"

namespace parley::gateway {

namespace {

// The service for an operation: the `x-service` of its first tag.
Service service_of(const boost::json::object& operation, const boost::json::array& tags) {
  const auto& tag = operation.at("tags").at(0);
  const auto said = std::find_if(tags.begin(), tags.end(), [&](const auto& known) { return known.at("name") == tag; });
  if (said == tags.end()) throw std::logic_error("the document has no tag of this name");
  const auto& name = said->at("x-service").as_string();
  for (std::size_t i = 0; i < kServiceCount; ++i)
    if (name_of(static_cast<Service>(i)) == name) return static_cast<Service>(i);
  throw std::logic_error("there is no service " + std::string(name));
}

http::Method method_of(std::string_view name) {
  if (name == "get") return http::Method::get;
  if (name == "post") return http::Method::post;
  if (name == "delete") return http::Method::del;
  return http::Method::other;  // not an operation, such as a path's parameters
}

// OpenAPI 3.1, 4.8.10: an empty list requires nothing; an empty requirement makes the others optional.
Need credential_of(const boost::json::object& operation) {
  const auto* security = operation.if_contains("security");
  if (!security) return Need::required;  // the document's default
  const auto& alternatives = security->as_array();
  if (alternatives.empty()) return Need::unwanted;
  const bool optional = std::any_of(alternatives.begin(), alternatives.end(),
                                    [](const auto& alternative) { return alternative.as_object().empty(); });
  return optional ? Need::welcome : Need::required;
}

// How to forward an operation; each member is optional in the document.
struct Policy {
  bool changes = false, from_channel = false, streams_body = false;
  std::chrono::milliseconds answer_time{0};

  explicit Policy(const boost::json::object& operation) {
    for (const auto& [name, value] : operation) {
      if (name == "x-changes")
        changes = value.as_bool();
      else if (name == "x-from-channel")
        from_channel = value.as_bool();
      else if (name == "x-body")
        streams_body = value.as_string() == "streamed";
      else if (name == "x-answer-seconds")
        answer_time = std::chrono::seconds(value.as_int64());
      else if (name.starts_with("x-") && !name.starts_with("x-permission") && name != "x-access-levels")
        throw std::logic_error("operations have no member " + std::string(name));
    }
  }
};

// Whether it has the parameter for browsers, which cannot set a header where they follow a link or open a stream.
bool takes_organization(const boost::json::object& operation) {
  const auto* parameters = operation.if_contains("parameters");
  return parameters && std::ranges::any_of(parameters->as_array(), [](const auto& each) {
           const auto* reference = each.as_object().if_contains("$ref");
           return reference && *reference == "#/components/parameters/OrganizationQuery";
         });
}

// Whether the response is an endless stream.
bool is_stream(const boost::json::object& operation) {
  const auto* answer = operation.at("responses").as_object().if_contains("200");
  const auto* content = answer ? answer->as_object().if_contains("content") : nullptr;
  return content && content->as_object().contains("text/event-stream");
}

http::Problem no_resource() { return http::Problem({.status = 404, .detail = "there is no such resource"}); }

}  // namespace

std::string_view name_of(Service service) {
  static constexpr std::array<std::string_view, kServiceCount> names{"contacts", "conversations", "organizations",
                                                                     "analytics"};
  return names[static_cast<std::size_t>(service)];
}

http::Problem method_not_allowed(const std::string& allow) {
  return http::Problem(
      {.status = 405, .detail = "this resource knows only " + allow, .head = "Allow: " + allow + "\r\n"});
}

Routes::Routes(chassis::Boundary& boundary) {
  const auto document = boost::json::parse({openapi_json.data(), openapi_json.size()});
  const auto& tags = document.at("tags").as_array();
  for (const auto& [path, operations] : document.at("paths").as_object())
    for (const auto& [method, operation] : operations.as_object())
      if (method_of(method) != http::Method::other) add(boundary, method, path, operation.as_object(), tags);
}

void Routes::add(chassis::Boundary& boundary, std::string_view name, std::string_view path,
                 const boost::json::object& operation, const boost::json::array& tags) {
  const auto method = method_of(name);
  const std::string& pattern = patterns_.emplace_back(path);
  router_.add(method, pattern);
  const Policy policy(operation);
  if (policy.streams_body) streamed_.emplace_back(path.substr(0, path.find('{')));
  const auto service = service_of(operation, tags);
  const bool reads = method == http::Method::get && !policy.changes;
  routes_.push_back({service, credential_of(operation), is_stream(operation), reads,
                     !reads && service == Service::organizations, takes_organization(operation), policy.from_channel,
                     policy.answer_time, boundary.route(std::string(http::name_of(method)), pattern)});
}

std::string Routes::methods_of(const http::Request& request, chassis::RequestContext& scope) const {
  auto match = router_.match(http::Method::other, request.path);
  scope.pattern = match.pattern;
  if (match.allow.empty()) throw no_resource();
  return std::move(match.allow);
}

const Route& Routes::find(const http::Request& request, chassis::RequestContext& scope) const {
  if (!request.target.starts_with('/'))
    throw http::Problem({.status = 400, .detail = "the target must begin with a slash"});
  const auto match = router_.match(request.method, request.path);
  scope.pattern = match.pattern;
  if (match.found) {
    scope.metrics = routes_[match.route].metrics.get();
    return routes_[match.route];
  }
  if (match.allow.empty()) throw no_resource();
  throw method_not_allowed(match.allow);
}

}  // namespace parley::gateway

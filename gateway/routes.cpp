#include "gateway/routes.hpp"

#include <boost/json/parse.hpp>
#include <stdexcept>

#include "common/http/problem.hpp"
#include "gateway/openapi/document.hpp"

namespace parley::gateway {

namespace {

// Changes state though it is a GET (the interface has it so): a second sending would end the key that the first
// answered.
constexpr std::string_view kRegenerate = "/api/auth/api-keys/regenerate";

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

}  // namespace

std::string_view name_of(Service service) {
  static constexpr std::array<std::string_view, kServiceCount> names{"contacts", "conversations", "organizations",
                                                                     "analytics"};
  return names[static_cast<std::size_t>(service)];
}

Routes::Routes(chassis::Boundary& boundary) {
  const auto document = boost::json::parse({openapi_json.data(), openapi_json.size()});
  for (const auto& [path, operations] : document.at("paths").as_object())
    for (const auto& [method, operation] : operations.as_object()) add(boundary, method, path);
}

void Routes::add(chassis::Boundary& boundary, std::string_view name, std::string_view path) {
  const auto method = method_of(name);
  if (method == http::Method::other) return;
  const std::string& pattern = patterns_.emplace_back(path);
  router_.add(method, pattern);
  const bool regenerate = path == kRegenerate;
  routes_.push_back({service_of(path), method == http::Method::get && !regenerate, regenerate,
                     boundary.route(std::string(http::name_of(method)), pattern)});
}

const Route& Routes::find(const http::Request& request) const {
  if (!request.target.starts_with('/'))
    throw http::Problem{.status = 400, .detail = "the target must begin with a slash"};
  if (request.method == http::Method::other)
    throw http::Problem{.status = 501, .detail = "this method is not known here"};
  const auto match = router_.match(request.method, request.path);
  if (match.found) return routes_[match.route];
  if (match.allow.empty()) throw http::Problem{.status = 404, .detail = "there is no such resource"};
  throw http::Problem{
      .status = 405, .detail = "this resource knows only " + match.allow, .head = "Allow: " + match.allow + "\r\n"};
}

}  // namespace parley::gateway

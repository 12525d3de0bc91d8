#include "gateway/gateway.hpp"

#include "common/chassis/settings.hpp"
#include "common/http/problem.hpp"
#include "gateway/docs/page.hpp"
#include "gateway/openapi/document.hpp"

namespace parley::gateway {

namespace {

// What is for everybody: the contract, and the page that shows it.
constexpr std::string_view kDocument = "/openapi.json";
constexpr std::string_view kPage = "/docs";
constexpr std::string_view kScript = "/docs.js";

// Holds for every answer of ours: browsers take the media type as it is told.
constexpr std::string_view kSniffing = "X-Content-Type-Options: nosniff\r\n";

http::Response public_document(std::string_view path) {
  http::Response response;
  response.head = kSniffing;
  if (path == kDocument) {
    response.body = openapi_json;
  } else if (path == kScript) {
    response.content_type = "text/javascript; charset=utf-8";
    response.body = docs_script;
  } else {
    response.content_type = "text/html; charset=utf-8";
    response.add("Content-Security-Policy",
                 "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'");
    response.body = docs_page;
  }
  return response;
}

}  // namespace

Settings Settings::read(chassis::Environment& environment) {
  Settings out;
  out.redis = chassis::read_redis(environment);
  out.urls = {environment.url("PARLEY_CONTACTS_URL"), environment.url("PARLEY_CONVERSATIONS_URL"),
              environment.url("PARLEY_ORGANIZATIONS_URL"), environment.url("PARLEY_ANALYTICS_URL")};
  out.rates = RateSettings::read(environment);
  return out;
}

Gateway::Gateway(chassis::Process& process, const Settings& settings)
    : boundary_(process.boundary()),
      redis_(process.context().get_executor(), settings.redis),
      rates_(process, redis_, settings.rates),
      organizations_(process, "organizations", settings.urls[static_cast<std::size_t>(Service::organizations)]),
      authentication_(process, organizations_, rates_),
      routes_(boundary_),
      proxy_(process, settings.urls),
      document_metrics_(boundary_.route("GET", std::string(kDocument))),
      work_([this](http::Request& request, chassis::Scope& scope) { return work(request, scope); }) {
  rate_policy_ = "RateLimit-Policy: \"key\";q=" + std::to_string(settings.rates.burst) +
                 ";w=" + std::to_string(std::max<std::int64_t>(1, settings.rates.burst / settings.rates.a_second)) +
                 "\r\n";
  process.watch(redis_);
  process.limits().connections_an_address = 4096;
  process.serve_with([this](http::Request& request) { return boundary_.run(request, work_); });
}

awaitable<http::Response> Gateway::work(http::Request& request, chassis::Scope& scope) {
  const bool reads = request.method == http::Method::get || request.method == http::Method::head;
  if (reads && (request.path == kDocument || request.path == kPage || request.path == kScript)) {
    scope.metrics = document_metrics_.get();
    co_return public_document(request.path);
  }
  const Route& route = routes_.find(request);
  scope.metrics = route.metrics.get();
  const auto caller = co_await authentication_.identify(request, scope);
  caller->identity.organization_id.append_to(scope.organization_id);
  scope.credential_id = caller->identity.credential_id;

  const auto rate = rates_.take(caller->identity.credential_id);
  if (!rate.allowed)
    throw http::Problem{.status = 429,
                        .detail = "this credential's requests come faster than its rate allows",
                        .head = rate_policy_ + "RateLimit: \"key\";r=0;t=1\r\nRetry-After: 1\r\n"};
  auto response = co_await proxy_.forward(request, route, *caller, scope);
  if (route.ends_credential && response.status == 200) authentication_.forget(request);
  response.head += kSniffing;
  limit(response, rate);
  co_return response;
}

// draft-ietf-httpapi-ratelimit-headers-10.
void Gateway::limit(http::Response& response, const RateVerdict& rate) const {
  response.head += rate_policy_;
  response.head.append("RateLimit: \"key\";r=").append(std::to_string(rate.remaining)).append(";t=1\r\n");
}

}  // namespace parley::gateway

#include "gateway/gateway.hpp"

#include "common/chassis/settings.hpp"
#include "common/http/address.hpp"
#include "common/http/problem.hpp"
#include "gateway/files/files.hpp"

namespace parley::gateway {

namespace {

// Sent with every response, so that browsers do not guess another media type.
constexpr std::string_view kSniffing = "X-Content-Type-Options: nosniff\r\n";

// The contract, one of the files.
constexpr std::string_view kDocument = "/openapi.json";

// What pages of other origins may ask for: not what the channel calls, or where links lead.
bool is_for_pages(std::string_view path) { return path.starts_with("/api/") || path == kDocument; }

// The body limit, in octets, without a credential: enough for signing up, with every character escaped.
constexpr std::uint64_t kMaxOfStrangers = 16 << 10;

}  // namespace

Settings Settings::read(chassis::Environment& environment) {
  Settings out;
  out.redis = chassis::read_redis(environment);
  out.urls = {environment.url("PARLEY_CONTACTS_URL"), environment.url("PARLEY_CONVERSATIONS_URL"),
              environment.url("PARLEY_ORGANIZATIONS_URL"), environment.url("PARLEY_ANALYTICS_URL")};
  out.rates = RateSettings::read(environment);
  out.proxies = TrustedProxies::read(environment);
  out.cors = Cors::read(environment);
  out.cookie = SessionCookie::read(environment);
  out.connections = environment.number("PARLEY_CONNECTIONS", out.connections, 16, 1'000'000);
  out.connections_an_address =
      environment.number("PARLEY_CONNECTIONS_ADDRESS", out.connections_an_address, 1, 1'000'000);
  out.buffers_mib = environment.number("PARLEY_BUFFERS_MIB", out.buffers_mib, 1, 65'536);
  out.bodies_mib = environment.number("PARLEY_BODIES_MIB", out.bodies_mib, 16, 65'536);
  return out;
}

void Gateway::set_limits(const Settings& settings) {
  auto& limits = process_.limits();
  limits.connections = static_cast<std::size_t>(settings.connections);
  limits.connections_an_address = static_cast<std::size_t>(settings.connections_an_address);
  limits.is_exempt = [this](std::string_view address) { return proxies_.contains(address); };
  limits.read_buffers = static_cast<std::uint64_t>(settings.buffers_mib) << 20;
  limits.gathered = static_cast<std::uint64_t>(settings.bodies_mib) << 20;
  limits.streamed = routes_.streamed();
}

Gateway::Gateway(chassis::Process& process, const Settings& settings)
    : process_(process),
      boundary_(process.boundary()),
      proxies_(settings.proxies),
      cors_(settings.cors),
      cookie_(settings.cookie),
      redis_(process.context().get_executor(), settings.redis),
      address_rate_(process, redis_, "address", settings.rates.address, settings.rates.replicas),
      key_rate_(process, redis_, "key", settings.rates.key, settings.rates.replicas),
      refusals_(settings.rates.failures_a_minute),
      unsigned_webhooks_(settings.rates.failures_a_minute),
      organizations_(process, "organizations", settings.urls[static_cast<std::size_t>(Service::organizations)]),
      authentication_(process, organizations_),
      routes_(boundary_),
      proxy_(process, settings.urls, cookie_),
      document_metrics_(boundary_.route("GET", std::string(kDocument))),
      work_([this](http::Request& request, chassis::RequestContext& scope) { return work(request, scope); }) {
  address_policy_ = "RateLimit-Policy: " + address_rate_.description() + "\r\n";
  both_policies_ = "RateLimit-Policy: " + key_rate_.description() + ", " + address_rate_.description() + "\r\n";
  process.watch(redis_);
  process.watch("organizations-verdicts", organizations_.client().upstream());
  set_limits(settings);
  process.serve_with([this](http::Request& request) {
    if (cors_.is_on() && request.has("Origin") && is_for_pages(request.path)) return answer_browser(request);
    return boundary_.run(request, work_);
  });
}

// Outside the boundary, so that a page can read refusals too.
awaitable<http::Response> Gateway::answer_browser(http::Request& request) {
  auto response = co_await boundary_.run(request, work_);
  cors_.mark(request, response);
  co_return response;
}

// A preflight has no credential; it takes from the address's rate.
awaitable<http::Response> Gateway::answer_preflight(const http::Request& request, chassis::RequestContext& scope) {
  const auto allow = request.path == kDocument ? "GET, HEAD" : routes_.methods_of(request, scope);
  Rates rates{.address = co_await address_rate_.take(http::site_of(scope.client_address)), .key = {}};
  require(rates);
  auto response = Cors::permission(allow);
  append_rates(response.head, rates);
  co_return response;
}

awaitable<http::Response> Gateway::work(http::Request& request, chassis::RequestContext& scope) {
  scope.client_address = proxies_.client_of(request);
  if (cors_.is_preflight(request) && is_for_pages(request.path)) co_return co_await answer_preflight(request, scope);
  if (const auto place = request.path.starts_with("/api/") ? Place{} : find_place(request.path)) {
    if (request.method != http::Method::get && request.method != http::Method::head)
      throw method_not_allowed("GET, HEAD");
    scope.metrics = document_metrics_.get();
    Rates rates{.address = co_await address_rate_.take(http::site_of(scope.client_address)), .key = {}};
    require(rates);
    auto document = show(request, place);
    document.head += kSniffing;
    append_rates(document.head, rates);
    // A cache must not show a page of another origin what was got without one.
    if (cors_.is_on() && request.path == kDocument && !request.has("Origin")) document.add("Vary", "Origin");
    co_return document;
  }
  const Route& route = routes_.find(request, scope);
  if (route.is_webhook) co_return co_await forward_webhook(request, route, scope);
  Rates rates;
  rates.address = co_await address_rate_.take(http::site_of(scope.client_address));
  require(rates);
  const auto credential = route.credential == Need::unwanted ? Credential{} : read_credential(request, route, cookie_);
  const auto caller = co_await caller_of(request, route, credential, scope);
  if (caller) {
    if (caller->identity.is_member()) caller->identity.organization_id.append_to(scope.organization_id);
    scope.credential_id = caller->identity.credential_id;
    rates.key = co_await key_rate_.take(scope.credential_id);
    require(rates);
  }
  bound(request, route, caller.get(), scope);
  auto& signer = process_.signer();
  const auto service = name_of(route.service);
  const auto token = caller ? caller->tokens.of(signer, caller->identity, service) : signer.own_token(service);
  EventStream::Check may_go_on;
  if (route.is_stream && caller) may_go_on = authentication_.check_of(credential, caller);
  auto response = co_await proxy_.forward(request, route, token, scope, std::move(may_go_on));
  if (caller && route.changes_access && response.status < 300) authentication_.forget(credential);
  response.head += kSniffing;
  append_rates(response.head, rates);
  co_return response;
}

// Anonymous clients are bounded by http::site_of(), as one client may own 65,536 networks of /64.
void Gateway::bound(http::Request& request, const Route& route, const Caller* caller,
                    const chassis::RequestContext& scope) const {
  if (caller && caller->identity.is_member())
    request.owner.name = scope.organization_id;
  else if (caller)
    request.owner.name = scope.credential_id;
  else
    request.owner = {http::site_of(scope.client_address), true};
  if (!caller && !route.is_webhook) request.body_limit = kMaxOfStrangers;
}

// Only the service can authenticate a webhook, by its signature. An address with too many refusals is blocked here for
// the rest of the minute.
awaitable<http::Response> Gateway::forward_webhook(http::Request& request, const Route& route,
                                                   chassis::RequestContext& scope) {
  const auto network = http::site_of(scope.client_address);
  if (unsigned_webhooks_.is_over(network))
    throw http::Problem({.status = 429,
                         .detail = "too many refused webhooks from this address",
                         .head = "Retry-After: 60\r\n",
                         .close = true});
  bound(request, route, nullptr, scope);
  const auto is_refusal = [](unsigned status) { return status >= 400 && status < 500 && status != 429; };
  try {
    const auto token = process_.signer().own_token(name_of(route.service));
    auto response = co_await proxy_.forward(request, route, token, scope, {});
    if (is_refusal(response.status)) unsigned_webhooks_.may_fail(network);
    if (response.status < 300 && request.method == http::Method::post) unsigned_webhooks_.let_through(network);
    response.head += kSniffing;
    co_return response;
  } catch (const http::Problem& problem) {
    if (is_refusal(problem.status)) unsigned_webhooks_.may_fail(network);
    throw;
  }
}

// Returns nullptr for an anonymous caller, where the route allows one.
awaitable<std::shared_ptr<Caller>> Gateway::caller_of(const http::Request& request, const Route& route,
                                                      const Credential& credential,
                                                      const chassis::RequestContext& scope) {
  if (route.credential == Need::unwanted) co_return nullptr;
  if (route.credential == Need::welcome && !credential.any) co_return nullptr;
  auto caller = co_await authentication_.identify(credential, scope);
  if (caller) co_return caller;
  if (!refusals_.may_fail(http::site_of(scope.client_address)))
    throw http::Problem(
        {.status = 429, .detail = "too many refused credentials from this address", .head = "Retry-After: 60\r\n"});
  // Browsers go on sending the cookie of a session that has ended. It is not cleared: a late answer would clear that of
  // the next session.
  if (credential.is_cookie && route.credential == Need::welcome) co_return nullptr;
  // One response for every credential fault, so that it reveals nothing about what exists.
  throw http::Problem({.status = 401,
                       .detail = "a valid credential is needed",
                       .head = "WWW-Authenticate: Bearer realm=\"parley\"\r\n"});
}

// draft-ietf-httpapi-ratelimit-headers-10.
void Gateway::append_rates(std::string& head, const Rates& rates) const {
  if (!rates.address) return;
  head += rates.key ? both_policies_ : address_policy_;
  head += "RateLimit: ";
  if (rates.key) {
    key_rate_.append_to(head, *rates.key);
    head += ", ";
  }
  address_rate_.append_to(head, *rates.address);
  head += "\r\n";
}

void Gateway::require(const Rates& rates) const {
  const bool address_allows = !rates.address || rates.address->allowed;
  if (address_allows && (!rates.key || rates.key->allowed)) return;
  http::Problem problem({.status = 429, .detail = "requests come faster than the rate of this address allows"});
  if (address_allows) problem.detail = "this credential's requests come faster than its rate allows";
  append_rates(problem.head, rates);
  problem.head += "Retry-After: 1\r\n";
  throw problem;
}

}  // namespace parley::gateway

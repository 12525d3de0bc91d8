#include "gateway/credential.hpp"

#include <algorithm>

#include "common/http/problem.hpp"
#include "common/http/query.hpp"
#include "common/identity/api_key.hpp"
#include "common/identity/session_token.hpp"
#include "common/model/text.hpp"

namespace parley::gateway {

namespace {

constexpr std::string_view kOrganization = "X-Organization-Id", kOrganizationParameter = "organization_id";

// Clients that know no better send every scheme of the contract's `security`: one credential in several fields is one.
Credential find_in_fields(const http::Request& request) {
  Credential found;
  bool differ = false;
  const auto add = [&](std::string_view credential) {
    differ = differ || (found.any && credential != found.text);
    found.any = true;
    found.text = credential;
  };
  for (const auto& [name, value] : request.fields) {
    if (model::equals_ignoring_case(name, "Authorization")) {
      const bool is_bearer = value.size() > 7 && model::equals_ignoring_case(value.substr(0, 7), "Bearer ");
      add(is_bearer ? value.substr(7) : std::string_view{});
    } else if (model::equals_ignoring_case(name, "X-API-Key") || model::equals_ignoring_case(name, "x-access-token")) {
      add(value);
    }
  }
  if (differ) found.text = {};
  return found;
}

// Browsers add the cookie to whatever page asks. SameSite=Strict keeps it from other sites, this from other origins of
// the same site, and from browsers that know neither.
void require_own_page(const http::Request& request, const SessionCookie& cookie) {
  const bool reads = request.method == http::Method::get || request.method == http::Method::head;
  if (reads ? !cookie.is_of_other_page(request) : cookie.is_of_own_page(request)) return;
  throw http::Problem({.status = 403,
                       .detail = "the session cookie is for pages of this address alone: send Sec-Fetch-Site or Origin "
                                 "as browsers do, or the credential in the header Authorization"});
}

std::string organization_of(const http::Request& request, const Route& route) {
  const auto named = std::ranges::count_if(
      request.fields, [](const auto& field) { return model::equals_ignoring_case(field.name, kOrganization); });
  if (named > 1) throw http::Problem({.status = 400, .detail = "X-Organization-Id is given twice"});
  std::string organization(request.field(kOrganization));
  if (!route.takes_organization) return organization;
  for (const auto& [name, value] : http::parse_query(request.query)) {
    if (name != kOrganizationParameter) continue;
    if (organization.empty()) organization = value;
    if (organization != value)
      throw http::Problem(
          {.status = 400, .detail = "X-Organization-Id and organization_id name different organizations"});
  }
  return organization;
}

}  // namespace

std::string Credential::key() const {
  std::string known(text);
  known.append("|").append(organization);
  return identity::sha256(known);
}

Credential read_credential(const http::Request& request, const Route& route, const SessionCookie& cookie) {
  auto credential = find_in_fields(request);
  const bool is_changing_get = request.method == http::Method::get && !route.replayable;
  if (!credential.any && !is_changing_get) {
    credential.text = cookie.find(request);
    credential.any = credential.is_cookie = !credential.text.empty();
    if (credential.is_cookie) require_own_page(request, cookie);
  }
  credential.organization = organization_of(request, route);
  return credential;
}

std::optional<contracts::organizations::Verify> verify_question(const Credential& credential) {
  contracts::organizations::Verify question;
  if (const auto key = identity::ApiKey::parse(credential.text))
    question.key = {key->organization_id, key->credential_id, identity::to_hex(key->secret_hash())};
  else if (const auto session = identity::SessionToken::parse(credential.text))
    question.session = {session->session_id, identity::to_hex(session->secret_hash())};
  else
    return std::nullopt;
  if (!credential.organization.empty()) {
    question.organizationId = model::Uuid::parse(credential.organization);
    if (!question.organizationId)
      throw http::Problem(
          {.status = 400, .detail = "X-Organization-Id, or organization_id, must be an organization's id"});
  }
  return question;
}

}  // namespace parley::gateway

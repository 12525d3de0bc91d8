#include "gateway/credential.hpp"

#include <algorithm>

#include "common/http/problem.hpp"
#include "common/identity/api_key.hpp"
#include "common/identity/session_token.hpp"
#include "common/model/text.hpp"

namespace parley::gateway {

namespace {

constexpr std::string_view kOrganization = "X-Organization-Id";

struct Found {
  std::string_view text;
  bool any = false;
  bool differ = false;  // several fields, and not all with one credential

  void add(std::string_view credential) {
    differ = differ || (any && credential != text);
    any = true;
    text = credential;
  }
};

// Clients that know no better send every scheme of the contract's `security`: one credential in several fields is one.
Found find_credential(const http::Request& request) {
  Found found;
  for (const auto& [name, value] : request.fields) {
    if (model::equals_ignoring_case(name, "Authorization")) {
      const bool is_bearer = value.size() > 7 && model::equals_ignoring_case(value.substr(0, 7), "Bearer ");
      found.add(is_bearer ? value.substr(7) : std::string_view{});
    } else if (model::equals_ignoring_case(name, "X-API-Key") || model::equals_ignoring_case(name, "x-access-token")) {
      found.add(value);
    }
  }
  return found;
}

// The request's only credential; "" if it has none or several.
std::string_view credential_text(const http::Request& request) {
  const auto found = find_credential(request);
  return found.differ ? std::string_view{} : found.text;
}

}  // namespace

bool has_credential(const http::Request& request) { return find_credential(request).any; }

std::string caller_key(const http::Request& request) {
  const auto named = std::count_if(request.fields.begin(), request.fields.end(), [](const http::Field& field) {
    return model::equals_ignoring_case(field.name, kOrganization);
  });
  if (named > 1) throw http::Problem({.status = 400, .detail = "X-Organization-Id is given twice"});
  std::string known(credential_text(request));
  known.append("|").append(request.field(kOrganization));
  return identity::sha256(known);
}

std::optional<contracts::organizations::Verify> verify_question(const http::Request& request) {
  const auto text = credential_text(request);
  contracts::organizations::Verify question;
  if (const auto key = identity::ApiKey::parse(text))
    question.key = {key->organization_id, key->credential_id, identity::to_hex(key->secret_hash())};
  else if (const auto session = identity::SessionToken::parse(text))
    question.session = {session->session_id, identity::to_hex(session->secret_hash())};
  else
    return std::nullopt;
  if (const auto organization = request.field(kOrganization); !organization.empty()) {
    question.organizationId = model::Uuid::parse(organization);
    if (!question.organizationId)
      throw http::Problem({.status = 400, .detail = "X-Organization-Id must be an organization's id"});
  }
  return question;
}

}  // namespace parley::gateway

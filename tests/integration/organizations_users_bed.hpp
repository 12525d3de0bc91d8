#pragma once
// People as the tests of their accounts have them: who sign up and in, and whom the gateway makes of them.
#include "common/identity/session_token.hpp"
#include "tests/integration/organizations_world.hpp"

namespace parley::organizations_tests {

inline constexpr auto kRegister = "/api/auth/register";
inline constexpr auto kLogin = "/api/auth/login";
inline constexpr auto kLogout = "/api/auth/logout";
inline constexpr auto kUser = "/api/user";
inline const std::string kPassword = "correct horse battery";

inline std::string new_email() { return model::new_uuid().text() + "@people.example"; }

inline std::string json_of(std::initializer_list<std::pair<const char*, std::string>> members) {
  boost::json::object out;
  for (const auto& [name, value] : members) out[name] = value;
  return boost::json::serialize(out);
}

inline Answer sign_up(World& world, const std::string& email, const std::string& organization = "") {
  if (organization.empty())
    return world.post_as_gateway(kRegister, json_of({{"name", "Ada"}, {"email", email}, {"password", kPassword}}));
  return world.post_as_gateway(
      kRegister,
      json_of({{"name", "Ada"}, {"email", email}, {"password", kPassword}, {"organizationName", organization}}));
}

inline Answer sign_in(World& world, const std::string& email, const std::string& password = kPassword) {
  return world.post_as_gateway(kLogin, json_of({{"email", email}, {"password", password}}));
}

// What the gateway asks when a session's token comes in.
inline Answer verify(World& world, const std::string& token, const std::optional<model::Uuid>& organization = {}) {
  const auto read = identity::SessionToken::parse(token);
  REQUIRE(read);
  std::string body = R"({"session":{"sessionId":")" + read->session_id.text() + R"(","secretSha256":")" +
                     identity::to_hex(read->secret_hash()) + "\"}";
  if (organization) body += R"(,"organizationId":")" + organization->text() + '"';
  return world.post_as_gateway("/internal/credentials/verify", body + "}");
}

// The caller that the gateway would make of it.
inline Caller caller_of(const Answer& verdict) {
  return {*model::Uuid::parse(verdict.text_at("/organizationId")),
          *model::Uuid::parse(verdict.text_at("/memberId")),
          *model::Uuid::parse(verdict.text_at("/personId")),
          {},
          model::AccessLevel::Owner,
          PermissionSet::all(),
          verdict.text_at("/credentialId"),
          verdict.at("/lacksSecondFactor") == boost::json::value(true)};
}

}  // namespace parley::organizations_tests

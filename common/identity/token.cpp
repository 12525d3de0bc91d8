#include "common/identity/token.hpp"

#include <sodium.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace parley::identity {

namespace {

using std::chrono::system_clock;

constexpr std::size_t kMaxRemembered = 16'384;
constexpr std::string_view kVersion = "2";
constexpr std::string_view kKey = "+key";
constexpr std::string_view kLacking = "lacks-second-factor";

// Payload: version|signer|expiry, in seconds since 1970|service|organization|member|access level|permissions, in hex|
// credential@audience|person, and kLacking where it holds. No part can contain a separator. An API key's credential
// ends in kKey. Earlier versions read that, and before it the audience, as part of the credential's name, so that a
// rolling upgrade needs no order.
std::string payload_of(std::string_view signer, system_clock::time_point expires, const Identity& identity,
                       std::string_view audience) {
  std::string out;
  out.append(kVersion).append("|").append(signer).append("|");
  out += std::to_string(system_clock::to_time_t(expires));
  out.append("|").append(identity.service).append("|");
  identity.organization_id.append_to(out);
  out += '|';
  identity.member_id.append_to(out);
  out.append("|").append(model::name_of(identity.access_level)).append("|");
  char mask[17];
  out.append(mask, std::to_chars(mask, mask + sizeof mask, identity.permissions.mask(), 16).ptr);
  out.append("|")
      .append(identity.credential_id)
      .append(identity.by_key ? kKey : "")
      .append("@")
      .append(audience)
      .append("|");
  identity.person_id.append_to(out);
  if (identity.lacks_second_factor) out.append("|").append(kLacking);
  return out;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto bar = text.find('|');
    parts.push_back(text.substr(0, bar));
    if (bar == text.npos) return parts;
    text.remove_prefix(bar + 1);
  }
}

template <class Number>
bool read_number(std::string_view text, Number& out, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

Signer::Signer(std::string name, const Seed& seed) : name_(std::move(name)) {
  PublicKey ignored;
  crypto_sign_seed_keypair(ignored.data(), secret_.data(), seed.data());
}

Signer::~Signer() { sodium_memzero(secret_.data(), secret_.size()); }

std::string Signer::sign(const Identity& identity, std::string_view audience) const {
  const auto payload = payload_of(name_, system_clock::now() + kTokenLife, identity, audience);
  std::string signature(crypto_sign_BYTES, '\0');
  crypto_sign_detached(reinterpret_cast<unsigned char*>(signature.data()), nullptr,
                       reinterpret_cast<const unsigned char*>(payload.data()), payload.size(), secret_.data());
  return to_base64url(payload) + '.' + to_base64url(signature);
}

std::string Signer::own_token(std::string_view audience) {
  return own_.of(*this, {.service = name_, .organization_id{}, .member_id{}, .permissions{}, .credential_id{}},
                 audience);
}

std::string Tokens::of(const Signer& signer, const Identity& identity, std::string_view audience) {
  const auto now = std::chrono::steady_clock::now();
  auto known = made_.find(audience);
  if (known == made_.end()) known = made_.emplace(audience, Made{}).first;
  if (now >= known->second.until) known->second = {signer.sign(identity, audience), now + kTokenReuse};
  return known->second.token;
}

Verifier::Verifier(Trusted trusted, std::string name, Unaddressed unaddressed)
    : trusted_(std::move(trusted)), name_(std::move(name)), unaddressed_(unaddressed) {}

std::shared_ptr<const Identity> Verifier::verify(std::string_view token) {
  const auto now = system_clock::now();
  if (const auto known = verified_.find(token); known != verified_.end()) {
    if (now < known->second.expires) return known->second.identity;
    verified_.erase(known);
    return nullptr;
  }
  auto checked = check(token);
  if (!checked || now >= checked->expires) return nullptr;
  if (verified_.size() >= kMaxRemembered) verified_.clear();  // tokens are verified again on next use
  return verified_.emplace(std::string(token), std::move(*checked)).first->second.identity;
}

std::optional<Verifier::Verified> Verifier::check(std::string_view token) const {
  const auto dot = token.find('.');
  if (token.size() > 1024 || dot == token.npos) return std::nullopt;
  const auto payload = from_base64url(token.substr(0, dot));
  const auto signature = from_base64url(token.substr(dot + 1));
  if (!payload || !signature || signature->size() != crypto_sign_BYTES) return std::nullopt;
  const auto parts = split(*payload);
  const bool is_lacking = parts.size() == 11 && parts[10] == kLacking;
  if ((parts.size() != 10 && !is_lacking) || parts[0] != kVersion) return std::nullopt;
  const auto [first, last] = trusted_.equal_range(std::string(parts[1]));
  const bool is_signed = std::any_of(first, last, [&](const auto& signer) {
    return crypto_sign_verify_detached(reinterpret_cast<const unsigned char*>(signature->data()),
                                       reinterpret_cast<const unsigned char*>(payload->data()), payload->size(),
                                       signer.second.data()) == 0;
  });
  if (!is_signed) return std::nullopt;

  Identity identity;
  std::int64_t expires = 0;
  std::uint64_t mask = 0;
  const auto organization = model::Uuid::parse(parts[4]);
  const auto member = model::Uuid::parse(parts[5]);
  const auto person = model::Uuid::parse(parts[9]);
  const bool level = boost::describe::enum_from_string(std::string(parts[6]).c_str(), identity.access_level);
  if (!read_number(parts[2], expires, 10) || !organization || !member || !person || !level ||
      !read_number(parts[7], mask, 16))
    return std::nullopt;
  identity.service = parts[3];
  identity.organization_id = *organization;
  identity.member_id = *member;
  identity.permissions = PermissionSet(mask);
  const auto at = parts[8].find('@');
  const bool is_ours = at == parts[8].npos ? unaddressed_ == Unaddressed::taken : parts[8].substr(at + 1) == name_;
  if (!is_ours) return std::nullopt;
  auto credential = parts[8].substr(0, at);
  identity.by_key = credential.ends_with(kKey);
  if (identity.by_key) credential.remove_suffix(kKey.size());
  identity.credential_id = credential;
  identity.person_id = *person;
  identity.lacks_second_factor = is_lacking;
  const bool own_name = identity.service == parts[1];
  const bool speaks_for_member = identity.service.empty() && parts[1] == "gateway";
  if (!own_name && !speaks_for_member) return std::nullopt;
  return Verified{std::make_shared<const Identity>(std::move(identity)), system_clock::from_time_t(expires)};
}

}  // namespace parley::identity

#pragma once
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "common/identity/keys.hpp"
#include "common/identity/permission.hpp"
#include "common/model/organization.hpp"

namespace parley::identity {

// The header field that carries a token from process to process. The gateway strips it from what clients send.
inline constexpr std::string_view kField = "Parley-Identity";

// Who is calling: a member of an organization, a person who is a member of none, or one of our own services.
struct Identity {
  std::string service;          // "contacts": a service calls in its own name; then nothing else is set
  model::Uuid organization_id;  // nil for who is no member
  model::Uuid member_id;        // likewise
  model::AccessLevel access_level = model::AccessLevel::Member;
  PermissionSet permissions;
  std::string credential_id;  // for logs and audit
  model::Uuid person_id{};    // who the member is

  bool is_service() const { return !service.empty(); }
  bool is_member() const { return !member_id.is_nil(); }
  bool operator==(const Identity&) const = default;
};

// How long a token is good for, and how long its maker uses it before it makes a new one. The same octets serve for a
// while so that those who verify them can remember that they did.
inline constexpr std::chrono::seconds kTokenLife{60};
inline constexpr std::chrono::seconds kTokenReuse{15};

class Signer;

// The tokens of one identity, by the process that each is for: one is used for kTokenReuse, then made anew.
class Tokens {
 public:
  std::string of(const Signer& signer, const Identity& identity, std::string_view audience);

 private:
  struct Made {
    std::string token;
    std::chrono::steady_clock::time_point until{};
  };
  std::map<std::string, Made, std::less<>> made_;
};

// Signs identities in the name of one process. A token is base64url(payload) "." base64url(Ed25519 signature).
class Signer {
 public:
  // `name` as other processes know this one's public key.
  Signer(std::string name, const Seed& seed);
  ~Signer();
  Signer(const Signer&) = delete;
  Signer& operator=(const Signer&) = delete;

  // A token that the process named `audience` takes, and no other, for kTokenLife from now.
  std::string sign(const Identity& identity, std::string_view audience) const;
  // With which this process calls that one in its own name.
  std::string own_token(std::string_view audience);
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::array<unsigned char, 64> secret_;
  Tokens own_;
};

// Public keys by the names of their processes. A name may have several: its old one and its new one while it changes.
using Trusted = std::unordered_multimap<std::string, PublicKey>;

// What is taken of tokens that do not say whom they are for, as versions before 0.2 make them: whoever sees one can use
// it anywhere.
enum class Unaddressed : bool { refused, taken };

// Knows whose signatures count. Only `gateway` may speak for members; any other only for itself.
class Verifier {
 public:
  // `name` is this process's.
  Verifier(Trusted trusted, std::string name, Unaddressed unaddressed = Unaddressed::refused);

  // The identity that a token proves, nullptr if it proves none here: malformed, unknown or wrong signature, expired,
  // for another process.
  std::shared_ptr<const Identity> verify(std::string_view token);

 private:
  struct Verified {
    std::shared_ptr<const Identity> identity;
    std::chrono::system_clock::time_point expires;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::optional<Verified> check(std::string_view token) const;

  Trusted trusted_;
  const std::string name_;
  const Unaddressed unaddressed_;
  std::unordered_map<std::string, Verified, Hash, std::equal_to<>> verified_;
};

}  // namespace parley::identity

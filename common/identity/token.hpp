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

// The header field that carries a token between processes. The gateway removes it from clients' requests.
inline constexpr std::string_view kField = "Parley-Identity";

// The caller: a member of an organization, a person without an organization, or one of our services.
struct Identity {
  std::string service;          // "contacts": set, alone, if a service calls in its own name
  model::Uuid organization_id;  // nil if the caller is no member
  model::Uuid member_id;        // likewise
  model::AccessLevel access_level = model::AccessLevel::Member;
  PermissionSet permissions;
  std::string credential_id;  // for logs and audit
  model::Uuid person_id{};    // the member's person
  bool by_key = false;        // the credential is an API key, not a session
  // The person is a member of the organization that was asked for, but not let in there without a second factor: the
  // caller is no member then.
  bool lacks_second_factor = false;

  bool is_service() const { return !service.empty(); }
  bool is_member() const { return !member_id.is_nil(); }
  bool operator==(const Identity&) const = default;
};

// The lifetime of a token, and how long its signer reuses it. Identical tokens let verifiers cache the verification.
inline constexpr std::chrono::seconds kTokenLife{60};
inline constexpr std::chrono::seconds kTokenReuse{15};

class Signer;

// The tokens of one identity by audience; each is reused for kTokenReuse and then replaced.
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
  // `name` is the name under which other processes trust this one's public key.
  Signer(std::string name, const Seed& seed);
  ~Signer();
  Signer(const Signer&) = delete;
  Signer& operator=(const Signer&) = delete;

  // Signs a token that only the process `audience` accepts, for kTokenLife from now.
  std::string sign(const Identity& identity, std::string_view audience) const;
  // The token for calls to `audience` in this process's own name.
  std::string own_token(std::string_view audience);
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::array<unsigned char, 64> secret_;
  Tokens own_;
};

// Public keys by process name. A name has two keys, the old and the new one, during a rotation.
using Trusted = std::unordered_multimap<std::string, PublicKey>;

// Whether to accept tokens without an audience, as signed by versions before 0.2: such a token is valid at every
// process.
enum class Unaddressed : bool { refused, taken };

// Verifies tokens. Only `gateway` may sign for members; any other process only for itself.
class Verifier {
 public:
  // `name` is this process's name.
  Verifier(Trusted trusted, std::string name, Unaddressed unaddressed = Unaddressed::refused);

  // The verified identity; nullptr for a token that is malformed, expired, for another process, or whose signer is
  // unknown or signature wrong.
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

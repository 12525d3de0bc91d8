#pragma once
#include <array>
#include <memory>
#include <string>
#include <unordered_map>

#include "common/chassis/peer.hpp"
#include "common/chassis/process.hpp"
#include "gateway/rate_limit.hpp"

namespace parley::gateway {

// A caller as organizations knows it, with the token that tells it to the services.
struct Caller {
  identity::Identity identity;
  std::string question;  // the body that asks for it again
  std::string token;
  http::Clock::time_point token_until;
  http::Clock::time_point verified;  // when the question was sent to which this is the answer
  bool refreshing = false;
};

// Finds out who sends a request. organizations is asked once a second a caller at most, and ahead of need, so that
// requests seldom wait; what it revokes is refused here within that second. While it is out of reach, what was known
// holds for five.
class Authentication {
 public:
  Authentication(chassis::Process& process, chassis::Peer& organizations, RateLimit& rates);

  // Throws the Problems 401, 403, 429 and 503.
  awaitable<std::shared_ptr<Caller>> identify(const http::Request& request, const chassis::Scope& scope);
  // Forgets a caller at once, and what is being asked about it.
  void forget(const http::Request& request);

 private:
  using Key = std::string;  // SHA-256 of the credential and the organization asked for
  struct Credential;
  Credential credential_of(const http::Request& request) const;
  awaitable<std::shared_ptr<Caller>> verify(Key key, std::string body, chassis::Scope scope);
  awaitable<void> refresh(Key key, std::string body, std::shared_ptr<Caller> known);
  void sign(Caller& caller);
  void make_room();

  chassis::Process& process_;
  chassis::Peer& organizations_;
  RateLimit& rates_;
  std::unordered_map<Key, std::shared_ptr<Caller>> callers_;
  std::uint64_t forgotten_ = 0;  // counts forget(): an answer to an older question is not kept
};

}  // namespace parley::gateway

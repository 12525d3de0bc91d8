#pragma once
#include <functional>
#include <memory>
#include <string>

#include "common/chassis/process.hpp"
#include "common/chassis/service_client.hpp"
#include "gateway/callers.hpp"
#include "gateway/credential.hpp"
#include "gateway/rate_limit.hpp"
#include "gateway/revocations.hpp"

namespace parley::gateway {

// How long a verdict of organizations is valid. Requests seldom wait for one, as verdicts are refreshed ahead of
// expiry.
struct VerdictTimes {
  std::chrono::milliseconds good_for{60'000};
  std::chrono::milliseconds ask_ahead{30'000};  // the age at which a refresh starts
  // The validity while organizations' feed is unreachable, as revocations may be missed.
  std::chrono::milliseconds good_unheard{5'000};
};

// Authenticates requests: asks organizations, and caches the verdict until an event invalidates it.
class Authentication {
 public:
  Authentication(chassis::Process& process, chassis::ServiceClient& organizations,
                 chassis::FollowTimes revocations = {}, VerdictTimes times = {});

  void start() { revocations_.start(); }
  void stop() { revocations_.stop(); }

  // The caller; nullptr if the credential is missing or invalid. Throws the Problems 400 and 403, and
  // http::Unreachable.
  awaitable<std::shared_ptr<Caller>> identify(const Credential& credential, const chassis::RequestContext& scope);
  // Returns a check for long responses, usable after the request is gone: whether the caller still has the same
  // identity and rights. The check does not throw.
  std::function<awaitable<bool>()> check_of(const Credential& credential, const std::shared_ptr<Caller>& caller);
  // Invalidates the caller's verdict after a request that may have changed the rights of its own credential.
  void forget(const Credential& credential);

 private:
  using Question = contracts::organizations::Verify;
  bool is_good(const Caller& caller, http::Clock::time_point now) const;
  bool is_to_be_asked(const Caller& caller, http::Clock::time_point now) const;
  std::shared_ptr<Caller> remembered(const std::string& key);
  awaitable<bool> is_same(std::string key, Question question, identity::Identity identity);
  awaitable<std::shared_ptr<Caller>> verify(std::string key, Question question, const chassis::RequestContext& scope);
  awaitable<void> refresh(std::string key, std::shared_ptr<Caller> known);

  chassis::Process& process_;
  chassis::ServiceClient& organizations_;
  VerdictTimes times_;
  chassis::Process::CacheCounters asked_;
  Callers callers_;
  Revocations revocations_;
};

}  // namespace parley::gateway

#pragma once
#include <functional>
#include <memory>
#include <string>

#include "common/chassis/process.hpp"
#include "common/chassis/service_client.hpp"
#include "gateway/callers.hpp"
#include "gateway/rate_limit.hpp"
#include "gateway/revocations.hpp"

namespace parley::gateway {

// How long an answer of organizations holds. Requests seldom wait for one, as it is asked for anew ahead of need.
struct VerdictTimes {
  std::chrono::milliseconds good_for{60'000};
  std::chrono::milliseconds ask_ahead{30'000};  // from this age on
  // What may have been revoked without our hearing of it: while organizations' events are out of reach.
  std::chrono::milliseconds good_unheard{5'000};
};

// Finds out who sends a request: asks organizations, and remembers the answer until that tells that something changed.
class Authentication {
 public:
  Authentication(chassis::Process& process, chassis::ServiceClient& organizations,
                 chassis::FollowTimes revocations = {}, VerdictTimes times = {});

  void start() { revocations_.start(); }
  void stop() { revocations_.stop(); }

  // Who sent the request; nullptr when its credential is missing or not good. Throws the Problems 400 and 403, and
  // http::Unreachable.
  awaitable<std::shared_ptr<Caller>> identify(const http::Request& request, const chassis::RequestContext& scope);
  // To be asked while an answer to a known caller goes on, once the request is gone: whether they still are who they
  // were, with the same rights. Throws nothing.
  std::function<awaitable<bool>()> check_of(const http::Request& request, const std::shared_ptr<Caller>& caller);
  // The caller did something that may have changed what their own credential is worth.
  void forget(const http::Request& request);

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

#include "gateway/authentication.hpp"

#include <algorithm>
#include <charconv>

#include "common/identity/api_key.hpp"

namespace parley::gateway {

namespace {

std::shared_ptr<Caller> read_caller(const contracts::organizations::Verified& answer, http::Clock::time_point asked) {
  std::uint64_t permissions = 0;
  const auto* const end = answer.permissions.data() + answer.permissions.size();
  const bool mask = std::from_chars(answer.permissions.data(), end, permissions, 16).ptr == end;
  if (!mask)
    throw http::Unreachable(http::Unreachable::Why::bad_answer, "organizations' permissions are no mask", false);

  auto caller = std::make_shared<Caller>();
  caller->identity.organization_id = answer.organizationId;
  caller->identity.member_id = answer.memberId;
  caller->identity.person_id = answer.personId;
  caller->identity.access_level = answer.accessLevel;
  caller->identity.permissions = identity::PermissionSet(permissions);
  caller->identity.credential_id = answer.credentialId.text();
  caller->identity.by_key = answer.holderId.has_value();
  caller->identity.lacks_second_factor = answer.lacksSecondFactor.value_or(false);
  caller->credential = answer.credentialId;
  caller->home = answer.homeId;
  caller->holder = answer.holderId;
  caller->verified = asked;
  if (answer.goodForMs) caller->expires = asked + std::chrono::milliseconds(*answer.goodForMs);
  return caller;
}

}  // namespace

Authentication::Authentication(chassis::Process& process, chassis::ServiceClient& organizations,
                               chassis::FollowTimes revocations, VerdictTimes times)
    : process_(process),
      organizations_(organizations),
      times_(times),
      asked_(process.watch_cache("verdicts")),
      revocations_(process, organizations, callers_, revocations) {}

bool Authentication::is_good(const Caller& caller, http::Clock::time_point now) const {
  return now < caller.expires && now - caller.verified < times_.good_for &&
         now - std::max(caller.verified, revocations_.known_until()) < times_.good_unheard;
}

bool Authentication::is_to_be_asked(const Caller& caller, http::Clock::time_point now) const {
  return now - caller.verified >= times_.ask_ahead ||
         now - std::max(caller.verified, revocations_.known_until()) >= times_.good_unheard / 2;
}

// Returns nullptr if the key is unknown or its verdict too old.
std::shared_ptr<Caller> Authentication::remembered(const std::string& key) {
  auto known = callers_.find(key);
  const auto now = http::Clock::now();
  if (!known || !is_good(*known, now)) {
    (known ? asked_.stale : asked_.misses).Increment();
    return nullptr;
  }
  asked_.hits.Increment();
  if (!known->refreshing && is_to_be_asked(*known, now)) {
    known->refreshing = true;
    process_.spawn("verdict", refresh(key, known));
  }
  return known;
}

awaitable<std::shared_ptr<Caller>> Authentication::identify(const Credential& credential,
                                                            const chassis::RequestContext& scope) {
  auto key = credential.key();
  if (auto known = remembered(key)) co_return known;
  auto question = verify_question(credential);
  if (!question) co_return nullptr;
  co_return co_await verify(std::move(key), std::move(*question), scope);
}

std::function<awaitable<bool>()> Authentication::check_of(const Credential& credential,
                                                          const std::shared_ptr<Caller>& caller) {
  return [this, key = credential.key(), question = caller->question, identity = caller->identity] {
    return is_same(key, question, identity);
  };
}

awaitable<bool> Authentication::is_same(std::string key, Question question, identity::Identity identity) {
  auto known = remembered(key);
  try {
    if (!known) known = co_await verify(std::move(key), std::move(question), chassis::RequestContext::own());
  } catch (const std::exception&) {  // an unverifiable caller is cut off here, as on its next request
  }
  co_return known && known->identity == identity;
}

// Returns the caller, or nullptr if the credential is refused. A verdict requested before an invalidation may be older
// than the revocation: it serves this request, which was in progress, and is not cached.
awaitable<std::shared_ptr<Caller>> Authentication::verify(std::string key, Question question,
                                                          const chassis::RequestContext& scope) {
  const auto asked = http::Clock::now();
  const auto forgettings = callers_.forgettings();
  std::shared_ptr<Caller> caller;
  try {
    caller = read_caller(co_await organizations_.ask(contracts::organizations::verify, question, scope), asked);
  } catch (const chassis::Refusal& refusal) {
    // A 401 that is not about the credential means that organizations does not trust this gateway's signature.
    if (refusal.status == 401 && refusal.body.find("\"/key\"") == refusal.body.npos)
      throw std::runtime_error("organizations does not trust this gateway's identity: see PARLEY_IDENTITY_TRUSTED");
    if (refusal.status != 401 && refusal.status != 403) throw;  // that is not about the credential either
    callers_.drop(key);
    if (refusal.status == 403)
      throw http::Problem(
          {.status = 403,
           .detail = "the organization of X-Organization-Id, or organization_id, is not one of this person's"});
    co_return nullptr;
  }
  caller->question = std::move(question);
  // A person without an organization, or not let into it, is not cached: the person may join one at any moment, and no
  // event would name this entry.
  if (caller->identity.is_member()) callers_.keep(key, caller, forgettings);
  co_return caller;
}

awaitable<void> Authentication::refresh(std::string key, std::shared_ptr<Caller> known) {
  struct End {
    Caller& caller;
    ~End() { caller.refreshing = false; }
  };
  const End end{*known};
  const auto scope = chassis::RequestContext::own();
  try {
    co_await verify(std::move(key), known->question, scope);
  } catch (const http::Problem&) {
    // Invalidated meanwhile: the next request verifies again.
  } catch (const http::Unreachable&) {
    // Requests verify again once the verdict is too old.
  }
}

void Authentication::forget(const Credential& credential) { callers_.forget(credential.key()); }

}  // namespace parley::gateway

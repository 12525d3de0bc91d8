#include "gateway/authentication.hpp"

#include <algorithm>
#include <boost/describe/class.hpp>
#include <charconv>

#include "common/http/body.hpp"
#include "common/identity/api_key.hpp"
#include "common/model/text.hpp"

namespace parley::gateway {

using namespace std::chrono_literals;

namespace {

constexpr auto kAskAhead = 500ms;  // from this age on a verdict is asked for anew beside the requests
constexpr auto kGoodFor = 1s;      // and after this, before them
constexpr auto kGoodUnheard = 5s;  // unless organizations is out of reach
constexpr std::size_t kMostCallers = 50'000;

// POST /internal/credentials/verify.
struct PresentedKey {
  model::Uuid organizationId;  // that the key is of
  model::Uuid credentialId;
  std::string secretSha256;  // hexadecimal
};
BOOST_DESCRIBE_STRUCT(PresentedKey, (), (organizationId, credentialId, secretSha256))

struct Question {
  PresentedKey key;
  std::optional<model::Uuid> organizationId;  // where to act, if in another organization of the same person
};
BOOST_DESCRIBE_STRUCT(Question, (), (key, organizationId))

struct Answer {
  model::Uuid organizationId;
  model::Uuid memberId;
  model::AccessLevel accessLevel = model::AccessLevel::Member;
  std::string permissions;  // identity::PermissionSet's mask in hexadecimal digits
  model::Uuid credentialId;
};
BOOST_DESCRIBE_STRUCT(Answer, (), (organizationId, memberId, accessLevel, permissions, credentialId))

// The same for all that is wrong with a credential: what exists is not for strangers to find out.
http::Problem refused() {
  return http::Problem{
      .status = 401, .detail = "a valid credential is needed", .head = "WWW-Authenticate: Bearer realm=\"parley\"\r\n"};
}

// The one credential of a request: "" when there is none, or more than one.
std::string_view credential_text(const http::Request& request) {
  std::string_view found;
  std::size_t count = 0;
  for (const auto& [name, value] : request.fields) {
    if (model::equals_ignoring_case(name, "Authorization")) {
      ++count;
      if (value.size() > 7 && model::equals_ignoring_case(value.substr(0, 7), "Bearer ")) found = value.substr(7);
    } else if (model::equals_ignoring_case(name, "X-API-Key") || model::equals_ignoring_case(name, "x-access-token")) {
      ++count;
      found = value;
    }
  }
  return count == 1 ? found : std::string_view{};
}

}  // namespace

struct Authentication::Credential {
  Key key;
  std::string body;  // of the question
};

Authentication::Authentication(chassis::Process& process, chassis::Peer& organizations, RateLimit& rates)
    : process_(process), organizations_(organizations), rates_(rates) {}

Authentication::Credential Authentication::credential_of(const http::Request& request) const {
  const auto text = credential_text(request);
  const auto organization = request.field("X-Organization-Id");
  const auto named = std::count_if(request.fields.begin(), request.fields.end(), [](const http::Field& field) {
    return model::equals_ignoring_case(field.name, "X-Organization-Id");
  });
  if (named > 1) throw http::Problem{.status = 400, .detail = "X-Organization-Id is given twice"};
  Credential out;
  std::string known;
  known.append(text).append("|").append(organization);
  out.key = identity::sha256(known);
  if (callers_.contains(out.key)) return out;

  const auto key = identity::ApiKey::parse(text);
  if (!key) throw refused();
  Question question{{key->organization_id, key->credential_id, identity::to_hex(key->secret_hash())}, std::nullopt};
  if (!organization.empty()) {
    question.organizationId = model::Uuid::parse(organization);
    if (!question.organizationId)
      throw http::Problem{.status = 400, .detail = "X-Organization-Id must be an organization's id"};
  }
  out.body = model::to_json(question);
  return out;
}

awaitable<std::shared_ptr<Caller>> Authentication::identify(const http::Request& request, const chassis::Scope& scope) {
  Credential credential;
  try {
    credential = credential_of(request);
  } catch (const http::Problem& problem) {
    if (problem.status == 401 && !rates_.may_fail(request.remote_address))
      throw http::Problem{
          .status = 429, .detail = "too many refused credentials from this address", .head = "Retry-After: 60\r\n"};
    throw;
  }
  const auto known = callers_.find(credential.key);
  if (known != callers_.end()) {
    const auto caller = known->second;
    const auto age = http::Clock::now() - caller->verified;
    if (age < kGoodFor) {
      if (age >= kAskAhead && !caller->refreshing) {
        caller->refreshing = true;
        process_.spawn("verdict", refresh(credential.key, caller->question, caller));
      }
      sign(*caller);
      co_return caller;
    }
    credential.body = caller->question;
  }
  bool refused_now = false;
  try {
    auto caller = co_await verify(credential.key, std::move(credential.body), scope);
    if (caller) co_return caller;
    refused_now = true;
  } catch (const http::Unreachable&) {
    const auto still = callers_.find(credential.key);
    if (still != callers_.end() && http::Clock::now() - still->second->verified < kGoodUnheard) {
      sign(*still->second);
      co_return still->second;
    }
    throw;
  }
  if (refused_now && !rates_.may_fail(request.remote_address))
    throw http::Problem{
        .status = 429, .detail = "too many refused credentials from this address", .head = "Retry-After: 60\r\n"};
  throw refused();
}

// The caller, or nullptr when the credential is refused.
awaitable<std::shared_ptr<Caller>> Authentication::verify(Key key, std::string body, chassis::Scope scope) {
  const auto asked = http::Clock::now();
  const auto forgotten = forgotten_;
  http::ClientRequest question{.method = http::Method::post,
                               .target = "/internal/credentials/verify",
                               .head = "Content-Type: application/json\r\n",
                               .body = body,
                               .answer_time = 2s};
  const auto answered = co_await organizations_.send(std::move(question), scope);
  if (answered.status != 200) {
    // A 401 that is not about the key is about us: our own signature is not trusted there.
    if (answered.status == 401 && answered.body.find("\"/key\"") == answered.body.npos)
      throw std::runtime_error("organizations does not trust this gateway's identity: see PARLEY_IDENTITY_TRUSTED");
    callers_.erase(key);
    if (answered.status == 403)
      throw http::Problem{.status = 403, .detail = "the organization of X-Organization-Id is not one of this person's"};
    co_return nullptr;
  }
  Answer answer;
  model::Reader reader;
  reader.read(http::parse_body(answered.body), answer);
  std::uint64_t permissions = 0;
  const auto* const end = answer.permissions.data() + answer.permissions.size();
  const bool mask = std::from_chars(answer.permissions.data(), end, permissions, 16).ptr == end;
  if (!reader.faults.empty() || !mask) throw std::runtime_error("organizations' verdict cannot be read");

  auto caller = std::make_shared<Caller>();
  caller->identity.organization_id = answer.organizationId;
  caller->identity.member_id = answer.memberId;
  caller->identity.access_level = answer.accessLevel;
  caller->identity.permissions = identity::PermissionSet(permissions);
  caller->identity.credential_id = answer.credentialId.text();
  caller->question = std::move(body);
  caller->verified = asked;
  sign(*caller);
  // A verdict that was asked for before something was forgotten may be older than what ended it: good for this request,
  // which was under way, and no other.
  if (forgotten == forgotten_) {
    make_room();
    auto& kept = callers_[key];
    if (kept && kept->identity == caller->identity) {  // the same octets as before, which the services know
      caller->token = kept->token;
      caller->token_until = kept->token_until;
    }
    kept = caller;
  }
  co_return caller;
}

awaitable<void> Authentication::refresh(Key key, std::string body, std::shared_ptr<Caller> known) {
  chassis::Scope scope;
  scope.request_id = model::new_uuid().text();
  scope.traceparent =
      "00-" + identity::to_hex(identity::sha256(scope.request_id).substr(0, 16)) + "-0000000000000001-00";
  try {
    co_await verify(std::move(key), std::move(body), scope);
  } catch (const http::Unreachable&) {
    // The requests will find out by themselves when the verdict is too old.
  }
  known->refreshing = false;
}

void Authentication::sign(Caller& caller) {
  const auto now = http::Clock::now();
  if (now < caller.token_until) return;
  caller.token = process_.signer().sign(caller.identity);
  caller.token_until = now + identity::kTokenReuse;
}

void Authentication::forget(const http::Request& request) {
  std::string known;
  known.append(credential_text(request)).append("|").append(request.field("X-Organization-Id"));
  callers_.erase(identity::sha256(known));
  ++forgotten_;
}

void Authentication::make_room() {
  if (callers_.size() < kMostCallers) return;
  const auto now = http::Clock::now();
  std::erase_if(callers_, [&](const auto& entry) { return now - entry.second->verified > kGoodUnheard; });
  if (callers_.size() >= kMostCallers) callers_.clear();  // they are asked for again
}

}  // namespace parley::gateway

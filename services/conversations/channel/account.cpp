#include "conversations/channel/account.hpp"

#include <algorithm>

#include "common/async/all.hpp"
#include "common/async/event.hpp"
#include "common/chassis/process.hpp"
#include "common/events/changes.hpp"
#include "common/events/organization_changes.hpp"
#include "common/http/query.hpp"

namespace parley::conversations::channel {

using namespace std::chrono_literals;

namespace {

constexpr auto kGood = 60s;
constexpr auto kAbsent = 5s;
constexpr auto kFailed = 5s;         // before organizations is asked again after a failure
constexpr auto kUnheard = 5s;        // maximum age of a cached answer while the feed is not heard
constexpr auto kGoodUnheard = 900s;  // maximum age while organizations does not respond
constexpr std::size_t kMaxEntries = 10'000;
constexpr std::size_t kMaxAtOnce = 64;  // concurrent requests for owners

// The cache key: the question as a query string.
std::string by(const contracts::organizations::AccountQuery& question) {
  std::string out;
  http::append_query(out, question);
  return out;
}
std::string by_phone_number(const std::string& id) { return by({.organization_id = {}, .phone_number_id = id}); }
std::string by_organization(const model::Uuid& id) { return by({.organization_id = id, .phone_number_id = {}}); }

}  // namespace

// One request, shared by all callers that wait for its answer.
struct Accounts::Question {
  explicit Question(std::string about) : parameter(std::move(about)) {}
  // Whether the answer may predate a change that invalidated the entry.
  bool is_outdated() const {
    return forgotten.contains(parameter) || (account && forgotten.contains(by_organization(account->organizationId)));
  }

  const std::string parameter;
  std::set<std::string> forgotten;  // cache keys invalidated since the request was sent
  AccountPtr account;
  std::exception_ptr error;
  bool is_old = false;  // with an error: `account` is the previously cached one
  async::Event over;
};

Accounts::Accounts(chassis::Process& process, chassis::ServiceClient& organizations, chassis::FollowTimes times)
    : process_(process),
      organizations_(organizations),
      asked_(process.watch_cache("accounts")),
      follower_(
          process, organizations,
          [this](std::span<const events::Event> events) {
            for (const auto& event : events) hear(event);
          },
          [this] { forget_all(); }, times) {}

awaitable<AccountPtr> Accounts::of_organization(model::Uuid organization) {
  return find(by_organization(organization));
}

awaitable<AccountPtr> Accounts::of_phone_number(std::string id) { return find(by_phone_number(id)); }

// A cached entry counts only once the feed has caught up. The others get requests of their own: a shared one that is in
// flight may return an older answer.
awaitable<std::map<std::string, AccountPtr>> Accounts::owners(std::set<std::string> ids) {
  make_room();
  const auto remembers = [this](const std::string& id) {
    const auto& entry = entries_[by_phone_number(id)];
    return is_good(entry) && !entry.is_old;
  };
  const bool is_current = std::any_of(ids.begin(), ids.end(), remembers) && co_await follower_.catch_up();
  std::map<std::string, AccountPtr> out;
  std::vector<awaitable<void>> works;
  for (const auto& id : ids)
    if (is_current && remembers(id))
      out.emplace(id, entries_[by_phone_number(id)].account);
    else
      works.push_back(ask_for_owner(id, out));
  asked_.hits.Increment(static_cast<double>(out.size()));
  co_await async::all(std::move(works), kMaxAtOnce);
  co_return out;
}

awaitable<void> Accounts::ask_for_owner(const std::string& id, std::map<std::string, AccountPtr>& out) {
  const auto question = ask_alone(by_phone_number(id));
  co_await question->over.wait();
  (question->error ? asked_.errors : asked_.misses).Increment();
  if (!question->error) out.emplace(id, question->account);
}

awaitable<std::vector<model::Uuid>> Accounts::owners_of_business_account(std::string id) {
  const auto scope = chassis::RequestContext::own();
  auto answer = co_await organizations_.ask(contracts::organizations::business_account_owners,
                                            {.business_account_id = std::move(id)}, scope);
  co_return std::move(answer.organizationIds);
}

awaitable<bool> Accounts::is_there() {
  const auto question = ask_alone(by_phone_number("0"));
  co_await question->over.wait();
  co_return !question->error;
}

AccountPtr Accounts::last_known(const std::string& phone_number_id) const {
  const auto known = entries_.find(by_phone_number(phone_number_id));
  const bool is_usable = known != entries_.end() && http::Clock::now() - known->second.asked < kGoodUnheard;
  return is_usable ? known->second.account : nullptr;
}

bool Accounts::holds(const AccountPtr& account) const {
  const auto known = entries_.find(by_phone_number(account->phoneNumberId));
  return known != entries_.end() && known->second.account == account;
}

bool Accounts::knows_phone_number(const std::string& id) const {
  const auto known = entries_.find(by_phone_number(id));
  return known != entries_.end() && is_good(known->second);
}

awaitable<std::string> Accounts::verify_token(model::Uuid organization, const chassis::RequestContext& scope) {
  try {
    co_return (co_await organizations_.ask(contracts::organizations::verify_token, {}, scope, {.id = organization}))
        .verifyToken;
  } catch (const chassis::Refusal& refusal) {
    if (refusal.status != 404) throw;
  }
  co_return "";
}

void Accounts::hear(const events::Event& event) {
  try {
    for (const auto& change : events::changes_of(event)) {
      if (const auto account = change.as<events::AccountChanged>())
        forget(account->organizationId, account->phoneNumberIds);
      if (const auto deleted = change.as<events::OrganizationDeleted>()) forget(deleted->organizationId);
    }
  } catch (const events::BadEvent&) {
    forget_all();  // it may have announced any change
  }
}

void Accounts::forget(const model::Uuid& organization, std::span<const std::string> phone_number_ids) {
  std::set<std::string> parameters{by_organization(organization)};
  for (const auto& id : phone_number_ids) parameters.insert(by_phone_number(id));
  for (auto& [asked_by, entry] : entries_) {
    const bool is_theirs = entry.account && entry.account->organizationId == organization;
    if (is_theirs) parameters.insert(asked_by);
    if (parameters.contains(asked_by)) entry.forget();
  }
  for (const auto& question : under_way_) question->forgotten.insert(parameters.begin(), parameters.end());
}

void Accounts::forget_all() {
  for (auto& [asked_by, entry] : entries_) entry.forget();
  for (const auto& question : under_way_) question->forgotten.insert(question->parameter);
}

bool Accounts::is_good(const Entry& entry) const {
  const auto now = http::Clock::now();
  return now < entry.again && (entry.is_old || now - std::max(entry.asked, follower_.known_until()) < kUnheard);
}

awaitable<AccountPtr> Accounts::find(std::string parameter) {
  if (const auto& entry = entries_[parameter]; is_good(entry)) {
    asked_.hits.Increment();
    co_return entry.account;
  }
  auto question = entries_[parameter].question;
  if (!question) {
    make_room();
    question = entries_[parameter].question = std::make_shared<Question>(parameter);
    process_.spawn("account", ask(question));
  }
  co_await question->over.wait();
  (!question->error ? asked_.misses : question->is_old ? asked_.stale : asked_.errors).Increment();
  if (question->error && !question->is_old) std::rethrow_exception(question->error);
  co_return question->account;
}

Accounts::QuestionPtr Accounts::ask_alone(std::string parameter) {
  auto question = std::make_shared<Question>(std::move(parameter));
  process_.spawn("account", ask(question));
  return question;
}

// Runs apart from its callers: cancelling one does not cancel the request for the others. An answer requested before
// its entry was invalidated is returned, but not cached.
awaitable<void> Accounts::ask(QuestionPtr question) {
  const auto asked = http::Clock::now();
  under_way_.insert(question);
  const auto scope = chassis::RequestContext::own();
  try {
    const auto about = http::read_query<contracts::organizations::AccountQuery>(question->parameter.substr(1));
    question->account =
        std::make_shared<Account>(co_await organizations_.ask(contracts::organizations::account, about, scope));
  } catch (const chassis::Refusal& refusal) {
    if (refusal.status != 404) question->error = std::current_exception();
  } catch (...) {
    question->error = std::current_exception();
  }
  under_way_.erase(question);
  auto& entry = entries_[question->parameter];
  if (question->error) {
    question->is_old = entry.account && asked - entry.asked < kGoodUnheard;
    question->account = question->is_old ? entry.account : nullptr;
    entry.is_old = question->is_old;
    entry.again = question->is_old ? http::Clock::now() + kFailed : http::Clock::time_point{};
  } else if (!question->is_outdated()) {
    // An equal account keeps its pointer: holds() compares pointers.
    if (entry.account && question->account && *entry.account == *question->account) question->account = entry.account;
    entry.account = question->account;
    entry.asked = asked;
    entry.again = asked + (entry.account ? kGood : kAbsent);
    entry.is_old = false;
  }
  if (entry.question == question) entry.question = nullptr;
  question->over.set();
}

void Accounts::make_room() {
  if (entries_.size() < kMaxEntries) return;
  const auto now = http::Clock::now();
  std::erase_if(entries_, [&](const auto& known) { return !known.second.question && now >= known.second.again; });
  if (entries_.size() < kMaxEntries) return;
  std::erase_if(entries_, [](const auto& known) { return !known.second.question; });  // asked for again when needed
}

}  // namespace parley::conversations::channel

#include "conversations/channel/account.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>

#include "common/chassis/process.hpp"
#include "common/http/query.hpp"

namespace parley::conversations::channel {

using namespace std::chrono_literals;

namespace {

constexpr auto kGood = 60s;
constexpr auto kAbsent = 5s;
constexpr auto kFailed = 5s;         // until an organizations that did not answer is asked again
constexpr auto kGoodUnheard = 900s;  // while it does not answer
constexpr auto kAnswerTime = 2s;
constexpr std::size_t kMostEntries = 10'000;

// organizations' own names for it.
constexpr std::string_view kByOrganization = "organization_id=";
constexpr std::string_view kByPhoneNumber = "phone_number_id=";

struct VerifyToken {
  std::string verifyToken;
};
BOOST_DESCRIBE_STRUCT(VerifyToken, (), (verifyToken))

// nullptr: there is none.
template <class T>
std::shared_ptr<const T> read(const http::ClientResponse& response) {
  if (response.status == 404) return nullptr;
  const auto why = http::Unreachable::Why::bad_answer;
  if (response.status != 200)
    throw http::Unreachable(why, "organizations answered " + std::to_string(response.status) + " for an account",
                            false);
  auto out = model::from_json<T>(response.body);
  if (!out) throw http::Unreachable(why, "organizations' account cannot be read", false);
  return std::make_shared<T>(std::move(*out));
}

}  // namespace

// Asked once for all who want to know.
class Question {
 public:
  explicit Question(boost::asio::io_context& context) : answered_(context) {
    answered_.expires_at(http::Clock::time_point::max());
  }
  awaitable<void> wait() { co_await answered_.async_wait(boost::asio::as_tuple(boost::asio::deferred)); }
  void end() {
    is_over_ = true;
    answered_.cancel();
  }
  bool is_over() const { return is_over_; }

  std::shared_ptr<const Account> account;
  std::exception_ptr error;
  bool is_old = false;    // the answer: organizations did not give a new one
  bool outdated = false;  // something was forgotten while it was under way

 private:
  boost::asio::steady_timer answered_;
  bool is_over_ = false;
};

Accounts::Accounts(chassis::Process& process, chassis::Peer& organizations)
    : process_(process), organizations_(organizations), asked_(process.watch_cache("accounts")) {}

awaitable<std::shared_ptr<const Account>> Accounts::of_organization(model::Uuid organization) {
  return find(std::string(kByOrganization) + organization.text());
}

awaitable<std::shared_ptr<const Account>> Accounts::of_phone_number(std::string id) {
  std::string parameter(kByPhoneNumber);
  http::append_encoded(parameter, id);
  return find(std::move(parameter));
}

awaitable<std::string> Accounts::verify_token(model::Uuid organization, const chassis::Scope& scope) {
  http::ClientRequest request{.target = "/internal/accounts/" + organization.text() + "/verify-token",
                              .answer_time = kAnswerTime};
  const auto answer = read<VerifyToken>(co_await organizations_.send(std::move(request), scope));
  co_return answer ? answer->verifyToken : "";
}

void Accounts::forget(const model::Uuid& organization) {
  const auto parameter = std::string(kByOrganization) + organization.text();
  for (auto& [asked_by, entry] : entries_) {
    if (entry.question) entry.question->outdated = true;
    if (asked_by != parameter && (!entry.account || entry.account->organizationId != organization)) continue;
    entry.account = nullptr;
    entry.asked = entry.again = {};
  }
}

awaitable<std::shared_ptr<const Account>> Accounts::find(std::string parameter) {
  auto& entry = entries_[parameter];
  const auto now = http::Clock::now();
  if (now < entry.again) {
    asked_.hits.Increment();
    co_return entry.account;
  }
  auto question = entry.question;
  if (!question) {
    make_room();
    question = entries_[parameter].question = std::make_shared<Question>(process_.context());
    process_.spawn("account", ask(std::move(parameter), question));
  }
  if (!question->is_over()) co_await question->wait();
  (question->error ? asked_.errors : question->is_old ? asked_.stale : asked_.misses).Increment();
  if (question->error) std::rethrow_exception(question->error);
  co_return question->account;
}

// Apart from who wants to know, so that none of them takes the answer with it when it goes.
awaitable<void> Accounts::ask(std::string parameter, std::shared_ptr<Question> question) {
  const auto asked = http::Clock::now();
  chassis::Scope scope;
  scope.request_id = model::new_uuid().text();
  http::ClientRequest request{.target = "/internal/accounts?" + parameter, .answer_time = kAnswerTime};
  try {
    question->account = read<Account>(co_await organizations_.send(std::move(request), scope));
  } catch (...) {
    question->error = std::current_exception();
  }
  auto& entry = entries_[parameter];
  entry.question = nullptr;
  if (question->error && entry.account && asked - entry.asked < kGoodUnheard) {
    question->account = entry.account;
    question->is_old = true;
    question->error = nullptr;
    entry.again = http::Clock::now() + kFailed;
  } else if (!question->error) {
    entry.account = question->account;
    entry.asked = asked;
    entry.again = question->outdated ? asked : asked + (entry.account ? kGood : kAbsent);
  }
  question->end();
}

void Accounts::make_room() {
  if (entries_.size() < kMostEntries) return;
  const auto now = http::Clock::now();
  std::erase_if(entries_, [&](const auto& known) { return !known.second.question && now >= known.second.again; });
  if (entries_.size() < kMostEntries) return;
  std::erase_if(entries_, [](const auto& known) { return !known.second.question; });  // they are asked for again
}

}  // namespace parley::conversations::channel

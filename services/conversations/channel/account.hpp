#pragma once
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <unordered_map>

#include "common/chassis/feed_follower.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/service_client.hpp"
#include "common/contracts/organizations.hpp"
#include "common/http/deadline.hpp"
#include "common/model/uuid.hpp"

namespace parley::conversations::channel {

using boost::asio::awaitable;

using contracts::organizations::Account;
using AccountPtr = std::shared_ptr<const Account>;

// The accounts, as organizations tells them: each is remembered for a minute, that there is none for five seconds, and
// forgotten as soon as organizations' events say that it changed. While these are not heard, nothing is remembered for
// longer than five seconds. Concurrent equal questions are one.
class Accounts {
 public:
  Accounts(chassis::Process& process, chassis::ServiceClient& organizations, chassis::FollowTimes times = {});

  // Begin and end to follow organizations' events.
  void start() { follower_.start(); }
  void stop() { follower_.stop(); }

  // What to send through; nullptr: none is connected. While organizations is out of reach, what it last said holds for
  // a quarter of an hour; after that, throw http::Unreachable.
  awaitable<AccountPtr> of_organization(model::Uuid organization);
  awaitable<AccountPtr> of_phone_number(std::string id);
  // Whose what came to these numbers is, by number; nullptr: nobody's. It is as organizations has it at the call or
  // later: what was received before is never given to somebody who had left the number by then. Those that
  // organizations did not answer for are not among them, whatever was known before.
  awaitable<std::map<std::string, AccountPtr>> owners(std::set<std::string> phone_number_ids);
  // Whether organizations answers anybody. Throws nothing.
  awaitable<bool> is_there();
  // What of_phone_number() goes by while it does not; nullptr: nothing.
  AccountPtr last_known(const std::string& phone_number_id) const;
  // Whether of_phone_number() would answer without asking organizations.
  bool knows_phone_number(const std::string& id) const;
  // Whether an account that of_phone_number() gave is still what it would give, as far as is known here.
  bool holds(const AccountPtr& account) const;
  // What whoever asks for the organization's own webhook URL proves to be the channel with, from the first attempt to
  // connect an account on; "" before that. Asked anew each time. Throws http::Unreachable.
  awaitable<std::string> verify_token(model::Uuid organization, const chassis::RequestContext& scope);
  // The channel refused its token, or says that it is another's: the next question is asked anew. So is one about these
  // numbers.
  void forget(const model::Uuid& organization, std::span<const std::string> phone_number_ids = {});

 private:
  struct Question;
  using QuestionPtr = std::shared_ptr<Question>;
  struct Entry {
    AccountPtr account;               // nullptr: there is none
    http::Clock::time_point asked{};  // when the answer that it is was asked for; epoch: there was none yet
    http::Clock::time_point again{};  // when to ask again
    bool is_old = false;              // organizations was asked since, and did not answer
    QuestionPtr question;             // under way
    void forget() {
      account = nullptr;
      asked = again = {};
      is_old = false;
    }
  };
  awaitable<AccountPtr> find(std::string parameter);
  QuestionPtr ask_alone(std::string parameter);
  awaitable<void> ask_for_owner(const std::string& id, std::map<std::string, AccountPtr>& out);
  awaitable<void> ask(QuestionPtr question);
  bool is_good(const Entry& entry) const;
  void hear(const events::Event& event);
  void forget_all();
  void make_room();

  chassis::Process& process_;
  chassis::ServiceClient& organizations_;
  chassis::Process::CacheCounters asked_;
  std::unordered_map<std::string, Entry> entries_;  // by the question's parameter: "?organization_id=..."
  std::set<QuestionPtr> under_way_;
  chassis::FeedFollower follower_;
};

}  // namespace parley::conversations::channel

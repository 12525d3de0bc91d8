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

// Caches accounts for a minute and missing ones for 5 s, or until the feed of organizations announces a change; for 5 s
// at most while the feed is not heard. Merges concurrent equal requests.
class Accounts {
 public:
  Accounts(chassis::Process& process, chassis::ServiceClient& organizations, chassis::FollowTimes times = {});

  void start() { follower_.start(); }
  void stop() { follower_.stop(); }

  // The account to send through; nullptr if none is connected. While organizations is unreachable, its last answer is
  // used for up to 15 minutes; after that, throws http::Unreachable.
  awaitable<AccountPtr> of_organization(model::Uuid organization);
  awaitable<AccountPtr> of_phone_number(std::string id);
  // Each number's owner at the time of the call or later, nullptr if none: what was received earlier never goes to an
  // organization that had left the number by then. Numbers that organizations did not answer for are missing.
  awaitable<std::map<std::string, AccountPtr>> owners(std::set<std::string> phone_number_ids);
  // The organizations that send through a business account now. Not cached. Throws if organizations does not answer.
  awaitable<std::vector<model::Uuid>> owners_of_business_account(std::string id);
  // Whether organizations responds at all. Never throws.
  awaitable<bool> is_there();
  // The account that of_phone_number() falls back on while organizations is unreachable; nullptr if none.
  AccountPtr last_known(const std::string& phone_number_id) const;
  // Whether of_phone_number() would answer from the cache.
  bool knows_phone_number(const std::string& id) const;
  // Whether the cache still has this very account, which of_phone_number() returned.
  bool holds(const AccountPtr& account) const;
  // The token by which the channel proves itself at the organization's own webhook URL; "" before the first attempt to
  // connect. Not cached. Throws http::Unreachable.
  awaitable<std::string> verify_token(model::Uuid organization, const chassis::RequestContext& scope);
  // Drops answers on the organization and these numbers, for example after the channel refused the access token.
  void forget(const model::Uuid& organization, std::span<const std::string> phone_number_ids = {});

 private:
  struct Question;
  using QuestionPtr = std::shared_ptr<Question>;
  struct Entry {
    AccountPtr account;               // nullptr: none is connected
    http::Clock::time_point asked{};  // when the cached answer was requested; epoch: never
    http::Clock::time_point again{};  // when to ask again
    bool is_old = false;              // organizations was asked since, and did not respond
    QuestionPtr question;             // in flight
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
  std::unordered_map<std::string, Entry> entries_;  // by query string: "?organization_id=..."
  std::set<QuestionPtr> under_way_;
  chassis::FeedFollower follower_;
};

}  // namespace parley::conversations::channel

#pragma once
#include <boost/describe/class.hpp>
#include <memory>
#include <string>
#include <unordered_map>

#include "common/chassis/peer.hpp"
#include "common/chassis/process.hpp"
#include "common/http/deadline.hpp"
#include "common/model/uuid.hpp"

namespace parley::conversations::channel {

using boost::asio::awaitable;

// What an organization sends through, as organizations' GET /internal/accounts answers it.
struct Account {
  model::Uuid organizationId;
  std::string businessAccountId, phoneNumberId;  // the channel's ids: digits
  std::string displayPhoneNumber, verifiedName;  // for people
  std::string accessToken;                       // never to be logged
  std::string webhookSecret;                     // of the organization's own webhook URL: see verify_token()
};
BOOST_DESCRIBE_STRUCT(Account, (),
                      (organizationId, businessAccountId, phoneNumberId, displayPhoneNumber, verifiedName, accessToken,
                       webhookSecret))

// The accounts, as organizations tells them: each is remembered for a minute, that there is none for five seconds.
// Concurrent equal questions are one. While organizations is out of reach, what it last said holds for a quarter of an
// hour.
class Accounts {
 public:
  Accounts(chassis::Process& process, chassis::Peer& organizations);

  // nullptr: none is connected. Throw http::Unreachable.
  awaitable<std::shared_ptr<const Account>> of_organization(model::Uuid organization);
  awaitable<std::shared_ptr<const Account>> of_phone_number(std::string id);
  // What whoever asks for the organization's own webhook URL proves to be the channel with, from the first attempt to
  // connect an account on; "" before that. Asked anew each time. Throws http::Unreachable.
  awaitable<std::string> verify_token(model::Uuid organization, const chassis::Scope& scope);
  // The channel refused its token, or says that it is another's: the next question is asked anew.
  void forget(const model::Uuid& organization);

 private:
  struct Entry {
    std::shared_ptr<const Account> account;    // nullptr: there is none
    http::Clock::time_point asked{};           // when the answer that it is was asked for; epoch: there was none yet
    http::Clock::time_point again{};           // when to ask again
    std::shared_ptr<class Question> question;  // under way
  };
  awaitable<std::shared_ptr<const Account>> find(std::string parameter);
  awaitable<void> ask(std::string parameter, std::shared_ptr<class Question> question);
  void make_room();

  chassis::Process& process_;
  chassis::Peer& organizations_;
  chassis::Process::CacheCounters asked_;
  std::unordered_map<std::string, Entry> entries_;  // by the question's parameter: "organization_id=..."
};

}  // namespace parley::conversations::channel

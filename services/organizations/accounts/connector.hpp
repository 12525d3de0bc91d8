#pragma once
#include <functional>

#include "common/chassis/log.hpp"
#include "organizations/accounts/channel.hpp"
#include "organizations/accounts/store.hpp"

namespace parley::organizations::accounts {

// Connects an organization to its account on the channel, in four steps that are stored one by one, as the channel
// takes a code only once: exchange the code, subscribe to the account's events, look the number up, register it. A
// request that fails leaves the account that worked before as it is; the same code sent again goes on where it stopped.
//
// What the channel refuses is a Problem 400 that names the step, its words and the field to blame. One exception: a
// number that only cannot be registered now (tried too often, another PIN, not yet confirmed) leaves an account that is
// of use, so that is a success with isPhoneNumberRegisteredToCloudApi false, and the same request again tries to
// register again.
class Connector {
 public:
  // `callback` is where the channel sends an organization's events, to be followed by the organization's id; "" leaves
  // what the application has set on the channel.
  Connector(Store& store, Channel& channel, chassis::Log& log, std::string callback)
      : store_(store), channel_(channel), log_(log), callback_(std::move(callback)) {}

  // What makes the account the one that the organization works with: the last step, in a transaction.
  using Finish = std::function<awaitable<void>(pg::Transaction&)>;
  // Runs it and commits; when that fails, nothing of the transaction is left. It is given the account as it is then,
  // with its secrets.
  using Conclude = std::function<awaitable<void>(model::MessagingBusinessAccountDetails, Finish)>;
  // Connects the actor's organization.
  awaitable<void> connect(audit::Actor actor, Connect request, Conclude conclude);

 private:
  awaitable<void> run(audit::Actor actor, Connect request, Setup setup, const Conclude& conclude);
  awaitable<void> exchange(model::Uuid organization, const Connect& request, Setup& setup);
  awaitable<void> subscribe(model::Uuid organization, const Connect& request, Setup& setup);
  awaitable<PhoneNumber> find_phone_number(const Connect& request, const Setup& setup);
  awaitable<bool> register_phone_number(model::Uuid organization, const Connect& request, const Setup& setup);

  Store& store_;
  Channel& channel_;
  chassis::Log& log_;
  std::string callback_;
};

}  // namespace parley::organizations::accounts

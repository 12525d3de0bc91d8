#pragma once
#include <functional>

#include "common/chassis/log.hpp"
#include "organizations/accounts/channel.hpp"
#include "organizations/accounts/store.hpp"

namespace parley::organizations::accounts {

// Connects an organization to its account on the channel: exchanges the code, subscribes to events, reads the phone
// number, registers it. Each step is committed: the channel accepts a code once, and the same code sent again resumes.
// A failed request keeps the account that worked before.
// A refusal is a Problem 400 with the step, the channel's message and the field. Exception: a number that cannot be
// registered now (too many attempts, wrong PIN, unverified) is a success with isPhoneNumberRegisteredToCloudApi false;
// the same request again retries the registration.
class Connector {
 public:
  // `callback` is the URL prefix of events, before the organization's id; "" keeps the application's default.
  Connector(Store& store, Channel& channel, chassis::Log& log, std::string callback)
      : store_(store), channel_(channel), log_(log), callback_(std::move(callback)) {}

  // The last step: makes the account the organization's current one, in a transaction.
  using Finish = std::function<awaitable<void>(pg::Transaction&)>;
  // Runs Finish and commits, or rolls back on failure. Receives the new account with its secrets.
  using Conclude = std::function<awaitable<void>(model::MessagingBusinessAccountDetails, Finish)>;
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

#pragma once
#include "common/chassis/process.hpp"
#include "conversations/channel/account.hpp"
#include "conversations/inbox/webhooks/inbox.hpp"

namespace parley::conversations::webhooks {

struct Settings {
  std::vector<std::string> secrets;  // that the channel signs with
  std::string verify_token;          // of the application's own URL; "": it is not confirmed

  // PARLEY_CHANNEL_APP_SECRET, with commas between several, and PARLEY_CHANNEL_VERIFY_TOKEN.
  static Settings read(chassis::Environment& environment);
};

// Where the channel reports what happens: one URL for the application, and one for each organization.
class Api {
 public:
  Api(chassis::Process& process, Settings settings, Inbox& inbox, channel::Accounts& accounts);

 private:
  awaitable<http::Response> confirm(chassis::Call& call);
  awaitable<http::Response> confirm_organization(chassis::Call& call);
  awaitable<http::Response> receive(chassis::Call& call);
  awaitable<http::Response> receive_for_organization(chassis::Call& call);
  awaitable<http::Response> take(chassis::Call& call, std::optional<model::Uuid> organization);

  Settings settings_;
  Inbox& inbox_;
  channel::Accounts& accounts_;
  prometheus::Counter &accepted_, &unsigned_;
};

}  // namespace parley::conversations::webhooks

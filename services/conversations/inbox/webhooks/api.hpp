#pragma once
#include "common/chassis/process.hpp"
#include "conversations/channel/account.hpp"
#include "conversations/inbox/webhooks/inbox.hpp"

namespace parley::conversations::webhooks {

struct Settings {
  std::vector<std::string> secrets;  // the channel signs with one of them
  std::string verify_token;          // of the application's URL; "": verification is refused

  // PARLEY_CHANNEL_APP_SECRET (several separated by commas), PARLEY_CHANNEL_VERIFY_TOKEN
  static Settings read(chassis::Environment& environment);
};

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

#pragma once
#include <map>
#include <memory>

#include "conversations/templates/store.hpp"

namespace parley::conversations::templates {

// Brings what is kept of the channel's lists up to date when somebody wants to see them and five minutes are over.
class Catalogue {
 public:
  Catalogue(chassis::Process& process, channel::Accounts& accounts, channel::Client& channel, Store& store);

  // The business account whose list is to be shown; nullopt: the organization has none. What was out of reach, so that
  // the list may be an old one, or nothing, is noted in the call.
  awaitable<std::optional<std::string>> refresh(chassis::Call& call, Kind kind);

 private:
  struct Asking;
  awaitable<bool> ask(const channel::Account& account, Kind kind, model::Timestamp now);
  awaitable<bool> ask_once(const channel::Account& account, Kind kind, model::Timestamp now);

  chassis::Process& process_;
  channel::Accounts& accounts_;
  channel::Client& channel_;
  Store& store_;
  std::map<std::pair<model::Uuid, Kind>, std::shared_ptr<Asking>> asking_;  // lists under way, and failed lately
};

}  // namespace parley::conversations::templates

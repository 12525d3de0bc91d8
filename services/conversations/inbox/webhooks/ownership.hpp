#pragma once
#include <map>
#include <set>

#include "conversations/channel/account.hpp"
#include "conversations/inbox/webhooks/absence.hpp"
#include "conversations/inbox/webhooks/apply.hpp"

namespace parley::conversations::webhooks {

// Asks organizations whose elements are. While it is away, nothing is asked.
class Ownership {
 public:
  Ownership(chassis::Process& process, channel::Accounts& accounts) : process_(process), accounts_(accounts) {}

  // Whether nobody needs to be asked about the element.
  bool is_known(const Element& element) const;
  // Sets `organization` of each item, of an account's news `organizations`, or lets the item wait. Takes up to a few
  // seconds: not for use within a transaction.
  awaitable<void> find(std::span<Item> items);
  Absence& absence() { return absence_; }

 private:
  using Owners = std::map<std::string, channel::AccountPtr>;  // by number; nullptr: nobody
  void recall_accounts(const std::set<std::string>& numbers, Owners& known) const;
  awaitable<void> find_accounts(const std::set<std::string>& reported_of, const std::set<std::string>& written_to,
                                Owners& known, Owners& owners);
  awaitable<void> find_account(std::string number, Owners& known);
  // News of an account belong to all who send through it.
  awaitable<void> address_news(std::span<Item> items);
  awaitable<std::optional<std::vector<model::Uuid>>> find_owners(std::string business_account_id);

  chassis::Process& process_;
  channel::Accounts& accounts_;
  Absence absence_{process_, "organizations"};
};

}  // namespace parley::conversations::webhooks

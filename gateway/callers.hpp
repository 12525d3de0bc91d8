#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "common/contracts/organizations.hpp"
#include "common/events/organization_changes.hpp"
#include "common/http/deadline.hpp"
#include "common/identity/token.hpp"

namespace parley::gateway {

// A caller as organizations knows it, with the tokens that tell it to the services.
struct Caller {
  identity::Identity identity;
  model::Uuid credential;
  // The organization that an API key is of, and the member there whose it is: these end it too, wherever it acts.
  std::optional<model::Uuid> home, holder;
  contracts::organizations::Verify question;  // that asks for it again
  identity::Tokens tokens;
  http::Clock::time_point verified;                                  // when the question was sent that this answers
  http::Clock::time_point expires = http::Clock::time_point::max();  // the credential itself
  bool refreshing = false;
};

// What organizations tells to be worth something else now.
class Changed {
 public:
  void add(const events::AccessChanged& change);
  void add(const events::OrganizationDeleted& change) { organizations_.insert(change.organizationId); }
  void add_everything() { everything_ = true; }
  bool empty() const;
  bool concerns(const Caller& caller) const;

 private:
  std::unordered_set<model::Uuid> organizations_, members_, people_, credentials_;
  bool everything_ = false;
};

// The callers that are remembered, by the hash of what they sent.
class Callers {
 public:
  std::shared_ptr<Caller> find(const std::string& key) const;
  // Remembers an answer to a question that was asked when `forgettings` was what it is: if something was forgotten
  // since, the answer may be older than what ended it, and is not kept.
  void keep(const std::string& key, std::shared_ptr<Caller> caller, std::uint64_t forgettings);
  void drop(const std::string& key) { callers_.erase(key); }  // it was refused
  void forget(const std::string& key);
  void forget(const Changed& changed);
  void forget_all();

  std::uint64_t forgettings() const { return forgettings_; }
  std::size_t size() const { return callers_.size(); }

 private:
  void make_room();
  std::unordered_map<std::string, std::shared_ptr<Caller>> callers_;
  std::uint64_t forgettings_ = 0;
};

}  // namespace parley::gateway

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

// An authenticated caller, with the signed tokens that identify it to services.
struct Caller {
  identity::Identity identity;
  model::Uuid credential;
  // The organization that owns an API key, and the member there who holds it: changes to either invalidate the caller,
  // wherever the key acts.
  std::optional<model::Uuid> home, holder;
  contracts::organizations::Verify question;  // verifies the credential again
  identity::Tokens tokens;
  http::Clock::time_point verified;                                  // when this verdict was requested
  http::Clock::time_point expires = http::Clock::time_point::max();  // when the credential itself expires
  bool refreshing = false;
};

// The callers that organizations' events invalidate.
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

// The cached callers, by a hash of their credential and organization.
class Callers {
 public:
  std::shared_ptr<Caller> find(const std::string& key) const;
  // Caches a verdict that was requested when forgettings() was `forgettings`. If anything was invalidated since, the
  // verdict may be older than the revocation and is not cached.
  void keep(const std::string& key, std::shared_ptr<Caller> caller, std::uint64_t forgettings);
  void drop(const std::string& key) { callers_.erase(key); }  // refused
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

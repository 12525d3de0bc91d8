#pragma once
#include "common/chassis/quotas.hpp"

namespace parley::organizations::organizations {

using boost::asio::awaitable;

// The limits of what is this service's; that of kOwned is a person's, and no organization's.
inline constexpr std::string_view kOwned = "organizations";
inline constexpr std::string_view kMembers = "members";
inline constexpr std::string_view kInvitations = "invitations";
inline constexpr std::string_view kRoles = "roles";
inline constexpr std::string_view kApiKeys = "api-keys";

struct QuotaSettings {
  std::int64_t owned = 20;
  chassis::Quotas of_organizations;

  static QuotaSettings read(chassis::Environment& environment);
};

// How many organizations a person may be an Owner of.
class Ownership {
 public:
  Ownership(pg::Pool& database, std::int64_t usual) : database_(database), usual_(usual) {}

  // A Problem 403 unless the person may own one more. Until the transaction ends nobody else makes them an Owner. To be
  // called with the organization locked, if it is there.
  awaitable<void> require(pg::Transaction& transaction, model::Uuid person) const;
  awaitable<chassis::QuotaUse> use(model::Uuid person) const;
  // A limit of their own; nullopt: the usual one again. False: there is no such person.
  awaitable<bool> set(model::Uuid person, std::optional<std::int64_t> most) const;

 private:
  pg::Pool& database_;
  const std::int64_t usual_;
};

}  // namespace parley::organizations::organizations

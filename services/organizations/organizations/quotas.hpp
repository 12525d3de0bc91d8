#pragma once
#include "common/chassis/quotas.hpp"

namespace parley::organizations::organizations {

using boost::asio::awaitable;

// Names of quotas. kOwned limits a person, the others an organization.
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

// Limits how many organizations a person may own.
class Ownership {
 public:
  Ownership(pg::Pool& database, std::int64_t usual) : database_(database), usual_(usual) {}

  // Throws a Problem 403 unless the person may own one more, and locks the person against becoming an Owner elsewhere.
  // An existing organization must be locked before.
  awaitable<void> require(pg::Transaction& transaction, model::Uuid person) const;
  awaitable<chassis::QuotaUse> use(model::Uuid person) const;
  // Sets a limit for one person; nullopt restores the default. False if the person does not exist.
  awaitable<bool> set(model::Uuid person, std::optional<std::int64_t> most) const;

 private:
  pg::Pool& database_;
  const std::int64_t usual_;
};

}  // namespace parley::organizations::organizations

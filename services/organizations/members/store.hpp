#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/identity/api_key.hpp"
#include "common/pg/pool.hpp"
#include "organizations/members/shapes.hpp"
#include "organizations/organizations/quotas.hpp"
#include "organizations/rights/rights.hpp"

namespace parley::organizations::members {

using boost::asio::awaitable;

// A member whom a transaction changes, as they were before, and what the caller may do.
struct Locked {
  rights::Rights caller;
  VersionedMember member;
};

class Store {
 public:
  explicit Store(pg::Pool& database, const organizations::Ownership* ownership = nullptr)
      : database_(database), ownership_(ownership) {}

  awaitable<Page> list(model::Uuid organization, Filter filter);
  awaitable<std::optional<VersionedMember>> find(model::Uuid organization, model::Uuid id);
  // Members with their roles, by their ids: as many as come to some 1 MiB, one at least. Ids that are no members are
  // left out.
  awaitable<roles::Shown<PageMember>> summaries(model::Uuid organization, std::vector<model::Uuid> ids);

  // The member, unchanged by others until the transaction ends; nothing if there is none.
  awaitable<std::optional<Locked>> lock(pg::Transaction& transaction, rights::Caller caller, model::Uuid id,
                                        std::optional<identity::Permission> needed);
  // Problems: 400 for roles that are not there; 403 for who stands above the caller, a level above the caller's, and
  // roles that hold what the caller lacks, unless the member has them already; 409 for the last Owner's demotion.
  awaitable<model::OrganizationMember> change(pg::Transaction& transaction, rights::Caller caller, Locked locked,
                                              UpdateMember change);
  // Ends the membership, and with it the member's keys. Problems: 403 for who stands above the caller, 409 for the last
  // Owner.
  awaitable<void> remove(pg::Transaction& transaction, rights::Caller caller, Locked locked);

  // Makes an organization and its Owner with a key, and with a token for their password if they have none. Who was
  // first with the address and did not prove it is taken over: see people::hold(). Where the person already owns one of
  // that name, nothing is done and the answer is without a key.
  awaitable<Enrolled> create_owner(NewMember owner, std::string organization_name);

  // Makes a member likewise. Problems: 404 no such organization, 409 already a member, 400 no such role.
  awaitable<Enrolled> add(model::Uuid organization, NewMember member);

 private:
  awaitable<std::vector<model::Uuid>> find_roles(pg::Transaction& transaction, model::Uuid organization,
                                                 const std::vector<std::string>& names);
  pg::Pool& database_;
  const organizations::Ownership* const ownership_;
};

}  // namespace parley::organizations::members

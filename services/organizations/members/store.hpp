#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/identity/api_key.hpp"
#include "common/pg/pool.hpp"
#include "organizations/members/shapes.hpp"

namespace parley::organizations::members {

using boost::asio::awaitable;

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // Members with their roles. Ids that are no members are left out.
  awaitable<std::vector<model::OrganizationMember>> summaries(model::Uuid organization, std::vector<model::Uuid> ids);

  // Makes an organization and its Owner with a key. Where the person already owns one of that name, nothing is done and
  // the answer is without a key.
  awaitable<Enrolled> create_owner(NewMember owner, std::string organization_name);

  // Makes a member with a key. Problems: 404 no such organization, 409 already a member, 400 no such role.
  awaitable<Enrolled> add(model::Uuid organization, NewMember member);

 private:
  awaitable<model::Uuid> ensure_person(pg::Transaction& transaction, const NewMember& member);
  awaitable<std::vector<model::Uuid>> find_roles(pg::Transaction& transaction, model::Uuid organization,
                                                 const std::vector<std::string>& names);
  pg::Pool& database_;
};

}  // namespace parley::organizations::members

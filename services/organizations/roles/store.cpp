#include "organizations/roles/store.hpp"

#include "common/http/problem.hpp"
#include "organizations/roles/sql.hpp"

namespace parley::organizations::roles {

awaitable<model::Role> Store::create(model::Uuid organization, NewRole role) {
  const auto id = model::new_uuid();
  pg::Batch batch(sql::insert, organization, id, role.name, role.description, role.permissions.mask());
  try {
    co_await database_.write(std::move(batch));
  } catch (const pg::SqlError& error) {
    if (!error.is_unique_violation("role_name")) throw;
    throw http::Problem{.status = 409,
                        .detail = "another role is named " + role.name,
                        .errors = {{"/name", "is the name of another role"}}};
  }
  co_return model::Role{id, std::move(role.name), std::move(role.description), role.permissions.names()};
}

}  // namespace parley::organizations::roles

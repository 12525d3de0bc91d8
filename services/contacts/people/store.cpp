#include "contacts/people/store.hpp"

#include "contacts/people/sql.hpp"

namespace parley::contacts::people {

awaitable<std::vector<AddressRow>> Store::addresses(model::Uuid organization, std::vector<model::Uuid> ids) {
  const auto results = co_await database_.read(pg::Batch(sql::addresses, organization, ids));
  co_return results.rows<AddressRow>();
}

awaitable<std::vector<model::Uuid>> Store::members(model::Uuid organization, model::Uuid list, model::Uuid after,
                                                   std::int64_t most) {
  const auto results = co_await database_.read(pg::Batch(sql::members, organization, list, after, most));
  co_return results.rows<model::Uuid>();
}

}  // namespace parley::contacts::people

#pragma once
// Contacts by the channel's identifiers: a phone number, the channel's own user id, or both.
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "contacts/identities/shapes.hpp"
#include "contacts/quotas.hpp"

namespace parley::contacts::identities {

using boost::asio::awaitable;

class Store {
 public:
  explicit Store(pg::Pool& database, const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), quotas_(quotas) {}

  // Returns the contact of each person, in order; creates missing ones. Numbers belong to their present users:
  //   - a contact without the number, or without the channel's id, gets it; that of a former number or a former id gets
  //     the new one;
  //   - an id that a contact gave up still finds it (Known::present), in whatever order changes are told;
  //   - two contacts of one person are merged: the one with a number stays, else the older. Lists, tags and attributes
  //     are united, the newer status wins, Blocked stays;
  //   - two contacts with different numbers are merged only by a former number or a former id; otherwise the channel's
  //     id moves to the contact of the number that came with it.
  // Idempotent, also across processes; each change is a transaction. Throws pg::Unavailable after too many conflicts.
  awaitable<std::vector<ResolvedContact>> resolve(model::Uuid organization, std::vector<Person> people);

  // Returns the contacts that exist.
  awaitable<std::vector<AddressRow>> addresses(model::Uuid organization, std::vector<model::Uuid> ids);
  // At most `most` members behind `after`, sorted by id.
  awaitable<std::vector<model::Uuid>> members(model::Uuid organization, model::Uuid list, model::Uuid after,
                                              std::int64_t most);

 private:
  class Resolution;
  struct Change;
  awaitable<void> look(const model::Uuid& organization, Resolution& resolution);
  awaitable<void> insert(const model::Uuid& organization, Resolution& resolution);
  awaitable<void> change(const model::Uuid& organization, Resolution& resolution, std::size_t person);
  awaitable<std::optional<Change>> attempt(model::Uuid organization, Person person);
  pg::Pool& database_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::contacts::identities

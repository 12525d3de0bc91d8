#pragma once
// Contacts as the channel knows them: by a phone number, by its own id of a user, or by both.
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "contacts/people/shapes.hpp"

namespace parley::contacts::people {

using boost::asio::awaitable;

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // The contact of each person, in their order; strangers become contacts. What the channel knows more is learned: a
  // number belongs to who has it now, so that
  //   - a contact without the number, or without the channel's id, gets it;
  //   - a former number's contact gets the new one;
  //   - two contacts that turn out to be one person are merged: the one that has a number stays, of two that have one
  //     the older. Lists, tags and attributes are united, the newer status holds, blocked stays blocked.
  //   - two contacts with different numbers are only merged by a former number. Otherwise the channel's id goes to the
  //     one whose number came with it.
  // Asked again it changes nothing; asked at the same time, also by other processes, it makes nobody twice. Each change
  // is a transaction of its own, with its events. Throws pg::Unavailable when others are always in the way.
  awaitable<std::vector<ResolvedContact>> resolve(model::Uuid organization, std::vector<Person> people);

  // Those that exist.
  awaitable<std::vector<AddressRow>> addresses(model::Uuid organization, std::vector<model::Uuid> ids);
  // The list's contacts behind `after`, in the order of their ids, at most `most`.
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
};

}  // namespace parley::contacts::people

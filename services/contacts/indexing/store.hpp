#pragma once
// The indexes of attributes that segments compare: see migrations/0022_indexed_attributes.sql.
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"

namespace parley::contacts::indexing {

using boost::asio::awaitable;

// Many processes may have one; each may end at any moment.
class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // How many indexes have not all values. Lets those be filled that no transaction is left of which does not see them.
  awaitable<std::size_t> open();

  struct Step {
    std::int64_t contacts = 0;  // that it filled in; 0: there is nothing to fill, or others have it locked
    bool is_over = false;       // its index has all values now
  };
  // Fills in the next contacts of an index; organizations take turns, also after an error. Those who change these
  // contacts wait for its end.
  awaitable<Step> fill(std::size_t most);
  // Begins to remove indexes of an organization that no segment uses. False: there are none.
  awaitable<bool> sweep();

  // Reads of this process, of any kind, that have been sent or wait to be.
  std::size_t reads_under_way() const { return database_.stats(pg::Lane::read).under_way(); }

 private:
  pg::Pool& database_;
};

}  // namespace parley::contacts::indexing

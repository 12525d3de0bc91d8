#pragma once
#include "common/pg/pool.hpp"
#include "conversations/messages/search/shapes.hpp"
#include "conversations/messages/search/terms.hpp"
#include "conversations/messages/store.hpp"

namespace parley::conversations::search {

using boost::asio::awaitable;

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // Folds the words of what was typed as those of messages are.
  awaitable<Search> read(std::string_view typed);
  // A page of the messages that match, in order. The search has a word that must be there. Looks at 20,000 texts at
  // most, and sets Page::walked_to if there may be more matches behind it.
  awaitable<messages::Page> find(model::Uuid organization, Search search, Query query, messages::Cut cut);

 private:
  struct Found {
    std::vector<model::Uuid> ids;
    std::optional<messages::After> walked_to;
  };
  awaitable<Found> walk(const model::Uuid& organization, const Search& search, const Query& query,
                        const messages::Cut& cut, std::int64_t most);
  // nullopt: more than the index sorts.
  awaitable<std::optional<Found>> look_up(const model::Uuid& organization, const Search& search, const Query& query,
                                          const messages::Cut& cut);
  awaitable<Found> ids_of(const model::Uuid& organization, const Search& search, const Query& query,
                          const messages::Cut& cut);

  pg::Pool& database_;
};

}  // namespace parley::conversations::search

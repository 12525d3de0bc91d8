#pragma once
#include "common/pg/pool.hpp"
#include "conversations/campaigns/figures/shapes.hpp"

namespace parley::conversations::figures {

using boost::asio::awaitable;

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // A campaign's; nullopt if there is none. Reads tallies only: it costs the same for any number of recipients.
  awaitable<std::optional<Figures>> find(model::Uuid organization, model::Uuid campaign);

 private:
  pg::Pool& database_;
};

}  // namespace parley::conversations::figures

#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "conversations/channel/media/shapes.hpp"

namespace parley::conversations::media {

using boost::asio::awaitable;

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // nullopt if there is no such message, or it has no file.
  awaitable<std::optional<FoundRow>> find(model::Uuid organization, model::Uuid message);

 private:
  pg::Pool& database_;
};

}  // namespace parley::conversations::media

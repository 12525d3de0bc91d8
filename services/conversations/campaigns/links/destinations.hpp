#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <unordered_map>

#include "common/chassis/process.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::links {

using boost::asio::awaitable;

struct Destination {
  model::Uuid organization_id, campaign_id;
  std::string url;
  std::string secret;  // 16 octets
};

// Cache by URL number, refreshed in the background: links in use keep working without the database.
class Destinations {
 public:
  Destinations(chassis::Process& process, pg::Pool& database) : process_(process), database_(database) {}

  // Null: no such URL. Throws pg::Unavailable or pg::SqlError if it is not cached and cannot be read.
  awaitable<std::shared_ptr<const Destination>> find(std::int64_t url_id);

 private:
  struct Kept {
    std::shared_ptr<const Destination> destination;
    std::chrono::steady_clock::time_point asked;
  };
  using Shelf = std::unordered_map<std::int64_t, Kept>;
  Kept* look(std::int64_t url_id);
  void keep(std::int64_t url_id, std::shared_ptr<const Destination> destination);
  awaitable<std::shared_ptr<const Destination>> ask(std::int64_t url_id);
  awaitable<void> ask_again(std::int64_t url_id);

  chassis::Process& process_;
  pg::Pool& database_;
  Shelf recent_, older_;  // two generations: a full `recent_` replaces `older_`; used entries move to `recent_`
};

}  // namespace parley::conversations::links

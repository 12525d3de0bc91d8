#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <unordered_map>

#include "common/chassis/process.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::links {

using boost::asio::awaitable;

// Where the links of a campaign's URL lead.
struct Destination {
  model::Uuid organization_id, campaign_id;
  std::string url;
  std::string secret;  // 16 octets
};

// Destinations by the numbers of their URLs: asked for once, then kept, as long as there is room, and asked for anew
// now and then beside the requests. So those that are followed lead on while the database is away.
class Destinations {
 public:
  Destinations(chassis::Process& process, pg::Pool& database) : process_(process), database_(database) {}

  // Null if there is none. Throws pg::Unavailable or pg::SqlError if it must be asked for and cannot be.
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
  Shelf recent_, older_;  // when `recent_` is full it becomes `older_`, whose own are gone but for those used since
};

}  // namespace parley::conversations::links

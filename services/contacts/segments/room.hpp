#pragma once
#include <boost/asio/awaitable.hpp>
#include <unordered_map>

#include "common/http/admission.hpp"
#include "common/model/uuid.hpp"
#include "common/pg/pool.hpp"

namespace parley::contacts::segments {

using boost::asio::awaitable;

// The longest that PostgreSQL works on a statement that is made of a filter: the gateway waits 10 s.
inline constexpr auto kLongestMade = "8s";

// Places for statements that are made of filters, over all organizations. What they cost is up to who wrote the filter,
// so one connection of the slow lane is left to all else, and one is all that organizations have together whose
// statements took long lately. Organizations wait in turn, each has one place at most.
class Room {
 public:
  struct Limits {
    std::size_t places = 1;       // of organizations whose statements are quick
    std::size_t slow_places = 1;  // of the others; 0: they have the same
    std::chrono::milliseconds wait{2'000};
    // A statement that takes longer makes its organization one of the others, for this time.
    std::chrono::milliseconds quick{1'000}, slow_for{60'000};
  };
  static Limits limits_for(std::size_t connections);

  explicit Room(pg::Pool& database);
  Room(boost::asio::io_context& context, const Limits& limits);

  // The time from its making to its end is what the organization's statement took.
  class Place {
   public:
    Place(Room& room, const model::Uuid& organization, std::shared_ptr<http::Admission> admission);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    Room& room_;
    const model::Uuid organization_;
    const http::Admitted admitted_;
    const http::Clock::time_point begin_ = http::Clock::now();
  };
  // Throws a Problem 503 if no place becomes free in time, several times in succession.
  awaitable<std::unique_ptr<Place>> enter(model::Uuid organization, int times = 1);

 private:
  bool is_slow(const model::Uuid& organization);
  void note(const model::Uuid& organization, http::Clock::duration took);

  const Limits limits_;
  const std::shared_ptr<http::Admission> quick_, slow_;
  std::unordered_map<model::Uuid, http::Clock::time_point> slow_until_;
};

}  // namespace parley::contacts::segments

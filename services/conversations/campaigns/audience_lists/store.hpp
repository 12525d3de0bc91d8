#pragma once
#include <boost/asio/awaitable.hpp>
#include <chrono>

#include "common/pg/pool.hpp"
#include "conversations/campaigns/audience_lists/shapes.hpp"

namespace parley::conversations::audience_lists {

using boost::asio::awaitable;

// The next recipients who are to be in a list.
struct Members {
  std::vector<model::Uuid> contacts;
  std::int64_t end = 0;  // the last ordinal that was looked at
  bool last = false;
};

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  awaitable<std::optional<Retarget>> find(model::Uuid organization, model::Uuid campaign, model::Uuid id);
  // Begins one, in the caller's transaction; for a second it is left to the caller to make its list. nullopt: there
  // is no such campaign. Problems 409: it has not started; 400: none of its messages has that URL.
  awaitable<std::optional<Job>> create(pg::Transaction& transaction, model::Uuid organization, model::Uuid campaign,
                                       Criteria criteria);
  // The one that was begun there.
  awaitable<Retarget> see(pg::Transaction& transaction, Job job);

  // ---- for who works on them. The job's ordinal fences: what somebody else has gone on from does not change. ----

  // One that nobody works on; for `lease` nobody else does.
  awaitable<std::optional<Job>> claim(std::chrono::milliseconds lease);
  // nullopt: the campaign was deleted.
  awaitable<std::optional<Members>> members(Job job, std::int64_t most);
  // They are in the list, so many of them as there are. False: somebody else was there.
  awaitable<bool> advance(Job job, Members members, std::int64_t contacts, std::chrono::milliseconds lease);
  awaitable<void> fail(Job job, std::string why);
  // Anybody may go on with it, in so long.
  awaitable<void> release(Job job, std::chrono::milliseconds in);

 private:
  pg::Pool& database_;
};

}  // namespace parley::conversations::audience_lists

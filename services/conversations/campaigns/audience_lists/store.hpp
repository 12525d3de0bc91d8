#pragma once
#include <boost/asio/awaitable.hpp>
#include <chrono>

#include "common/pg/pool.hpp"
#include "conversations/campaigns/audience_lists/shapes.hpp"

namespace parley::conversations::audience_lists {

using boost::asio::awaitable;

struct Members {
  std::vector<model::Uuid> contacts;
  std::int64_t end = 0;  // last ordinal scanned
  bool last = false;
};

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  awaitable<std::optional<Retarget>> find(model::Uuid organization, model::Uuid campaign, model::Uuid id);
  // Begins a retarget in the caller's transaction, leased for a second so that the caller makes its list. nullopt: no
  // such campaign. Problem 409: the campaign has not started; 400: none of its messages has that URL.
  awaitable<std::optional<Job>> create(pg::Transaction& transaction, model::Uuid organization, model::Uuid campaign,
                                       Criteria criteria);
  // Reads the retarget within the transaction that began it.
  awaitable<Retarget> see(pg::Transaction& transaction, Job job);

  // For the worker. The job's ordinal is a fence: a job that another worker has advanced does not change.

  // Leases an unleased retarget for `lease`.
  awaitable<std::optional<Job>> claim(std::chrono::milliseconds lease);
  // nullopt: the campaign was deleted.
  awaitable<std::optional<Members>> members(Job job, std::int64_t most);
  // Records added members; `contacts`: how many of them exist. False: another worker has advanced the job.
  awaitable<bool> advance(Job job, Members members, std::int64_t contacts, std::chrono::milliseconds lease);
  awaitable<void> fail(Job job, std::string why);
  // Makes the job available to any worker after `in`.
  awaitable<void> release(Job job, std::chrono::milliseconds in);

 private:
  pg::Pool& database_;
};

}  // namespace parley::conversations::audience_lists

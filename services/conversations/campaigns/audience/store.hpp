#pragma once
#include <boost/describe/class.hpp>
#include <chrono>

#include "common/pg/pool.hpp"
#include "conversations/campaigns/audience/page.hpp"

namespace parley::conversations::audience {

using boost::asio::awaitable;

// A campaign whose audience is being gathered, with the position reached.
struct Gathering {
  model::Uuid organization_id, id;
  model::RawJson message, variants;
  std::vector<model::Uuid> list_ids, excluded_list_ids, segment_ids;
  model::Uuid audience_after;
  std::int64_t audience_count = 0;
  std::string status_reason;
  bool has_experiment = false;
};
BOOST_DESCRIBE_STRUCT(Gathering, (),
                      (organization_id, id, message, variants, list_ids, excluded_list_ids, segment_ids, audience_after,
                       audience_count, status_reason, has_experiment))

inline constexpr std::int64_t kTargetsOfChunk = 500;

// The reasons why a campaign waits for its audience.
inline constexpr std::string_view kContactsAway = "the recipients cannot be read at the moment; it goes on by itself";
inline constexpr std::string_view kTrouble = "the recipients could not be gathered; it is tried again";

class Store {
 public:
  // Each page renews the lease, which is not exclusive: add() and finish() detect concurrent workers.
  Store(pg::Pool& database, const model::Uuid& owner, std::chrono::milliseconds lease)
      : database_(database), owner_(owner), lease_(lease) {}

  awaitable<std::optional<Gathering>> take();
  // Adds the page and advances the position. False: the campaign no longer runs, or another worker is ahead.
  awaitable<bool> add(Gathering& campaign, const Page& page);
  // Skips some repeated recipients; false: none are left.
  awaitable<bool> skip_duplicates(const Gathering& campaign);
  // Completes the audience: the campaign's chunks can be sent. False: as for add().
  awaitable<bool> finish(Gathering& campaign);
  // Releases the campaign to other workers after a pause. A non-empty reason is shown until then.
  awaitable<void> give_back(Gathering campaign, std::chrono::milliseconds pause = {}, std::string_view reason = {});

 private:
  awaitable<void> forget_reason(pg::Transaction& transaction, Gathering& campaign);

  pg::Pool& database_;
  const model::Uuid owner_;
  const std::chrono::milliseconds lease_;
};

}  // namespace parley::conversations::audience

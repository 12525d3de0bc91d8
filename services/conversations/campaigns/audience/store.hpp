#pragma once
#include <boost/describe/class.hpp>
#include <chrono>

#include "common/pg/pool.hpp"
#include "conversations/campaigns/audience/page.hpp"

namespace parley::conversations::audience {

using boost::asio::awaitable;

// A campaign whose audience is being gathered, as it was taken and as far as it has come since.
struct Gathering {
  model::Uuid organization_id, id;
  model::RawJson message, variants;
  std::vector<model::Uuid> list_ids, excluded_list_ids;
  model::Uuid audience_after;
  std::int64_t audience_count = 0;
  std::string status_reason;
};
BOOST_DESCRIBE_STRUCT(Gathering, (),
                      (organization_id, id, message, variants, list_ids, excluded_list_ids, audience_after,
                       audience_count, status_reason))

// Why a campaign waits for its audience.
inline constexpr std::string_view kContactsAway = "the recipients cannot be read at the moment; it goes on by itself";
inline constexpr std::string_view kTrouble = "the recipients could not be gathered; it is tried again";

class Store {
 public:
  // Who takes has it for `lease`, and longer with each page: for liveness only, others may be at it too.
  Store(pg::Pool& database, const model::Uuid& owner, std::chrono::milliseconds lease)
      : database_(database), owner_(owner), lease_(lease) {}

  awaitable<std::optional<Gathering>> take();
  // Adds the page behind what has come, and moves on. False: nothing was done, as the campaign does not run any more or
  // somebody else is further.
  awaitable<bool> add(Gathering& campaign, const Page& page);
  // Skips some of those that come twice; false when there are none (any more).
  awaitable<bool> skip_duplicates(const Gathering& campaign);
  // All have come: the campaign's chunks are there to be sent. False as above.
  awaitable<bool> finish(Gathering& campaign);
  // Others may take it, after a pause. A reason that is not empty is shown until then.
  awaitable<void> give_back(Gathering campaign, std::chrono::milliseconds pause = {}, std::string_view reason = {});

 private:
  awaitable<void> forget_reason(pg::Transaction& transaction, Gathering& campaign);

  pg::Pool& database_;
  const model::Uuid owner_;
  const std::chrono::milliseconds lease_;
};

}  // namespace parley::conversations::audience

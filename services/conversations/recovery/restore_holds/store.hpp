#pragma once
#include <chrono>
#include <vector>

#include "common/pg/pool.hpp"
#include "conversations/recovery/restore_holds/shapes.hpp"

namespace parley::conversations::restore_holds {

using boost::asio::awaitable;

// A database restored from a backup lacks what was sent since; only an operator may let that be sent again.

struct Settled {
  std::uint64_t in_doubt = 0;      // single messages, and campaign messages waiting for a retry
  std::vector<Suspect> campaigns;  // held from now on, as they were found
};

// Marks messages that may have been sent since the backup as in doubt, holds campaigns that may have continued or
// begun, gives the feed a new epoch, and finally allows sending again. May be killed and repeated. `taken_at`: the
// backup's time; later rows were created after the restore.
awaitable<Settled> settle(pg::Pool& database, model::Timestamp taken_at, std::chrono::milliseconds doubt);
// For a database that was only moved: nothing was sent since.
awaitable<void> settle_moved(pg::Pool& database);

awaitable<std::vector<Suspect>> held(pg::Pool& database);
// Releases a campaign; targets up to `doubtful` may have been sent to. `resumes`: also resumes it, at once or at its
// time; otherwise its organization does. False: it is not held.
awaitable<bool> release(pg::Pool& database, model::Uuid organization, model::Uuid campaign, std::int32_t doubtful,
                        bool resumes);

struct Released {
  std::size_t all = 0, resumed = 0;
};

// Releases all held campaigns. Does not resume those that members had paused.
awaitable<Released> release_all(pg::Pool& database, std::int32_t doubtful, bool resumes);

}  // namespace parley::conversations::restore_holds

#pragma once
#include <chrono>
#include <vector>

#include "common/pg/pool.hpp"
#include "conversations/recovery/restore_holds/shapes.hpp"

namespace parley::conversations::restore_holds {

using boost::asio::awaitable;

// What a database that was restored from a backup does not know: what was sent since. Nothing of that may be sent again
// without a word.

struct Settled {
  std::uint64_t in_doubt = 0;      // single messages, and campaigns' that were to be tried again
  std::vector<Suspect> campaigns;  // held from now on, as they were found
};

// Leaves what may have been sent since in doubt, holds the campaigns that may have gone on or begun, gives the feed a
// new epoch, and lets sending begin again. May be killed and run again: sending begins only with its end. `taken_at`:
// what was made after it was made after the restore.
awaitable<Settled> settle(pg::Pool& database, model::Timestamp taken_at, std::chrono::milliseconds doubt);
// Nothing was sent since: the database was only moved.
awaitable<void> settle_moved(pg::Pool& database);

// The campaigns that are held.
awaitable<std::vector<Suspect>> held(pg::Pool& database);
// Lets a campaign go: the targets up to `doubtful` may have been sent to. `resumes` it too, at once or for its time;
// otherwise it is for its organization to resume. False: it is not held.
awaitable<bool> release(pg::Pool& database, model::Uuid organization, model::Uuid campaign, std::int32_t doubtful,
                        bool resumes);

struct Released {
  std::size_t all = 0, resumed = 0;
};

// The same with all that are held, but those that their members had paused are not resumed: only they know why.
awaitable<Released> release_all(pg::Pool& database, std::int32_t doubtful, bool resumes);

}  // namespace parley::conversations::restore_holds

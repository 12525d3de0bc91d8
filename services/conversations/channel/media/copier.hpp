#pragma once
#include "common/async/loop.hpp"
#include "common/async/task_group.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/quotas.hpp"
#include "conversations/channel/client.hpp"
#include "conversations/channel/media/files.hpp"

namespace parley::conversations::media {

// The quota of what an organization's files take: in MiB, 0: nothing is copied.
inline constexpr std::string_view kQuota = "media-mib";
chassis::Quota usual_quota();

struct CopierSettings {
  chassis::Quotas quotas;                         // kQuota
  std::int32_t days = 365;                        // how long a file is kept; 0: as long as its message
  std::size_t at_once = 4;                        // files
  std::chrono::seconds attempt{300}, lease{360};  // of a file; the lease is longer than any attempt
  std::chrono::milliseconds idle_pause{500};
  std::chrono::milliseconds first_pause{10'000}, longest_pause{3'600'000};  // after failures, doubled with each
  std::chrono::seconds give_up{3 * 24 * 3'600};
  std::chrono::milliseconds sweep_pause{60'000};  // between two looks for files whose time is over

  // PARLEY_QUOTA_MEDIA_MIB, PARLEY_MEDIA_DAYS
  static CopierSettings read(chassis::Environment& environment);
};

struct CopierStats {
  LookRow queue{};                                                    // at the last look
  std::uint64_t kept = 0, gone = 0, over_bound = 0, unavailable = 0;  // files that were settled
  std::uint64_t octets = 0;                                           // copied
  std::uint64_t expired = 0, cleared = 0, retries = 0, failures = 0;  // cleared: objects of the bucket
};

// Copies the files of messages from the channel while it has them, a few at once. Any number of processes may run one,
// and each may be killed at any moment: a file whose lease has ended is copied anew.
class Copier {
 public:
  Copier(chassis::Process& process, pg::Pool& database, Files& files, channel::Accounts& accounts,
         channel::Client& channel, CopierSettings settings);

  void start();
  // Breaks off what is being copied: it is copied again, soon.
  awaitable<void> stop();
  const CopierStats& stats() const { return stats_; }

 private:
  class Content;
  awaitable<std::chrono::milliseconds> step();
  awaitable<void> claim();
  awaitable<void> sweep();
  awaitable<std::chrono::milliseconds> clear();
  awaitable<void> work(ClaimedRow file);
  awaitable<void> copy(ClaimedRow file);
  awaitable<bool> reserve(const ClaimedRow& file, std::uint64_t size);
  awaitable<void> settle(const ClaimedRow& file, Reason reason);
  awaitable<void> fail(const ClaimedRow& file, std::string why);
  void failed(std::string_view what);
  void show();

  chassis::Process& process_;
  pg::Pool& database_;
  Files& files_;
  channel::Accounts& accounts_;
  channel::Client& channel_;
  const CopierSettings settings_;
  model::Uuid after_{};  // the last organization that had its turn
  std::chrono::steady_clock::time_point next_sweep_{};
  async::TaskGroup copies_;
  CopierStats stats_;
  async::Loop loop_, clearing_;
};

}  // namespace parley::conversations::media

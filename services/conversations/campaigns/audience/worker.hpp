#pragma once
#include "common/chassis/loops.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/service_client.hpp"
#include "conversations/campaigns/audience/store.hpp"

namespace parley::conversations::audience {

struct Settings {
  std::int64_t page = 2'000;                   // approximate members per request
  int turn = 50;                               // steps before another campaign's turn
  std::chrono::milliseconds lease{10'000};     // of a campaign; others take it when this expires
  std::chrono::milliseconds look_pause{250};   // between two looks for a campaign
  std::chrono::milliseconds retry_pause{500};  // after contacts did not answer; doubles
  std::chrono::milliseconds max_pause{2'500};
};

// Gathers the audiences of started campaigns: requests pages from contacts, and adds each as targets in a transaction
// that advances the campaign's position by compare-and-set. Every dispatcher can run one; after a crash no contact is
// missed or added twice. Organizations take turns, and so do the campaigns of each. At most two pages are in memory.
class Worker {
 public:
  Worker(chassis::Process& process, pg::Pool& database, chassis::ServiceClient& contacts, Settings settings = {});

  void start() { loops_.start(process_, "audiences"); }
  // Waits for the page being processed.
  awaitable<void> stop() { return loops_.stop(); }

 private:
  struct Trouble {
    std::string what;         // for the log
    std::string_view reason;  // for the campaign
    bool away = false;        // this process cannot reach contacts, or is refused there
  };
  class Stream;

  awaitable<bool> look();
  awaitable<std::optional<Trouble>> try_gather(Gathering& campaign);
  awaitable<void> gather(Gathering& campaign);
  void report(const std::string& what);
  void show();

  chassis::Process& process_;
  chassis::ServiceClient& contacts_;
  const Settings settings_;
  Store store_;
  unsigned times_away_ = 0;  // consecutive failures of contacts
  std::chrono::steady_clock::time_point not_before_{};
  double targets_ = 0, failures_ = 0;
  int gathering_ = 0;
  chassis::Loops loops_;
};

}  // namespace parley::conversations::audience

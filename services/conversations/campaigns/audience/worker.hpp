#pragma once
#include "common/chassis/loops.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/service_client.hpp"
#include "conversations/campaigns/audience/store.hpp"

namespace parley::conversations::audience {

struct Settings {
  std::int64_t page = 2'000;                   // members a question, about
  int turn = 50;                               // steps, after which another campaign may come
  std::chrono::milliseconds lease{10'000};     // a campaign whose worker is gone is another's after that
  std::chrono::milliseconds look_pause{250};   // between two looks for a campaign
  std::chrono::milliseconds retry_pause{500};  // after contacts did not answer; doubled with each time
  std::chrono::milliseconds max_pause{2'500};
};

// Gathers the audiences of campaigns that have started: asks contacts for them page by page, and adds each as targets
// in a transaction that moves the campaign's place by compare-and-set. So every dispatcher runs one, and whatever
// becomes of it, no contact is missed or added twice. Organizations take turns, and in each the campaigns. A page is
// asked for while the one before it is added, and no more than those two are in memory.
class Worker {
 public:
  Worker(chassis::Process& process, pg::Pool& database, chassis::ServiceClient& contacts, Settings settings = {});

  void start() { loops_.start(process_, "audiences"); }
  // After the page under way.
  awaitable<void> stop() { return loops_.stop(); }

 private:
  struct Trouble {
    std::string what;         // for the log
    std::string_view reason;  // for the campaign
    bool away = false;        // it is contacts that do not answer
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
  unsigned times_away_ = 0;  // in a row
  std::chrono::steady_clock::time_point not_before_{};
  double targets_ = 0, failures_ = 0;
  int gathering_ = 0;
  chassis::Loops loops_;
};

}  // namespace parley::conversations::audience

#pragma once
// Campaigns of several organizations that are sent while processes are killed and stopped, clocks are wrong, and the
// channel does all that it can do wrong; and the judgement over them.
#include <boost/json/value.hpp>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/faults/campaigns_merges.hpp"
#include "tests/faults/campaigns_moves.hpp"

namespace parley::faults {

// The dispatcher's calendar clock is so many seconds ahead from its next start on.
void shift_clock(support::Component& dispatcher, int seconds);

// One organization, and whom its campaigns are for.
struct Stage {
  e2e::CampaignScene scene;
  std::string main_list;
  std::string main, side;  // campaigns: a template to all of several lists, and a text to a few others
  std::map<std::string, std::string> wanted{};  // of main: by number with its plus, why they are left out, or ""
  std::set<std::string> few{};                  // of side
  std::set<std::string> opted_out_late{};       // of main, while it is sent
  std::unique_ptr<Merges> merges{};             // a third campaign
};

// What a campaign's recipients came to. Each is one of these.
struct Account {
  std::int64_t recipients = 0, skipped = 0;
  std::int64_t accepted = 0, read = 0, undelivered = 0;  // by the channel; these are read, or were given up later
  std::int64_t refused = 0, unknown = 0;  // never accepted: for a reason of the channel's or ours, or nobody knows
  std::int64_t lost = 0, doubled = 0, wrong = 0;  // none
  Account& operator+=(const Account& other);
};

class Trial {
 public:
  Trial();
  void run();
  void judge();

 private:
  static constexpr int kNumbers = 4, kDispatchers = 3;
  static constexpr int kHung = 3, kSwallowed = 8;  // messages that the channel takes not, and does not say so

  void cast(int number);
  void spoil();
  void start_all();
  void disturb_audiences();
  void disturb();
  void look_after();
  void calm();

  void kill_a_dispatcher();
  void stop_a_dispatcher();
  void kill_the_database();
  void kill_a_service();
  void lose_redis();
  void hang_the_channel();
  void limit_the_channel();
  void let_statuses_fail();
  void let_statuses_come_late();
  void opt_somebody_out();
  void pause_a_campaign();
  void cancel_the_sides();
  void merge_somebody();
  void move_the_number();
  void stop_a_dispatcher_past_the_end();
  void note_in_flight();

  void count_accepted();
  Account judge_main(Stage& stage);
  Account judge_side(Stage& stage);
  void judge_merges();
  Account judge_recipients(Stage& stage, const std::string& campaign, std::set<std::string> expected);
  void check_progress(Stage& stage, const std::string& campaign, const Account& account);
  void check_analytics(Stage& stage, const std::string& campaign, const Account& account);
  void check_unknown();

  boost::json::value simulator(const std::string& method, const std::string& target,
                               const boost::json::value& body = nullptr);
  std::int64_t unsent();
  std::unique_ptr<support::Sql> sql(const std::string& service = "conversations");
  std::int64_t count(const std::string& rows) { return sql()->number("SELECT count(*) FROM " + rows); }
  bool act(Stage& stage, const std::string& campaign, const std::string& action);
  Stage& some_stage() { return *stages_[static_cast<std::size_t>(pick(kNumbers))]; }
  support::Component& some_dispatcher() { return system_.dispatcher(static_cast<std::size_t>(pick(kDispatchers))); }
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

  const int recipients_, kills_wanted_;
  std::mt19937 random_;
  support::System system_;
  std::vector<std::unique_ptr<Stage>> stages_;
  std::unique_ptr<Moves> moves_;
  std::set<std::string> in_flight_;               // messages that were on their way when somebody died or was stopped
  std::map<std::string, std::int64_t> accepted_;  // by number without plus
  std::map<std::string, int> toll_;               // what happened, how often
  int kills_ = 0, stops_ = 0, outages_ = 0;
};

}  // namespace parley::faults

#include "tests/faults/campaigns_trial.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/faults/option.hpp"

namespace parley::faults {

namespace fs = std::filesystem;
namespace json = boost::json;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kHour = 3'600;           // seconds
constexpr int kPeopleApart = 100'000;  // between the first ones of two stages
constexpr int kSideRate = 5;           // messages a second of a side campaign
constexpr int kMaxMoves = 4;

// So that sending takes about as long as the kills.
std::string rate_for(int recipients_of_a_number, int kills) {
  return std::to_string(std::clamp(recipients_of_a_number / (kills / 3 + 5), 20, 100));
}

void nap(int least, int more, std::mt19937& random) {  // milliseconds
  std::this_thread::sleep_for(std::chrono::milliseconds(std::uniform_int_distribution(least, least + more)(random)));
}

// Who is in the list, or fulfils a condition that most of its people do.
std::string segment_of(e2e::CampaignScene& scene, const std::string& list, int first, int count) {
  const json::object member{{"type", "list"}, {"listIds", json::array{json::value(list)}}};
  const json::object order{{"type", "number"}, {"attribute", "order"}, {"atLeast", first}, {"lessThan", first + count}};
  const json::object filter{{"type", "any"}, {"conditions", json::array{member, order}}};
  const auto made =
      scene.client().post("/api/segments", json::serialize(json::object{{"name", "more"}, {"filter", filter}}));
  REQUIRE_MESSAGE(made.status == 201, made.body);
  return made.json().at_pointer("/segment/uniqueId").as_string().c_str();
}

}  // namespace

void shift_clock(support::Component& dispatcher, int seconds) {
  const auto library = fs::read_symlink("/proc/self/exe").parent_path() / "parley-wrong-clock.so";
  REQUIRE(fs::exists(library));
  dispatcher.environment.insert(dispatcher.environment.begin(),
                                {{"LD_PRELOAD", library}, {"WRONG_CLOCK", std::to_string(seconds)}});
}

Trial::Trial()
    : recipients_(option("PARLEY_FAULTS_RECIPIENTS", 2'000)),
      kills_wanted_(option("PARLEY_FAULTS_KILLS", 20)),
      random_(static_cast<unsigned>(option("PARLEY_FAULTS_SEED", 20260131))),
      system_({.environment = {{"PARLEY_DISPATCH_RATE", rate_for(recipients_ / kNumbers, kills_wanted_)},
                               {"PARLEY_DISPATCH_LEASE_SECONDS", "2"},
                               {"PARLEY_DISPATCH_DOUBT_SECONDS", "20"},
                               {"PARLEY_DRAIN_NOTICE_MS", "0"}},
               .dispatchers = kDispatchers}) {
  for (int number = 0; number < kNumbers; ++number) cast(number);
  moves_ = std::make_unique<Moves>(system_);
  shift_clock(system_.dispatcher(1), kHour);
  shift_clock(system_.dispatcher(2), -kHour);
  for (const std::size_t i : {1, 2}) {
    system_.dispatcher(i).kill();
    system_.dispatcher(i).start();
  }
}

json::value Trial::simulator(const std::string& method, const std::string& target, const json::value& body) {
  return stages_.front()->scene.channel().simulator(method, "/simulator/" + target, body);
}

// A connection of its own: the database dies now and then.
std::unique_ptr<support::Sql> Trial::sql(const std::string& service) {
  return std::make_unique<support::Sql>(system_.postgres().url("postgres", "parley") + "?options=-csearch_path%3D" +
                                        service);
}

// Whom a number writes to: a list, a segment that has some of it and more, without those of a third; three of them must
// not be written to. And a few others, by a campaign beside it.
void Trial::cast(int number) {
  const auto name = "stage" + std::to_string(number);
  stages_.push_back(std::make_unique<Stage>(
      Stage{e2e::CampaignScene(system_, name, "20000000000040" + std::to_string(number)), {}, {}, {}}));
  auto& stage = *stages_.back();
  auto& scene = stage.scene;
  const int all = recipients_ / kNumbers, first = number * kPeopleApart;
  const int left_out = all / 20, few = all / 10, most = all - 2 * few + left_out;
  stage.main_list = scene.import_list("most", first, most);
  const int further = first + most - few;  // half of these are in the first list
  const auto more = scene.import_list("more", further, 2 * few);
  const auto excluded = scene.import_list("left out", first, left_out);
  const auto aside = scene.import_list("few", first + kPeopleApart / 2, few);
  for (int n = first + left_out; n < further + 2 * few; ++n) stage.wanted["+" + e2e::CampaignScene::number(n)];
  for (int n = 0; n < few; ++n) stage.few.insert("+" + e2e::CampaignScene::number(first + kPeopleApart / 2 + n));
  int n = first + left_out;
  for (const auto* reason : {"OptedOut", "Blocked", "Inactive"}) {
    scene.change_contact(n, {{"status", reason}});
    stage.wanted["+" + e2e::CampaignScene::number(n++)] = reason;
  }
  auto campaign =
      scene.template_campaign({stage.main_list}, "greeting", {{"1", "{{name|there}}"}, {"2", "{{order|nothing}}"}});
  campaign["segmentIds"] = json::array{json::value(segment_of(scene, more, further, 2 * few))};
  campaign["excludedListIds"] = json::array{json::value(excluded)};
  stage.main = scene.make(campaign);
  campaign = scene.text_campaign({aside}, "Hi {{ name | there }} of {{city}}");
  campaign["messagesPerSecond"] = kSideRate;
  stage.side = scene.make(campaign);
  stage.merges = std::make_unique<Merges>(
      scene, [this](const std::string& service) { return sql(service); }, first + kPeopleApart * 3 / 4,
      kills_wanted_ / 4 + 6);
}

// What the channel does wrong, of all its calls.
void Trial::spoil() {
  simulator("POST", "behaviour", {{"delayMs", 20}, {"reorder", true}, {"batch", 20}, {"retryMs", 200}});
  const auto fault = [&](json::object what, int one_in, int times) {
    what["path"] = "/*/messages";
    what["oneIn"] = one_in;
    what["times"] = times;
    simulator("POST", "faults", what);
  };
  fault({{"status", "lose"}}, 47, recipients_);                                              // accepted, no answer
  fault({{"status", 500}, {"done", true}, {"body", "<html>oops</html>"}}, 53, recipients_);  // accepted, no good answer
  fault({{"code", 130429}}, 307, recipients_);                                               // too fast
  fault({{"code", 131056}}, 101, recipients_);                                               // too often to one of them
  fault({{"code", 131000}}, 71, recipients_);                                                // refused, not why
  fault({{"code", 2}, {"status", 503}, {"done", true}}, 67, recipients_);                    // accepted, out of order
  fault({{"code", 131000}, {"status", 500}, {"done", true}}, 89, recipients_);               // the same, and
  fault({{"code", 990099}, {"status", 504}, {"done", true}}, 109, recipients_);              // with a code unheard of
  fault({{"code", 131026}}, 83, recipients_);                                                // never
  fault({{"code", 132015}}, 401, 1 + kills_wanted_ / 50);                                    // a paused template
  fault({{"status", "reset"}}, 97, kSwallowed - kHung);                                      // not accepted, no answer
  fault({{"status", "hang"}}, 151, kHung);
}

// While nobody streams their audiences.
void Trial::start_all() {
  for (std::size_t i = 0; i < kDispatchers; ++i) system_.dispatcher(i).pause();
  for (auto& stage : stages_)
    for (const auto& campaign : {stage->main, stage->side, stage->merges->campaign()})
      REQUIRE_EQ(stage->scene.act(campaign, "start"), "Running");
  for (std::size_t i = 0; i < kDispatchers; ++i) system_.dispatcher(i).resume();
}

void Trial::disturb_audiences() {
  const auto limit = Clock::now() + 5min;
  for (int round = 0; count("campaign WHERE status = 'Running' AND NOT audience_done") > 0; ++round) {
    REQUIRE_MESSAGE(Clock::now() < limit, system_.logs());
    nap(5, 60, random_);
    if (round > kills_wanted_ / 4) continue;
    if (round % 4 == 1)
      kill_the_database();
    else if (round % 4 == 2)
      kill_a_service();
    else
      kill_a_dispatcher();
  }
}

void Trial::kill_a_dispatcher() {
  auto& dispatcher = some_dispatcher();
  if (!dispatcher.running()) return;
  dispatcher.kill();
  ++kills_;
  note_in_flight();
  dispatcher.launch();
}

// Past its lease: others take its numbers, and then it goes on where it was.
void Trial::stop_a_dispatcher() {
  auto& dispatcher = some_dispatcher();
  if (!dispatcher.running()) return;
  dispatcher.pause();
  note_in_flight();
  std::this_thread::sleep_for(3'500ms);
  dispatcher.resume();
  ++stops_;
}

void Trial::kill_the_database() {
  system_.postgres().kill();
  nap(0, 1'000, random_);
  system_.postgres().start();
  ++outages_;
  note_in_flight();
}

void Trial::kill_a_service() {
  auto& service = pick(2) == 0 ? system_.contacts() : system_.conversations();
  if (!service.running()) return;
  service.kill();
  service.launch();
  ++toll_["kills of " + service.name()];
}

void Trial::lose_redis() {
  system_.redis().kill();
  nap(500, 1'000, random_);
  system_.redis().start();
  ++toll_["losses of Redis"];
}

void Trial::hang_the_channel() {
  system_.simulator().pause();
  nap(500, 2'000, random_);
  system_.simulator().resume();
  ++toll_["times that the channel hung"];
}

void Trial::limit_the_channel() {
  simulator("POST", "behaviour", {{"rate", 10}});
  nap(1'000, 1'000, random_);
  simulator("POST", "behaviour", {{"rate", 0}});
  ++toll_["times that the channel took less"];
}

void Trial::let_statuses_fail() {
  simulator("POST", "behaviour", {{"statuses", {"sent", "failed"}}});
  nap(300, 500, random_);
  simulator("POST", "behaviour", {{"statuses", "all"}});
  ++toll_["times that messages were taken and then given up"];
}

// Later than what was refused would be tried again.
void Trial::let_statuses_come_late() {
  simulator("POST", "behaviour", {{"delayMs", 8'000}});
  nap(1'000, 1'000, random_);
  simulator("POST", "behaviour", {{"delayMs", 20}});
  ++toll_["times that statuses came late"];
}

void Trial::opt_somebody_out() {
  auto& stage = some_stage();
  auto whom = stage.wanted.begin();
  std::advance(whom, pick(static_cast<int>(stage.wanted.size())));
  const auto id = sql("contacts")->value("SELECT id FROM contact WHERE phone = $1", {whom->first});
  auto client = stage.scene.client();
  client.may_fail = true;
  if (!whom->second.empty() || id.empty()) return;
  stage.opted_out_late.insert(whom->first);
  if (client.post("/api/contacts/" + id, R"({"status":"OptedOut"})").status == 200) ++toll_["opted out meanwhile"];
}

// Who is answered 5xx tries again for a while.
bool Trial::act(Stage& stage, const std::string& campaign, const std::string& action) {
  auto client = stage.scene.client();
  client.may_fail = true;
  for (int tries = 0; tries < 20; ++tries) {
    const auto status = client.post("/api/campaigns/" + campaign + "/" + action, "").status;
    if (status < 500) return status == 200;
    std::this_thread::sleep_for(100ms);
  }
  return false;
}

void Trial::pause_a_campaign() {
  auto& stage = some_stage();
  if (act(stage, stage.main, "pause")) ++toll_["pauses"];
}

void Trial::cancel_the_sides() {
  for (auto& stage : stages_)
    if (act(*stage, stage->side, "cancel")) ++toll_["cancelled"];
}

void Trial::merge_somebody() {
  if (some_stage().merges->merge_next()) ++toll_["merges of contacts"];
}

// What its users write before may be told after.
void Trial::move_the_number() {
  for (int n = 0; n < 5; ++n) moves_->write();
  if (moves_->moves() < kMaxMoves) moves_->move();
}

// Others take its numbers and come to the campaigns' ends; then it goes on where it was.
void Trial::stop_a_dispatcher_past_the_end() {
  auto& dispatcher = some_dispatcher();
  dispatcher.pause();
  note_in_flight();
  ++stops_;
  for (const auto limit = Clock::now() + 10min; unsent() > 0; std::this_thread::sleep_for(300ms)) {
    REQUIRE_MESSAGE(Clock::now() < limit, system_.logs());
    look_after();
  }
  dispatcher.resume();
}

std::int64_t Trial::unsent() { return count("campaign WHERE status IN ('Running', 'Paused')"); }

// After a while, as what the dead one had told the database last may not be done yet.
void Trial::note_in_flight() {
  std::this_thread::sleep_for(100ms);
  for (auto& id : sql()->column(
           "SELECT m.id FROM message m LEFT JOIN outgoing o ON o.organization_id = m.organization_id AND o.message_id "
           "= m.id WHERE m.campaign_id IS NOT NULL AND m.status = 'Queued' AND o.state IS DISTINCT FROM 'Due'"))
    in_flight_.insert(std::move(id));
}

void Trial::disturb() {
  merge_somebody();
  const auto dice = pick(20);
  if (dice == 0 && outages_ < kills_wanted_ / 7)
    kill_the_database();
  else if (dice <= 2 && stops_ < kills_wanted_ / 7)
    stop_a_dispatcher();
  else
    kill_a_dispatcher();
  switch (pick(16)) {
    case 0:
      return kill_a_service();
    case 1:
      return hang_the_channel();
    case 2:
      return limit_the_channel();
    case 3:
      return let_statuses_fail();
    case 4:
      return pause_a_campaign();
    case 5:
      return opt_somebody_out();
    case 6:
      return let_statuses_come_late();
    case 7:
      return move_the_number();
    default:
      return;
  }
}

// Campaigns that were paused, by us or as the channel wanted it, go on. Not at once: the sides were cancelled for good.
void Trial::look_after() {
  for (auto& stage : stages_)
    for (const auto& campaign : {stage->main, stage->merges->campaign()})
      if (count("campaign WHERE status = 'Paused' AND id = '" + campaign + "'") > 0 && act(*stage, campaign, "resume"))
        ++toll_["resumptions"];
}

void Trial::run() {
  spoil();
  start_all();
  disturb_audiences();
  bool half = false;
  while (kills_ + outages_ < kills_wanted_ && unsent() > 0) {
    nap(100, 400, random_);
    look_after();
    disturb();
    if (half || kills_ + outages_ < kills_wanted_ / 2) continue;
    half = true;
    cancel_the_sides();
    move_the_number();
    let_statuses_come_late();
    lose_redis();
    stop_a_dispatcher();
    kill_the_database();
  }
  calm();
}

// Until each recipient has their fate, and all that the channel has to say is told and applied.
void Trial::calm() {
  simulator("DELETE", "faults");
  for (auto* each : system_.all())
    if (!each->running()) each->start();
  stop_a_dispatcher_past_the_end();
  const auto settled = [&] {
    look_after();
    return count("campaign WHERE status NOT IN ('Finished', 'Cancelled')") == 0 &&
           count("outgoing WHERE campaign_id IS NOT NULL") == 0 && count("inbox") == 0 &&
           count("parked_element WHERE due_at IS NOT NULL") == 0 &&
           simulator("GET", "webhooks?limit=0").at("pending").to_number<int>() == 0;
  };
  for (const auto limit = Clock::now() + 10min; !settled(); std::this_thread::sleep_for(300ms))
    REQUIRE_MESSAGE(Clock::now() < limit, system_.logs());
}

}  // namespace parley::faults

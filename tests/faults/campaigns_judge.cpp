// What became of a trial's recipients: by the API, against what the simulator counted.
#include <algorithm>
#include <boost/json/serialize.hpp>

#include "tests/faults/campaigns_trial.hpp"

namespace parley::faults {

namespace json = boost::json;

namespace {

// Whether the text that was sent to the number is for whoever has it: see CampaignScene::import_list().
bool is_for(const std::string& number, const std::string& body) {
  const auto name = "Person " + std::to_string(std::stoll(number) - std::stoll(e2e::CampaignScene::number(0)));
  const auto at = body.find(name);
  return at != body.npos && !std::isdigit(static_cast<unsigned char>(body[at + name.size()]));
}

std::string text(const json::value& object, std::string_view name) {
  const auto& value = object.at(name);
  return value.is_null() ? "" : value.as_string().c_str();
}

}  // namespace

Account& Account::operator+=(const Account& other) {
  recipients += other.recipients;
  skipped += other.skipped;
  accepted += other.accepted;
  read += other.read;
  undelivered += other.undelivered;
  refused += other.refused;
  unknown += other.unknown;
  lost += other.lost;
  doubled += other.doubled;
  wrong += other.wrong;
  return *this;
}

void Trial::count_accepted() {
  const auto seen = simulator("GET", "accepted");
  CHECK_EQ(seen.at("doubled").to_number<int>(), 0);
  for (const auto& each : seen.at("accepted").as_array()) {
    const auto number = text(each, "recipient");
    accepted_[number] += each.at("count").to_number<std::int64_t>();
    const bool is_of_pair =
        std::any_of(stages_.begin(), stages_.end(), [&](const auto& stage) { return stage->merges->is_for(number); });
    if (each.at("body").is_string() && !is_of_pair)
      CHECK_MESSAGE(is_for(number, text(each, "body")), number, ": ", text(each, "body"));
  }
}

// Each who was wanted is there once, nobody else is, and the channel says the same of each.
Account Trial::judge_recipients(Stage& stage, const std::string& campaign, std::set<std::string> expected) {
  Account out;
  for (const auto& recipient : stage.scene.recipients(campaign)) {
    const auto phone = text(recipient, "phone"), state = text(recipient, "state"), reason = text(recipient, "reason");
    INFO(json::serialize(recipient));
    CHECK(expected.erase(phone) == 1);
    const auto found = accepted_.find(phone.substr(1));
    const auto times = found == accepted_.end() ? 0 : found->second;
    ++out.recipients;
    out.accepted += times > 0;
    out.doubled += times > 1;
    const bool is_read = state == "Read", is_skipped = state == "Skipped";
    const bool is_undelivered = state == "UnDelivered", is_failed = state == "Failed" || is_undelivered;
    const bool is_unknown = is_failed && reason == "unknown";
    out.read += is_read;
    out.skipped += is_skipped;
    out.unknown += is_unknown;
    out.undelivered += is_undelivered;
    out.refused += is_failed && !is_unknown && !is_undelivered;
    out.lost += state == "Pending" || state == "InDoubt";
    // All that the channel told was told: whoever was sent to has read it, or failed.
    const bool is_settled = is_read || is_skipped || is_failed;
    const bool is_true = is_read || is_undelivered ? times > 0 : is_skipped || is_unknown ? times == 0 : is_failed;
    CHECK(is_settled);
    CHECK(is_true);
    out.wrong += !is_settled || !is_true;
  }
  CHECK_EQ(expected, std::set<std::string>{});
  out.lost += static_cast<std::int64_t>(expected.size());
  return out;
}

void Trial::judge_merges() {
  std::int64_t merged = 0, accepted = 0;
  for (auto& stage : stages_) {
    accepted += stage->merges->judge(accepted_);
    merged += stage->merges->merged();
  }
  MESSAGE(merged << " pairs of contacts became one person; " << accepted << " messages accepted for all pairs");
}

Account Trial::judge_main(Stage& stage) {
  std::set<std::string> expected;
  for (const auto& [phone, reason] : stage.wanted) expected.insert(phone);
  const auto out = judge_recipients(stage, stage.main, std::move(expected));
  for (const auto& recipient : stage.scene.recipients(stage.main, "state=Skipped")) {
    const auto phone = text(recipient, "phone"), reason = text(recipient, "reason");
    CHECK_MESSAGE((reason == stage.wanted[phone] || (reason == "OptedOut" && stage.opted_out_late.contains(phone))),
                  json::serialize(recipient));
  }
  CHECK(std::count_if(stage.wanted.begin(), stage.wanted.end(), [](auto& each) { return !each.second.empty(); }) <=
        out.skipped);
  CHECK_EQ(stage.scene.status(stage.main), "Finished");
  return out;
}

Account Trial::judge_side(Stage& stage) {
  const auto out = judge_recipients(stage, stage.side, stage.few);
  const bool is_cancelled = stage.scene.status(stage.side) == "Cancelled";
  if (!is_cancelled) CHECK_EQ(out.skipped, 0);
  for (const auto& recipient : stage.scene.recipients(stage.side, "state=Skipped"))
    CHECK_EQ(text(recipient, "reason"), "Cancelled");
  return out;
}

void Trial::check_progress(Stage& stage, const std::string& campaign, const Account& account) {
  const auto shown = stage.scene.campaign(campaign).at("progress");
  const json::object expected{{"recipients", account.recipients},
                              {"skipped", account.skipped},
                              {"pending", 0},
                              {"sent", 0},
                              {"delivered", 0},
                              {"read", account.read},
                              {"failed", account.refused + account.unknown},
                              {"undelivered", account.undelivered},
                              {"inDoubt", 0}};
  for (const auto& [name, figure] : expected)
    CHECK_MESSAGE(shown.at(name) == figure, std::string(name), " of ", json::serialize(shown), " is not ", figure);
}

void Trial::check_analytics(Stage& stage, const std::string& campaign, const Account& account) {
  const json::object expected{{"totalRecipients", account.recipients - account.skipped},
                              {"messagesSent", account.accepted},
                              {"messagesDelivered", account.read},
                              {"messagesRead", account.read},
                              {"messagesUndelivered", account.undelivered},
                              {"messagesFailed", account.refused + account.unknown}};
  auto client = stage.scene.client();
  json::value shown;
  const auto is_same = [&](const auto& each) { return shown.at(each.key()) == each.value(); };
  e2e::comes_to([&] {
    shown = client.get("/api/analytics/campaign/" + campaign).json().at("analytics");
    return std::all_of(expected.begin(), expected.end(), is_same);
  });
  for (const auto& [name, figure] : expected)
    CHECK_MESSAGE(shown.at(name) == figure, std::string(name), " of ", json::serialize(shown), " is not ", figure);
}

// Of whom nobody knows whether they were sent to: they were on their way when somebody died, or the channel never said.
void Trial::check_unknown() {
  std::int64_t elsewhere = 0;
  for (const auto& id :
       sql()->column("SELECT id FROM message WHERE campaign_id IS NOT NULL AND status = 'Failed' AND error_text = "
                     "'unknown'"))
    elsewhere += !in_flight_.contains(id);
  CHECK(elsewhere <= kSwallowed);
}

void Trial::judge() {
  count_accepted();
  judge_merges();
  moves_->judge();
  MESSAGE(moves_->moves() << " moves of a number, " << moves_->written() << " messages written to it");
  Account all;
  for (auto& stage : stages_) {
    for (const auto* campaign : {&stage->main, &stage->side}) {
      CAPTURE(*campaign);
      const auto account = campaign == &stage->main ? judge_main(*stage) : judge_side(*stage);
      check_progress(*stage, *campaign, account);
      check_analytics(*stage, *campaign, account);
      all += account;
    }
    const auto list = stage->scene.client().get("/api/lists/" + stage->main_list).json().at("list");
    CHECK_EQ(list.at("numberOfCampaignsSent").to_number<int>(), 1);
  }
  check_unknown();
  MESSAGE(all.recipients << " recipients: " << all.accepted << " accepted (" << all.read << " read, " << all.undelivered
                         << " undelivered), " << all.skipped << " skipped, " << all.refused << " refused, "
                         << all.unknown << " never known; lost " << all.lost << ", doubled " << all.doubled
                         << ", wrong " << all.wrong);
  MESSAGE(kills_ << " kills of dispatchers, " << outages_ << " of PostgreSQL, " << stops_ << " stops past the lease; "
                 << in_flight_.size() << " messages on their way at these, " << kSwallowed << " swallowed");
  for (const auto& [what, times] : toll_) MESSAGE(times << " " << what);
  CHECK_EQ(all.recipients, recipients_ / kNumbers * kNumbers);
  CHECK_EQ(all.recipients, all.accepted + all.skipped + all.refused + all.unknown);
  CHECK_EQ(all.doubled, 0);
  CHECK_EQ(all.lost, 0);
  CHECK_EQ(all.wrong, 0);
  std::int64_t counted = 0;
  for (const auto& [number, times] : accepted_) counted += times;
  CHECK_EQ(counted, all.accepted);  // nobody whom no campaign is for
  CHECK(all.unknown <= static_cast<std::int64_t>(in_flight_.size()) + kSwallowed);
}

}  // namespace parley::faults

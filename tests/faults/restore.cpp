// A campaign is under way when a backup is taken; it goes on, single messages go out, somebody opts out; then the
// database is lost and the backup restored. The simulator, which knows what it was sent, is the judge: nobody is sent
// to twice unless an operator says so, and figures are right after the handbook's procedure.
//
// PARLEY_FAULTS_RESTORED (160).
#include <unistd.h>

#include <boost/json/serialize.hpp>
#include <cstdlib>
#include <thread>

#include "tests/e2e/campaign_bed.hpp"
#include "tests/faults/option.hpp"

using namespace parley;
using namespace std::chrono_literals;
using faults::option;
using support::System;
namespace json = boost::json;

namespace {

constexpr int kSpare = 20;  // recipients that the operator takes for sent to beside those that were
const std::vector<std::string> kProcesses{"gateway",       "dispatcher",    "contacts",
                                          "conversations", "organizations", "analytics"};

std::string postgres_tool(const std::string& name) {
  const char* const folder = std::getenv("PARLEY_TEST_POSTGRES_BIN");
  return std::string(folder ? folder : "/usr/lib/postgresql/15/bin") + "/" + name;
}

void run(const std::string& command) { REQUIRE_MESSAGE(std::system(command.c_str()) == 0, command); }

std::string new_dump_file() {
  const char* const folder = std::getenv("TMPDIR");
  return std::string(folder ? folder : "/tmp") + "/parley-restore-" + std::to_string(::getpid()) + ".dump";
}

class Trial {
 public:
  // `all`: the whole database, or conversations alone.
  explicit Trial(bool all)
      : all_(all),
        recipients_(option("PARLEY_FAULTS_RESTORED", 160)),
        system_({.environment = {{"PARLEY_DISPATCH_RATE", "60"},
                                 {"PARLEY_DISPATCH_LEASE_SECONDS", "2"},
                                 {"PARLEY_DISPATCH_DOUBT_SECONDS", "5"},
                                 {"PARLEY_DRAIN_NOTICE_MS", "0"}}}),
        scene_(system_, "restored", "200000000000901") {}

  void fill();
  void back_up();
  void go_on();
  void lose();
  void check_that_nothing_is_sent();
  void put_right();
  void release();
  void judge();

 private:
  std::string admin_url() { return system_.postgres().url("postgres", "parley"); }
  std::unique_ptr<support::Sql> sql(const std::string& service = "conversations") {
    return std::make_unique<support::Sql>(admin_url() + "?options=-csearch_path%3D" + service);
  }
  std::int64_t accepted(int n) { return scene_.accepted()[e2e::CampaignScene::number(n)]; }
  std::int64_t accepted() {
    std::int64_t out = 0;
    for (const auto& [number, count] : scene_.accepted()) out += count;
    return out;
  }
  void stop(const std::vector<std::string>& names) {
    for (const auto& name : names) system_.component(name, 0).ask_to_end();
    for (const auto& name : names) system_.component(name, 0).wait_for_end();
  }
  // A reply to somebody who has just written; the person is of no campaign.
  void write_to(int n, const std::string& text);
  std::string said(const std::string& service, const std::vector<std::string>& arguments) {
    return system_.run(service, arguments, system_.component(service, 0).environment);
  }

  // Messages of the campaign that the simulator took, of all but the last recipient.
  std::int64_t of_campaign() {
    auto counts = scene_.accepted();
    std::int64_t out = 0;
    for (int n = 0; n < recipients_ - 1; ++n) out += counts[e2e::CampaignScene::number(n)];
    return out;
  }

  const bool all_;
  const int recipients_;
  System system_;
  e2e::CampaignScene scene_;
  std::string campaign_, dump_;
  std::map<int, std::string> conversations_;
  std::int64_t of_campaign_at_backup_ = 0, of_campaign_at_loss_ = 0, to_last_at_loss_ = 0, sent_at_loss_ = 0;
};

void Trial::fill() {
  scene_.channel().simulator("POST", "/simulator/behaviour", {{"statuses", "all"}});
  const auto list = scene_.import_list("Everybody", 0, recipients_);
  for (int n = recipients_; n < recipients_ + 4; ++n) {
    const auto number = e2e::CampaignScene::number(n);
    auto& channel = scene_.channel();
    channel.deliver(channel.body({e2e::Channel::text(number, "wamid.first." + number, "hello")}));
    e2e::wait_for("the conversation is there", [&] { return !channel.conversation(number).is_null(); });
    conversations_[n] = channel.conversation(number).at("uniqueId").as_string().c_str();
  }
  campaign_ = scene_.start(scene_.text_campaign({list}));
  scene_.wait_for_progress(campaign_, "recipients", recipients_);
}

void Trial::write_to(int n, const std::string& text) {
  const auto answer =
      scene_.client().post("/api/conversation/" + conversations_.at(n) + "/messages",
                           json::serialize(json::object{{"messageType", "Text"}, {"messageData", {{"text", text}}}}));
  REQUIRE_MESSAGE(answer.status == 201, answer.body);
}

// In the middle of the campaign, with two messages that wait to be sent.
void Trial::back_up() {
  e2e::wait_for("a quarter is sent", [&] { return accepted() >= recipients_ / 4; });
  stop({"dispatcher"});
  write_to(recipients_, "queued at the backup");
  write_to(recipients_ + 1, "queued at the backup");
  of_campaign_at_backup_ = of_campaign();
  dump_ = new_dump_file();
  run(postgres_tool("pg_dump") + (all_ ? "" : " -n conversations") + " -Fc -f " + dump_ + " '" + admin_url() + "'");
  system_.dispatcher().start();
}

void Trial::go_on() {
  e2e::wait_for("three quarters are sent", [&] { return accepted() >= recipients_ * 3 / 4; });
  write_to(recipients_ + 2, "after the backup");
  for (const int n : {recipients_, recipients_ + 1, recipients_ + 2})
    e2e::wait_for("it went out", [&] { return accepted(n) == 1; });
  if (all_) return;
  // The last one says no more, and is answered; where the machine is slow, their turn in the campaign has come before.
  auto& channel = scene_.channel();
  const auto number = e2e::CampaignScene::number(recipients_ - 1);
  channel.deliver(channel.body({e2e::Channel::text(number, "wamid.stop", "STOP")}));
  e2e::wait_for("contacts knows", [&] { return channel.contact(number).at("status").as_string() == "OptedOut"; });
}

void Trial::lose() {
  stop(kProcesses);
  sent_at_loss_ = accepted();
  of_campaign_at_loss_ = of_campaign();
  to_last_at_loss_ = accepted(recipients_ - 1);
  const auto url = admin_url();
  if (all_) {
    system_.postgres().execute("DROP DATABASE parley WITH (FORCE)");
    system_.postgres().execute("CREATE DATABASE parley TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'");
  } else {
    support::Sql(url).rows("DROP SCHEMA conversations CASCADE");
  }
  run(postgres_tool("pg_restore") + " --exit-on-error -d '" + url + "' " + dump_);
  std::filesystem::remove(dump_);
  for (const auto& name : kProcesses) system_.component(name, 0).launch();
  for (const auto& name : kProcesses)
    if (name != "dispatcher") system_.component(name, 0).wait_until_ready();
}

// Whoever forgets the procedure.
void Trial::check_that_nothing_is_sent() {
  auto& dispatcher = system_.dispatcher();
  e2e::wait_for("the dispatcher says so", [&] {
    try {
      return dispatcher.metric("dispatch_halted") == 1;
    } catch (const std::exception&) {
      return false;  // it starts
    }
  });
  CHECK_EQ(sql()->number("SELECT count(*) FROM campaign WHERE status = 'Running'"), 1);
  CHECK(sql()->number("SELECT count(*) FROM outgoing WHERE state = 'Due'") >= 2);
  std::this_thread::sleep_for(2s);
  CHECK_EQ(accepted(), sent_at_loss_);
  support::Wire wire(dispatcher.admin_port());
  wire.send(support::request_text("GET", "/readyz", {{"Connection", "close"}}));
  const auto answer = wire.read();
  REQUIRE(answer);
  CHECK_EQ(answer->status, 503);
}

void Trial::put_right() {
  const auto put_right = [&](const std::string& service) {
    MESSAGE(service << " after-restore:\n" << said(service, {"after-restore"}));
  };
  if (all_)
    for (const std::string service : {"organizations", "contacts", "analytics"}) put_right(service);
  put_right("conversations");
  system_.dispatcher().wait_until_ready();
  CHECK_EQ(scene_.status(campaign_), "Paused");
  CHECK(said("conversations", {"held-campaigns"}).find(campaign_) != std::string::npos);
  const auto refused = scene_.client().post("/api/campaigns/" + campaign_ + "/resume", "");
  CHECK_EQ(refused.status, 409);
  CHECK(refused.body.find("operator") != refused.body.npos);
  // The opt-out, which conversations has lost and contacts knows.
  if (!all_)
    e2e::wait_for("who opted out since is known again",
                  [&] { return sql()->number("SELECT count(*) FROM suppression WHERE opted_out") == 1; });
  CHECK_EQ(accepted(), sent_at_loss_);
}

// What the simulator counted stands for what an operator noted before the loss, with something to spare.
void Trial::release() {
  const auto bound = of_campaign_at_loss_ + kSpare;
  MESSAGE(said("conversations", {"release-campaign", "--id", campaign_, "--organization",
                                 scene_.channel().organization(), "--sent-to", std::to_string(bound), "--resume"}));
  CHECK(said("conversations", {"held-campaigns"}).empty());
  scene_.wait_for_status(campaign_, "Finished");
  e2e::wait_for("nothing is in doubt any more", [&] { return scene_.progress(campaign_, "inDoubt") == 0; });
}

void Trial::judge() {
  auto counts = scene_.accepted();
  std::int64_t doubled = 0;
  if (!all_) {
    const auto last = e2e::CampaignScene::number(recipients_ - 1);
    CHECK_EQ(counts[last], to_last_at_loss_);
    CHECK(to_last_at_loss_ <= 2);  // the campaign's message, and the answer
    counts.erase(last);
  }
  for (const auto& [number, count] : counts) doubled += count > 1;
  CHECK_EQ(doubled, 0);
  for (int n = recipients_; n < recipients_ + 3; ++n) CHECK_EQ(accepted(n), 1);
  scene_.check_adds_up(campaign_);
  const auto progress = [&](std::string_view what) { return scene_.progress(campaign_, what); };
  const auto reached = of_campaign();
  MESSAGE(recipients_ << " recipients: " << of_campaign_at_backup_ << " reached at the backup, " << of_campaign_at_loss_
                      << " at the loss, " << reached << " at the end; skipped " << progress("skipped")
                      << ", never known " << progress("failed") << ", sent to twice " << doubled);
  CHECK_EQ(progress("skipped"), all_ ? 0 : 1);
  // What went out since the backup is not known, nor is whom the operator spared; all others were reached.
  CHECK(progress("failed") <= of_campaign_at_loss_ + kSpare - of_campaign_at_backup_);
  CHECK(reached >= recipients_ - 1 - kSpare);

  json::value shown;
  const auto target = "/api/analytics/campaign/" + campaign_;
  const bool agrees = e2e::comes_to([&] {
    shown = scene_.client().get(target).json().at("analytics");
    const auto recipients = recipients_ - progress("skipped");
    return shown.at("totalRecipients") == recipients && shown.at("messagesFailed") == progress("failed") &&
           shown.at("messagesSent") == recipients - progress("failed");
  });
  CHECK_MESSAGE(agrees, json::serialize(shown));
  for (const std::string name : {"contacts", "conversations", "organizations", "analytics", "dispatcher"})
    CHECK_EQ(system_.component(name, 0).metric("event_consumer_broken"), 0);
}

void run_trial(bool all) {
  Trial trial(all);
  trial.fill();
  trial.back_up();
  trial.go_on();
  trial.lose();
  trial.check_that_nothing_is_sent();
  trial.put_right();
  trial.release();
  trial.judge();
}

// The schema has extensions in it, which its indexes need; who wrote after the backup is not known any more.
void run_trial_of_contacts() {
  System system;
  e2e::CampaignScene scene(system, "restored", "200000000000902");
  auto& channel = scene.channel();
  auto client = scene.client();
  const auto number = e2e::CampaignScene::number;
  const auto write = [&](int n, const std::string& wamid) {
    channel.deliver(channel.body({e2e::Channel::text(number(n), wamid, "hello")}));
    e2e::wait_for("the conversation is there", [&] { return !channel.conversation(number(n)).is_null(); });
    return std::string(channel.conversation(number(n)).at("uniqueId").as_string());
  };
  const auto status = [&](const std::string& conversation) {
    return client.get("/api/conversation/" + conversation).json().at("conversation").at("status");
  };
  const auto found = [&](const std::string& query) {
    return client.get("/api/contacts?" + query).json().at("paginationMeta").at("total");
  };
  scene.import_list("Before", 0, 40);
  const auto kept = write(0, "wamid.before");
  const auto admin = system.postgres().url("postgres", "parley");
  const auto dump = new_dump_file();
  run(postgres_tool("pg_dump") + " -n contacts -e btree_gin -e pg_trgm -e unaccent -Fc -f " + dump + " '" + admin +
      "'");
  scene.import_list("After", 40, 5);
  const auto orphan = write(40, "wamid.after");

  auto& contacts = system.contacts();
  contacts.ask_to_end();
  contacts.wait_for_end();
  support::Sql(admin).rows("DROP SCHEMA contacts CASCADE");
  run(postgres_tool("pg_restore") + " --exit-on-error -d '" + admin + "' " + dump);
  std::filesystem::remove(dump);
  for (const std::string command : {"migrate", "after-restore"})
    MESSAGE("contacts " << command << ":\n" << system.run("contacts", {command}, contacts.environment));
  contacts.start();

  CHECK_EQ(found("per_page=5"), 40);
  CHECK_EQ(found("search=person+39"), 1);
  e2e::wait_for("the conversation of who is not known any more is Deleted",
                [&] { return status(orphan) == "Deleted"; });
  CHECK_EQ(status(kept), "Active");
  const auto again = write(40, "wamid.again");
  CHECK_NE(again, orphan);
  CHECK_EQ(found("per_page=5"), 41);
  scene.change_contact(1, {{"status", "Blocked"}});
  e2e::wait_for("what contacts says is heard again", [&] {
    return system.sql("conversations").number("SELECT count(*) FROM suppression WHERE blocked") == 1;
  });
  for (const std::string name : {"contacts", "conversations", "organizations", "analytics", "dispatcher"})
    CHECK_EQ(system.component(name, 0).metric("event_consumer_broken"), 0);
}

}  // namespace

TEST_CASE("restore: contacts alone, with its extensions") { run_trial_of_contacts(); }

TEST_CASE("restore: conversations alone, from a dump that is older than what was sent") { run_trial(false); }

TEST_CASE("restore: the whole database" * doctest::skip(!faults::is_long())) { run_trial(true); }

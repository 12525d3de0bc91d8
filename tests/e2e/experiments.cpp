// Experiments of campaigns through the whole system, with the simulator as the judge.
#include <boost/json/serialize.hpp>

#include "tests/e2e/campaign_bed.hpp"

using namespace parley;
using namespace parley::e2e;
namespace json = boost::json;

namespace {

struct Bed {
  System system{{.replicas = 2, .environment = {}}};
  CampaignScene scene{system, "Experimenting", "200000000000471"};

  json::object campaign(const std::string& list) const {
    auto out = scene.text_campaign({list}, "own {{name}}");
    out["variants"] =
        json::array{{{"name", "B"}, {"share", 50}, {"message", {{"type", "Text"}, {"text", "other {{name}}"}}}}};
    return out;
  }
  static std::string path(const std::string& id, const std::string& more = "") {
    return "/api/campaigns/" + id + "/experiment" + more;
  }
  void plan(const std::string& id, const json::object& plan) {
    const auto answer = scene.client().post(path(id), json::serialize(plan));
    REQUIRE_MESSAGE(answer.status == 200, answer.body);
  }
  json::value experiment(const std::string& id) { return scene.client().get(path(id)).json().at("experiment"); }
  std::string state(const std::string& id) { return experiment(id).at("state").as_string().c_str(); }
  json::value figures(const std::string& id) {
    return scene.client().get("/api/campaigns/" + id + "/figures").json().at("figures");
  }
  void behave(const std::string& reply) {
    scene.channel().simulator("POST", "/simulator/behaviour", {{"statuses", "all"}, {"reply", reply}});
  }
  // How many people from `first` on were sent a text that begins so; each was sent one message, or fails the test.
  int sent(int first, int count, const std::string& begin) {
    int out = 0;
    for (int n = first; n < first + count; ++n) {
      const auto found = scene.channel().simulator("GET", "/simulator/accepted?recipient=" + CampaignScene::number(n));
      const auto& messages = found.at("accepted").as_array();
      CHECK_LE(messages.size(), 1);
      CHECK_EQ(found.at("doubled").as_int64(), 0);
      if (!messages.empty())
        out += std::string(messages[0].at("body").as_string()).find("\"" + begin) != std::string::npos;
    }
    return out;
  }
};

}  // namespace

TEST_SUITE("e2e: experiments") {
  TEST_CASE("the rule sends the rest the message that was replied to, and a member the one that is picked") {
    Bed bed;
    auto& scene = bed.scene;
    bed.behave("Yes");
    const auto list = scene.import_list("everybody", 1, 100);
    const auto ruled = scene.make(bed.campaign(list));
    bed.plan(ruled, {{"share", 30}, {"rule", "Replied"}, {"minimum", 0}, {"decideAfterSeconds", 1}});
    CHECK_EQ(bed.state(ruled), "Planned");
    CHECK_EQ(scene.act(ruled, "start"), "Running");
    scene.wait_for_status(ruled, "Finished");
    const auto decided = bed.experiment(ruled);
    CHECK_EQ(decided.at("state").as_string(), "Decided");
    CHECK_EQ(decided.at("decidedBy").as_string(), "Rule");
    scene.wait_for_progress(ruled, "read", 100);
    scene.check_adds_up(ruled);
    const auto figures = bed.figures(ruled);
    const auto rest = figures.at("remainder").at("recipients").as_int64();
    CHECK_GT(rest, 40);
    CHECK_LT(rest, 95);
    const auto variant = [&](std::size_t i) { return figures.at("byVariant").at(i).at("recipients").as_int64(); };
    CHECK_EQ(variant(0) + variant(1) + rest, 100);
    const bool is_other = decided.at("winner").as_int64() == 1;
    CHECK_EQ(bed.sent(1, 100, "own "), variant(0) + (is_other ? 0 : rest));
    CHECK_EQ(bed.sent(1, 100, "other "), variant(1) + (is_other ? rest : 0));
    CHECK_EQ(scene.recipients(ruled, "variant=B").size(), static_cast<std::size_t>(variant(1) + (is_other ? rest : 0)));

    bed.behave("");
    const auto people = scene.import_list("others", 200, 60);
    const auto picked = scene.make(bed.campaign(people));
    bed.plan(picked, {{"share", 20}, {"rule", "Read"}});
    scene.act(picked, "start");
    wait_for("the test part was sent", [&] { return bed.state(picked) == "Waiting"; });
    CHECK_EQ(scene.status(picked), "Running");
    CHECK_EQ(scene.campaign(picked).at("statusReason").as_string(),
             "the test part was sent: a member is to pick the winner");
    const auto waiting = bed.figures(picked).at("remainder").at("pending").as_int64();
    CHECK_EQ(scene.progress(picked, "pending"), waiting);
    CHECK_EQ(std::ssize(scene.recipients(picked, "state=Pending")), waiting);
    scene.act(picked, "pause");
    const auto answer = scene.client().post(Bed::path(picked, "/winner"), R"({"variant":1})");
    REQUIRE_MESSAGE(answer.status == 200, answer.body);
    CHECK_EQ(scene.client().post(Bed::path(picked, "/winner"), R"({"variant":0})").status, 409);
    CHECK_EQ(scene.progress(picked, "pending"), waiting);
    scene.act(picked, "resume");
    scene.wait_for_status(picked, "Finished");
    scene.wait_for_progress(picked, "read", 60);
    CHECK_GE(bed.sent(200, 60, "other "), waiting);
    CHECK_EQ(bed.sent(200, 60, "own ") + bed.sent(200, 60, "other "), 60);
  }
}

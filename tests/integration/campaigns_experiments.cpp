// Experiments of campaigns behind their API.
#include "conversations/campaigns/experiments/api.hpp"
#include "tests/integration/campaigns_bed.hpp"

using namespace parley;
using namespace parley::campaigns_tests;

namespace {

constexpr auto kVariants = R"(,"variants":[{"name":"B","share":50,"message":{"type":"Text","text":"Hi"}}])";
constexpr auto kPlan = R"({"share":20,"rule":"Clicked","minimum":1,"decideAfterSeconds":60})";

struct Scene : Bed {
  conversations::experiments::Store experiments{pool_};
  conversations::experiments::Api experiments_api{process_, experiments};

  static std::string of(const Uuid& id) { return path(id) + "/experiment"; }
  http::Response set_plan(const Uuid& id, const std::string& plan = kPlan) { return post(of(id), plan); }
  http::Response pick(const Uuid& id, int variant) {
    return post(of(id) + "/winner", R"({"variant":)" + std::to_string(variant) + "}");
  }
  boost::json::value shown(const Uuid& id) { return json_of(get(of(id))).at("experiment"); }
};

}  // namespace

TEST_CASE("campaigns: an experiment is planned, shown, replaced, copied and removed while the campaign has not begun") {
  Scene scene;
  const auto id = scene.make(kVariants);
  CHECK_EQ(scene.get(Scene::of(id)).status, 404);
  CHECK_EQ(scene.remove(Scene::of(id)).status, 404);
  REQUIRE_EQ(scene.set_plan(id, R"({"share":10,"rule":"Read","decideAt":"2040-01-31T12:00:00+01:00"})").status, 200);
  CHECK_EQ(scene.shown(id).at("decideAt").as_string(), "2040-01-31T11:00:00.000Z");
  const auto later =
      *Uuid::parse(json_of(scene.act(id, "duplicate")).at("campaign").at("uniqueId").as_string().c_str());
  CHECK(scene.shown(later).at("decideAt").is_null());
  REQUIRE_EQ(scene.set_plan(id).status, 200);
  const auto shown = scene.shown(id);
  CHECK_EQ(shown.at("share").as_int64(), 20);
  CHECK_EQ(shown.at("rule").as_string(), "Clicked");
  CHECK_EQ(shown.at("minimum").as_int64(), 1);
  CHECK(shown.at("decideAt").is_null());
  CHECK_EQ(shown.at("state").as_string(), "Planned");
  CHECK_EQ(scene.pick(id, 1).status, 409);
  CHECK_EQ(scene.post(Scene::path(id), R"({"variants":[]})").status, 409);

  const auto copy = *Uuid::parse(json_of(scene.act(id, "duplicate")).at("campaign").at("uniqueId").as_string().c_str());
  CHECK_EQ(scene.shown(copy), shown);
  CHECK_EQ(scene.remove(Scene::of(id)).status, 204);
  CHECK_EQ(scene.get(Scene::of(id)).status, 404);

  const auto plain = scene.make();
  CHECK_EQ(scene.set_plan(plain).status, 409);
  scene.set(copy, "status = 'Running'");
  CHECK_EQ(scene.set_plan(copy).status, 409);
  CHECK_EQ(scene.remove(Scene::of(copy)).status, 409);
  CHECK_EQ(scene.set_plan(model::new_uuid()).status, 404);
}

TEST_CASE("campaigns: what is wrong with an experiment is named") {
  Scene scene;
  const auto id = scene.make(kVariants);
  const auto fault = [&](const std::string& plan) {
    const auto answer = scene.set_plan(id, plan);
    CHECK_EQ(answer.status, 400);
    return pointer_of(answer);
  };
  CHECK_EQ(fault(R"({"share":0,"rule":"Read"})"), "/share");
  CHECK_EQ(fault(R"({"share":100,"rule":"Read"})"), "/share");
  CHECK_EQ(fault(R"({"share":20,"rule":"Loved"})"), "/rule");
  CHECK_EQ(fault(R"({"share":20,"rule":"Read","minimum":-1})"), "/minimum");
  CHECK_EQ(fault(R"({"share":20,"rule":"Read","decideAfterSeconds":2592001})"), "/decideAfterSeconds");
  CHECK_EQ(fault(R"({"share":20,"rule":"Read","decideAt":"tomorrow"})"), "/decideAt");
  CHECK_EQ(fault(R"({"share":20,"rule":"Read","decideAt":"2026-01-31T12:00:00Z"})"), "/decideAt");
  CHECK_EQ(fault(R"({"share":20,"rule":"Read","decideAt":"2040-01-31T12:00:00Z","decideAfterSeconds":1})"),
           "/decideAt");
  CHECK_EQ(scene.get(Scene::of(id)).status, 404);
}

TEST_CASE("campaigns: one with an experiment says what it waits for, and ends when it was decided and all are done") {
  Scene scene;
  const auto id = scene.make_as("Running", kVariants);
  scene.set(id, "started_at = now(), audience_done = true, experiment = '" + std::string(kPlan) + "'");
  const auto look = [&] {
    scene.database.execute("UPDATE campaign_rate SET at = at - interval '1 second'");
    scene.run(scene.worker.look());
    return scene.text(id, "status");
  };
  CHECK_EQ(look(), "Running");
  CHECK_EQ(scene.text(id, "statusReason"), "");
  CHECK_EQ(scene.shown(id).at("state").as_string(), "Testing");
  scene.set(id, "experiment_tested_at = now(), experiment_due_at = '2040-01-31T12:00:00Z'");
  CHECK_EQ(scene.shown(id).at("state").as_string(), "Waiting");
  CHECK_EQ(scene.text(id, "statusReason"),
           "the test part was sent: the winner is decided at 2040-01-31 12:00:00 (UTC)");
  scene.set(id, "experiment_due_at = NULL");
  CHECK_EQ(scene.text(id, "statusReason"), "the test part was sent: a member is to pick the winner");
  CHECK_EQ(look(), "Running");
  // What an older release's worker would do.
  scene.set(id, "status = 'Finished'");
  CHECK_EQ(scene.text(id, "status"), "Running");

  CHECK_EQ(pointer_of(scene.pick(id, 2)), "/variant");
  REQUIRE_EQ(scene.pick(id, 1).status, 200);
  CHECK_EQ(scene.pick(id, 0).status, 409);
  const auto shown = scene.shown(id);
  CHECK_EQ(shown.at("state").as_string(), "Decided");
  CHECK_EQ(shown.at("winner").as_int64(), 1);
  CHECK_EQ(shown.at("decidedBy").as_string(), "Member");
  CHECK_EQ(scene.text(id, "statusReason"), "");
  scene.database.execute("UPDATE chunk SET done = true");
  CHECK_EQ(look(), "Finished");
}

TEST_CASE("campaigns: an experiment changes the version of its campaign") {
  Scene scene;
  const auto id = scene.make(kVariants);
  const auto version = [&] { return scene.database.number("SELECT version FROM campaign"); };
  const auto before = version();
  scene.set_plan(id);
  CHECK_GT(version(), before);
}

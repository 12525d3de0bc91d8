// Campaigns' messages against the templates of the account, which the channel is asked for.
#include "conversations/campaigns/rendering/template_check.hpp"
#include "conversations/channel/templates/limits.hpp"
#include "tests/integration/channel_world.hpp"

using namespace parley;
using namespace parley::channel_tests;
using conversations::rendering::TemplateCheck;

namespace {

struct Checked : World {
  Checked() {
    control(http::Method::post, "/simulator/accounts", R"({"businessAccountId":"55","phoneNumbers":[{"id":"66"}]})");
    organizations.account.businessAccountId = "55";
    organizations.account.phoneNumberId = "66";
  }
  // The status and the pointers of what is wrong; "" when nothing is.
  std::string checked(const std::string& message, std::vector<model::CampaignVariant> variants = {}) {
    const auto work = [&]() -> awaitable<bool> {
      co_await check.check(organizations.account.organizationId, model::RawJson{message}, std::move(variants));
      co_return true;
    };
    try {
      loop.run(work());
      return "";
    } catch (const http::Problem& problem) {
      auto out = std::to_string(problem.status);
      for (const auto& error : problem.errors) out.append(" ").append(error.pointer);
      detail = problem.detail;
      return out;
    }
  }

  // The lists that are kept were asked for so long ago; "-1 hour" is new for the rest of the test, however slow.
  void age(const std::string& interval) {
    database.execute("UPDATE channel_list SET listed_at = now() - interval '" + interval + "'");
  }

  std::string detail;
  TemplateCheck check{catalogue, template_store, "https://go.example"};
};

std::string of(const std::string& name, const std::string& more = "", const std::string& language = "en_US") {
  return R"({"type":"Template","template":{"name":")" + name + R"(","language":")" + language + "\"" + more + "}}";
}
const std::string kGood = of("order_update", R"(,"parameters":{"1":"{{name|you}}","2":"{{order}}"},)"
                                             R"("buttons":[{"index":0,"url":"{{order}}"}])");

}  // namespace

TEST_SUITE("rendering: templates") {
  TEST_CASE("a template must be there in its language, be approved, and get what it wants") {
    Checked world;
    CHECK(world.checked(kGood) == "");
    world.age("-1 hour");
    CHECK(world.checked(of("hello_world")) == "");
    CHECK(world.checked(of("nothing")) == "409 /message/template/name");
    CHECK(world.checked(of("order_update", "", "fr")) == "409 /message/template/language");
    CHECK(world.detail.find("de, en_US") != world.detail.npos);
    CHECK(world.checked(of("winter_sale", R"(,"parameters":{"1":"a"})")) == "409 /message/template/name");
    CHECK(world.detail.find("PENDING") != world.detail.npos);
    CHECK(world.checked(of("order_update")) ==
          "409 /message/template/parameters /message/template/parameters /message/template/buttons");
    CHECK(world.checked(
              of("summer_sale", R"(,"parameters":{"first_name":"a","city":"b"},"header":{"type":"Video","id":"1"})")) ==
          "409 /message/template/header");
    CHECK(world.checked(R"({"type":"Text","text":"Hi"})", {{"B", 10, {of("nothing")}}, {"C", 10, {kGood}}}) ==
          "409 /variants/0/message/template/name");
    CHECK(world.calls("/message_templates") == 1);
  }

  TEST_CASE("the channel is asked when the list is old, and while it is away the last one counts") {
    Checked world;
    world.fail(R"({"path":"/55/message_templates","status":500,"times":100})");
    CHECK(world.checked(kGood) == "503");
    CHECK(world.checked(R"({"type":"Text","text":"Hi"})") == "");
    world.control(http::Method::del, "/simulator/faults");
    // After a failure it is left alone for some seconds: who asks next is another process.
    conversations::templates::Catalogue other(world.organizations.accounts, world.channel, world.template_store);
    TemplateCheck again{other, world.template_store, "https://go.example"};
    const auto work = [&]() -> awaitable<bool> {
      co_await again.check(world.organizations.account.organizationId, model::RawJson{kGood}, {});
      co_return true;
    };
    CHECK(world.loop.run(work()));
    world.age("6 minutes");
    world.fail(R"({"path":"/55/message_templates","status":500,"times":100})");
    CHECK(world.checked(kGood) == "");
    world.organizations.status = 500;
    world.organizations.accounts.forget(world.organizations.account.organizationId);
    CHECK(world.checked(kGood) == "");
  }

  TEST_CASE("nobody is refused by what the channel said some time ago") {
    Checked world;
    CHECK(world.checked(of("new")) == "409 /message/template/name");
    world.control(http::Method::post, "/simulator/templates",
                  R"({"businessAccountId":"55","name":"new","language":"en_US","status":"APPROVED",)"
                  R"("components":[{"type":"BODY","text":"Hi"}]})");
    world.age("-1 hour");
    CHECK(world.checked(of("new")) == "409 /message/template/name");
    CHECK(world.calls("/message_templates") == 1);
    world.age("1 minute");
    CHECK(world.checked(of("hello_world")) == "");
    CHECK(world.calls("/message_templates") == 1);
    CHECK(world.checked(of("new")) == "");
    CHECK(world.calls("/message_templates") == 2);
    world.age("1 minute");
    world.fail(R"({"path":"/55/message_templates","status":500,"times":100})");
    CHECK(world.checked(of("nothing")) == "409 /message/template/name");
  }

  TEST_CASE("without an account there is nothing to send with") {
    Checked world;
    world.organizations.status = 404;
    CHECK(world.checked(kGood) == "409");
    CHECK(world.checked(R"({"type":"Text","text":"Hi"})") == "");
  }

  TEST_CASE("the messaging limits of those whose campaigns run are never old") {
    Checked world;
    conversations::templates::Limits limits(world.loop.process, world.catalogue, world.template_store);
    // The limit that is kept after those that are old were asked for; "" for none.
    const auto limit = [&] {
      const auto work = [&]() -> awaitable<bool> {
        co_await limits.refresh();
        co_return true;
      };
      world.loop.run(work());
      return world.database.execute("SELECT coalesce(max(messaging_limit), '') FROM phone_number");
    };
    const auto campaign = [&](const std::string& columns) {
      world.database.execute("DELETE FROM campaign");
      world.database.execute("INSERT INTO campaign (organization_id, id, name, status, scheduled_at) VALUES (" +
                             conversations_tests::quoted(world.organizations.account.organizationId) +
                             ", gen_random_uuid(), 'Sale', " + columns + ")");
    };
    const auto tell = [&](const std::string& tier) {
      world.control(http::Method::post, "/simulator/behaviour", R"({"messagingLimit":")" + tier + "\"}");
    };
    tell("TIER_2K");
    CHECK(limit() == "");
    campaign("'Scheduled', now() + interval '2 hours'");
    CHECK(limit() == "");
    campaign("'Scheduled', now() + interval '50 minutes'");
    CHECK(limit() == "TIER_2K");
    campaign("'Running', NULL");
    tell("TIER_10K");
    CHECK(limit() == "TIER_2K");
    world.age("61 minutes");
    CHECK(limit() == "TIER_10K");
    CHECK(
        world.get("/api/organization/phone-numbers").json().at("phoneNumbers").at(0).at("messagingLimit").as_string() ==
        "TIER_10K");
    world.age("61 minutes");
    world.fail(R"({"path":"/55/phone_numbers","status":500,"times":100})");
    CHECK(limit() == "TIER_10K");
    world.organizations.accounts.forget(world.organizations.account.organizationId);
    world.organizations.status = 500;
    CHECK(limit() == "TIER_10K");
  }

  TEST_CASE("a channel that does not know the limit lists its numbers all the same") {
    Checked world;
    world.fail(R"({"path":"/55/phone_numbers","code":100})");
    const auto numbers = world.get("/api/organization/phone-numbers");
    CHECK_FALSE(numbers.has("Parley-Degraded: channel"));
    CHECK(numbers.json().at("phoneNumbers").at(0).at("messagingLimit").is_null());
  }
}

// The channel's templates and phone numbers, as members see them.
#include <set>

#include "tests/integration/channel_world.hpp"

using namespace parley;
using namespace parley::channel_tests;
using namespace std::string_literals;

namespace {

const std::string kTemplates = "/api/organization/templates";
const std::string kNumbers = "/api/organization/phone-numbers";

// The values of one field of all templates, with blanks between them.
std::string of(const Answer& answer, std::string_view field) {
  std::string out;
  const auto json = answer.json();
  for (const auto& each : json.at("templates").as_array())
    out.append(out.empty() ? "" : " ").append(std::string(each.at(field).as_string()));
  return out;
}

struct Templates : World {
  Templates() {
    // An account without those that the simulator gives each to begin with.
    control(http::Method::post, "/simulator/accounts",
            R"({"businessAccountId":"55","phoneNumbers":[{"id":"66"},{"id":"77"}]})");
    std::set<std::string> names;
    const auto listed = asked(http::Method::get, "/v20.0/55/message_templates?limit=100");
    for (const auto& each : listed.at("data").as_array()) names.insert(std::string(each.at("name").as_string()));
    for (const auto& name : names) remove(name);
    organizations.account.businessAccountId = "55";
    organizations.account.phoneNumberId = "66";
  }
  void make(const std::string& name, const std::string& language = "en_US", const std::string& status = "APPROVED",
            const std::string& category = "UTILITY") {
    control(http::Method::post, "/simulator/templates",
            R"({"businessAccountId":"55","name":")" + name + R"(","language":")" + language + R"(","status":")" +
                status + R"(","category":")" + category + R"(","components":[{"type":"BODY","text":"Hi"}]})");
  }
  void remove(const std::string& name) { asked(http::Method::del, "/v20.0/55/message_templates?name=" + name); }
  void make_old(const std::string& kind = "Templates") {
    database.execute("UPDATE channel_list SET listed_at = now() - interval '6 minutes' WHERE kind = '" + kind + "'");
  }
  std::size_t lists() { return calls("/message_templates"); }
  void tell(const std::string& id, const std::string& status, const std::string& reason = "") {
    report({"55", id, model::Timestamp::now(), status, reason, "", ""});
  }

 private:
  // As the channel is asked.
  boost::json::value asked(http::Method method, const std::string& target) {
    const auto response =
        loop.run(control_client.send({.method = method,
                                      .target = target,
                                      .head = "Authorization: Bearer " + organizations.account.accessToken + "\r\n"}));
    REQUIRE_MESSAGE(response.status == 200, response.body);
    return Answer{200, "", response.body}.json();
  }
};

}  // namespace

TEST_SUITE("channel: templates") {
  TEST_CASE("they are asked for once in five minutes, and come in order of name and language") {
    Templates world;
    world.make("order_sent", "en_US");
    world.make("order_sent", "de", "REJECTED", "MARKETING");
    world.make("invoice", "en_US", "PENDING");
    const auto before = world.lists();
    const auto answer = world.get(kTemplates);
    CHECK(answer.status == 200);
    CHECK_FALSE(answer.has("Parley-Degraded: channel"));
    CHECK(of(answer, "name") == "invoice order_sent order_sent");
    CHECK(of(answer, "language") == "en_US de en_US");
    CHECK(of(answer, "status") == "PENDING REJECTED APPROVED");
    const auto first = answer.json().at("templates").at(0);
    CHECK(first.at("components").at(0).at("text").as_string() == "Hi");
    CHECK(first.at("statusReason").as_string().empty());
    CHECK(answer.json().at("paginationMeta").at("total").as_int64() == 3);
    CHECK(world.get(kTemplates).body == answer.body);
    CHECK(world.lists() == before + 1);
    world.make_old();
    world.make("welcome");
    world.remove("invoice");
    CHECK(of(world.get(kTemplates), "name") == "order_sent order_sent welcome");
    CHECK(world.lists() == before + 3);  // the removal is a call, too
  }

  TEST_CASE("filters combine, and pages are walked to their end") {
    Templates world;
    world.make("order_sent", "en_US");
    world.make("order_sent", "de");
    world.make("order_lost", "de", "PAUSED");
    world.make("sale", "de", "APPROVED", "MARKETING");
    CHECK(of(world.get(kTemplates + "?status=APPROVED"), "name") == "order_sent order_sent sale");
    CHECK(of(world.get(kTemplates + "?status=APPROVED&language=de"), "name") == "order_sent sale");
    CHECK(of(world.get(kTemplates + "?name=order_sent"), "language") == "de en_US");
    CHECK(of(world.get(kTemplates + "?category=MARKETING"), "name") == "sale");
    CHECK(of(world.get(kTemplates + "?search=ORDER&order=desc"), "name") == "order_sent order_sent order_lost");
    CHECK(of(world.get(kTemplates + "?name=order"), "name").empty());
    CHECK(of(world.get(kTemplates + "?skip=1&per_page=2"), "name") == "order_sent order_sent");
    for (const auto* order : {"asc", "desc"}) {
      std::string target = kTemplates + "?per_page=1&order=" + order, all;
      for (int pages = 0; pages < 4; ++pages) {
        const auto page = world.get(target);
        all += of(page, "name") + "/" + of(page, "language") + " ";
        const auto link = page.head.find("Link: <");
        REQUIRE(link != page.head.npos);
        target = page.head.substr(link + 7, page.head.find('>', link) - link - 7);
      }
      CHECK(all == (order == "asc"s ? "order_lost/de order_sent/de order_sent/en_US sale/de "
                                    : "sale/de order_sent/en_US order_sent/de order_lost/de "));
      CHECK(of(world.get(target), "name").empty());
    }
    CHECK(world.get(kTemplates + "?cursor=x").status == 400);
    CHECK(world.get(kTemplates + "?state=x").status == 400);
  }

  TEST_CASE("what is longer than a page of the channel's is read to its end") {
    Templates world;
    for (int i = 0; i < 130; ++i) world.make("t" + std::to_string(i));
    CHECK(world.get(kTemplates + "?per_page=1").json().at("paginationMeta").at("total").as_int64() == 130);
  }

  TEST_CASE("while the channel is away, the last list is answered, and the channel left alone") {
    Templates world;
    world.make("order_sent");
    SUBCASE("there is one") {
      const auto before = world.get(kTemplates);
      world.make_old();
      world.fail(R"({"path":"/55/message_templates","status":500,"times":100})");
      const auto lists = world.lists();
      const auto answer = world.get(kTemplates);
      CHECK(answer.status == 200);
      CHECK(answer.has("Parley-Degraded: channel"));
      CHECK(answer.body == before.body);
      CHECK(world.get(kTemplates).has("Parley-Degraded: channel"));
      CHECK(world.lists() == lists + 1);
    }
    SUBCASE("there is none yet") {
      world.fail(R"({"path":"/55/message_templates","status":"reset","times":100})");
      const auto answer = world.get(kTemplates);
      CHECK(answer.status == 200);
      CHECK(answer.has("Parley-Degraded: channel"));
      CHECK(of(answer, "name").empty());
    }
    SUBCASE("it is organizations that is away") {
      const auto before = world.get(kTemplates);
      world.organizations.accounts.forget(world.organizations.account.organizationId);
      world.organizations.status = 500;
      const auto answer = world.get(kTemplates);
      CHECK(answer.has("Parley-Degraded: organizations"));
      CHECK(answer.body == before.body);
    }
  }

  TEST_CASE("an organization without an account has none, and one with another account has that one's") {
    Templates world;
    world.make("order_sent");
    SUBCASE("none") {
      world.organizations.status = 404;
      CHECK(of(world.get(kTemplates), "name").empty());
      CHECK(world.get(kNumbers).body ==
            R"({"phoneNumbers":[],"notices":[],"paginationMeta":{"page":1,"per_page":1,"total":0,"nextCursor":null}})");
    }
    SUBCASE("another, which is away") {
      CHECK(of(world.get(kTemplates), "name") == "order_sent");
      world.organizations.accounts.forget(world.organizations.account.organizationId);
      world.organizations.account.businessAccountId = "56";
      world.fail(R"({"path":"/56/message_templates","status":500,"times":100})");
      const auto answer = world.get(kTemplates);
      CHECK(answer.has("Parley-Degraded: channel"));
      CHECK(of(answer, "name").empty());
    }
  }

  TEST_CASE("a webhook's word about a template holds at once, for all who have the account, and against older lists") {
    Templates world;
    world.make("order_sent", "en_US", "PENDING");
    const auto id = of(world.get(kTemplates), "id");
    const auto first = world.organizations.account.organizationId;
    world.organizations.account.organizationId = model::new_uuid();
    CHECK(of(world.get(kTemplates), "status") == "PENDING");

    world.fail(R"({"path":"/55/message_templates","status":500,"times":100})");
    world.tell(id, "REJECTED", "INVALID_FORMAT");
    CHECK(of(world.get(kTemplates), "status") == "REJECTED");
    CHECK(of(world.get(kTemplates), "statusReason") == "INVALID_FORMAT");
    world.organizations.account.organizationId = first;
    CHECK(of(world.get(kTemplates), "status") == "REJECTED");

    // A list that was asked for before that still said PENDING.
    const model::Timestamp earlier{model::Timestamp::now().milliseconds_since_epoch - 60'000};
    const auto save = [&]() -> awaitable<bool> {
      std::vector<channel::Template> listed{{id, "order_sent", "en_US", "UTILITY", "PENDING", {"[]"}}};
      co_await world.template_store.save(first, "55", earlier, std::move(listed));
      co_return true;
    };
    world.loop.run(save());
    CHECK(of(world.get(kTemplates), "status") == "REJECTED");
    world.tell(id, "REINSTATED");
    CHECK(of(world.get(kTemplates), "status") == "APPROVED");
    CHECK(of(world.get(kTemplates), "statusReason").empty());
  }

  TEST_CASE("phone numbers tell whether sending from them is stopped, and why") {
    Templates world;
    auto answer = world.get(kNumbers);
    CHECK(answer.status == 200);
    auto numbers = answer.json().at("phoneNumbers").as_array();
    REQUIRE(numbers.size() == 2);
    CHECK(numbers[0].at("id").as_string() == "66");
    CHECK_FALSE(numbers[0].at("registered").as_bool());
    CHECK(numbers[0].at("throughput").as_string() == "STANDARD");
    CHECK_FALSE(numbers[0].at("displayPhoneNumber").as_string().empty());
    CHECK(numbers[0].at("sendingStopped").is_null());
    CHECK(answer.json().at("notices").as_array().empty());
    world.database.execute(
        "INSERT INTO account_notice SELECT '" + world.organizations.account.organizationId.text() +
        "', gen_random_uuid(), n::text, CASE WHEN n = 30 THEN '56' ELSE '55' END, NULL, 'account_update', n::text, "
        "'Warning', '', '{\"a\": 1}', '2026-01-31T12:00:00Z'::timestamptz + make_interval(secs => n) FROM "
        "generate_series(1, 30) AS n");
    const auto notices = world.get(kNumbers).json().at("notices").as_array();
    REQUIRE(notices.size() == 5);  // the newest of their kind, of this account
    CHECK(notices[0].at("event").as_string() == "29");
    CHECK(notices[0].at("phoneNumber").is_null());
    CHECK(notices[0].at("data").at("a").as_int64() == 1);

    const auto add = [&](const std::string& number, const std::string& until) {
      world.database.execute(
          "INSERT INTO sender (organization_id, phone_number_id, stopped_until, stop_code, stop_text) VALUES ('" +
          world.organizations.account.organizationId.text() + "','" + number + "', " + until + ", 190, 'expired')");
    };
    add("66", "'infinity'");
    add("77", "'2100-01-01T00:00:00Z'");
    numbers = world.get(kNumbers).json().at("phoneNumbers").as_array();
    CHECK(boost::json::serialize(numbers[0].at("sendingStopped")) == R"({"code":190,"text":"expired","until":null})");
    CHECK(numbers[1].at("sendingStopped").at("until").as_string() == "2100-01-01T00:00:00.000Z");
    world.database.execute("UPDATE sender SET stopped_until = now() - interval '1 second'");
    CHECK(world.get(kNumbers).json().at("phoneNumbers").at(0).at("sendingStopped").is_null());
  }
}

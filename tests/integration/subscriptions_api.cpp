// The routes of outgoing webhooks.
#include <algorithm>

#include "tests/integration/subscriptions_bed.hpp"

using namespace parley;
using namespace parley::subscriptions_tests;

namespace {

const std::string kBody = R"({"url":"https://example.com/hook","events":["message.created","message.created"]})";

bool has(const http::Response& response, std::string_view text) {
  return response.head.find(text) != std::string::npos;
}

}  // namespace

TEST_SUITE("integration: outgoing webhooks' routes") {
  TEST_CASE("a webhook is made, listed, changed and deleted, and its secret is shown once") {
    Bed bed({}, false);
    const auto made = bed.post("/api/webhooks", kBody);
    REQUIRE(made.status == 201);
    CHECK(has(made, "Cache-Control: no-store\r\n"));
    const auto webhook = json_of(made).at("webhook");
    const std::string path = "/api/webhooks/" + std::string(webhook.at("uniqueId").as_string());
    CHECK(has(made, "Location: " + path + "\r\n"));
    CHECK(json_of(made).at("secret").as_string().starts_with("whsec_"));
    CHECK(webhook.at("events").as_array().size() == 1);  // each once
    CHECK(webhook.at("active").as_bool());
    CHECK(json_of(bed.get(path)).at("webhook") == webhook);
    CHECK(json_of(bed.get("/api/webhooks")).at("webhooks").as_array() == boost::json::array{webhook});
    CHECK(bed.get(path).body.find("whsec_") == std::string::npos);

    const auto changed = json_of(bed.post(path, R"({"description":"desk","active":false})")).at("webhook");
    CHECK(changed.at("url") == webhook.at("url"));
    CHECK(changed.at("description").as_string() == "desk");
    CHECK_FALSE(changed.at("active").as_bool());
    CHECK(bed.remove(path).status == 204);
    CHECK(bed.get(path).status == 404);
    CHECK(bed.remove(path).status == 404);
    CHECK(bed.post(path, "{}").status == 404);
    CHECK(bed.post(path + "/test").status == 404);
    CHECK(bed.post(path + "/rotate-secret").status == 404);
    CHECK(bed.get(path + "/deliveries").status == 404);
    CHECK(bed.database.number("SELECT count(*) FROM removal WHERE kind = 'webhook'") == 1);
  }

  TEST_CASE("what is wrong is named") {
    Bed bed({}, false);
    const auto pointers = [&](const std::string& body) {
      std::vector<std::string> out;
      const auto response = bed.post("/api/webhooks", body);
      CHECK(response.status == 400);
      const auto json = json_of(response);
      for (const auto& error : json.at("errors").as_array()) out.emplace_back(error.at("pointer").as_string());
      return out;
    };
    using Pointers = std::vector<std::string>;
    CHECK(pointers("{}") == Pointers{"/url", "/events"});
    CHECK(pointers(R"({"url":"http://example.com","events":[]})") == Pointers{"/url", "/events"});
    CHECK(pointers(R"({"url":"https://10.0.0.1/","events":["message.created","message.*"]})") ==
          Pointers{"/url", "/events/1"});
    CHECK(pointers(R"({"url":"https://example.com","events":["webhook.test"]})") == Pointers{"/events/0"});
    CHECK(pointers(R"({"url":"https://example.com","events":["contact.created"],"description":")" +
                   std::string(2'001, 'x') + "\"}") == Pointers{"/description"});
    CHECK(bed.get("/api/webhooks/" + model::new_uuid().text()).status == 404);
    const auto path = "/api/webhooks/" +
                      std::string(json_of(bed.post("/api/webhooks", kBody)).at("webhook").at("uniqueId").as_string());
    CHECK(bed.post(path, R"({"events":[]})").status == 400);
    CHECK(bed.post(path, R"({"url":"https://[fd00::1]/"})").status == 400);
    for (const std::string query : {"?state=Lost", "?per_page=0", "?per_page=101", "?cursor=x", "?skip=1"})
      CHECK(bed.get(path + "/deliveries" + query).status == 400);
  }

  TEST_CASE("an organization may have 100, and sees no other's") {
    Bed bed({}, false);
    bed.database.execute("INSERT INTO webhook (organization_id, id, url, description, events, active, secret) SELECT " +
                         quoted(bed.organization) +
                         ", gen_random_uuid(), 'https://example.com/', '', '{message.created}', true, 'x' "
                         "FROM generate_series(1, 99)");
    CHECK(bed.post("/api/webhooks", kBody).status == 201);
    const auto refused = bed.post("/api/webhooks", kBody);
    CHECK(refused.status == 403);
    CHECK(refused.body.find("the quota webhooks, whose limit is 100") != std::string::npos);
    const auto id = bed.database.execute("SELECT id FROM webhook LIMIT 1");
    bed.organization = model::new_uuid();
    CHECK(json_of(bed.get("/api/webhooks")).at("webhooks").as_array().empty());
    for (const std::string rest : {"", "/deliveries"}) CHECK(bed.get("/api/webhooks/" + id + rest).status == 404);
    for (const std::string rest : {"/test", "/rotate-secret"})
      CHECK(bed.post("/api/webhooks/" + id + rest).status == 404);
  }

  TEST_CASE("the log is read page by page, the newest first") {
    Bed bed;
    Endpoint endpoint;
    const auto webhook = bed.make(endpoint.url());
    bed.tell(std::vector(5, bed.organization));
    bed.until([&] { return endpoint.calls().size() == 5; });
    std::vector<std::string> seen;
    std::string target = webhook.path + "/deliveries?per_page=2";
    while (!target.empty() && seen.size() < 10) {
      const auto page = bed.get(target);
      const auto json = json_of(page);
      for (const auto& each : json.at("deliveries").as_array()) seen.emplace_back(each.at("uniqueId").as_string());
      const auto link = page.head.find("Link: <");
      target = link == page.head.npos ? "" : page.head.substr(link + 7, page.head.find('>', link) - link - 7);
    }
    REQUIRE(seen.size() == 5);
    CHECK(std::is_sorted(seen.rbegin(), seen.rend()));
    CHECK(bed.deliveries(webhook, "?state=Failed").empty());
  }
}

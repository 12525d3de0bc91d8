// Templates through the gateway: made, reviewed by the channel, changed and deleted.
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "tests/e2e/channel_bed.hpp"

using namespace parley;
using namespace parley::e2e;

namespace json = boost::json;

namespace {

const std::string kTemplates = "/api/organization/templates";

json::array body(const std::string& text) {
  return {json::object{{"type", "BODY"}, {"text", text}, {"example", {{"body_text", {json::array{"Ada"}}}}}}};
}

}  // namespace

TEST_SUITE("e2e: templates") {
  TEST_CASE("a template is submitted, refused, changed, approved, paused and deleted, as the channel tells") {
    auto& system = world().system;
    Channel channel(system, "templates-made", "291100000032");
    auto client = channel.client();
    const auto picture =
        client.post("/api/organization/template-media", "Not quite a picture", {{"Content-Type", "image/png"}});
    REQUIRE_EQ(picture.status, 201);
    auto components = body("Hello {{1}}, welcome.");
    components.push_back({{"type", "HEADER"},
                          {"format", "IMAGE"},
                          {"example", {{"header_handle", {picture.json().at("media").at("handle")}}}}});
    const json::object draft{
        {"name", "e2e_made"}, {"language", "en_US"}, {"category", "UTILITY"}, {"components", components}};
    const auto made = client.post(kTemplates, json::serialize(draft));
    REQUIRE_EQ(made.status, 201);
    const auto id = std::string(made.json().at("messageTemplate").at("id").as_string());
    const auto place = kTemplates + "/" + id;
    const auto field = [&](const char* name) {
      return std::string(client.get(place).json().at("messageTemplate").at(name).as_string());
    };
    const auto review = [&](const json::object& word) {
      auto whole = word;
      whole["id"] = id;
      channel.simulator("POST", "/simulator/templates", whole);
    };
    CHECK_EQ(field("status"), "PENDING");
    review({{"status", "REJECTED"}, {"reason", "ABUSIVE_CONTENT"}});
    wait_for("the template is refused", [&] { return field("status") == "REJECTED"; });
    CHECK_EQ(field("statusReason"), "ABUSIVE_CONTENT");

    const auto edit = json::serialize(json::object{{"components", body("Hello {{1}}, come in.")}});
    CHECK_EQ(client.post(place, edit).status, 200);
    CHECK_EQ(field("status"), "PENDING");
    review({{"status", "APPROVED"}, {"quality", "GREEN"}, {"category", "MARKETING"}});
    wait_for("the template is approved", [&] {
      return field("status") == "APPROVED" && field("quality") == "GREEN" && field("category") == "MARKETING";
    });
    review({{"status", "PAUSED"}, {"reason", "Paused for 3 hours"}});
    wait_for("the template is paused", [&] { return field("status") == "PAUSED"; });
    CHECK_EQ(field("statusReason"), "Paused for 3 hours");

    CHECK_EQ(Client(system, world().b.owner.api_key).get(place).status, 404);
    CHECK_EQ(Client(system, world().b.owner.api_key)("DELETE", place).status, 404);
    CHECK_EQ(client("DELETE", place).status, 204);
    CHECK_EQ(client.get(place).status, 404);
  }
}

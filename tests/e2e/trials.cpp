// A campaign's message previewed and tried, through the whole system, with the simulator as the judge.
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "tests/e2e/campaign_bed.hpp"

using namespace parley;
using namespace parley::e2e;
namespace json = boost::json;

namespace {

std::string string(const json::value& value, std::string_view name) { return value.at(name).as_string().c_str(); }

// The texts of a template message's component, as the channel got it.
std::string parameters_of(const json::value& accepted, std::size_t component) {
  const auto body = json::parse(accepted.at("body").as_string());
  std::string out;
  const auto& parameters = body.at("template").at("components").at(component).at("parameters").as_array();
  for (const auto& parameter : parameters) out.append(out.empty() ? "" : " | ").append(string(parameter, "text"));
  return out;
}

}  // namespace

TEST_SUITE("e2e: trials") {
  TEST_CASE("a campaign is looked at and sent to a few numbers before it is started, and none of that counts") {
    System system{{.replicas = 1, .environment = {}}};
    CampaignScene scene{system, "Trials", "200000000000401"};
    const auto list = scene.import_list("all", 7, 1);
    auto campaign = scene.template_campaign(
        {list}, "order_update", {{"1", "{{name|there}}"}, {"2", "{{order|none}}, see https://shop.example/orders"}});
    auto& form = campaign["message"].at("template").as_object();
    const auto incomplete = scene.make(campaign);
    form["buttons"] = {{{"index", 0}, {"url", "{{order|new}}"}}};
    const auto id = scene.make(campaign);
    auto client = scene.client();

    const auto previews = client.get("/api/campaigns/" + id + "/preview").json().at("previews").as_array();
    REQUIRE_EQ(previews.size(), 1U);
    CHECK_FALSE(previews[0].at("contactId").is_null());
    CHECK_EQ(json::serialize(previews[0].at("messageData").at("components")),
             R"([{"type":"body","parameters":[{"type":"text","text":"Person 7"},{"type":"text","text":"7, see )"
             R"(https://shop.example/orders"}]},{"type":"button","sub_type":"url","index":"0","parameters":[{"type":)"
             R"("text","text":"7"}]}])");

    const std::string stranger = "4915199999001",
                      phones = R"({"phones":["+)" + scene.number(7) + R"(","+)" + stranger + "\"]}";
    const auto refused = client.post("/api/campaigns/" + incomplete + "/test", phones);
    CHECK_EQ(refused.status, 409);
    CHECK_EQ(string(refused.json().at("errors").at(0), "pointer"), "/message/template/buttons");

    const auto answer = client.post("/api/campaigns/" + id + "/test", phones);
    REQUIRE_MESSAGE(answer.status == 200, answer.body);
    const auto tests = answer.json().at("tests").as_array();
    for (const auto& test : tests)
      wait_for("the channel has it", [&] {
        const auto message = client.get("/api/messages/" + string(test, "messageId")).json().at("message");
        return string(message, "status") != "Queued" && string(message, "status") != "Failed";
      });
    const auto accepted_of = [&](const std::string& number) {
      const auto accepted = scene.channel().simulator("GET", "/simulator/accepted?recipient=" + number).at("accepted");
      REQUIRE_EQ(accepted.as_array().size(), 1U);
      return accepted.at(0);
    };
    const auto words = parameters_of(accepted_of(scene.number(7)), 0);
    CHECK(words.starts_with("Person 7 | 7, see http"));
    CHECK(parameters_of(accepted_of(stranger), 0).starts_with("+" + stranger + " | none, see http"));
    CHECK_EQ(parameters_of(accepted_of(stranger), 1), "new");

    const auto link = words.substr(words.find("/l/"));
    const auto followed = Client(system, "").get(link);
    CHECK_EQ(followed.status, 302);
    CHECK_EQ(followed.header("Location"), "https://shop.example/orders");
    CHECK_EQ(scene.progress(id, "recipients"), 0);
    CHECK_EQ(scene.status(id), "Draft");
  }
}

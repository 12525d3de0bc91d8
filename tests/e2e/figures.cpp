// What becomes of a campaign's recipients has the same words and the same numbers wherever it is told.
#include <boost/json/serialize.hpp>
#include <map>

#include "tests/e2e/campaign_bed.hpp"

using namespace parley;
using namespace parley::e2e;
namespace json = boost::json;

namespace {

using Reasons = std::map<std::pair<std::string, std::string>, std::int64_t>;  // recipients by state and reason

constexpr auto kStates = {"recipients", "skipped", "pending",     "sent",   "delivered",
                          "read",       "failed",  "undelivered", "inDoubt"};

std::string string(const json::value& value, std::string_view name) { return value.at(name).as_string().c_str(); }

std::int64_t number(const json::value& value, std::string_view name) {
  return value.at(name).to_number<std::int64_t>();
}

struct Bed {
  System system{{.environment = {{"PARLEY_DISPATCH_DOUBT_SECONDS", "2"}}}};
  CampaignScene scene{system, "Counting", "200000000000451"};

  json::value simulator(const std::string& path, const json::object& body) {
    return scene.channel().simulator("POST", "/simulator/" + path, body);
  }
  // What happens to the next message to anybody, or to one person.
  void fault(json::object fault, const std::string& phone = {}) {
    fault["path"] = "/*/messages";
    if (!phone.empty()) fault["recipient"] = phone.substr(1);
    simulator("faults", fault);
  }
  std::int64_t accepted(const std::string& phone) {
    const auto found = scene.channel().simulator("GET", "/simulator/accepted?recipient=" + phone.substr(1));
    return std::ssize(found.at("accepted").as_array());
  }
  // The channel tells this of what was sent to a person.
  void tell(const std::string& phone, const std::string& status, int code = 0) {
    const auto sent = scene.channel().simulator("GET", "/simulator/accepted?recipient=" + phone.substr(1));
    json::object told{{"messageId", sent.at("accepted").at(0).at("wamid")}, {"status", status}};
    if (code != 0) told["errors"] = json::array{{{"code", code}, {"title", "for the test"}}};
    simulator("statuses", told);
  }
  std::vector<std::string> phones(const std::string& id, const std::string& query) {
    std::vector<std::string> out;
    for (const auto& each : scene.recipients(id, query)) out.push_back(string(each, "phone"));
    return out;
  }
  Reasons reasons(const std::string& id) {
    Reasons out;
    for (const auto& each : scene.recipients(id))
      if (!each.at("reason").is_null()) ++out[{string(each, "state"), string(each, "reason")}];
    return out;
  }
  json::value figures(const std::string& id) {
    const auto answer = scene.client().get("/api/campaigns/" + id + "/figures");
    REQUIRE_MESSAGE(answer.status == 200, answer.body);
    return answer.json().at("figures");
  }
};

std::string text_of(const Reasons& reasons) {
  std::string out;
  for (const auto& [key, n] : reasons) out += key.first + " " + key.second + " " + std::to_string(n) + "\n";
  return out;
}

std::int64_t sum(const json::value& all, std::string_view name) {
  std::int64_t out = 0;
  for (const auto& each : all.as_array()) out += number(each, name);
  return out;
}

}  // namespace

TEST_SUITE("e2e: figures") {
  TEST_CASE("all outcomes have the same words and numbers in progress, recipients, figures and analytics") {
    Bed bed;
    auto& scene = bed.scene;
    bed.simulator("behaviour", {{"statuses", "none"}});
    const auto list = scene.import_list("everybody", 1, 24);  // 10 and 20 have no order
    scene.change_contact(1, {{"status", "Blocked"}});
    scene.change_contact(2, {{"status", "OptedOut"}});
    scene.change_contact(3, {{"status", "Inactive"}});
    auto wanted = scene.template_campaign({list}, "greeting", {{"1", "{{name|there}}"}, {"2", "{{order}}"}});
    wanted["messagesPerSecond"] = 1;  // so that none is sent before the answer to the one that stops it
    auto other = scene.template_campaign({}, "greeting", {{"1", "there"}, {"2", "{{order}}"}}).at("message");
    wanted["variants"] = json::array{{{"name", "B"}, {"share", 50}, {"message", other}}};

    // The channel stops it at its first message, which then is not sent in time.
    bed.fault({{"code", 132015}});
    const auto id = scene.start(wanted);
    scene.wait_for_status(id, "Paused");
    bed.system.sql("conversations").rows("UPDATE outgoing SET expires_at = now() WHERE campaign_id = $1", {id});
    wait_for("it is too late for the first one", [&] { return scene.progress(id, "failed") == 1; });
    const auto people = bed.phones(id, "state=Pending");
    REQUIRE_GE(people.size(), 12);
    const auto deleted = bed.scene.channel().contact(people[0].substr(1));
    CHECK_EQ(scene.client()("DELETE", "/api/contacts/" + string(deleted, "uniqueId")).status, 204);
    wait_for("the deletion is known", [&] {
      return bed.system.sql("conversations")
                 .rows("SELECT FROM removal WHERE kind = 'contact' AND id = $1", {string(deleted, "uniqueId")})
                 .size() == 1;
    });
    bed.fault({{"code", 131026}}, people[1]);
    bed.fault({{"status", "lose"}}, people[2]);
    // It stops at the ninth again: that one, and those behind it, are not sent to.
    bed.fault({{"code", 132015}}, people[8]);
    scene.act(id, "resume");
    scene.wait_for_status(id, "Paused");
    for (std::size_t i = 3; i < 8; ++i) REQUIRE_EQ(bed.accepted(people[i]), 1);
    bed.tell(people[3], "sent");
    bed.tell(people[4], "delivered");
    bed.tell(people[5], "read");
    bed.tell(people[6], "failed", 131049);
    bed.tell(people[7], "failed", 131049);
    bed.tell(people[7], "delivered");  // on another device
    bed.simulator(
        "inbound",
        {{"phoneNumberId", scene.channel().phone_number_id()}, {"from", people[5].substr(1)}, {"text", "Yes"}});
    bed.simulator(
        "inbound",
        {{"phoneNumberId", scene.channel().phone_number_id()}, {"from", people[5].substr(1)}, {"text", "please"}});
    scene.act(id, "cancel");
    scene.wait_for_progress(id, "undelivered", 1);
    scene.wait_for_progress(id, "delivered", 2);
    scene.wait_for_progress(id, "read", 1);
    wait_for("what is in doubt is given up",
             [&] { return scene.progress(id, "inDoubt") == 0 && scene.progress(id, "pending") == 0; });

    const auto reasons = bed.reasons(id);
    const auto left = static_cast<std::int64_t>(people.size()) - 9;
    CHECK_EQ(
        text_of(reasons),
        "Failed 131026 1\nFailed 132015 1\nFailed NotSent 1\nFailed unknown 1\nSkipped Blocked 1\nSkipped Cancelled " +
            std::to_string(left) +
            "\nSkipped Deleted 1\nSkipped Inactive 1\nSkipped MissingValue 2\nSkipped OptedOut 1\n"
            "UnDelivered 131049 1\n");
    scene.check_adds_up(id);
    const auto progress = scene.campaign(id).at("progress");
    CHECK_EQ(number(progress, "failed"), 4);
    CHECK_EQ(number(progress, "sent"), 1);

    wait_for("the replies are counted", [&] {
      const auto shown = bed.figures(id);
      return number(shown.at("total"), "replied") == 1 && sum(shown.at("byHour"), "replies") == 2;
    });
    const auto figures = bed.figures(id);
    Reasons told;
    for (const auto& each : figures.at("byReason").as_array()) {
      told[{string(each, "state"), string(each, "reason")}] = number(each, "recipients");
      CHECK_FALSE(string(each, "text").empty());
    }
    CHECK_EQ(text_of(told), text_of(reasons));
    for (const auto* name : kStates) {
      CAPTURE(name);
      CHECK_EQ(number(figures.at("total"), name), number(progress, name));
      CHECK_EQ(sum(figures.at("byVariant"), name), number(progress, name));
    }
    CHECK_EQ(sum(figures.at("byVariant"), "replied"), 1);
    REQUIRE_EQ(figures.at("byVariant").as_array().size(), 2);
    CHECK_EQ(number(figures.at("byVariant").at(1), "recipients"), std::ssize(scene.recipients(id, "variant=B")));
    for (const auto* name : {"sent", "delivered", "read", "failed", "undelivered"}) {
      CAPTURE(name);
      CHECK_EQ(sum(figures.at("byHour"), name), number(progress, name));
    }
    CHECK_EQ(sum(figures.at("byHour"), "replies"), 2);

    json::value analytics;
    const auto agrees = [&] {
      analytics = scene.client().get("/api/analytics/campaign/" + id).json().at("analytics");
      const auto of = [&](std::string_view name) { return number(progress, name); };
      return number(analytics, "totalRecipients") == of("recipients") - of("skipped") &&
             number(analytics, "messagesFailed") == of("failed") &&
             number(analytics, "messagesUndelivered") == of("undelivered") &&
             number(analytics, "messagesRead") == of("read") &&
             number(analytics, "messagesDelivered") == of("delivered") + of("read") &&
             number(analytics, "messagesSent") == of("sent") + of("delivered") + of("read") + of("undelivered");
    };
    CHECK_MESSAGE(comes_to(agrees), json::serialize(analytics), " is not ", json::serialize(progress));
  }
}

// Campaigns from their making to their figures, through the whole system, with the simulator as the judge.
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <set>
#include <thread>

#include "common/model/timestamp.hpp"
#include "tests/e2e/campaign_bed.hpp"
#include "tests/e2e/stream_bed.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;
namespace json = boost::json;

namespace {

struct Bed {
  System system{{.replicas = 2, .environment = {}}};
  CampaignScene scene{system, "Campaigning", "200000000000401"};
  int next = 0;

  // A list of people who are in no other.
  std::string people(int count) {
    const auto first = next;
    next += count;
    return scene.import_list("people from " + std::to_string(first), first, count);
  }
};
Bed& bed() {
  static Bed the_bed;
  return the_bed;
}

std::string string(const json::value& value, std::string_view name) { return value.at(name).as_string().c_str(); }

// What the simulator accepted for a person, newest last.
json::array accepted_of(int n) {
  return bed()
      .scene.channel()
      .simulator("GET", "/simulator/accepted?recipient=" + CampaignScene::number(n))
      .at("accepted")
      .as_array();
}

void behave(const json::value& behaviour) {
  bed().scene.channel().simulator("POST", "/simulator/behaviour", behaviour);
}

json::object analytics_of(const std::string& id) {
  return bed().scene.client().get("/api/analytics/campaign/" + id).json().at("analytics").as_object();
}

Answer post(const std::string& target, const json::value& body = json::object{}) {
  return bed().scene.client().post(target, json::serialize(body));
}

std::vector<std::string> contacts_of(const std::string& list) {
  std::vector<std::string> out;
  const auto answer = bed().scene.client().get("/api/contacts?per_page=100&list_id=" + list);
  const auto page = answer.json();
  for (const auto& contact : page.at("contacts").as_array()) out.push_back(string(contact, "phone"));
  std::sort(out.begin(), out.end());
  return out;
}

// The path of the link in what a person was sent.
std::string link_in(const std::string& text) {
  const auto begin = text.find("/l/");
  REQUIRE_NE(begin, text.npos);
  return text.substr(begin, text.find_first_of(" \"\n", begin) - begin);
}

std::string text_sent_to(int n) {
  const auto body = json::parse(string(accepted_of(n).back(), "body"));
  return string(body.at("text"), "body");
}

}  // namespace

TEST_SUITE("e2e: campaigns") {
  TEST_CASE("a message to many reaches each of them once, and is accounted for") {
    auto& scene = bed().scene;
    behave({{"statuses", "all"}});
    const auto first = bed().next;
    const auto everybody = bed().people(230);
    const auto some = scene.import_list("some of them", first + 100, 60);  // twice in the audience
    const auto others = scene.import_list("not them", first + 200, 20);
    scene.change_contact(first, {{"status", "Blocked"}});
    scene.change_contact(first + 1, {{"status", "OptedOut"}});
    scene.change_contact(first + 2, {{"status", "Inactive"}});

    auto wanted = scene.text_campaign({everybody, some}, "Hi {{name|there}}, {{order|no order}} in {{city}}");
    wanted["excludedListIds"] = json::array{json::value(others)};
    wanted["tags"] = json::array{"spring"};
    const auto id = scene.make(wanted);
    CHECK_EQ(scene.status(id), "Draft");
    const auto counted = scene.client().get("/api/campaigns/" + id + "/audience");
    REQUIRE_MESSAGE(counted.status == 200, counted.body);
    CHECK_EQ(scene.act(id, "start"), "Running");
    scene.wait_for_status(id, "Finished");
    scene.wait_for_progress(id, "read", 207);

    for (int n = first; n < first + 230; ++n) {
      const auto sent = accepted_of(n);
      const bool left_out = n < first + 3 || (n >= first + 200 && n < first + 220);
      REQUIRE_MESSAGE(sent.size() == (left_out ? 0 : 1), "person " << n);
      if (left_out) continue;
      CHECK_EQ(sent.at(0).at("count").as_int64(), 1);
      const auto order = n % 10 == 0 ? "no order" : std::to_string(n);
      CHECK_EQ(text_sent_to(n), "Hi Person " + std::to_string(n) + ", " + order + " in Town " + std::to_string(n % 7));
    }
    CHECK_EQ(scene.progress(id, "recipients"), 210);
    CHECK_EQ(scene.progress(id, "skipped"), 3);
    scene.check_adds_up(id);
    std::multiset<std::string> reasons;
    for (const auto& each : scene.recipients(id, "state=Skipped")) reasons.insert(string(each, "reason"));
    CHECK_EQ(reasons, std::multiset<std::string>{"Blocked", "Inactive", "OptedOut"});
    // As was counted before.
    CHECK_EQ(
        counted.json().at("audience"),
        json::value({{"recipients", 210},
                     {"messages", 207},
                     {"skipped",
                      {{"total", 3},
                       {"byReason",
                        {{"OptedOut", 1}, {"Blocked", 1}, {"Inactive", 1}, {"Invalid", 0}, {"MissingValue", 0}}}}}}));
    CHECK_EQ(scene.client().get("/api/campaigns/" + id + "/audience").status, 409);

    wait_for("analytics has heard of it", [&] { return analytics_of(id).at("messagesRead").to_number<int>() == 207; });
    const auto figures = analytics_of(id);
    CHECK_EQ(figures.at("totalRecipients").as_int64(), 207);
    CHECK_EQ(figures.at("messagesSent").as_int64(), 207);
    CHECK_EQ(figures.at("messagesFailed").as_int64(), 0);
    CHECK_EQ(figures.at("conversationInitiated").as_int64(), 207);
    CHECK_EQ(figures.at("openRate").to_number<double>(), 100.0);
    for (const auto& list : {everybody, some})
      wait_for("the list counts it", [&] {
        const auto answer = scene.client().get("/api/lists/" + list).json();
        return answer.at("list").at("numberOfCampaignsSent").as_int64() == 1;
      });

    // What is in a member's inbox.
    const auto conversation = scene.channel().conversation(CampaignScene::number(first + 5));
    CHECK_EQ(string(conversation, "initiatedBy"), "Campaign");
    CHECK_EQ(string(conversation, "campaignId"), id);
  }

  TEST_CASE("a message to a segment reaches those who fulfil its filter when it begins") {
    auto& scene = bed().scene;
    behave({{"statuses", "all"}});
    const auto first = bed().next;
    const auto everybody = bed().people(40);
    const auto few = scene.import_list("few of them", first + 30, 10), others = scene.import_list("not them", first, 3);
    const json::object in_list{{"type", "list"}, {"listIds", json::array{json::string(everybody)}}};
    const json::object order{
        {"type", "number"}, {"attribute", "order"}, {"lessThan", first + 10}};  // every tenth has none
    const auto made =
        post("/api/segments", {{"name", "early orders " + everybody},
                               {"filter", {{"type", "all"}, {"conditions", json::array{in_list, order}}}}});
    REQUIRE_MESSAGE(made.status == 201, made.body);
    const auto segment = string(made.json().at("segment"), "uniqueId");

    auto wanted = scene.text_campaign({}, "Hi {{name|there}}");
    wanted["segmentIds"] = json::array{"00000000-0000-7000-8000-000000000000"};
    const auto unknown = post("/api/campaigns", wanted);
    CHECK_EQ(unknown.status, 400);
    CHECK_EQ(string(unknown.json().at("errors").at(0), "pointer"), "/segmentIds/0");
    wanted["segmentIds"] = json::array{json::string(segment)};
    wanted["excludedListIds"] = json::array{json::string(others)};
    const auto by_segment = scene.make(wanted);
    CHECK_EQ(scene.campaign(by_segment).at("segmentIds"), json::value(json::array{json::string(segment)}));
    const auto copy = post("/api/campaigns/" + by_segment + "/duplicate");
    CHECK_EQ(copy.json().at("campaign").at("segmentIds").as_array().size(), 1);
    const auto count = [&](const std::string& id) {
      const auto answer = scene.client().get("/api/campaigns/" + id + "/audience");
      REQUIRE_MESSAGE(answer.status == 200, answer.body);
      return answer.json().at("audience").at("recipients").as_int64();
    };
    const auto is_meant = [&](int n, int end) { return n >= first + 3 && n < end && n % 10 != 0; };
    const auto meant = [&](int end) {
      std::int64_t out = 0;
      for (int n = first; n < first + 40; ++n) out += is_meant(n, end);
      return out;
    };
    CHECK_EQ(count(by_segment), meant(first + 10));
    // Changed before it begins.
    CHECK_EQ(post("/api/segments/" + segment,
                  {{"filter",
                    {{"type", "all"},
                     {"conditions", json::array{in_list, json::object{{"type", "number"},
                                                                      {"attribute", "order"},
                                                                      {"lessThan", first + 20}}}}}}})
                 .status,
             200);
    CHECK_EQ(count(by_segment), meant(first + 20));
    wanted["listIds"] = json::array{json::string(few)};
    CHECK_EQ(count(scene.make(wanted)), meant(first + 20) + 10);

    CHECK_EQ(scene.act(by_segment, "start"), "Running");
    scene.wait_for_status(by_segment, "Finished");
    CHECK_EQ(scene.progress(by_segment, "recipients"), meant(first + 20));
    scene.wait_for_progress(by_segment, "read", meant(first + 20));
    for (int n = first; n < first + 40; ++n)
      CHECK_MESSAGE(accepted_of(n).size() == (is_meant(n, first + 20) ? 1 : 0), "person " << n);
    scene.check_adds_up(by_segment);

    // Of a segment that is gone nobody is a recipient, as of a list.
    CHECK_EQ(scene.client()("DELETE", "/api/segments/" + segment).status, 204);
    CHECK_EQ(count(string(copy.json().at("campaign"), "uniqueId")), 0);
    const auto bare = post("/api/campaigns/" + by_segment + "/duplicate");
    CHECK_EQ(bare.json().at("campaign").at("segmentIds").as_array().size(), 0);
    CHECK_EQ(post("/api/campaigns/" + string(bare.json().at("campaign"), "uniqueId") + "/start").status, 409);
  }

  TEST_CASE("it waits for its time, is found late, paused, gone on with, cancelled") {
    auto& scene = bed().scene;
    behave({{"statuses", "none"}});
    const auto first = bed().next;
    const auto list = bed().people(200);
    const auto in = [](std::chrono::seconds time) {
      return model::Timestamp{model::Timestamp::now().milliseconds_since_epoch + time.count() * 1'000}.text();
    };

    auto soon = scene.text_campaign({list});
    soon["scheduledAt"] = in(3s);
    soon["messagesPerSecond"] = 20;
    const auto id = scene.start(soon);
    CHECK_EQ(scene.status(id), "Scheduled");
    CHECK(accepted_of(first).empty());
    scene.wait_for_progress(id, "sent", 10);
    CHECK_EQ(scene.act(id, "pause"), "Paused");
    std::this_thread::sleep_for(1s);
    const auto total = [&] {
      std::int64_t out = 0;
      const auto accepted = scene.accepted();
      for (int n = first; n < first + 200; ++n)
        if (const auto found = accepted.find(CampaignScene::number(n)); found != accepted.end()) out += found->second;
      return out;
    };
    const auto at_pause = total();
    CHECK_LT(at_pause, 200);
    std::this_thread::sleep_for(2s);
    CHECK_EQ(total(), at_pause);
    CHECK_EQ(post("/api/campaigns/" + id + "/start").status, 409);
    CHECK_EQ(scene.act(id, "resume"), "Running");
    scene.wait_for_progress(id, "sent", at_pause + 20);
    CHECK_EQ(scene.act(id, "cancel"), "Cancelled");
    std::this_thread::sleep_for(1s);
    const auto at_cancel = total();
    CHECK_LT(at_cancel, 200);
    std::this_thread::sleep_for(2s);
    CHECK_EQ(total(), at_cancel);
    wait_for("nothing is pending", [&] { return scene.progress(id, "pending") == 0; });
    CHECK_EQ(scene.progress(id, "sent"), at_cancel);
    scene.check_adds_up(id);
    for (const auto& [number, count] : scene.accepted()) CHECK_MESSAGE(count == 1, number);

    auto later = scene.text_campaign({list});
    later["scheduledAt"] = in(2s);
    later["allowedLatenessSeconds"] = 60;
    const auto late = scene.start(later);
    bed()
        .system.sql("conversations")
        .rows("UPDATE campaign SET scheduled_at = now() - interval '2 hours' WHERE id = $1", {late});
    scene.wait_for_status(late, "Paused");
    CHECK_NE(string(scene.campaign(late), "statusReason").find("late"), std::string::npos);
    CHECK_EQ(total(), at_cancel);
  }

  TEST_CASE("links are followed, messages answered, and lists made of who did") {
    auto& scene = bed().scene;
    behave({{"statuses", "all"}});
    const auto first = bed().next;
    const auto list = bed().people(12);
    const auto id = scene.start(scene.text_campaign({list}, "See https://shop.example/sale?x=1&y=2 {{name}}"));
    scene.wait_for_status(id, "Finished");
    scene.wait_for_progress(id, "read", 12);

    Client visitor(bed().system);
    std::set<std::string> paths;
    for (int n = first; n < first + 12; ++n) paths.insert(link_in(text_sent_to(n)));
    CHECK_EQ(paths.size(), 12);
    const auto path = link_in(text_sent_to(first));
    for (int times = 0; times < 3; ++times) {
      const auto answer = visitor.get(path, {{"User-Agent", "Mozilla/5.0 (X11; Linux x86_64)"}});
      CHECK_EQ(answer.status, 302);
      CHECK_EQ(answer.header("Location"), "https://shop.example/sale?x=1&y=2");
    }
    CHECK_EQ(visitor.get(link_in(text_sent_to(first + 1)), {{"User-Agent", "WhatsApp/2.23.20.0"}}).status, 302);
    auto forged = path;
    forged.back() = forged.back() == 'A' ? 'B' : 'A';
    forged[forged.size() - 4] = forged[forged.size() - 4] == 'A' ? 'B' : 'A';
    CHECK_EQ(visitor.get(forged).status, 404);
    wait_for("the clicks are counted", [&] {
      const auto links = scene.campaign(id).at("links").as_array();
      return links.size() == 1 && links.at(0).at("clicks").as_int64() == 3 &&
             links.at(0).at("people").as_int64() == 1 && links.at(0).at("previews").as_int64() == 1;
    });

    auto& channel = scene.channel();
    channel.deliver(channel.body({Channel::text(CampaignScene::number(first + 2), "wamid.reply.1", "Nice"),
                                  Channel::text(CampaignScene::number(first + 2), "wamid.reply.2", "Very"),
                                  Channel::text(CampaignScene::number(first), "wamid.reply.3", "I clicked")}));
    wait_for("analytics has heard of it", [&] {
      const auto figures = analytics_of(id);
      return figures.at("totalMessages").as_int64() == 15 && figures.at("engagementRate").to_number<double>() > 16;
    });
    const auto figures = analytics_of(id);
    CHECK_EQ(figures.at("responseRate").to_number<double>(), doctest::Approx(16.7));    // 2 of 12
    CHECK_EQ(figures.at("engagementRate").to_number<double>(), doctest::Approx(16.7));  // the same two
    std::int64_t clicks = 0;
    for (const auto& point : figures.at("linkClicksData").as_array()) clicks += point.at("count").as_int64();
    CHECK_EQ(clicks, 3);

    // Segments ask for the same. What contacts did comes to them with the feed.
    const auto in_segment = [&](const json::object& condition) {
      const json::object of_list{{"type", "list"}, {"listIds", json::array{json::string(list)}}};
      const auto answer =
          post("/api/segments/count", {{"filter", {{"type", "all"}, {"conditions", json::array{of_list, condition}}}}});
      REQUIRE_MESSAGE(answer.status == 200, answer.body);
      return answer.json().at("numberOfContacts").as_int64();
    };
    const auto number_who = [&](const char* did) {
      return in_segment({{"type", "campaign"}, {"campaignIds", json::array{json::string(id)}}, {"did", did}});
    };
    wait_for("segments have who did what",
             [&] { return number_who("read") == 12 && number_who("clicked") == 1 && number_who("replied") == 2; });
    CHECK_EQ(number_who("received"), 12);
    CHECK_EQ(in_segment({{"type", "lastCampaign"}, {"fromDays", -1}}), 12);
    CHECK_EQ(in_segment({{"type", "lastCampaign"}, {"toDays", -2}}), 0);
    CHECK_EQ(in_segment({{"type", "lastInbound"}}), 2);
    const json::object never{{"type", "not"}, {"condition", {{"type", "lastInbound"}}}};
    CHECK_EQ(in_segment(never), 10);
    CHECK_EQ(post("/api/segments/count", {{"filter", {{"type", "campaign"}, {"did", "read"}}}}).status, 400);

    const auto list_of = [&](const json::value& who) {
      const auto made = post("/api/campaigns/" + id + "/retarget", who);
      REQUIRE_MESSAGE(made.status == 202, made.body);
      const auto target = made.header("Location");
      wait_for("the list is made",
               [&] { return !scene.client().get(target).json().at("retarget").at("finishedAt").is_null(); });
      return contacts_of(string(made.json().at("retarget"), "listId"));
    };
    const auto plus = [](int n) { return "+" + CampaignScene::number(n); };
    CHECK_EQ(list_of({{"name", "Clicked"}, {"who", "Clicked"}}), std::vector{plus(first)});
    const auto silent = list_of({{"name", "Silent"}, {"who", "ReadNotReplied"}});
    CHECK_EQ(silent.size(), 10);
    CHECK_EQ(std::count(silent.begin(), silent.end(), plus(first + 2)), 0);
  }

  TEST_CASE("templates, variants, and a channel that refuses") {
    auto& scene = bed().scene;
    behave({{"statuses", "none"}});
    const auto first = bed().next;
    const auto list = bed().people(60);

    auto wanted = scene.text_campaign({list}, "The first {{name}}");
    wanted["variants"] =
        json::array{{{"name", "B"}, {"share", 50}, {"message", {{"type", "Text"}, {"text", "The second {{name}}"}}}}};
    const auto both = scene.start(wanted);
    scene.wait_for_status(both, "Finished");
    int seconds = 0;
    for (int n = first; n < first + 60; ++n) seconds += text_sent_to(n).starts_with("The second");
    CHECK_GT(seconds, 10);  // fewer than one in ten million times
    CHECK_LT(seconds, 50);

    // Found out before anything is sent.
    const auto pending = scene.make(scene.template_campaign({list}, "winter_sale", {{"1", "{{name}}"}}));
    CHECK_EQ(post("/api/campaigns/" + pending + "/start").status, 409);
    const auto unknown = scene.template_campaign({list}, "no_such_template", {});
    const auto refused_draft = post("/api/campaigns", unknown);
    CHECK_EQ(refused_draft.status, 400);
    CHECK_EQ(refused_draft.json().at_pointer("/errors/0/pointer").as_string(), "/message/template/name");
    CHECK_EQ(post("/api/campaigns/" + pending, {{"message", unknown.at("message")}}).status, 400);
    CHECK_EQ(post("/api/campaigns/" + scene.make(scene.text_campaign({}, "Nobody")) + "/start").status, 409);

    // Only found out by sending: nobody else is to be bothered.
    scene.channel().simulator("POST", "/simulator/faults",
                              {{"path", "/*/messages"}, {"code", 132015}, {"times", 1'000}});
    auto slow = scene.text_campaign({list}, "Refused");
    slow["messagesPerSecond"] = 10;
    const auto refused = scene.start(slow);
    scene.wait_for_status(refused, "Paused");
    CHECK_FALSE(string(scene.campaign(refused), "statusReason").empty());
    scene.channel().simulator("DELETE", "/simulator/faults");
    CHECK_EQ(scene.act(refused, "resume"), "Running");
    scene.wait_for_status(refused, "Finished");
    CHECK_EQ(scene.progress(refused, "sent"), 60);
    for (int n = first; n < first + 60; ++n) CHECK_EQ(accepted_of(n).size(), 2);
  }

  TEST_CASE("a start is taken back before anything is sent, and a copy goes its own way") {
    auto& scene = bed().scene;
    behave({{"statuses", "none"}});
    const auto first = bed().next;
    const auto list = bed().people(3);
    Stream stream(bed().system, scene.channel().api_key(), "?wait=60");
    REQUIRE_EQ(stream.status(), 200);
    const auto id = scene.make(scene.text_campaign({list}, "Too early, see https://shop.example/early"));
    const auto draft = scene.campaign(id);
    CHECK_EQ(post("/api/campaigns/" + id + "/start", {{"delaySeconds", 60}}).status, 200);
    CHECK_EQ(scene.status(id), "Scheduled");
    CHECK_EQ(scene.act(id, "unschedule"), "Draft");
    CHECK(stream.hears("\"from\":\"Scheduled\",\"to\":\"Draft\""));
    auto again = scene.campaign(id);
    again["updatedAt"] = draft.at("updatedAt");
    CHECK_EQ(again, draft);
    const auto too_late = post("/api/campaigns/" + id + "/unschedule");
    CHECK_EQ(too_late.status, 409);
    CHECK_NE(string(too_late.json(), "detail").find("is Draft"), std::string::npos);
    CHECK_EQ(post("/api/campaigns/" + id + "/start", {{"delaySeconds", 61}}).status, 400);

    const auto copied = post("/api/campaigns/" + id + "/duplicate", {{"name", "The copy"}});
    REQUIRE_EQ(copied.status, 201);
    const auto copy = string(copied.json().at("campaign"), "uniqueId");
    CHECK_EQ(copied.header("Location"), "/api/campaigns/" + copy);
    CHECK_EQ(post("/api/campaigns/" + copy, {{"message", {{"type", "Text"}, {"text", "On time"}}}}).status, 200);
    CHECK_EQ(post("/api/campaigns/" + copy + "/start", {{"delaySeconds", 1}}).status, 200);
    scene.wait_for_status(copy, "Finished");
    for (int n = first; n < first + 3; ++n) {
      CHECK_EQ(accepted_of(n).size(), 1);
      CHECK_EQ(text_sent_to(n), "On time");
    }
    CHECK_EQ(scene.status(id), "Draft");
  }

  TEST_CASE("who would lack a value of the message that they are to get is counted, and then skipped") {
    auto& scene = bed().scene;
    behave({{"statuses", "none"}});
    const auto list = bed().people(60);
    auto wanted = scene.template_campaign({list}, "greeting", {{"1", "{{name}}"}, {"2", "{{order}}"}});
    wanted["variants"] =
        json::array{{{"name", "B"}, {"share", 50}, {"message", {{"type", "Text"}, {"text", "Dear {{name}}"}}}}};
    const auto id = scene.make(wanted);
    const auto counted = scene.client().get("/api/campaigns/" + id + "/audience").json().at("audience");
    CHECK_EQ(scene.act(id, "start"), "Running");
    scene.wait_for_status(id, "Finished");
    CHECK_EQ(counted.at("recipients").as_int64(), 60);
    CHECK_EQ(counted.at("messages").as_int64(), scene.progress(id, "sent"));
    CHECK_EQ(counted.at_pointer("/skipped/byReason/MissingValue").as_int64(), scene.progress(id, "skipped"));
  }

  TEST_CASE("those who follow hear of its way") {
    auto& scene = bed().scene;
    behave({{"statuses", "none"}});
    Stream stream(bed().system, scene.channel().api_key(), "?wait=60");
    REQUIRE_EQ(stream.status(), 200);
    auto wanted = scene.text_campaign({bed().people(40)});
    wanted["messagesPerSecond"] = 20;
    const auto id = scene.start(wanted);
    CHECK(stream.hears("\"to\":\"Running\""));
    CHECK(stream.hears("event: campaign.progress"));
    CHECK(stream.hears("\"to\":\"Finished\""));
    CHECK_NE(stream.heard().find(id), std::string::npos);
  }

  TEST_CASE("what somebody would try first works, and what cannot be says so") {
    auto& scene = bed().scene;
    behave({{"statuses", "none"}});
    const auto first = bed().next;
    const auto list = bed().people(3);
    const auto id = scene.make(scene.text_campaign({list}, "Dear {{name|friend}}, see https://shop.example/"));
    const auto preview = scene.client().get("/api/campaigns/" + id + "/preview");
    CHECK_EQ(preview.status, 200);
    CHECK_NE(preview.body.find("Dear Person "), std::string::npos);
    CHECK_EQ(post("/api/campaigns/" + id + "/test", {{"phones", json::array{"+4915200999999"}}}).status, 200);
    wait_for("the test has come", [&] {
      const auto sent =
          scene.channel().simulator("GET", "/simulator/accepted?recipient=4915200999999").at("accepted").as_array();
      return sent.size() == 1;
    });
    CHECK_EQ(scene.progress(id, "recipients"), 0);
    CHECK_EQ(accepted_of(first).size(), 0);

    CHECK_EQ(post("/api/campaigns/" + id, {{"name", "Another name"}}).status, 200);
    CHECK_EQ(string(scene.campaign(id), "name"), "Another name");
    CHECK_EQ(post("/api/campaigns", {{"name", "No message"}}).status, 400);
    CHECK_EQ(post("/api/campaigns", {{"name", "X"},
                                     {"message", {{"type", "Text"}, {"text", "x"}}},
                                     {"listIds", json::array{"00000000-0000-7000-8000-000000000000"}}})
                 .status,
             400);
    for (const auto* action : {"pause", "resume", "cancel"})
      CHECK_EQ(post("/api/campaigns/" + id + "/" + action).status, 409);
    CHECK_EQ(scene.act(id, "start"), "Running");
    scene.wait_for_status(id, "Finished");
    CHECK_EQ(post("/api/campaigns/" + id, {{"message", {{"type", "Text"}, {"text", "y"}}}}).status, 409);
    const auto csv = scene.client().get("/api/campaigns/" + id + "/recipients?format=csv");
    CHECK_EQ(csv.status, 200);
    CHECK_EQ(std::count(csv.body.begin(), csv.body.end(), '\n'), 4);
    CHECK_EQ(scene.client()("DELETE", "/api/campaigns/" + id).status, 204);
    CHECK_EQ(scene.client().get("/api/campaigns/" + id).status, 404);
    Client visitor(bed().system);
    CHECK_EQ(visitor.get(link_in(text_sent_to(first))).status, 302);  // what was sent goes on leading somewhere
  }
}

// What the simulated channel tells: signed, in the channel's shapes, and as disorderly as it is told to.
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <set>

#include "tests/integration/simulator_bed.hpp"
#include "tests/simulator/signing.hpp"

using namespace parley;
using namespace parley::simulator_tests;

namespace {

std::vector<std::string> texts(const json::array& elements, std::string_view name) {
  std::vector<std::string> out;
  for (const auto& each : elements) out.emplace_back(each.at(name).as_string());
  return out;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("simulator: a webhook's signature is the HMAC-SHA256 of its octets with the application's secret") {
  Bed bed;
  // Made with: printf %s '{"a":"\u00e4"}' | openssl dgst -sha256 -hmac the-app-secret
  const std::string body = R"({"a":"\u00e4"})";
  const std::string signature = "sha256=43b455cb1f615fff068c49951beb713f724797e7fc8fe43bd506c80b5bbfa333";
  CHECK_EQ(signature_of(body), signature);
  const auto answer = bed.control("POST", "webhook", json::string(body));
  CHECK_EQ(answer.at("status"), json::value(200));
  const auto webhooks = bed.application.webhooks();
  REQUIRE_EQ(webhooks.size(), 1);
  CHECK_EQ(webhooks[0].body, body);
  CHECK_EQ(webhooks[0].signature, signature);
  CHECK_EQ(webhooks[0].path, "/webhooks/messaging");
}

TEST_CASE("simulator: what is beyond ASCII comes escaped, in lower case") {
  CHECK_EQ(simulator::to_channel_json("\"äß€😀 a/b \\\" \\/ \\\\/\""),
           "\"\\u00e4\\u00df\\u20ac\\ud83d\\ude00 a\\/b \\\" \\/ \\\\\\/\"");
  Bed bed;
  bed.control("POST", "inbound", json::object{{"from", kUser}, {"profileName", "Zoë"}, {"text", "Grüße 😀 a/b"}});
  bed.wait_until_told();
  const auto webhooks = bed.application.webhooks();
  REQUIRE_EQ(webhooks.size(), 1);
  const auto& body = webhooks[0].body;
  CHECK(std::all_of(body.begin(), body.end(), [](char c) { return c >= ' ' && c < 127; }));
  CHECK(body.find("Gr\\u00fc\\u00dfe \\ud83d\\ude00 a\\/b") != body.npos);
  CHECK_EQ(webhooks[0].signature, signature_of(body));
  CHECK_EQ(bed.heard("messages").at(0).at("text").at("body"), json::value("Grüße 😀 a/b"));
  CHECK_EQ(bed.heard("contacts").at(0), json::parse(R"({"profile":{"name":"Zoë"},"wa_id":")" + kUser + "\"}"));
}

TEST_CASE("simulator: an accepted message is sent, delivered and read, in that order") {
  Bed bed({"--open-window"});
  const auto id = id_of(bed.send_text("m-1"));
  bed.wait_until_told();
  const auto statuses = bed.heard("statuses");
  CHECK_EQ(texts(statuses, "status"), Texts{"sent", "delivered", "read"});
  for (const auto& each : statuses) {
    CHECK_EQ(each.at("id"), json::value(id));
    CHECK_EQ(each.at("recipient_id"), json::value(kUser));
    CHECK_EQ(each.at("biz_opaque_callback_data"), json::value("m-1"));
    CHECK(each.at("timestamp").is_string());
  }
  const auto value = json::parse(bed.application.webhooks().at(0).body).at_pointer("/entry/0/changes/0/value");
  CHECK_EQ(value.at("metadata"),
           json::parse(R"({"display_phone_number":"15550100","phone_number_id":")" + kNumber + "\"}"));
  CHECK_FALSE(value.as_object().contains("contacts"));
}

TEST_CASE("simulator: failed says why; a list of statuses, and none") {
  Bed bed({"--open-window"});
  bed.behave({{"statuses", {"sent", "failed"}}, {"failure", 131049}});
  bed.send_text("m-1");
  bed.wait_until_told();
  const auto statuses = bed.heard("statuses");
  CHECK_EQ(texts(statuses, "status"), Texts{"sent", "failed"});
  CHECK_EQ(statuses.at(1).at_pointer("/errors/0/code"), json::value(131049));
  CHECK_FALSE(statuses.at(1).at_pointer("/errors/0/error_data/details").as_string().empty());
  bed.behave({{"statuses", "none"}});
  bed.send_text("m-2");
  bed.wait_until_told();
  CHECK_EQ(bed.heard("statuses").size(), 2);
}

TEST_CASE("simulator: repeated, disordered and batched, everything is told as often as it should be") {
  Bed bed({"--open-window"});
  bed.behave({{"repeat", 3}, {"reorder", 100}, {"batch", 7}, {"delayMs", 5}, {"reply", "Thank you"}});
  std::multiset<std::string> wanted;
  for (int i = 0; i < 30; ++i) {
    const auto id = id_of(bed.send_text("m-" + std::to_string(i), std::to_string(491'700'000'000 + i)));
    for (int copy = 0; copy < 3; ++copy)
      for (const auto* status : {"sent", "delivered", "read"}) wanted.insert(id + " " + status);
  }
  bed.wait_until_told();
  std::multiset<std::string> heard;
  for (const auto& each : bed.heard("statuses"))
    heard.insert(std::string(each.at("id").as_string()) + " " + std::string(each.at("status").as_string()));
  CHECK(heard == wanted);
  const auto replies = bed.heard("messages");
  CHECK_EQ(replies.size(), 90);
  const auto ids = texts(replies, "id");
  CHECK_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), 30);
  CHECK(replies.at(0).at("context").at("id").as_string().starts_with("wamid."));
  CHECK(bed.application.webhooks().size() < wanted.size());
}

TEST_CASE("simulator: several accounts and numbers share a body, each in its own entry and change") {
  Bed bed({"--open-window"});
  bed.control("POST", "accounts",
              json::parse(R"({"businessAccountId":"111","phoneNumbers":[{"id":"222"},{"id":"333"}]})"));
  bed.behave({{"batch", 100}, {"delayMs", 0}, {"retryMs", 300}});
  bed.application.answer_with(std::vector<unsigned>(3, 500));
  for (const auto* number : {"222", "333", "222"})
    bed.control("POST", "inbound", json::object{{"phoneNumberId", number}, {"from", kUser}, {"text", "Hello"}});
  bed.wait_until_told();
  std::size_t most = 0;
  for (const auto& webhook : bed.application.webhooks()) {
    const auto entries = json::parse(webhook.body).at("entry").as_array();
    CHECK_EQ(entries.size(), 1);
    CHECK_EQ(entries.at(0).at("id"), json::value("111"));
    most = std::max(most, entries.at(0).at("changes").as_array().size());
  }
  CHECK_EQ(most, 2);
}

TEST_CASE("simulator: a webhook without a 200 comes again, later each time, until it is taken") {
  Bed bed({"--open-window"});
  bed.behave({{"retryMs", 20}});
  bed.application.answer_with({500, 404, 302, 204});
  bed.control("POST", "inbound", json::object{{"from", kUser}, {"text", "Hello"}});
  bed.wait_until_told();
  const auto webhooks = bed.application.webhooks();
  REQUIRE_EQ(webhooks.size(), 5);
  for (const auto& each : webhooks) CHECK(each == webhooks[0]);
  const auto told = bed.control("GET", "webhooks");
  CHECK_EQ(told.at("delivered"), json::value(1));
  CHECK_EQ(told.at("failed"), json::value(4));
  CHECK_EQ(told.at("webhooks").at(4).at("attempt"), json::value(5));
  CHECK_EQ(told.at("webhooks").at(2).at("status"), json::value(302));
}

TEST_CASE("simulator: a subscription's own URL comes before the application's, when it answers the challenge") {
  Bed bed({"--open-window"});
  const auto subscribe = [&](const std::string& token) {
    return bed.graph("POST", "/" + kAccount + "/subscribed_apps",
                     json::serialize(json::object{{"override_callback_uri", bed.application.url() + "/own"},
                                                  {"verify_token", token}}));
  };
  bed.behave({{"verifyCallbacks", true}});
  CHECK_EQ(code_of(subscribe("wrong")), 2200);
  bed.send_text("m-1");
  bed.wait_until_told();
  CHECK_EQ(subscribe("right").status, 200);
  bed.send_text("m-2");
  bed.wait_until_told();
  const auto webhooks = bed.application.webhooks();
  REQUIRE_EQ(webhooks.size(), 6);
  CHECK_EQ(webhooks[2].path, "/webhooks/messaging");
  CHECK_EQ(webhooks[3].path, "/webhooks/messaging/own");
}

TEST_CASE("simulator: told early, the statuses are there before the send is answered") {
  Bed bed({"--open-window"});
  bed.behave({{"early", true}, {"delayMs", 0}});
  for (int i = 1; i <= 20; ++i) {
    bed.send_text("m-" + std::to_string(i));
    CHECK_EQ(bed.heard("statuses").size(), std::size_t(3 * i));
  }
}

TEST_CASE("simulator: users' messages of any kind, with what every message has") {
  Bed bed;
  const auto media = bed.control("POST", "media", json::string("octets")).at("id");
  const json::array given{
      {{"type", "image"}, {"image", {{"id", media}, {"caption", "A"}}}},
      {{"type", "button"}, {"button", {{"payload", "p"}, {"text", "Yes"}}}, {"context", {{"id", "wamid.x"}}}},
      {{"type", "system"}, {"system", {{"type", "user_changed_number"}, {"wa_id", "491701234599"}}}},
      {{"type", "never_heard_of"},
       {"never_heard_of", {{"a", nullptr}}},
       {"id", "wamid.own"},
       {"timestamp", 1'700'000'000}}};
  const auto answer =
      bed.control("POST", "inbound", json::object{{"from", "+" + kUser}, {"userId", "DE.1"}, {"messages", given}});
  bed.wait_until_told();
  const auto heard = bed.heard("messages");
  REQUIRE_EQ(heard.size(), 4);
  std::set<std::string> ids;
  for (const auto& each : heard) {
    CHECK_EQ(each.at("from"), json::value(kUser));
    CHECK_EQ(each.at("from_user_id"), json::value("DE.1"));
    ids.emplace(each.at("id").as_string());
  }
  for (const auto& each : answer.at("messages").as_array()) CHECK(ids.contains(each.at("id").as_string().c_str()));
  CHECK_EQ(ids.size(), 4);
  CHECK(ids.contains("wamid.own"));
  const auto find = [&](const json::value& type) {
    return *std::find_if(heard.begin(), heard.end(), [&](const auto& each) { return each.at("type") == type; });
  };
  const auto image = find("image");
  CHECK_EQ(image.at("image").at("sha256"), json::value(simulator::to_base64(simulator::sha256("octets"))));
  CHECK_EQ(find("never_heard_of").at("timestamp"), json::value(1'700'000'000));
  CHECK_EQ(bed.heard("contacts").size(), 3);  // the channel's own news has no sender
}

TEST_CASE("simulator: statuses by hand, and changes of templates, preferences and accounts") {
  Bed bed({"--open-window"});
  bed.behave({{"statuses", "none"}});
  const auto id = id_of(bed.send_text("m-1"));
  bed.control("POST", "statuses", json::object{{"messageId", id}, {"status", "played"}, {"timestamp", 1'700'000'000}});
  bed.control("POST", "statuses",
              json::object{{"messageId", "wamid.unknown"}, {"status", "read"}, {"recipient", "+49 1"}});
  bed.control("POST", "templates",
              json::object{{"name", "winter_sale"}, {"language", "en_US"}, {"status", "APPROVED"}});
  bed.control("POST", "changes",
              json::parse(R"({"field":"user_preferences","value":{"user":"+491701234567","value":"stop"}})"));
  bed.control("POST", "changes", json::parse(R"({"field":"account_update","value":{"event":"DISABLED_UPDATE"}})"));
  bed.wait_until_told();
  const auto statuses = bed.heard("statuses");
  CHECK_EQ(statuses.at(0).at("biz_opaque_callback_data"), json::value("m-1"));
  CHECK_EQ(statuses.at(0).at("timestamp"), json::value(1'700'000'000));
  CHECK_EQ(statuses.at(1).at("id"), json::value("wamid.unknown"));
  const auto changes = bed.heard("changes");
  REQUIRE_EQ(changes.size(), 3);
  CHECK_EQ(changes.at(0).at_pointer("/value/event"), json::value("APPROVED"));
  CHECK_EQ(changes.at(0).at_pointer("/value/message_template_name"), json::value("winter_sale"));
  CHECK_EQ(changes.at(1).at_pointer("/value/user_preferences/0/value"), json::value("stop"));
  CHECK_EQ(changes.at(1).at_pointer("/value/user_preferences/0/wa_id"), json::value(kUser));
  CHECK_EQ(changes.at(2).at("field"), json::value("account_update"));
  const auto message = json::parse(
      R"({"type":"template","template":{"name":"winter_sale","language":{"code":"en_US"},
          "components":[{"type":"body","parameters":[{"type":"text","text":"Ada"}]}]}})");
  CHECK_EQ(bed.send(message.as_object()).status, 200);
}

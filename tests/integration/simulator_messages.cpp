// What the simulated channel takes and what it refuses, in the shapes that the channel has.
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <set>

#include "tests/integration/simulator_bed.hpp"
#include "tests/simulator/accepted.hpp"
#include "tests/simulator/signing.hpp"

using namespace parley;
using namespace parley::simulator_tests;

namespace {

std::string text_of(const json::value& value, std::string_view pointer) {
  return std::string(value.at_pointer(pointer).as_string());
}

json::object message(const std::string& type, json::value content) {
  return {{"type", type}, {type, std::move(content)}};
}

json::object order_update(std::size_t body_parameters, bool with_button = true) {
  json::array parameters;
  for (std::size_t i = 0; i < body_parameters; ++i) parameters.push_back({{"type", "text"}, {"text", "1815"}});
  json::array components{{{"type", "body"}, {"parameters", parameters}}};
  if (with_button)
    components.push_back(
        {{"type", "button"}, {"sub_type", "url"}, {"index", "0"}, {"parameters", {{{"type", "text"}, {"text", "1"}}}}});
  return message("template", {{"name", "order_update"}, {"language", {{"code", "en_US"}}}, {"components", components}});
}

std::string multipart(const std::string& type, const std::string& file) {
  return "--b\r\nContent-Disposition: form-data; name=\"messaging_product\"\r\n\r\nwhatsapp\r\n"
         "--b\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\n" +
         type +
         "\r\n"
         "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\nContent-Type: " +
         type + "\r\n\r\n" + file + "\r\n--b--\r\n";
}

Answer upload(Bed& bed, const std::string& type, const std::string& file) {
  return bed.graph("POST", "/" + kNumber + "/media", multipart(type, file), "multipart/form-data; boundary=b");
}

}  // namespace

TEST_CASE("simulator: a message is accepted with an id, and counted by recipient and opaque id") {
  Bed bed;
  bed.open_window();
  const auto answer = bed.send({{"type", "text"}, {"text", {{"body", "Hello"}}}, {"biz_opaque_callback_data", "m-1"}},
                               "+49 170 1234567");
  REQUIRE_EQ(answer.status, 200);
  const auto id = id_of(answer);
  CHECK(id.starts_with("wamid."));
  CHECK_EQ(answer.body, R"({"messaging_product":"whatsapp","contacts":[{"input":"+49 170 1234567","wa_id":")" + kUser +
                            R"("}],"messages":[{"id":")" + id + "\"}]}");
  CHECK_EQ(bed.send_text("m-1").status, 200);
  CHECK_EQ(bed.send_text("m-2").status, 200);
  CHECK_EQ(bed.send(message("text", {{"body", "without an id"}})).status, 200);
  CHECK_EQ(bed.send(message("text", {{"body", "without an id"}})).status, 200);

  const auto judged = bed.judge();
  CHECK_EQ(judged.at("total"), json::value(5));
  CHECK_EQ(judged.at("distinct"), json::value(4));
  CHECK_EQ(judged.at("doubled"), json::value(1));
  const auto& first = judged.at("accepted").at(0);
  CHECK_EQ(text_of(first, "/wamid"), id);
  CHECK_EQ(text_of(first, "/recipient"), kUser);
  CHECK_EQ(text_of(first, "/opaque"), "m-1");
  CHECK_EQ(text_of(first, "/type"), "text");
  CHECK_EQ(first.at("count"), json::value(2));
  CHECK_EQ(json::parse(text_of(first, "/body")).at("text").at("body"), json::value("Hello"));
  CHECK(bed.judge("?recipient=4915111111").at("accepted").as_array().empty());
  CHECK_EQ(bed.judge("?recipient=%2B" + kUser + "&limit=2").at("accepted").as_array().size(), 2);
  bed.control("DELETE", "accepted");
  CHECK_EQ(bed.judge().at("total"), json::value(0));
}

TEST_CASE("simulator: every type that the channel takes") {
  Bed bed;
  bed.open_window();
  const auto media = text_of(upload(bed, "image/jpeg", "octets").json(), "/id");
  const auto interactive = [](const std::string& type, const json::value& action) {
    return message("interactive", {{"type", type}, {"body", {{"text", "Choose"}}}, {"action", action}});
  };
  const json::object row{{"id", "1"}, {"title", "One"}}, section{{"rows", {row}}};
  const std::vector<json::object> messages{
      message("text", {{"body", "Grüße 😀"}, {"preview_url", true}}),
      message("image", {{"id", media}, {"caption", "A"}}),
      message("video", {{"link", "https://example.com/a.mp4"}}),
      message("audio", {{"link", "https://example.com/a.ogg"}}),
      message("document", {{"link", "https://example.com/a.pdf"}, {"caption", "A"}, {"filename", "a.pdf"}}),
      message("sticker", {{"id", media}}),
      message("location", {{"latitude", 52.5}, {"longitude", -13.4}, {"name", "Here"}}),
      message("contacts", {{{"name", {{"formatted_name", "Ada"}}}, {"phones", {{{"phone", "+4930123"}}}}}}),
      message("reaction", {{"message_id", "wamid.x"}, {"emoji", ""}}),
      interactive("button", {{"buttons", {{{"type", "reply"}, {"reply", {{"id", "y"}, {"title", "Yes"}}}}}}}),
      interactive("list", {{"button", "Menu"}, {"sections", {section}}}),
      interactive("cta_url", {{"name", "cta_url"}, {"parameters", {{"display_text", "Go"}, {"url", "https://a.b"}}}}),
      interactive("location_request_message", {{"name", "send_location"}}),
      interactive("flow", {{"name", "flow"}, {"parameters", {{"flow_id", "1"}}}}),
      order_update(2)};
  for (const auto& each : messages) {
    const auto answer = bed.send(each);
    CHECK_MESSAGE(answer.status == 200, json::serialize(each) << answer.body);
  }
  const auto user_id = bed.send({{"recipient", "US.13491208655302741918"}, {"text", {{"body", "Hi"}}}}, "");
  CHECK_EQ(code_of(user_id), 131047);
  bed.control("POST", "inbound", json::object{{"userId", "US.13491208655302741918"}, {"text", "Hello"}});
  const auto by_id = bed.send({{"recipient", "US.13491208655302741918"}, {"text", {{"body", "Hi"}}}}, "");
  CHECK_EQ(text_of(by_id.json(), "/contacts/0/user_id"), "US.13491208655302741918");
  CHECK_FALSE(by_id.json().at("contacts").at(0).as_object().contains("wa_id"));
  const auto with_template = bed.send(order_update(2)).json();
  CHECK_EQ(text_of(with_template, "/messages/0/message_status"), "accepted");
  const auto read = bed.graph("POST", "/" + kNumber + "/messages",
                              R"({"messaging_product":"whatsapp","status":"read","message_id":"wamid.x",)"
                              R"("typing_indicator":{"type":"text"}})");
  CHECK_EQ(read.body, R"({"success":true})");
  CHECK_EQ(bed.judge("?limit=0").at("total"), json::value(messages.size() + 2));
}

TEST_CASE("simulator: what it refuses, by the channel's codes") {
  Bed bed;
  bed.open_window();
  const auto interactive = [](json::value action) {
    return message("interactive", {{"type", "button"}, {"body", {{"text", "?"}}}, {"action", std::move(action)}});
  };
  const json::object button{{"type", "reply"}, {"reply", {{"id", "y"}, {"title", "Yes"}}}};
  const auto template_of = [](const std::string& name, const std::string& language) {
    return message("template", {{"name", name}, {"language", {{"code", language}}}});
  };
  struct Case {
    std::int64_t code;
    json::object message;
  };
  const std::vector<Case> cases{
      {131008, {{"type", "text"}}},
      {131008, message("text", {{"body", ""}})},
      {100, message("text", {{"body", std::string(4097, 'a')}})},
      {100, message("text", "Hello")},
      {100, {{"type", "telepathy"}}},
      {100, message("image", {{"caption", "without a file"}})},
      {100, message("image", {{"id", "1"}})},
      {100, message("audio", {{"link", "https://example.com/a.ogg"}, {"caption", "A"}})},
      {131008, message("location", {{"latitude", 1}})},
      {131009, message("location", {{"latitude", 91}, {"longitude", 0}})},
      {131008, message("contacts", json::array{{{"name", json::object()}}})},
      {131009, message("reaction", {{"message_id", "1"}, {"emoji", "x"}})},
      {131009, interactive({{"buttons", {button, button, button, button}}})},
      {131008, message("interactive", {{"type", "button"}, {"action", json::object()}})},
      {132001, template_of("order_update", "fr")},
      {132001, template_of("winter_sale", "en_US")},
      {132015, template_of("autumn_sale", "en_US")},
      {132000, order_update(1)},
      {131008, order_update(2, false)},
      {132012, template_of("summer_sale", "en_US")},
      {100, {{"text", {{"body", "a"}}}, {"biz_opaque_callback_data", std::string(513, 'a')}}},
      {131009, {{"text", {{"body", "a"}}}, {"context", {{"message_id", "1"}}}}},
  };
  for (const auto& each : cases) {
    const auto answer = bed.send(each.message);
    CHECK_EQ(answer.status, 400);
    CHECK_MESSAGE(code_of(answer) == each.code, json::serialize(each.message) << answer.body);
    CHECK_FALSE(text_of(answer.json(), "/error/error_data/details").empty());
    CHECK_EQ(text_of(answer.json(), "/error/error_data/messaging_product"), "whatsapp");
  }
  CHECK_EQ(code_of(bed.send(message("text", {{"body", "a"}}), "not a number")), 131009);
  CHECK_EQ(code_of(bed.send(message("text", {{"body", "a"}}), "")), 100);
  CHECK_EQ(code_of(bed.send(message("text", {{"body", "a"}}), "+1 555 0100")), 131021);
  CHECK_EQ(code_of(bed.graph("POST", "/" + kNumber + "/messages", "{")), 100);
  CHECK_EQ(code_of(bed.graph("POST", "/1/messages", "{}")), 100);
  CHECK_EQ(bed.judge("?limit=0").at("total"), json::value(0));
  bed.token = "EAAS" + std::string(64, 'a');
  const auto stranger = bed.send_text("m");
  CHECK_EQ(stranger.status, 401);
  CHECK_EQ(code_of(stranger), 190);
}

TEST_CASE("simulator: freely only to who wrote within a day, by template to anybody") {
  Bed bed;
  CHECK_EQ(code_of(bed.send_text("m")), 131047);
  CHECK_EQ(bed.send(order_update(2)).status, 200);
  bed.open_window();
  CHECK_EQ(bed.send_text("m").status, 200);
  CHECK_EQ(code_of(bed.send_text("m", "491701234568")), 131047);
  bed.behave({{"serviceWindow", false}});
  CHECK_EQ(bed.send_text("m", "491701234568").status, 200);
  bed.control("DELETE", "behaviour");
  CHECK_EQ(code_of(bed.send_text("m", "491701234568")), 131047);
  Bed open({"--open-window"});
  CHECK_EQ(open.send_text("m").status, 200);
}

TEST_CASE("simulator: a number's rate and a pair's are limited") {
  Bed bed({"--open-window"});
  bed.behave({{"rate", 3}});
  std::int64_t refused = 0;
  for (int i = 0; i < 8; ++i) {
    const auto answer = bed.send_text("rate-" + std::to_string(i), "49170" + std::to_string(1'000'000 + i));
    if (answer.status != 200) refused += code_of(answer) == 130429;
  }
  CHECK(refused > 0);
  bed.behave({{"rate", 0}, {"pairMs", 3'600'000}, {"pairBurst", 2}});
  CHECK_EQ(bed.send_text("pair-1").status, 200);
  CHECK_EQ(bed.send_text("pair-2").status, 200);
  CHECK_EQ(code_of(bed.send_text("pair-3")), 131056);
  CHECK_EQ(bed.send_text("pair-4", "491701234568").status, 200);
}

TEST_CASE("simulator: files are kept whole, and read by a URL that is good for a while") {
  Bed bed;
  const std::string octets("\x00\r\n--a\xFF", 7);
  const auto uploaded = upload(bed, "application/pdf", octets);
  REQUIRE_EQ(uploaded.status, 200);
  const auto id = text_of(uploaded.json(), "/id");
  const auto shown = bed.graph("GET", "/" + id).json();
  CHECK_EQ(text_of(shown, "/mime_type"), "application/pdf");
  CHECK_EQ(text_of(shown, "/sha256"), simulator::to_hex(simulator::sha256(octets)));
  CHECK_EQ(shown.at("file_size"), json::value(octets.size()));
  const auto fetch = [&](const std::string& url, const std::string& token) {
    support::Wire wire(bed.simulator.port());
    wire.send(support::request_text("GET", url.substr(url.find('/', 8)), {{"Authorization", token}}));
    return *wire.read();
  };
  const auto url = text_of(shown, "/url");
  const auto fetched = fetch(url, "Bearer " + bed.token);
  CHECK_EQ(fetched.status, 200);
  CHECK(fetched.body == octets);
  CHECK_EQ(fetched.header("Content-Type"), "application/pdf");
  CHECK_EQ(fetch(url, "").status, 401);
  CHECK_EQ(fetch(url + "0", "Bearer " + bed.token).status, 404);
  bed.behave({{"mediaSeconds", 0}});
  CHECK_EQ(fetch(text_of(bed.graph("GET", "/" + id).json(), "/url"), "Bearer " + bed.token).status, 404);
  CHECK_EQ(bed.graph("DELETE", "/" + id).status, 200);
  CHECK_EQ(code_of(bed.graph("GET", "/" + id)), 100);
  CHECK_EQ(code_of(upload(bed, "image/jpeg", std::string((5 << 20) + 1, 'a'))), 100);
  CHECK_EQ(code_of(upload(bed, "image/tiff", "a")), 100);
  CHECK_EQ(code_of(bed.graph("POST", "/" + kNumber + "/media", "{}")), 100);
}

TEST_CASE("simulator: templates of every status, page by page") {
  Bed bed;
  const auto path = "/" + kAccount + "/message_templates";
  std::set<std::string> statuses, ids;
  std::string after;
  for (int pages = 0; pages < 10; ++pages) {
    const auto page = bed.graph("GET", path + "?fields=name,status&limit=3" + after).json();
    for (const auto& each : page.at("data").as_array()) {
      statuses.insert(text_of(each, "/status"));
      CHECK(ids.insert(text_of(each, "/id")).second);
      CHECK_FALSE(each.as_object().contains("components"));
    }
    CHECK(page.at("data").as_array().size() <= 3);
    if (!page.at("paging").as_object().contains("next")) break;
    after = "&after=" + text_of(page, "/paging/cursors/after");
    CHECK(text_of(page, "/paging/next").ends_with("limit=3" + after));
  }
  CHECK_EQ(statuses, std::set<std::string>{"APPROVED", "PENDING", "REJECTED", "PAUSED"});
  const auto rejected = bed.graph("GET", path + "?status=REJECTED").json();
  REQUIRE_EQ(rejected.at("data").as_array().size(), 1);
  CHECK_EQ(text_of(rejected, "/data/0/rejected_reason"), "INVALID_FORMAT");
  CHECK_FALSE(rejected.at("data").at(0).at("components").as_array().empty());

  const std::string made =
      R"({"name":"new_one","language":"de","category":"UTILITY","components":[{"type":"BODY","text":"Hallo"}]})";
  const auto id = text_of(bed.graph("POST", path, made).json(), "/id");
  CHECK_EQ(text_of(bed.graph("GET", "/" + id).json(), "/status"), "PENDING");
  CHECK_EQ(code_of(bed.graph("POST", path, made)), 100);
  CHECK_EQ(bed.graph("DELETE", path + "?name=new_one").status, 200);
  CHECK_EQ(bed.graph("GET", "/" + id).status, 400);
}

TEST_CASE("simulator: tokens outlive it") {
  const Bed before;
  Bed after;
  after.token = before.token;
  after.open_window();
  CHECK_EQ(after.send_text("m").status, 200);
}

TEST_CASE("simulator: the judge counts a million messages exactly") {
  simulator::Accepted judge;
  constexpr std::uint32_t kMessages = 1'000'000;
  std::string recipient, opaque;
  const auto add = [&](std::uint32_t i) {
    recipient = std::to_string(49'170'000'000ULL + i % 250'000);
    opaque = "0194b9a0-0000-7000-8000-" + std::to_string(100'000'000'000ULL + i);
    return judge.add({recipient, opaque, 3, 1, i});
  };
  for (std::uint32_t i = 0; i < kMessages; ++i) add(i);
  CHECK_EQ(judge.size(), kMessages);
  CHECK_EQ(judge.distinct(), kMessages);
  CHECK_EQ(judge.doubled(), 0);
  for (std::uint32_t i = 0; i < kMessages; i += 1000) add(i);
  add(0);
  CHECK_EQ(judge.size(), kMessages + 1001);
  CHECK_EQ(judge.distinct(), kMessages);
  CHECK_EQ(judge.doubled(), 1000);
  CHECK_EQ(judge.count(0), 3);
  CHECK_EQ(judge.count(1), 1);
  CHECK_EQ(judge.count(kMessages), 0);
  for (std::uint32_t i = 0; i < kMessages; i += 99'991) {
    const auto found = judge.find(judge.id_of(i));
    REQUIRE(found.has_value());
    CHECK_EQ(*found, i);
    CHECK_EQ(judge.at(i).opaque, "0194b9a0-0000-7000-8000-" + std::to_string(100'000'000'000ULL + i));
    CHECK_EQ(judge.at(i).number, 3);
    CHECK_EQ(judge.at(i).call, i);
  }
  const auto id = judge.id_of(5);
  CHECK_FALSE(judge.find(id + "A").has_value());
  CHECK_FALSE(judge.find("wamid.").has_value());
  CHECK_FALSE(judge.find("").has_value());
  judge.clear();
  CHECK_FALSE(judge.find(id).has_value());
  CHECK_EQ(judge.size(), 0);
}

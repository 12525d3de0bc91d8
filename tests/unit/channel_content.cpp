#include <doctest/doctest.h>

#include <boost/json/serialize.hpp>
#include <stdexcept>

#include "conversations/channel/content.hpp"

namespace parley::conversations::channel {
namespace {

using enum model::MessageType;

boost::json::value parsed(const std::string& text) {
  model::Fault fault;
  auto json = model::parse(text, fault);
  REQUIRE_MESSAGE(json, text);
  return std::move(*json);
}

// Where something is wrong: "/messageData/text /messageData/link", "" for nothing.
std::string faults_of(model::MessageType type, const std::string& data) {
  http::Faults faults;
  check_content(type, parsed(data), faults);
  std::string out;
  try {
    faults.throw_if_any();
  } catch (const http::Problem& problem) {
    CHECK(problem.status == 400);
    for (const auto& fault : problem.errors) out.append(out.empty() ? "" : " ").append(fault.pointer);
  }
  return out;
}

std::string text_of(std::size_t length, const std::string& character = "a") {
  std::string out;
  for (std::size_t i = 0; i < length; ++i) out += character;
  return out;
}

// One member of an object: "text":"aaa".
std::string member(const std::string& name, const std::string& value) { return '"' + name + R"(":")" + value + '"'; }

// A send's body, its keys in the order that they were written in.
std::string sent(model::MessageType type, const std::string& data, const std::string& recipient = "+4915112345678") {
  const auto id = model::Uuid::parse("01890000-0000-7000-8000-000000000001");
  return to_channel({.message_id = *id, .recipient = recipient, .type = type, .data = data});
}

const std::string kHead = R"({"messaging_product":"whatsapp","recipient_type":"individual","to":"4915112345678",)"
                          R"("biz_opaque_callback_data":"01890000-0000-7000-8000-000000000001",)";

TEST_SUITE("unit: what the channel takes") {
  TEST_CASE("a text has 1 to 4,096 characters") {
    CHECK(faults_of(Text, R"({"text": "hello"})") == "");
    CHECK(faults_of(Text, "{" + member("text", text_of(4096, "ä")) + "}") == "");
    CHECK(faults_of(Text, "{" + member("text", text_of(4097)) + "}") == "/messageData/text");
    CHECK(faults_of(Text, R"({"text": ""})") == "/messageData/text");
    CHECK(faults_of(Text, R"({"text": " \n "})") == "/messageData/text");
    CHECK(faults_of(Text, R"({"body": "hello"})") == "/messageData/text");
    CHECK(faults_of(Text, R"({"text": 1, "previewUrl": "yes"})") == "/messageData/text /messageData/previewUrl");
    CHECK(faults_of(Text, "[]") == "/messageData");
    CHECK(faults_of(Text, "null") == "/messageData");
  }

  TEST_CASE("media are told by an id or by a link, and by one of them only") {
    for (const auto type : {Image, Video, Audio, Document, Sticker}) {
      CAPTURE(int(type));
      CHECK(faults_of(type, R"({"id": "1234"})") == "");
      CHECK(faults_of(type, R"({"link": "https://example.com/a.jpg"})") == "");
      CHECK(faults_of(type, R"({"link": "http://example.com/a.jpg"})") == "");
      CHECK(faults_of(type, R"({"link": "http://example.com/a.jpg", "id": null})") == "/messageData/id");
      CHECK(faults_of(type, "{}") == "/messageData");
      CHECK(faults_of(type, R"({"id": "", "link": ""})") == "/messageData");
      CHECK(faults_of(type, R"({"id": "1", "link": "https://example.com/"})") == "/messageData");
      CHECK(faults_of(type, R"({"link": "ftp://example.com/a"})") == "/messageData/link");
      CHECK(faults_of(type, R"({"link": "javascript:void"})") == "/messageData/link");
      CHECK(faults_of(type, R"({"link": "/a.jpg"})") == "/messageData/link");
      CHECK(faults_of(type, "{" + member("id", text_of(257)) + "}") == "/messageData/id");
    }
  }

  TEST_CASE("captions are for images, videos and documents, of 1,024 characters") {
    for (const auto type : {Image, Video, Document}) {
      CHECK(faults_of(type, R"({"id": "1", )" + member("caption", text_of(1024)) + "}") == "");
      CHECK(faults_of(type, R"({"id": "1", )" + member("caption", text_of(1025)) + "}") == "/messageData/caption");
    }
    for (const auto type : {Audio, Sticker})
      CHECK(faults_of(type, R"({"id": "1", "caption": "no"})") == "/messageData/caption");
    CHECK(faults_of(Document, R"({"id": "1", )" + member("fileName", text_of(241)) + "}") == "/messageData/fileName");
  }

  TEST_CASE("a location lies on the globe") {
    CHECK(faults_of(Location, R"({"latitude": 90, "longitude": -180, "name": "Pole", "address": "1 Ice Road"})") == "");
    CHECK(faults_of(Location, R"({"latitude": 90.1, "longitude": 180.5})") ==
          "/messageData/latitude /messageData/longitude");
    CHECK(faults_of(Location, R"({"latitude": "1", "longitude": 2})") == "/messageData/latitude");
    CHECK(faults_of(Location, R"({"latitude": 1, "longitude": 2, )" + member("name", text_of(1001)) + "}") ==
          "/messageData/name");
  }

  TEST_CASE("contacts have names") {
    CHECK(faults_of(Contacts, R"({"contacts": [{"name": {"formatted_name": "Ada"}, "phones": [{"phone": "+49"}]}]})") ==
          "");
    CHECK(faults_of(Contacts, R"({"contacts": []})") == "/messageData/contacts");
    CHECK(faults_of(Contacts, R"({"contacts": [{"name": {"formatted_name": " "}}]})") ==
          "/messageData/contacts/0/name/formatted_name");
    CHECK(faults_of(Contacts, R"({"contacts": [{"name": {"formatted_name": "A"}, "phones": [{}]}]})") ==
          "/messageData/contacts/0/phones/0/phone");
    CHECK(faults_of(Contacts, R"({"contacts": [{}]})") == "/messageData/contacts/0/name");
  }

  TEST_CASE("a reaction is to a message of ours, and may be taken back") {
    const std::string to = R"("messageId": "01890000-0000-7000-8000-000000000002")";
    CHECK(faults_of(Reaction, R"({"reaction": "👍", )" + to + "}") == "");
    CHECK(faults_of(Reaction, R"({"reaction": "", )" + to + "}") == "");
    CHECK(faults_of(Reaction, R"({"reaction": "👍", "messageId": "wamid.1"})") == "/messageData/messageId");
    CHECK(faults_of(Reaction, "{" + to + "}") == "/messageData/reaction");
    CHECK(faults_of(Reaction, "{" + member("reaction", text_of(33)) + "," + to + "}") == "/messageData/reaction");
  }

  std::string with_buttons(int count, const std::string& id = "", const std::string& title = "Yes") {
    std::string buttons;
    for (int i = 0; i < count; ++i)
      buttons += (i > 0 ? "," : "") + std::string(R"({"type":"reply","reply":{"id":")") +
                 (id.empty() ? std::to_string(i) : id) + R"(","title":")" + title + "\"}}";
    return R"({"type":"button","body":{"text":"Well?"},"action":{"buttons":[)" + buttons + "]}}";
  }

  TEST_CASE("there are 1 to 3 buttons, each with an id of its own and a short title") {
    const std::string at = "/messageData/action/buttons";
    CHECK(faults_of(Interactive, with_buttons(1)) == "");
    CHECK(faults_of(Interactive, with_buttons(3)) == "");
    CHECK(faults_of(Interactive, with_buttons(0)) == at);
    CHECK(faults_of(Interactive, with_buttons(4)) == at);
    CHECK(faults_of(Interactive, with_buttons(2, "same")) == at + "/1/reply/id");
    CHECK(faults_of(Interactive, with_buttons(1, "", text_of(20))) == "");
    CHECK(faults_of(Interactive, with_buttons(1, "", text_of(21))) == at + "/0/reply/title");
    CHECK(faults_of(Interactive, with_buttons(1, text_of(257))) == at + "/0/reply/id");
    CHECK(faults_of(Interactive, R"({"type":"button","body":{"text":"Well?"},"action":{}})") == at);
  }

  std::string with_rows(int sections, int rows, const std::string& section = R"("title":"One",)",
                        const std::string& button = "Menu") {
    std::string all;
    for (int i = 0; i < sections; ++i) {
      all += (i > 0 ? ",{" : "{") + section + R"("rows":[)";
      for (int j = 0; j < rows; ++j)
        all += (j > 0 ? "," : "") + std::string(R"({"id":")") + std::to_string(i) + "-" + std::to_string(j) +
               R"(","title":"Row"})";
      all += "]}";
    }
    return R"({"type":"list","body":{"text":"Choose"},"action":{"button":")" + button + R"(","sections":[)" + all +
           "]}}";
  }

  TEST_CASE("a list has at most 10 rows in all its sections together") {
    const std::string at = "/messageData/action/sections";
    CHECK(faults_of(Interactive, with_rows(1, 10)) == "");
    CHECK(faults_of(Interactive, with_rows(10, 1)) == "");
    CHECK(faults_of(Interactive, with_rows(1, 1, "")) == "");
    CHECK(faults_of(Interactive, with_rows(2, 1, "")) == at + "/0/title " + at + "/1/title");
    CHECK(faults_of(Interactive, with_rows(1, 11)) == at);
    CHECK(faults_of(Interactive, with_rows(2, 6)) == at);
    CHECK(faults_of(Interactive, with_rows(0, 1)) == at);
    CHECK(faults_of(Interactive, with_rows(1, 0)) == at + "/0/rows");
    CHECK(faults_of(Interactive, with_rows(1, 1, "", text_of(21))) == "/messageData/action/button");
  }

  TEST_CASE("what is tapped may also lead somewhere, ask for a place or open a form") {
    const auto link = [](const std::string& url) {
      return R"({"type":"cta_url","header":{"type":"image","image":{"link":"https://x.example/a.png"}},"body":{"text":)"
             R"("Look"},"footer":{"text":"Bye"},"action":{"name":"cta_url","parameters":{"display_text":"Shop","url":")" +
             url + "\"}}}";
    };
    CHECK(faults_of(Interactive, link("https://shop.example/")) == "");
    CHECK(faults_of(Interactive, link("shop")) == "/messageData/action/parameters/url");
    CHECK(faults_of(Interactive, link("")) == "/messageData/action/parameters/url");
    CHECK(faults_of(
              Interactive,
              R"({"type":"location_request_message","body":{"text":"Where?"},"action":{"name":"send_location"}})") ==
          "");
    CHECK(faults_of(Interactive, R"({"type":"location_request_message","body":{"text":"Where?"},"action":{}})") ==
          "/messageData/action/name");
    CHECK(faults_of(
              Interactive,
              R"({"type":"flow","body":{"text":"Form"},"action":{"name":"flow","parameters":{"flow_id":"1"}}})") == "");
    CHECK(faults_of(Interactive, R"({"type":"carousel","body":{"text":"x"},"action":{}})") == "/messageData/type");
    CHECK(faults_of(Interactive,
                    R"({"type":"list","header":{"type":"video","video":{"id":"1"}},"body":{"text":"Choose"},)"
                    R"("action":{"button":"Menu","sections":[{"rows":[{"id":"1","title":"a"}]}]}})") ==
          "/messageData/header/type");
  }

  TEST_CASE("a template has a name and a language") {
    CHECK(faults_of(Template, R"({"name": "order_sent", "language": "en_US"})") == "");
    CHECK(faults_of(Template, R"({"name": "order_sent"})") == "/messageData/language");
    CHECK(faults_of(Template, R"({"name": "x", "language": "de", "components": [{"type": "body", "parameters": [)"
                              R"({"type": "text", "text": "Ada"}, {"type": "text"}]}]})") ==
          "/messageData/components/0/parameters/1/text");
    CHECK(faults_of(Template, R"({"name": "x", "language": "de", "components": [{"type": "button"}]})") ==
          "/messageData/components/0/sub_type /messageData/components/0/index");
    CHECK(faults_of(Template, R"({"name": "x", "language": "de", "components": [{"type": "header", "parameters": [)"
                              R"({"type": "image", "image": {"link": "x"}}]}]})") ==
          "/messageData/components/0/parameters/0/image/link");
  }

  TEST_CASE("what only comes from the channel cannot be sent, nor what is beyond all limits") {
    CHECK(faults_of(System, R"({"type": "user_changed_number"})") == "/messageType");
    CHECK(faults_of(Unsupported, "{}") == "/messageType");
    CHECK(faults_of(Template, R"({"name": "x", "language": "de", )" + member("note", text_of(70'000)) + "}") ==
          "/messageData");
  }

  TEST_CASE("each type becomes what the channel knows it as") {
    CHECK(sent(Text, R"({"text": "a \"quote\"", "previewUrl": true})") ==
          kHead + R"("type":"text","text":{"body":"a \"quote\"","preview_url":true}})");
    CHECK(sent(Text, R"({"text": "hello"})") ==
          kHead + R"("type":"text","text":{"body":"hello","preview_url":false}})");
    CHECK(sent(Image, R"({"id": "12", "caption": "c"})") ==
          kHead + R"("type":"image","image":{"id":"12","caption":"c"}})");
    CHECK(sent(Video, R"({"link": "https://x/", "caption": ""})") ==
          kHead + R"("type":"video","video":{"link":"https://x/"}})");
    CHECK(sent(Audio, R"({"id": "12", "voice": true})") == kHead + R"("type":"audio","audio":{"id":"12"}})");
    CHECK(sent(Document, R"({"id": "12", "fileName": "a.pdf", "caption": "c"})") ==
          kHead + R"("type":"document","document":{"id":"12","caption":"c","filename":"a.pdf"}})");
    CHECK(sent(Sticker, R"({"id": "12"})") == kHead + R"("type":"sticker","sticker":{"id":"12"}})");
    CHECK(sent(Location, R"({"latitude": 52.5, "longitude": 13, "name": "Berlin"})") ==
          kHead + R"("type":"location","location":{"latitude":52.5,"longitude":13,"name":"Berlin"}})");
    CHECK(sent(Contacts, R"({"contacts": [{"name": {"formatted_name": "Ada", "first_name": "Ada"}}]})") ==
          kHead + R"("type":"contacts","contacts":[{"name":{"formatted_name":"Ada","first_name":"Ada"}}]})");
    CHECK(sent(Interactive, with_buttons(1)) ==
          kHead + R"("type":"interactive","interactive":)" + with_buttons(1) + "}");
    CHECK(sent(Template, R"({"name": "x", "language": "en_US"})") ==
          kHead + R"("type":"template","template":{"name":"x","language":{"code":"en_US"}}})");
    CHECK(sent(Template,
               R"({"name":"x","language":"de","components":[{"type":"body","parameters":[{"type":"text","text":)"
               R"("Ada","parameter_name":"who"}]}]})") ==
          kHead + R"("type":"template","template":{"name":"x","language":{"code":"de"},"components":[{"type":"body",)"
                  R"("parameters":[{"type":"text","text":"Ada","parameter_name":"who"}]}]}})");
  }

  TEST_CASE("what has no phone number is reached by its id, and an answer names what it answers") {
    CHECK(sent(Sticker, R"({"id": "1"})", "DE.abc123").find(R"("recipient":"DE.abc123",)") != std::string::npos);
    Envelope envelope{.message_id = model::new_uuid(), .recipient = "+49151", .type = Text, .data = R"({"text":"x"})"};
    envelope.reply_to_wamid = "wamid.HBg";
    CHECK(to_channel(envelope).find(R"("context":{"message_id":"wamid.HBg"})") != std::string::npos);
    envelope = {.message_id = model::new_uuid(), .recipient = "+49151", .type = Reaction, .data = {}};
    const auto data = R"({"reaction":"","messageId":")" + model::new_uuid().text() + "\"}";
    envelope.data = data;
    CHECK_THROWS_AS(to_channel(envelope), std::invalid_argument);
    envelope.reaction_to_wamid = "wamid.HBg";
    CHECK(to_channel(envelope).find(R"("type":"reaction","reaction":{"message_id":"wamid.HBg","emoji":""})") !=
          std::string::npos);
  }

  TEST_CASE("what could not have been checked is not sent") {
    CHECK_THROWS_AS(sent(System, "{}"), std::invalid_argument);
    CHECK_THROWS_AS(sent(Text, "{}"), std::invalid_argument);
    CHECK_THROWS_AS(sent(Text, "no json"), std::invalid_argument);
  }
}

}  // namespace
}  // namespace parley::conversations::channel

// Texts that an organization has ready: kept under shortcuts, and made into messages for contacts.
#include <doctest/doctest.h>

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "conversations/campaigns/quick_replies/api.hpp"
#include "tests/integration/conversations_service.hpp"

using namespace parley;
using namespace parley::conversations_tests;
namespace json = boost::json;
using identity::Permission;

namespace {

constexpr auto kList = "/api/quick-replies";
constexpr auto kVariables = "/internal/contacts/variables";

class Bed : public Service {
 public:
  explicit Bed(std::int64_t most = 1'000) : quotas_({{"quick-replies", most}}) {}

  std::string made(const std::string& shortcut, const std::string& text, const std::string& more = "") {
    const auto response = post(kList, R"({"shortcut":")" + shortcut + R"(","text":")" + text + "\"" + more + "}");
    REQUIRE_MESSAGE(response.status == 201, response.body);
    return std::string(kList) + "/" + std::string(json_of(response).at("quickReply").at("uniqueId").as_string());
  }
  json::value shown(const std::string& path) { return json_of(get(path)).at("quickReply"); }
  json::value preview(const std::string& path, const std::string& query = "") {
    return json_of(get(path + "/preview" + query)).at("preview");
  }

 private:
  chassis::Quotas quotas_;
  conversations::quick_replies::Store store_{pool_, quotas_};
  conversations::quick_replies::Api api_{process_, store_, contacts_peer_};
};

std::vector<std::string> shortcuts_in(const http::Response& response) {
  std::vector<std::string> out;
  const auto page = json_of(response);
  for (const auto& reply : page.at("quickReplies").as_array()) out.emplace_back(reply.at("shortcut").as_string());
  return out;
}

}  // namespace

TEST_SUITE("integration: quick replies") {
  TEST_CASE("a shortcut is of one quick reply, whatever its case") {
    Bed bed;
    const auto hours = bed.made("Hours", "We are open.");
    const auto again = bed.post(kList, R"({"shortcut":"hOURS","text":"x"})");
    CHECK(again.status == 409);
    CHECK(pointer_of(again) == "/shortcut");
    CHECK(again.body.find(hours.substr(hours.rfind('/') + 1)) != again.body.npos);
    const auto thanks = bed.made("thanks", "Thank you.");
    CHECK(bed.post(thanks, R"({"shortcut":"HOURS"})").status == 409);
    CHECK(bed.post(hours, R"({"shortcut":"HOURS"})").status == 200);
    for (const std::string bad : {"", "two words", "é", "a/b", "123456789012345678901234567890123"})
      CHECK(pointer_of(bed.post(kList, R"({"shortcut":")" + bad + R"(","text":"x"})")) == "/shortcut");
    CHECK(bed.remove(hours).status == 204);
    CHECK(bed.get(hours).status == 404);
    bed.made("hours", "Again.");
    const auto own = bed.organization;
    bed.organization = model::new_uuid();
    CHECK(bed.get(thanks).status == 404);
    bed.made("hours", "Another organization's.");
    bed.organization = own;
    CHECK(shortcuts_in(bed.get(kList)) == std::vector<std::string>{"hours", "thanks"});
  }

  TEST_CASE("what the channel would not take is refused where it stands") {
    Bed bed;
    const auto refused = [&](const std::string& rest) {
      return pointer_of(bed.post(kList, R"({"shortcut":"a",)" + rest + "}"));
    };
    CHECK(refused(R"("text":"Hello {{name")") == "/text");
    CHECK(refused(R"("text":"")") == "/text");
    CHECK(refused(R"("text":")" + std::string(4'097, 'x') + "\"") == "/text");
    CHECK(refused(R"("text":")" + std::string(33'000, 'x') + "\"") == "/text");
    CHECK(refused(R"("text":"x","media":{"type":"Image"})") == "/media");
    CHECK(refused(R"("text":"x","media":{"type":"Audio","id":"1"})") == "/media/type");
    CHECK(refused(R"("text":"x","media":{"type":"Image","link":"ftp://example.com/a"})") == "/media/link");
    const auto media = R"(,"media":{"type":"Image","link":"https://example.com/a.png"})";
    CHECK(refused(R"("text":")" + std::string(1'025, 'x') + "\"" + media) == "/text");
    CHECK(bed.database.number("SELECT count(*) FROM quick_reply") == 0);
    bed.made("picture", "", media);
    const auto path = bed.made("long", std::string(4'096, 'x'));
    // The text is too long for a caption.
    CHECK(pointer_of(bed.post(path, std::string("{") + (media + 1) + "}")) == "/text");
  }

  TEST_CASE("fields that are left out stay, and media that is null goes; a change is made to what was seen") {
    Bed bed;
    const auto path = bed.made("menu", "The menu", R"(,"media":{"type":"Document","id":"42","fileName":"menu.pdf"})");
    const auto media = json::object{{"type", "Document"}, {"id", "42"}, {"link", nullptr}, {"fileName", "menu.pdf"}};
    CHECK(bed.shown(path).at("media") == json::value(media));
    CHECK(bed.post(path, R"({"text":"Our menu"})").status == 200);
    CHECK(bed.shown(path).at("media") == json::value(media));
    bed.extra = {{"If-Match", "\"0\""}};
    CHECK(bed.post(path, R"({"media":null})").status == 412);
    CHECK(bed.remove(path).status == 412);
    bed.extra.clear();
    const auto changed = bed.post(path, R"({"media":null,"shortcut":null})");
    CHECK(changed.status == 200);
    CHECK(bed.shown(path).at("media").is_null());
    CHECK(bed.shown(path).at("text").as_string() == "Our menu");
    CHECK(bed.shown(path).at("shortcut").as_string() == "menu");
  }

  TEST_CASE("they are read page by page by their shortcuts, and found by what they say") {
    Bed bed;
    std::vector<std::string> all{"Alpha", "beta", "delta", "Gamma", "gamma-2"};
    for (auto i = all.rbegin(); i != all.rend(); ++i) bed.made(*i, "Text of " + *i);
    const auto list = std::string(kList) + "?per_page=2";
    CHECK(follow(bed, shortcuts_in, list) == all);
    CHECK(json_of(bed.get(list)).at("paginationMeta").at("total").as_int64() == 5);
    CHECK(shortcuts_in(bed.get(list + "&skip=4")) == std::vector<std::string>{"gamma-2"});
    CHECK(shortcuts_in(bed.get(list + "&search=GAMMA")) == std::vector<std::string>{"Gamma", "gamma-2"});
    CHECK(json_of(bed.get(list + "&search=GAMMA")).at("paginationMeta").at("total").as_int64() == 2);
    CHECK(shortcuts_in(bed.get(list + "&search=of%20be")) == std::vector<std::string>{"beta"});
    CHECK(shortcuts_in(bed.get(list + "&search=%25")).empty());
    std::ranges::reverse(all);
    CHECK(follow(bed, shortcuts_in, list + "&order=desc") == all);
  }

  TEST_CASE("the quota bounds how many there are") {
    Bed bed(2);
    bed.made("a", "x");
    const auto last = bed.made("b", "x");
    const auto refused = bed.post(kList, R"({"shortcut":"c","text":"x"})");
    CHECK(refused.status == 403);
    CHECK(refused.body.find("quick-replies") != refused.body.npos);
    CHECK(bed.remove(last).status == 204);
    bed.made("c", "x");
  }

  TEST_CASE("a message is made of one for a contact, or with fallbacks for nobody") {
    Bed bed;
    const auto path = bed.made("hi", "Hi {{name|there}}, {{city}} https://shop.example/a");
    auto preview = bed.preview(path);
    CHECK(preview.at("contactId").is_null());
    CHECK(preview.at("messageType").as_string() == "Text");
    CHECK(preview.at("messageData").at("text").as_string() == "Hi there,  https://shop.example/a");
    CHECK(preview.at("missing").as_array() == json::array{"city"});
    CHECK(bed.contacts.targets.empty());

    const auto query = "?contact_id=" + bed.contact.text();
    bed.contacts.answers[kVariables] = {
        200, bed.contact.text() +
                 R"( {"phone":"+491701234567","channelUserId":null,"status":"Active","values":["Ada","Rome"]})" + "\n"};
    preview = bed.preview(path, query);
    CHECK(preview.at("contactId").as_string() == bed.contact.text());
    CHECK(preview.at("messageData").at("text").as_string() == "Hi Ada, Rome https://shop.example/a");
    CHECK(preview.at("missing").as_array().empty());
    // What it made can be sent.
    bed.connect();
    const auto conversation = bed.database.add_conversation(bed.organization, bed.contact);
    bed.open_window(conversation, 5);
    const auto picture =
        bed.made("picture", "For {{name}}", R"(,"media":{"type":"Image","link":"https://example.com/a.png"})");
    for (const auto& each : {path, picture}) {
      const auto message = bed.preview(each, each == path ? query : "");
      const json::object body{{"messageType", message.at("messageType")}, {"messageData", message.at("messageData")}};
      const auto sent = bed.post(path_of(conversation) + "/messages", json::serialize(body));
      CHECK_MESSAGE(sent.status == 201, sent.body);
    }
    CHECK(bed.database.execute("SELECT data ->> 'link' FROM message WHERE message_type = 'Image'") ==
          "https://example.com/a.png");

    bed.contacts.answers[kVariables] = {200, ""};
    CHECK(bed.get(path + "/preview" + query).status == 404);
    bed.contacts.answers[kVariables] = {503, ""};
    const auto degraded = bed.get(path + "/preview" + query);
    CHECK(degraded.status == 200);
    CHECK(has(degraded, "Parley-Degraded: contacts"));
    CHECK(json_of(degraded).at("preview").at("contactId").is_null());
    bed.permissions.remove(Permission::get_contact);
    CHECK(bed.get(path + "/preview" + query).status == 403);
    CHECK(bed.get(path + "/preview").status == 200);
  }
}

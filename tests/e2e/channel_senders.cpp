// Who sent a message, as each answer and event that has it tells: a person, a program, a campaign, a contact, the
// phone's app, or nobody but the settings.
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <map>

#include "tests/e2e/campaign_bed.hpp"
#include "tests/e2e/stream_bed.hpp"

using namespace parley;
using namespace parley::e2e;
namespace json = boost::json;

namespace {

std::string string(const json::value& value, std::string_view name) { return value.at(name).as_string().c_str(); }

json::value sender(const std::string& type, const json::value& id = nullptr, const json::value& member = nullptr) {
  return json::object{{"type", type}, {"uniqueId", id}, {"memberId", member}};
}

struct Bed {
  System system{{.replicas = 1, .environment = {}}};
  CampaignScene scene{system, "Senders", "200000000000501"};
  Channel& channel = scene.channel();
  Client program = channel.client();

  // The token of a person's session, who becomes a member, and the member's id.
  std::pair<std::string, std::string> join(const std::string& email) {
    const auto invite = program.post("/api/organization/invites",
                                     json::serialize(json::object{{"email", email}, {"accessLevel", "Admin"}}));
    REQUIRE_MESSAGE(invite.status == 201, invite.body);
    const json::object join{
        {"token", invite.json().at("token")}, {"name", "Ada"}, {"password", "correct horse battery"}};
    Client nobody(system);
    const auto joined = nobody.post("/api/auth/join-organization", json::serialize(join));
    REQUIRE_MESSAGE(joined.status == 201, joined.body);
    const json::object login{{"email", email}, {"password", "correct horse battery"}};
    const auto session = nobody.post("/api/auth/login", json::serialize(login)).json();
    const auto member =
        system.sql("organizations")
            .value("SELECT m.id FROM member m JOIN person p ON p.id = m.person_id WHERE p.email = $1", {email});
    return {string(session.at("session"), "token"), member};
  }
  // The conversation's messages by what they say; the one of a Template or System by its type.
  std::map<std::string, json::value> messages(const std::string& conversation) {
    std::map<std::string, json::value> out;
    const auto page = program.get("/api/conversation/" + conversation + "/messages?per_page=100").json();
    for (const auto& message : page.at("messages").as_array()) {
      const auto* text = message.at("messageData").as_object().if_contains("text");
      out[text && text->is_string() ? text->as_string().c_str() : string(message, "messageType")] = message;
    }
    return out;
  }
  std::string send(Client& client, const std::string& conversation, const std::string& text) {
    const json::object body{{"messageType", "Text"}, {"messageData", {{"text", text}}}};
    const auto answer = client.post("/api/conversation/" + conversation + "/messages", json::serialize(body));
    REQUIRE_MESSAGE(answer.status == 201, answer.body);
    return string(answer.json().at("message"), "uniqueId");
  }
};

}  // namespace

TEST_SUITE("e2e: the channel, senders") {
  TEST_CASE("each message tells who sent it, wherever it is shown, and which campaign") {
    Bed bed;
    auto& channel = bed.channel;
    const auto list = bed.scene.import_list("all", 1, 1);
    const auto number = CampaignScene::number(1);
    Stream stream(bed.system, channel.api_key(), "?wait=120");
    channel.deliver(channel.body({Channel::text(number, "wamid.s1", "hello")}));
    wait_for("the contact has written", [&] { return !channel.conversation(number).is_null(); });
    const auto conversation = string(channel.conversation(number), "uniqueId");
    const auto contact = string(channel.conversation(number), "contactId");

    const auto [session, member] = bed.join("ada@senders.example");
    Client person(bed.system, session);
    const auto by_person = bed.send(person, conversation, "from a person");
    bed.send(bed.program, conversation, "from a program");
    json::object echo = Channel::text(number, "wamid.s2", "from the phone");
    echo["to"] = number;
    echo["from"] = "15550001111";
    auto body = json::parse(channel.body({})).as_object();
    auto& change = body["entry"].at(0).at("changes").at(0).as_object();
    change["field"] = "smb_message_echoes";
    change["value"].as_object()["message_echoes"] = json::array{echo};
    channel.deliver(json::serialize(body));
    const auto campaign = bed.scene.start(bed.scene.text_campaign({list}, "from a campaign"));
    bed.scene.wait_for_status(campaign, "Finished");
    const auto again = bed.scene.make(bed.scene.text_campaign({list}, "from a test"));
    const auto tested = person.post("/api/campaigns/" + again + "/test", R"({"phones":["+)" + number + R"("]})");
    REQUIRE_MESSAGE(tested.status == 200, tested.body);
    channel.deliver(channel.body({Channel::text(number, "wamid.s3", "STOP")}));
    // Stored by the release before, which knew no senders.
    const auto old = bed.send(bed.program, conversation, "from long ago");
    bed.system.sql("conversations")
        .rows("UPDATE message SET sent_by = NULL, sent_by_member = NULL, sent_by_key = NULL WHERE id = $1", {old});
    wait_for("all are there", [&] { return channel.messages_of(conversation) == 9; });

    const auto key = bed.system.sql("organizations")
                         .value("SELECT id FROM credential WHERE organization_id = $1 ORDER BY id LIMIT 1",
                                {channel.organization()});
    const auto owner = bed.system.sql("organizations")
                           .value("SELECT member_id FROM credential WHERE organization_id = $1 AND id = $2",
                                  {channel.organization(), key});
    auto messages = bed.messages(conversation);
    const auto answer = [&] {
      for (const auto& [text, message] : messages)
        if (message.at("sentBy").at("type") == "Automatic") return text;
      return std::string();
    }();
    CHECK_FALSE(answer.empty());
    const std::map<std::string, json::value> expected{
        {"hello", sender("Contact", json::value(contact))},
        {"STOP", sender("Contact", json::value(contact))},
        {"from a person", sender("Member", json::value(member), json::value(member))},
        {"from a program", sender("ApiKey", json::value(key), json::value(owner))},
        {"from the phone", sender("App")},
        {"from a campaign", sender("Campaign", json::value(campaign))},
        {"from a test", sender("Member", json::value(member), json::value(member))},
        {"from long ago", sender("Unknown")},
        {answer, sender("Automatic")}};
    REQUIRE_EQ(messages.size(), expected.size());
    for (const auto& [text, by] : expected) {
      CAPTURE(text);
      const auto& message = messages[text];
      CHECK_EQ(message.at("sentBy"), by);
      CHECK_EQ(message.at("campaignId"), text == "from a campaign" ? json::value(campaign) : json::value(nullptr));
      const auto found = bed.program.get("/api/messages/" + string(message, "uniqueId")).json().at("message");
      CHECK_EQ(found.at("sentBy"), by);
      CHECK_EQ(found.at("campaignId"), message.at("campaignId"));
    }
    const auto shown = [&](const json::array& all, std::size_t count) {
      CHECK_EQ(all.size(), count);
      for (const auto& message : all) {
        const auto& same = messages[string(message.at("messageData"), "text")];
        CHECK_EQ(message.at("sentBy"), same.at("sentBy"));
        CHECK_EQ(message.at("campaignId"), same.at("campaignId"));
      }
    };
    const auto count = expected.size();
    shown(bed.program.get("/api/messages?contact_id=" + contact).json().at("messages").as_array(), count);
    shown(channel.conversation(number).at("messages").as_array(), count);
    shown(channel.contact(number).at("conversations").at(0).at("messages").as_array(), count);
    const auto page = bed.program.get("/api/conversations?contact_id=" + contact).json();
    shown(page.at("conversations").at(0).at("messages").as_array(), 1);

    const auto event = [&](const std::string& id) {
      CHECK(stream.hears("\"message\":{\"uniqueId\":\"" + id + "\""));
      const auto& heard = stream.heard();
      const auto at = heard.rfind("\ndata: ", heard.find("\"message\":{\"uniqueId\":\"" + id + "\"")) + 7;
      const auto text = heard.substr(at, heard.find('\n', at) - at);
      CHECK_EQ(contract_of(bed.system).check_event(text), support::Faults{});
      return json::parse(text).at("data").at("message").at("sentBy");
    };
    CHECK_EQ(event(by_person), expected.at("from a person"));
    CHECK_EQ(event(string(messages["hello"], "uniqueId")), expected.at("hello"));
  }
}

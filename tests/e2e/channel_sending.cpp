// What goes to the channel, through the whole system, with the simulator as the judge.
#include <algorithm>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <set>
#include <thread>

#include "tests/e2e/channel_bed.hpp"

using namespace parley;
using namespace parley::e2e;
namespace json = boost::json;

namespace {

struct Bed {
  System system{{.replicas = 2, .environment = {}}};
  Channel channel{system, "Sending", "200000000000201"};
};
Bed& bed() {
  static Bed the_bed;
  return the_bed;
}

std::string string(const json::value& value, std::string_view name) { return value.at(name).as_string().c_str(); }

// A customer who has just written, and their conversation.
std::string conversation_with(const std::string& number) {
  auto& channel = bed().channel;
  channel.deliver(channel.body({Channel::text(number, "wamid.first." + number, "hello")}));
  wait_for("the conversation is there", [&] { return !channel.conversation(number).is_null(); });
  return string(channel.conversation(number), "uniqueId");
}

std::string send(const std::string& conversation, const std::string& type, const json::value& data,
                 const Headers& headers = {}) {
  auto client = bed().channel.client();
  const auto answer = client.post("/api/conversation/" + conversation + "/messages",
                                  json::serialize(json::object{{"messageType", type}, {"messageData", data}}), headers);
  REQUIRE_MESSAGE(answer.status == 201, answer.body);
  return string(answer.json().at("message"), "uniqueId");
}

json::value message(const std::string& id) {
  return bed().channel.client().get("/api/messages/" + id).json().at("message");
}

void wait_for_status(const std::string& id, const std::string& status) {
  wait_for(id + " is " + status, [&] { return string(message(id), "status") == status; });
}

}  // namespace

TEST_SUITE("e2e: the channel, outbound") {
  TEST_CASE("a reply goes out once and its fate is known") {
    auto& channel = bed().channel;
    channel.simulator("POST", "/simulator/behaviour", {{"statuses", "all"}});
    const auto conversation = conversation_with("4915212340001");
    const auto id = send(conversation, "Text", {{"text", "Good morning"}}, {{"Idempotency-Key", "reply-1"}});
    CHECK_EQ(send(conversation, "Text", {{"text", "Good morning"}}, {{"Idempotency-Key", "reply-1"}}), id);
    wait_for_status(id, "Read");
    const auto sent = message(id);
    CHECK(sent.at("messagingMessageId").is_string());
    const auto accepted = channel.simulator("GET", "/simulator/accepted?recipient=4915212340001");
    REQUIRE_EQ(accepted.at("accepted").as_array().size(), 1);
    CHECK_EQ(accepted.at("accepted").at(0).at("opaque"), json::value(id));
    CHECK_EQ(accepted.at("accepted").at(0).at("count").as_int64(), 1);
  }

  TEST_CASE("types that members send, each as the channel takes them") {
    auto& channel = bed().channel;
    channel.simulator("POST", "/simulator/behaviour", {{"statuses", "all"}});
    const auto conversation = conversation_with("4915212340002");
    std::vector<std::string> ids;
    const auto first = string(channel.conversation("4915212340002").at("messages").at(0), "uniqueId");
    ids.push_back(send(conversation, "Image", {{"link", "https://example.com/a.jpg"}, {"caption", "A"}}));
    ids.push_back(send(conversation, "Document", {{"link", "https://example.com/a.pdf"}, {"fileName", "a.pdf"}}));
    ids.push_back(send(conversation, "Location", {{"latitude", 52.5}, {"longitude", 13.4}, {"name", "Berlin"}}));
    ids.push_back(send(conversation, "Reaction", {{"reaction", "👍"}, {"messageId", first}}));
    ids.push_back(send(conversation, "Contacts",
                       {{"contacts", json::array{{{"name", {{"formatted_name", "Ada"}, {"first_name", "Ada"}}},
                                                  {"phones", json::array{{{"phone", "+4930123"}}}}}}}}));
    ids.push_back(send(
        conversation, "Interactive",
        {{"type", "button"},
         {"body", {{"text", "Yes?"}}},
         {"action", {{"buttons", json::array{{{"type", "reply"}, {"reply", {{"id", "y"}, {"title", "Yes"}}}}}}}}}));
    for (const auto& id : ids) wait_for_status(id, "Read");
    CHECK_EQ(channel.simulator("GET", "/simulator/accepted?recipient=4915212340002").at("accepted").as_array().size(),
             ids.size());
  }

  TEST_CASE("outside the 24 hours anything but a template is refused here, not by the channel") {
    auto& [system, channel] = bed();
    const std::string number = "4915212340003";
    const auto conversation = conversation_with(number);
    system.sql("conversations")
        .rows(
            "UPDATE conversation SET last_inbound_at = now() - interval '25 hours' WHERE organization_id = $1 AND id "
            "= $2",
            {channel.organization(), conversation});
    auto client = channel.client();
    const auto refused = client.post("/api/conversation/" + conversation + "/messages",
                                     R"({"messageType":"Text","messageData":{"text":"too late"}})");
    CHECK_EQ(refused.status, 409);
    CHECK(string(refused.json(), "detail").find("24") != std::string::npos);
    CHECK_EQ(channel.simulator("GET", "/simulator/accepted?recipient=" + number).at("accepted").as_array().size(), 0);
  }

  TEST_CASE("what the channel refuses for good has Failed, and says why") {
    auto& channel = bed().channel;
    const auto conversation = conversation_with("4915212340004");
    channel.simulator("POST", "/simulator/faults",
                      {{"path", "/" + channel.phone_number_id() + "/messages"},
                       {"method", "POST"},
                       {"status", 400},
                       {"error", {{"message", "(#131026) Message undeliverable"}, {"code", 131026}}}});
    const auto id = send(conversation, "Text", {{"text", "anybody there?"}});
    wait_for_status(id, "Failed");
    const auto failed = message(id);
    CHECK_EQ(failed.at("errorCode").as_int64(), 131026);
    CHECK(string(failed, "errorText").find("undeliverable") != std::string::npos);
  }

  TEST_CASE("an answer that is lost leaves a message in doubt, which its status settles; it is never sent again") {
    auto& channel = bed().channel;
    const std::string number = "4915212340005";
    const auto conversation = conversation_with(number);
    channel.simulator("POST", "/simulator/behaviour", {{"statuses", "all"}, {"delayMs", 1500}});
    channel.simulator(
        "POST", "/simulator/faults",
        {{"path", "/" + channel.phone_number_id() + "/messages"}, {"method", "POST"}, {"status", "lose"}});
    const auto id = send(conversation, "Text", {{"text", "did this arrive?"}});
    wait_for_status(id, "Read");
    const auto accepted = channel.simulator("GET", "/simulator/accepted?recipient=" + number).at("accepted").as_array();
    REQUIRE_EQ(accepted.size(), 1);
    CHECK_EQ(accepted[0].at("count").as_int64(), 1);
    CHECK_EQ(message(id).at("messagingMessageId"), accepted[0].at("wamid"));
    channel.simulator("POST", "/simulator/behaviour", {{"statuses", "all"}, {"delayMs", 0}});
  }

  TEST_CASE("a message that is taken and answered with an error by 5xx is in doubt, and its status settles it") {
    auto& [system, channel] = bed();
    channel.simulator("POST", "/simulator/behaviour", {{"statuses", "none"}, {"delayMs", 0}});
    const std::pair<int, int> answers[]{{503, 2}, {500, 131000}, {504, 424242}};
    for (const auto& [status, code] : answers) {
      CAPTURE(code);
      const auto number = "4915212350" + std::to_string(100 + code % 100);
      const auto conversation = conversation_with(number);
      channel.simulator("POST", "/simulator/faults",
                        {{"path", "/" + channel.phone_number_id() + "/messages"},
                         {"recipient", number},
                         {"times", 10},
                         {"done", true},
                         {"status", status},
                         {"code", code}});
      const auto id = send(conversation, "Text", {{"text", "did this arrive?"}});
      const auto accepted = [&] {
        return channel.simulator("GET", "/simulator/accepted?recipient=" + number).at("accepted").as_array();
      };
      auto& sql = system.sql("conversations");
      wait_for("it is in doubt, or was sent twice", [&] {
        return sql.number("SELECT count(*) FROM outgoing WHERE message_id = $1 AND state = 'InDoubt'", {id}) == 1 ||
               (!accepted().empty() && accepted()[0].at("count").as_int64() > 1);
      });
      CHECK_EQ(string(message(id), "status"), "Queued");
      REQUIRE_EQ(accepted().size(), 1);
      channel.simulator("POST", "/simulator/statuses",
                        {{"messageId", accepted()[0].at("wamid")}, {"status", "delivered"}});
      wait_for_status(id, "Delivered");
      wait_for("nothing of it is queued",
               [&] { return sql.number("SELECT count(*) FROM outgoing WHERE message_id = $1", {id}) == 0; });
      CHECK_EQ(accepted()[0].at("count").as_int64(), 1);
      CHECK_EQ(message(id).at("messagingMessageId"), accepted()[0].at("wamid"));
      channel.simulator("DELETE", "/simulator/faults");
    }
    channel.simulator("POST", "/simulator/behaviour", {{"statuses", "all"}});
  }

  TEST_CASE("statuses ten times over, backwards and before the send is answered: the highest holds") {
    auto& channel = bed().channel;
    channel.simulator("POST", "/simulator/behaviour",
                      {{"statuses", "all"}, {"repeat", 10}, {"reorder", true}, {"batch", 7}});
    std::vector<std::string> ids;
    for (int customer = 0; customer < 10; ++customer) {
      const auto conversation = conversation_with("49152600000" + std::to_string(10 + customer));
      for (int n = 0; n < 3; ++n) ids.push_back(send(conversation, "Text", {{"text", std::to_string(n)}}));
    }
    for (const auto& id : ids) wait_for_status(id, "Read");
    auto& sql = bed().system.sql("conversations");
    wait_for("the inbox is empty", [&] { return sql.number("SELECT count(*) FROM inbox") == 0; });
    for (const auto& id : ids) CHECK_EQ(string(message(id), "status"), "Read");
    CHECK_EQ(sql.number("SELECT count(*) FROM outgoing WHERE kind = 'Message' AND organization_id = $1",
                        {channel.organization()}),
             0);
    CHECK_EQ(channel.simulator("GET", "/simulator/accepted").at("doubled").as_int64(), 0);
    channel.simulator("POST", "/simulator/behaviour",
                      {{"statuses", "all"}, {"repeat", 1}, {"reorder", false}, {"batch", 1}});
  }
}

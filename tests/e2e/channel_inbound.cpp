// What comes from the channel, through the whole system: nothing lost, nothing twice, whatever the order, the
// repetition and the deaths on the way.
#include <algorithm>
#include <atomic>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <random>
#include <set>
#include <thread>

#include "tests/e2e/channel_bed.hpp"

using namespace parley;
using namespace parley::e2e;
namespace json = boost::json;
using namespace std::chrono_literals;

namespace {

struct Bed {
  System system{{.replicas = 2, .environment = {}}};
  Channel channel{system, "Inbound", "200000000000101"};
};
Bed& bed() {
  static Bed the_bed;
  return the_bed;
}

std::string string(const json::value& value, std::string_view name) { return value.at(name).as_string().c_str(); }

std::int64_t received(const std::string& number) {
  auto conversation = bed().channel.conversation(number);
  return conversation.is_null() ? 0 : conversation.at("totalMessages").as_int64();
}

// Everything that was taken in has been applied.
void wait_until_applied() {
  auto& sql = bed().system.sql("conversations");
  wait_for("everything is applied", [&] {
    return sql.number("SELECT count(*) FROM inbox") == 0 &&
           sql.number("SELECT count(*) FROM parked_element WHERE due_at IS NOT NULL") == 0;
  });
}

}  // namespace

TEST_SUITE("e2e: the channel, inbound") {
  TEST_CASE("a stranger writes: a contact, a conversation, its window; more from them goes into the same") {
    auto& channel = bed().channel;
    const std::string number = "4915112340001";
    channel.deliver(channel.body({Channel::text(number, "wamid.stranger1", "Grüße! 你好")}, {},
                                 {{{"profile", {{"name", "Stina Stranger"}}}, {"wa_id", number}}}));
    wait_for("the message is there", [&] { return received(number) == 1; });
    const auto contact = channel.contact(number);
    CHECK_EQ(contact.at("name"), json::value("Stina Stranger"));
    CHECK_EQ(contact.at("status"), json::value("Active"));
    const auto conversation = channel.conversation(number);
    CHECK_EQ(conversation.at("initiatedBy"), json::value("Contact"));
    CHECK_EQ(conversation.at("numberOfUnreadMessages").as_int64(), 1);
    CHECK(conversation.at("serviceWindowEndsAt").is_string());
    const auto message = conversation.at("messages").at(0);
    CHECK_EQ(message.at("messageData").at("text"), json::value("Grüße! 你好"));
    CHECK_EQ(message.at("messagingMessageId"), json::value("wamid.stranger1"));
    CHECK_EQ(message.at("direction"), json::value("InBound"));
    CHECK_EQ(message.at("status"), json::value("Unread"));
    channel.deliver(channel.body({Channel::text(number, "wamid.stranger2", "one more")}));
    wait_for("the second is there", [&] { return received(number) == 2; });
    CHECK_EQ(channel.conversation(number).at("uniqueId"), conversation.at("uniqueId"));
    auto client = channel.client();
    const auto listed = client.get("/api/conversations?unread=true&search=Stina").json();
    REQUIRE_EQ(listed.at("conversations").as_array().size(), 1);
    CHECK_EQ(listed.at("conversations").at(0).at("uniqueId"), conversation.at("uniqueId"));
    CHECK_EQ(client.post("/api/conversation/" + string(conversation, "uniqueId") + "/read", "{}").status, 200);
    CHECK_EQ(channel.conversation(number).at("numberOfUnreadMessages").as_int64(), 0);
  }

  TEST_CASE("a number that moves takes along what comes to it: nothing of it is stored with who had it before") {
    auto& system = bed().system;
    Channel one(system, "Mover", "200000000000111"), two(system, "Taker", "200000000000112");
    auto& sql = system.sql("conversations");
    const auto texts_of = [&](const Channel& channel) {
      return sql.column("SELECT data->>'text' FROM message WHERE organization_id = $1", {channel.organization()});
    };
    // Both dispatchers know whose it is, as often as it takes to have come by each.
    for (int i = 0; i < 20; ++i)
      one.deliver(one.body({Channel::text("4915112340311", "wamid.mine" + std::to_string(i), "mine")}));
    wait_until_applied();
    CHECK_EQ(texts_of(one).size(), 20);
    for (int i = 0; i < 6; ++i) {
      auto& from = i % 2 == 0 ? one : two;
      auto& to = i % 2 == 0 ? two : one;
      const auto text = "to " + to.organization() + " " + std::to_string(i);
      from.connect("20000000000012" + std::to_string(i));
      to.connect("200000000000111");
      for (int part = 0; part < 4; ++part)  // no event has been heard of yet, perhaps
        to.deliver(to.body({Channel::text("4915112340311", "wamid." + text + std::to_string(part), text)}));
      wait_until_applied();
    }
    for (const auto* channel : {&one, &two}) {
      const auto texts = texts_of(*channel);
      CHECK_EQ(texts.size(), channel == &one ? 20 + 12 : 12);
      for (const auto& text : texts) CHECK((text == "mine" || text.find(channel->organization()) == 3));
    }
    CHECK_EQ(sql.number("SELECT count(*) FROM parked_element WHERE phone_number_id = '200000000000111'"), 0);
  }

  TEST_CASE("who has not the secret is refused; what is signed never is, however strange") {
    auto& channel = bed().channel;
    const auto good = channel.body({Channel::text("4915112340002", "wamid.refused", "x")});
    CHECK_EQ(channel.post(good, Channel::signature_of(good + " ")), 401);
    CHECK_EQ(channel.post(good, ""), 401);
    CHECK_EQ(channel.post(good, "sha256=" + std::string(64, '0')), 401);
    for (const std::string& strange :
         {std::string("{"), std::string(""), std::string("[]"), std::string("null"), std::string("\xff\xfe"),
          std::string(R"({"object":"x","object":"y","entry":[{"changes":[{"field":"messages","value":7}]}]})"),
          R"({"a":)" + std::string(2'000, '[') + "}",
          "{\"entry\":[{\"text\":\"" + std::string(2'900'000, 'x') + "\"}]}"})
      CHECK_EQ(channel.post(strange, Channel::signature_of(strange)), 200);
    wait_until_applied();
    CHECK(channel.contact("4915112340002").is_null());
    channel.deliver(good);
    wait_for("those behind the strange ones are applied", [&] { return received("4915112340002") == 1; });
  }

  TEST_CASE("the same ten times over and at once, two gateways, in any order: each message once") {
    auto& channel = bed().channel;
    bed().system.need_replicas(2);
    std::vector<std::string> bodies;
    std::set<std::string> numbers;
    for (int customer = 0; customer < 12; ++customer) {
      const auto number = "49151200000" + std::to_string(10 + customer);
      numbers.insert(number);
      for (int n = 0; n < 8; ++n) {
        const auto wamid = "wamid.crowd." + std::to_string(customer) + "." + std::to_string(n);
        const auto body = channel.body({Channel::text(number, wamid, std::to_string(n), 100 - n)});
        for (int times = 0; times < 10; ++times) bodies.push_back(body);
      }
    }
    const auto seed = std::random_device{}();
    INFO("seed " << seed);
    std::shuffle(bodies.begin(), bodies.end(), std::mt19937(seed));
    std::atomic<std::size_t> next = 0;
    std::atomic<int> undelivered = 0;
    {
      std::vector<std::jthread> threads;
      for (std::size_t thread = 0; thread < 6; ++thread)
        threads.emplace_back([&, thread] {
          for (std::size_t at; (at = next++) < bodies.size();)
            if (!channel.try_to_deliver(bodies[at], thread % 2)) ++undelivered;
        });
    }
    REQUIRE_EQ(undelivered.load(), 0);
    wait_until_applied();
    auto& sql = bed().system.sql("conversations");
    for (const auto& number : numbers) {
      const auto conversation = channel.conversation(number);
      REQUIRE(!conversation.is_null());
      CHECK_EQ(conversation.at("totalMessages").as_int64(), 8);
      CHECK_EQ(conversation.at("numberOfUnreadMessages").as_int64(), 8);
      const auto& messages = conversation.at("messages").as_array();
      REQUIRE_EQ(messages.size(), 8);
      for (std::size_t i = 0; i < messages.size(); ++i)  // newest first, by the channel's clock
        CHECK_EQ(messages[i].at("messageData").at("text"), json::value(std::to_string(7 - i)));
      CHECK_EQ(sql.number("SELECT count(*) FROM conversation WHERE organization_id = $1 AND contact_id = $2",
                          {channel.organization(), string(conversation, "contactId")}),
               1);
    }
    CHECK_EQ(sql.number("SELECT count(*) FROM parked_element WHERE kind <> 'body'"), 0);
  }

  TEST_CASE("dispatchers and services killed again and again while messages pour in: each once, none lost") {
    auto& [system, channel] = bed();
    system.need_replicas(2);
    constexpr int kCustomers = 20, kEach = 25;
    std::atomic<int> posted = 0, undelivered = 0;
    {
      std::vector<std::jthread> threads;
      for (int thread = 0; thread < 4; ++thread)
        threads.emplace_back([&, thread, &channel = channel] {
          for (int n = thread; n < kCustomers * kEach; n += 4, ++posted) {
            const auto number = "4915130000" + std::to_string(100 + n % kCustomers);
            const auto message = Channel::text(number, "wamid.killed." + std::to_string(n), std::to_string(n));
            if (!channel.try_to_deliver(channel.body({message}), static_cast<std::size_t>(thread % 2))) ++undelivered;
          }
        });
      const std::vector<std::string> victims{"dispatcher", "conversations", "contacts"};
      std::mt19937 random(7);
      int kills = 0;
      for (; posted < kCustomers * kEach; ++kills) {
        auto& victim = system.component(victims[random() % victims.size()], random() % 2);
        victim.kill();
        std::this_thread::sleep_for(std::chrono::milliseconds(50 + random() % 150));
        victim.start();
        std::this_thread::sleep_for(std::chrono::milliseconds(100 + random() % 200));
      }
      MESSAGE(kills << " processes killed");
    }
    REQUIRE_EQ(undelivered.load(), 0);
    wait_until_applied();
    auto& sql = system.sql("conversations");
    CHECK_EQ(sql.number("SELECT count(*) FROM message WHERE organization_id = $1 AND channel_message_id LIKE "
                        "'wamid.killed.%'",
                        {channel.organization()}),
             kCustomers * kEach);
    for (int customer = 0; customer < kCustomers; ++customer) {
      const auto conversation = channel.conversation("4915130000" + std::to_string(100 + customer));
      REQUIRE(!conversation.is_null());
      CHECK_EQ(conversation.at("totalMessages").as_int64(), kEach);
    }
    CHECK_EQ(system.sql("contacts")
                 .number("SELECT count(*) - count(DISTINCT phone) FROM contact WHERE organization_id = $1",
                         {channel.organization()}),
             0);
  }

  TEST_CASE("STOP opts out, with an answer and once; START undoes; both are the contact's status") {
    auto& [system, channel] = bed();
    const std::string number = "4915112340005";
    const auto status = [&, &channel = channel] { return string(channel.contact(number), "status"); };
    channel.deliver(channel.body({Channel::text(number, "wamid.stop0", "please do not stop writing")}));
    wait_for("the first is there", [&] { return received(number) == 1; });
    CHECK_EQ(status(), "Active");
    channel.deliver(channel.body({Channel::text(number, "wamid.stop1", "  Stop. ")}));
    wait_for("the contact is opted out", [&] { return status() == "OptedOut"; });
    wait_for("the answer is sent", [&] { return received(number) == 3; });
    channel.deliver(channel.body({Channel::text(number, "wamid.stop2", "STOP")}));
    wait_for("the second STOP is there", [&] { return received(number) == 4; });
    channel.deliver(channel.body({Channel::text(number, "wamid.stop3", "start")}));
    wait_for("the contact is back", [&] { return status() == "Active"; });
    const auto conversation = channel.conversation(number);
    std::int64_t answers = 0;
    for (const auto& message : conversation.at("messages").as_array())
      answers += message.at("direction") == json::value("OutBound") ? 1 : 0;
    CHECK_EQ(answers, 2);  // to the first STOP and to START
  }

  TEST_CASE("a blocked contact's messages are kept, and neither counted nor told nor answered") {
    auto& [system, channel] = bed();
    const std::string number = "4915112340006";
    channel.deliver(channel.body({Channel::text(number, "wamid.blocked1", "hello")}));
    wait_for("the first is there", [&] { return received(number) == 1; });
    const auto conversation = channel.conversation(number);
    const auto id = string(conversation, "uniqueId"), contact = string(conversation, "contactId");
    auto client = channel.client();
    CHECK_EQ(client.post("/api/conversation/" + id + "/read", "{}").status, 200);
    CHECK_EQ(client.post("/api/conversation/" + id, R"({"status":"Closed"})").status, 200);
    CHECK_EQ(client.post("/api/contacts/" + contact, R"({"status":"Blocked"})").status, 200);
    channel.deliver(channel.body({Channel::text(number, "wamid.blocked2", "let me in")}));
    wait_for("it is kept", [&, &channel = channel] { return channel.messages_of(id) == 2; });
    const auto after = client.get("/api/conversation/" + id).json().at("conversation");
    CHECK_EQ(after.at("status"), json::value("Closed"));
    CHECK_EQ(after.at("numberOfUnreadMessages").as_int64(), 0);
    CHECK_EQ(
        client.post("/api/conversation/" + id + "/messages", R"({"messageType":"Text","messageData":{"text":"no"}})")
            .status,
        409);
  }

  TEST_CASE("what a contact wrote is found by its words, edited ones too, until the contact is deleted") {
    auto& channel = bed().channel;
    auto client = channel.client();
    const std::string number = "4915112340031";
    const auto found = [&](const std::string& query) {
      const auto answer = client.get("/api/messages/search?" + query);
      REQUIRE_MESSAGE(answer.status == 200, answer.body);
      return answer.json().at("matches").as_array();
    };
    channel.deliver(channel.body({Channel::text(number, "wamid.search1", "Is the Café on Ringstraße open?")}));
    wait_for("the message is there", [&] { return received(number) == 1; });
    const auto conversation = channel.conversation(number);
    const auto contact = string(conversation, "contactId");
    const auto all = found("search=ringstrasse+cafe&direction=InBound&contact_id=" + contact);
    REQUIRE_EQ(all.size(), 1);
    CHECK_EQ(all.at(0).at("message").at("conversationId"), conversation.at("uniqueId"));
    CHECK_EQ(json::serialize(all.at(0).at("highlights")),
             R"([{"pieces":[{"text":"Is the ","matched":false},{"text":"Café","matched":true},{"text":" on ",)"
             R"("matched":false},{"text":"Ringstraße","matched":true},{"text":" open?","matched":false}]}])");
    CHECK_EQ(found("search=ringstr&messageType=Text").size(), 1);
    CHECK_EQ(found("search=ringstr&direction=OutBound").size(), 0);
    CHECK_EQ(client.get("/api/messages/search?search=...").status, 400);
    CHECK_EQ(client("DELETE", "/api/contacts/" + contact).status, 204);
    wait_for("it is not found", [&] { return found("search=ringstr").empty(); });
  }

  TEST_CASE("someone without a number is one contact with whom they are later known to be") {
    auto& [system, channel] = bed();
    const std::string user = "DE.9876543210ABCDEF", number = "4915112340007";
    auto from_user = Channel::text("", "wamid.user1", "I have no number");
    from_user.erase("from");
    from_user["from_user_id"] = user;
    const json::object profile{{"profile", {{"name", "Una Username"}}}, {"user_id", user}};
    channel.deliver(channel.body({from_user}, {}, {profile}));
    auto& sql = system.sql("contacts");
    wait_for("the contact is made", [&, &channel = channel] {
      return sql.number("SELECT count(*) FROM contact WHERE organization_id = $1 AND channel_user_id = $2",
                        {channel.organization(), user}) == 1;
    });
    channel.deliver(channel.body({Channel::text(number, "wamid.user2", "now from my number")}));
    wait_for("a second contact is made", [&] { return received(number) == 1; });
    auto both = Channel::text(number, "wamid.user3", "it is me");
    both["from_user_id"] = user;
    json::object known = profile;
    known["wa_id"] = number;
    channel.deliver(channel.body({both}, {}, {known}));
    wait_for("all that they wrote is in one conversation", [&, &channel = channel] {
      const auto contacts =
          sql.number("SELECT count(*) FROM contact WHERE organization_id = $1 AND (channel_user_id = $2 OR phone = $3)",
                     {channel.organization(), user, "+" + number});
      if (contacts != 1) return false;
      const auto contact = string(channel.contact(number), "uniqueId");
      auto& conversations = system.sql("conversations");
      return conversations.number("SELECT count(*) FROM message WHERE organization_id = $1 AND contact_id = $2",
                                  {channel.organization(), contact}) == 3 &&
             conversations.number(
                 "SELECT count(*) FROM conversation WHERE organization_id = $1 AND contact_id = $2 "
                 "AND status = 'Active'",
                 {channel.organization(), contact}) == 1;
    });
  }

  TEST_CASE("an organization's own URL is confirmed while its account is being connected, and takes its webhooks") {
    auto& [system, inbound] = bed();
    for (std::size_t replica : {0, 1}) {
      auto& organizations = system.organizations(replica);
      organizations.environment.emplace_back("PARLEY_PUBLIC_URL", system.gateway().url());
      organizations.kill();
      organizations.start();
    }
    inbound.simulator("POST", "/simulator/behaviour", {{"verifyCallbacks", true}});
    Channel channel(system, "Confirmed", "200000000000102");
    inbound.simulator("POST", "/simulator/behaviour", {{"verifyCallbacks", false}});
    const auto path = "/webhooks/messaging/" + channel.organization();
    Client stranger(system);
    CHECK_EQ(stranger.get(path + "?hub.mode=subscribe&hub.verify_token=guess&hub.challenge=1").status, 403);
    CHECK_EQ(stranger
                 .get("/webhooks/messaging/" + model::new_uuid().text() +
                      "?hub.mode=subscribe&hub.verify_token=&hub.challenge=1")
                 .status,
             403);
    channel.simulator("POST", "/simulator/inbound",
                      {{"phoneNumberId", channel.phone_number_id()}, {"from", "+4915112340009"}, {"text", "hello"}});
    wait_for("what it sent there is applied", [&] { return !channel.conversation("4915112340009").is_null(); });
  }
}

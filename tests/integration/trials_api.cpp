// Campaigns' messages previewed, and sent to a few numbers.
#include <algorithm>
#include <boost/json/serialize.hpp>

#include "conversations/campaigns/test_sends/api.hpp"
#include "tests/integration/conversations_service.hpp"

using namespace parley;
using namespace parley::conversations_tests;

namespace {

constexpr auto kVariables = "/internal/contacts/variables";
constexpr auto kAudience = "/internal/contacts/audience";
constexpr auto kResolve = "/internal/contacts/resolve";

class Trials : public Service {
 public:
  Trials()
      : channel_(process_, {.url = "http://127.0.0.1:1/v20.0"}),
        catalogue_(accounts_, channel_, template_store_),
        check_(catalogue_, template_store_, kPublic),
        api_(process_, pool_, store_, campaigns_, check_, accounts_, contacts_peer_, kPublic) {
    connect();
  }

  // A Draft; `columns` and their `values` beside its message.
  Uuid add(const std::string& message, const std::string& columns = "", const std::string& values = "") {
    const auto id = model::new_uuid();
    database.execute("INSERT INTO campaign (organization_id, id, name, message" + columns + ") VALUES (" +
                     quoted(organization) + ", " + quoted(id) + ", 'Sale', '" + message + "'" + values + ")");
    return id;
  }
  // What contacts says of somebody.
  static std::string line(const Uuid& id, const std::string& values, const std::string& status = "Active") {
    return id.text() + R"( {"phone":"+491701234567","channelUserId":null,"status":")" + status + R"(","values":)" +
           values + "}\n";
  }
  boost::json::array previews(const Uuid& campaign, const std::string& query = "") {
    const auto answer = get("/api/campaigns/" + campaign.text() + "/preview" + query);
    REQUIRE_MESSAGE(answer.status == 200, answer.body);
    return json_of(answer).at("previews").as_array();
  }
  // Contacts knows these as the contacts of the numbers that are asked about next.
  void know(const std::vector<Uuid>& people, const std::string& lines) {
    std::string out;
    for (const auto& id : people)
      out += (out.empty() ? "" : ",") + (R"({"contactId":")" + id.text() + R"(","status":"Active","created":false})");
    contacts.answers[kResolve] = {200, R"({"contacts":[)" + out + "]}"};
    contacts.answers[kVariables] = {200, lines};
  }
  http::Response test(const Uuid& campaign, const std::string& body) {
    return post("/api/campaigns/" + campaign.text() + "/test", body);
  }
  std::string text_of(const boost::json::value& message_id) {
    return database.execute("SELECT data->>'text' FROM message WHERE id = '" + std::string(message_id.as_string()) +
                            "'");
  }

 private:
  inline static const std::string kPublic = "https://go.example";
  conversations::channel::Client channel_;
  conversations::templates::Store template_store_{pool_};
  conversations::templates::Catalogue catalogue_;
  conversations::rendering::TemplateCheck check_;
  conversations::campaigns::Store campaigns_{pool_};
  conversations::conversations::Store conversations_{pool_, counts};
  conversations::test_sends::Store store_{conversations_};
  conversations::test_sends::Api api_;
};

constexpr auto kHello = R"({"type":"Text","text":"Hi {{name|there}}, {{city}} https://shop.example/a"})";
constexpr auto kPhones = R"({"phones":["+49 170 1234567"]})";

}  // namespace

TEST_SUITE("trials: previews") {
  TEST_CASE("without anybody on a list, fallbacks stand in, and URLs are what they lead to") {
    Trials world;
    const auto previews = world.previews(world.add(kHello));
    REQUIRE(previews.size() == 1);
    CHECK(boost::json::serialize(previews[0]) ==
          R"({"contactId":null,"variant":0,"name":null,"messageType":"Text",)"
          R"("messageData":{"text":"Hi there,  https://shop.example/a"},"missing":["city"],"skipped":null})");
    CHECK(world.contacts.targets.empty());
  }

  TEST_CASE("for the contact that is asked for, each variant or one of them") {
    Trials world;
    const auto campaign = world.add(kHello, ", variants",
                                    R"(, '[{"name":"Short","share":20,"message":)"
                                    R"({"type":"Text","text":"{{city}}"}}]')");
    world.contacts.answers[kVariables] = {200, Trials::line(world.contact, R"(["Ada",null])")};
    const auto query = "?contact_id=" + world.contact.text();
    auto previews = world.previews(campaign, query);
    REQUIRE(previews.size() == 2);
    CHECK(previews[0].at("contactId").as_string() == world.contact.text());
    CHECK(previews[0].at("messageData").at("text").as_string() == "Hi Ada,  https://shop.example/a");
    CHECK(previews[1].at("name").as_string() == "Short");
    CHECK(previews[1].at("skipped").as_string() == "MissingValue");
    CHECK(world.contacts.bodies.front() == R"({"organizationId":")" + world.organization.text() +
                                               R"(","contactIds":[")" + world.contact.text() +
                                               R"("],"variables":["name","city"]})");
    previews = world.previews(campaign, query + "&variant=1");
    REQUIRE(previews.size() == 1);
    CHECK(previews[0].at("variant").as_int64() == 1);
    world.contacts.answers[kVariables] = {200, Trials::line(world.contact, R"(["Ada","Rome"])", "OptedOut")};
    CHECK(world.previews(campaign, query)[1].at("skipped").as_string() == "OptedOut");
  }

  TEST_CASE("else for the first Active contact of its lists") {
    Trials world;
    const auto list = model::new_uuid(), excluded = model::new_uuid(), blocked = model::new_uuid();
    const auto campaign = world.add(kHello, ", list_ids, excluded_list_ids",
                                    ", ARRAY[" + quoted(list) + "]::uuid[], ARRAY[" + quoted(excluded) + "]::uuid[]");
    world.contacts.answers[kAudience] = {
        200, Trials::line(blocked, "[]", "Blocked") + Trials::line(world.contact, "[]") + "end\n"};
    world.contacts.answers[kVariables] = {200, Trials::line(world.contact, R"(["Ada","Rome"])")};
    CHECK(world.previews(campaign)[0].at("contactId").as_string() == world.contact.text());
    CHECK(world.contacts.bodies.front().find(list.text()) != std::string::npos);
    CHECK(world.contacts.bodies.front().find(excluded.text()) != std::string::npos);

    world.contacts.answers[kAudience] = {200, "next " + blocked.text() + "\n"};
    const auto asked = world.contacts.asked(kAudience).size();
    CHECK(world.previews(campaign)[0].at("contactId").is_null());
    CHECK(world.contacts.asked(kAudience).size() == asked + 5);

    world.contacts.answers[kAudience] = {503, ""};
    const auto answer = world.get("/api/campaigns/" + campaign.text() + "/preview");
    CHECK(answer.status == 200);
    CHECK(has(answer, "Parley-Degraded: contacts"));
    CHECK(json_of(answer).at("previews").at(0).at("contactId").is_null());
  }

  TEST_CASE("unknown campaigns, contacts and variants") {
    Trials world;
    const auto campaign = world.add(kHello);
    world.contacts.answers[kVariables] = {200, ""};
    const auto path = "/api/campaigns/" + campaign.text() + "/preview";
    CHECK(world.get(path + "?contact_id=" + world.contact.text()).status == 404);
    CHECK(world.get(path + "?variant=1").status == 400);
    CHECK(pointer_of(world.get(path + "?variant=-1")) == "?variant");
    CHECK(world.get("/api/campaigns/" + model::new_uuid().text() + "/preview").status == 404);
    world.permissions = {};
    world.permissions.add(identity::Permission::get_campaign);
    CHECK(world.get(path + "?contact_id=" + world.contact.text()).status == 403);
    CHECK(world.get(path).status == 200);
    world.database.execute("UPDATE campaign SET deleted_at = now()");
    CHECK(world.get(path).status == 404);
    world.organization = model::new_uuid();
    CHECK(world.get(path).status == 404);
  }
}

TEST_SUITE("trials: tests") {
  TEST_CASE("numbers get the message as a single one, with links that nobody counts") {
    Trials world;
    const auto campaign = world.add(kHello);
    const auto other = model::new_uuid();
    world.know({world.contact, other}, Trials::line(world.contact, R"(["Ada","Rome"])"));
    const auto answer = world.test(campaign, R"({"phones":["+49 170 1234567","00447911123456"]})");
    REQUIRE_MESSAGE(answer.status == 200, answer.body);
    const auto tests = json_of(answer).at("tests").as_array();
    REQUIRE(tests.size() == 2);
    CHECK(tests[0].at("phone").as_string() == "+491701234567");
    CHECK(tests[0].at("contactId").as_string() == world.contact.text());
    CHECK(tests[1].at("phone").as_string() == "+447911123456");
    CHECK(world.contacts.bodies.front().find(R"("phone":"+447911123456")") != std::string::npos);

    CHECK_EQ(world.database.execute("SELECT string_agg(DISTINCT concat_ws(' ', sent_by, sent_by_member, campaign_id), "
                                    "', ') FROM message"),
             "Member " + world.caller.text());
    const auto text = world.text_of(tests[0].at("messageId"));
    CHECK(text.starts_with("Hi Ada, Rome https://go.example/l/"));
    CHECK(text.size() == std::string_view("Hi Ada, Rome https://go.example/l/").size() + 16);
    CHECK(world.text_of(tests[1].at("messageId")).starts_with("Hi there,  https://go.example/l/"));
    CHECK(world.database.execute("SELECT string_agg(url, ' ') FROM campaign_url") == "https://shop.example/a");

    CHECK(world.database.number("SELECT count(*) FROM message WHERE campaign_id IS NULL AND status = 'Queued'") == 2);
    CHECK(
        world.database.number("SELECT count(*) FROM outgoing WHERE campaign_id IS NULL AND phone_number_id = '123' AND "
                              "kind = 'Message' AND recipient LIKE '+4%'") == 2);
    CHECK(world.database.number("SELECT count(*) FROM conversation WHERE status = 'Active'") == 2);
    CHECK(world.database.number("SELECT count(*) FROM campaign_count") == 0);
    CHECK(world.database.number(
              "SELECT count(*) FROM outbox, jsonb_array_elements(changes) c WHERE c->>'type' = 'message.created'") ==
          2);

    // Once more: into the same conversations, with the same URL.
    CHECK(world.test(campaign, R"({"phones":["+491701234567","+447911123456"]})").status == 200);
    CHECK(world.database.number("SELECT count(*) FROM conversation") == 2);
    CHECK(world.database.number("SELECT count(*) FROM campaign_url") == 1);
  }

  TEST_CASE("a variant of its own number, and an answer that is kept") {
    Trials world;
    const auto campaign = world.add(kHello, ", phone_number_id, variants",
                                    R"(, '456', '[{"name":"B","share":1,"message":{"type":"Text","text":"B"}}]')");
    world.know({world.contact}, Trials::line(world.contact, R"(["Ada","Rome"])"));
    world.extra = {{"Idempotency-Key", "test-1"}};
    const auto first = world.test(campaign, R"({"phones":["+491701234567"],"variant":1})");
    REQUIRE_MESSAGE(first.status == 200, first.body);
    CHECK(world.text_of(json_of(first).at("tests").at(0).at("messageId")) == "B");
    CHECK(world.database.execute("SELECT phone_number_id FROM outgoing") == "456");
    CHECK(world.test(campaign, R"({"phones":["+491701234567"],"variant":1})").body == first.body);
    CHECK(world.database.number("SELECT count(*) FROM message") == 1);
    CHECK(world.contacts.asked(kResolve).size() == 1);
  }

  TEST_CASE("who wants nothing, is blocked, or lacks a value gets nothing, and the answer says so") {
    Trials world;
    const auto campaign = world.add(R"({"type":"Text","text":"{{city}}"})");
    std::vector<Uuid> people;
    for (int i = 0; i < 6; ++i) people.push_back(model::new_uuid());
    const std::string rome = R"(["Rome"])";
    world.know(people, Trials::line(people[0], rome) + Trials::line(people[1], rome, "OptedOut") +
                           Trials::line(people[2], rome, "Blocked") + Trials::line(people[3], "[null]") +
                           Trials::line(people[4], rome) + Trials::line(people[5], rome));
    const auto suppress = [&](const Uuid& contact, const std::string& how) {
      world.database.execute("INSERT INTO suppression (organization_id, contact_id, " + how + ") VALUES (" +
                             quoted(world.organization) + ", " + quoted(contact) + ", true)");
    };
    suppress(people[4], "opted_out");
    suppress(people[5], "blocked");
    std::string phones;
    for (int i = 0; i < 6; ++i) phones += std::string(i > 0 ? "," : "") + "\"+49170123450" + std::to_string(i) + "\"";
    const auto answer = world.test(campaign, R"({"phones":[)" + phones + "]}");
    REQUIRE_MESSAGE(answer.status == 200, answer.body);
    std::string skipped;
    const auto json = json_of(answer);
    for (const auto& test : json.at("tests").as_array()) {
      skipped += boost::json::serialize(test.at("skipped")) + " ";
      CHECK(test.at("skipped").is_null() != test.at("messageId").is_null());
    }
    CHECK(skipped == R"(null "OptedOut" "Blocked" "MissingValue" "OptedOut" "Blocked" )");
    CHECK(world.database.number("SELECT count(*) FROM message") == 1);
  }

  TEST_CASE("bodies that make no sense are told where") {
    Trials world;
    const auto campaign = world.add(kHello);
    const auto pointer = [&](const std::string& body) {
      const auto answer = world.test(campaign, body);
      CHECK(answer.status == 400);
      return pointer_of(answer);
    };
    CHECK(pointer("{}") == "/phones");
    CHECK(pointer(R"({"phones":[]})") == "/phones");
    CHECK(pointer(R"({"phones":[1]})") == "/phones/0");
    CHECK(pointer(R"({"phones":["+491701234567","0170 1234567"]})") == "/phones/1");
    CHECK(pointer(R"({"phones":["+491701234567","00491701234567"]})") == "/phones/1");
    CHECK(pointer(R"({"phones":["+491701234567","+49170"]})") == "/phones/1");
    CHECK(pointer(R"({"phones":["+491701234567"],"variant":1})") == "/variant");
    std::string many;
    for (int i = 10; i < 21; ++i) many += std::string(i > 10 ? "," : "") + "\"+4917012345" + std::to_string(i) + "\"";
    CHECK(pointer(R"({"phones":[)" + many + "]}") == "/phones");
    CHECK(world.contacts.targets.empty());
  }

  TEST_CASE("what is in the way") {
    Trials world;
    const auto campaign = world.add(kHello);
    world.know({world.contact}, Trials::line(world.contact, R"(["Ada","Rome"])"));
    CHECK(world.test(model::new_uuid(), kPhones).status == 404);
    SUBCASE("no account") {
      world.organizations.answers["/internal/accounts"] = {404, "{}"};
      CHECK(world.test(campaign, kPhones).status == 409);
    }
    SUBCASE("a template that is not there") {
      world.database.execute("INSERT INTO channel_list VALUES (" + quoted(world.organization) +
                             ", 'Templates', '1', now())");
      const auto answer =
          world.test(world.add(R"({"type":"Template","template":{"name":"a","language":"de"}})"), kPhones);
      CHECK(answer.status == 409);
      CHECK(pointer_of(answer) == "/message/template/name");
    }
    SUBCASE("contacts is away") {
      world.contacts.answers[kVariables] = {503, ""};
      CHECK(world.test(campaign, kPhones).status >= 502);
      CHECK(world.database.number("SELECT count(*) FROM message") == 0);
    }
  }
}

// GET /api/messages/search: words in messages.
#include <algorithm>
#include <boost/json/serialize.hpp>

#include "conversations/messages/search/terms.hpp"
#include "conversations/messages/sql.hpp"
#include "tests/integration/conversations_service.hpp"
#include "tests/integration/queue_bed.hpp"

using namespace parley;
using namespace parley::conversations_tests;

namespace {

namespace json = boost::json;
namespace sql = conversations::messages::sql;
using Ids = std::vector<std::string>;

std::string encoded(const std::string& text) {
  std::string out;
  http::append_encoded(out, text);
  return out;
}

Ids ids_in(const http::Response& response) {
  Ids out;
  const auto answer = json_of(response);
  for (const auto& match : answer.at("matches").as_array())
    out.emplace_back(match.at("message").at("uniqueId").as_string());
  return out;
}

// What was found of the first match, with what matched in brackets; " | " between two parts.
std::string highlighted(const http::Response& response) {
  std::string out;
  const auto answer = json_of(response);
  if (answer.at("matches").as_array().empty()) return "nothing";
  for (const auto& fragment : answer.at("matches").at(0).at("highlights").as_array()) {
    if (!out.empty()) out += " | ";
    for (const auto& piece : fragment.at("pieces").as_array()) {
      const std::string text(piece.at("text").as_string());
      out += piece.at("matched").as_bool() ? "[" + text + "]" : text;
    }
  }
  return out;
}

struct Said {
  Said() : conversation(service.database.add_conversation(service.organization, service.contact)) {}

  Uuid add(const std::string& text, const std::string& status = "Read") {
    return add_data("Text", json::serialize(json::object{{"text", text}}), status);
  }
  Uuid add_data(const std::string& type, std::string data, const std::string& status = "Read") {
    for (auto at = data.find('\''); at != data.npos; at = data.find('\'', at + 2)) data.insert(at, 1, '\'');
    const auto id = service.database.add_message(service.organization, conversation, status, ++minutes, data);
    service.database.execute("UPDATE message SET message_type = '" + type + "' WHERE id = " + quoted(id));
    return id;
  }
  http::Response search(const std::string& text, const std::string& more = "") {
    const auto response = service.get("/api/messages/search?search=" + encoded(text) + more);
    REQUIRE_MESSAGE(response.status == 200, response.body);
    return response;
  }
  Ids found(const std::string& text, const std::string& more = "") { return ids_in(search(text, more)); }

  Service service;
  Uuid conversation;
  int minutes = 0;
};

Ids ids(const std::vector<Uuid>& of) {
  Ids out;
  for (const auto& id : of) out.push_back(id.text());
  return out;
}

}  // namespace

TEST_SUITE("integration: conversations search") {
  TEST_CASE("a search finds what has all its words, in any order, and the last may be the beginning of one") {
    Said said;
    const auto order = said.add("Thank you for your order, it is on its way.");
    const auto question = said.add("Where is my ORDER?");
    const auto place = said.add("In order to come: Größe 12.5, café (über Straße 7)");
    CHECK(said.found("order") == ids({place, question, order}));
    CHECK(said.found("order", "&order=asc") == ids({order, question, place}));
    CHECK(said.found("way order") == ids({order}));
    CHECK(said.found("ord") == ids({place, question, order}));
    CHECK(said.found("ord ").empty());
    CHECK(said.found("ord you").empty());
    CHECK(said.found("order wa") == ids({order}));
    CHECK(said.found("\"your order\"") == ids({order}));
    CHECK(said.found("\"order your\"").empty());
    CHECK(said.found("\"your ord\"").empty());
    CHECK(said.found("order -way") == ids({place, question}));
    CHECK(said.found("order -\"is my\"") == ids({place, order}));
    CHECK(said.found("order -wa") == ids({place, question, order}));
    for (const auto* text : {"grosse", "GRÖSSE", "12.5", "cafe", "CAFÉ", "uber strasse", "straße 7", "order-to"})
      CHECK_MESSAGE(said.found(text) == ids({place}), text);
    CHECK(said.found("order to", "") == ids({place}));
  }

  TEST_CASE("anything can be typed; what has no word to be found is refused, and says so") {
    Said said;
    const auto id = said.add("It costs 100 % of a & b | c ! (d) : *");
    for (const auto* text :
         {"100 %", "a & b", "a | b", "'a", "a'", "a\\", "a:*", "!a", "((a", "a <-> b", "\"a", "a\"\"", "%a", "_a"})
      CHECK_MESSAGE(said.found(text) == ids({id}), text);
    for (const auto* text : {"", "%", "-", "\"\"", "-a", "-a -b", "👍", " ", "'"}) {
      const auto response = said.service.get("/api/messages/search?search=" + encoded(text));
      CHECK_MESSAGE(response.status == 400, text);
      CHECK(pointer_of(response) == "?search");
    }
    for (const auto& [query, pointer] :
         std::vector<std::pair<std::string, std::string>>{{"", "?search"},
                                                          {"search=" + std::string(101, 'a'), "?search"},
                                                          {"search=a&status=Read", "?status"},
                                                          {"search=a&messageType=text", "?messageType"},
                                                          {"search=a&from=2026-01-02&to=2026-01-01", "?to"},
                                                          {"search=a&cursor=x", "?cursor"},
                                                          {"search=a&per_page=101", "?per_page"},
                                                          {"search=a&skip=1", "?skip"}}) {
      const auto response = said.service.get("/api/messages/search?" + query);
      CHECK_MESSAGE(response.status == 400, query);
      CHECK(pointer_of(response) == pointer);
    }
  }

  TEST_CASE("what people read of each type is found; ids, addresses of files and campaigns' messages are not") {
    Said said;
    const std::vector<std::pair<std::string, std::string>> all{
        {"Image", R"({"id":"needle","caption":"a needle here"})"},
        {"Document", R"({"link":"https://needle.example/x","fileName":"needle.pdf"})"},
        {"Location", R"({"latitude":1,"longitude":2,"name":"Needle","address":"Street 1"})"},
        {"Contacts", R"({"contacts":[{"name":{"formatted_name":"Ada Needle"}}]})"},
        {"Interactive", R"({"type":"button_reply","id":"x","title":"Needle"})"},
        {"Interactive",
         R"({"type":"list","body":{"text":"b"},"action":{"sections":[{"rows":[{"id":"x","title":"t","description":"a\nneedle"}]}]}})"},
        {"Template", R"({"name":"x","components":[{"type":"body","parameters":[{"type":"text","text":"Needle"}]}]})"},
    };
    Ids expected;
    for (const auto& [type, data] : all) expected.push_back(said.add_data(type, data).text());
    for (const auto& [type, data] : std::vector<std::pair<std::string, std::string>>{
             {"Image", R"({"id":"needle","sha256":"needle"})"},
             {"Template", R"({"name":"needle","language":"en"})"},
             {"Interactive", R"({"type":"button_reply","id":"needle","title":"t"})"},
             {"Unsupported", R"({"type":"x","payload":{"text":"needle"}})"},
             {"System", R"({"type":"x","body":"needle"})"},
             {"Audio", R"({"id":"needle"})"}})
      said.add_data(type, data);
    const auto of_campaign = said.add("needle", "Sent");
    said.service.database.execute("UPDATE message SET campaign_id = gen_random_uuid() WHERE id = " +
                                  quoted(of_campaign));
    REQUIRE(said.found("needle", "&order=asc") == expected);
    const auto answer = json_of(said.search("needle", "&order=asc"));
    for (const auto& match : answer.at("matches").as_array())
      CHECK_MESSAGE(match.at("highlights").as_array().size() == 1, json::serialize(match));
  }

  TEST_CASE("the parts of a text where the words are come piece by piece, as they were written") {
    Said said;
    said.add("<b>Crème</b> brûlée & coffee, créme twice");
    CHECK(highlighted(said.search("creme")) == "<b>[Crème]</b> brûlée & coffee, [créme] twice");
    CHECK(highlighted(said.search("brul")) == "<b>Crème</b> [brûlée] & coffee, créme twice");
    CHECK(highlighted(said.search("\"creme b brulee\"")) == "<b>[Crème</b> brûlée] & coffee, créme twice");
    CHECK(highlighted(said.search("coffee -tea crem")) == "<b>[Crème]</b> brûlée & [coffee], [créme] twice");
    said.add("東京ホテルに泊まる");
    CHECK(highlighted(said.search("ホテル")) == "東京[ホテル]に泊まる");
    CHECK(said.found("京東").empty());
    std::string far = "first";
    for (int i = 0; i < 100; ++i) far += " word";
    said.add(far + " middle" + far.substr(5) + " last.");
    const auto shown = highlighted(said.search("first last middle"));
    CHECK(shown.starts_with("[first] word word"));
    CHECK(shown.find("word | word") != std::string::npos);
    CHECK(shown.find("word [middle] word") != std::string::npos);
    CHECK(shown.ends_with("word [last]."));
    CHECK(shown.size() < 600);
    said.add(std::string(100'000, 'z'));
    CHECK(said.search("zzz").body.size() < 110'000);
  }

  TEST_CASE("a message that was edited is found by its new words, and what was deleted or is another's by none") {
    Said said;
    const auto id = said.add("alpha");
    CHECK(said.found("alpha") == ids({id}));
    said.service.database.execute(R"(UPDATE message SET data = '{"text": "beta"}')");
    CHECK(said.found("alpha").empty());
    CHECK(said.found("beta") == ids({id}));
    const auto foreign = model::new_uuid();
    const auto theirs = said.service.database.add_conversation(foreign, said.service.contact);
    said.service.database.add_message(foreign, theirs, "Read", 1, R"({"text": "beta"})");
    CHECK(said.found("beta") == ids({id}));
    // A tombstone whose texts are not removed yet.
    said.service.database.execute(
        "UPDATE conversation SET status = 'Deleted', tombstone = true WHERE organization_id = " +
        quoted(said.service.organization));
    CHECK(said.found("beta").empty());
    CHECK(said.found("beta", "&conversation_id=" + said.conversation.text()).empty());
    said.service.permissions.remove(identity::Permission::get_message);
    CHECK(said.service.get("/api/messages/search?search=beta").status == 403);
  }

  // A word of half of them, one of some, one of few: found by walking over few, over many, and by the index.
  TEST_CASE("pages of common, rare and other words, and every filter, are what plain SQL says") {
    Said said;
    auto& database = said.service.database;
    const auto other = database.add_conversation(said.service.organization, model::new_uuid());
    database.execute(
        "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, data, "
        "created_at) SELECT " +
        quoted(said.service.organization) +
        ", gen_random_uuid(), c.id, c.contact_id, CASE n % 2 WHEN 0 THEN 'InBound' ELSE "
        "'OutBound' END, CASE n % 2 WHEN 0 THEN 'Read' ELSE 'Sent' END, CASE WHEN n % 1000 = 0 THEN 'Image' ELSE "
        "'Text' END, "
        "jsonb_build_object(CASE WHEN n % 1000 = 0 THEN 'caption' ELSE 'text' END, concat_ws(' ', 'all', CASE WHEN n % "
        "2 = 0 "
        "THEN 'even' END, CASE WHEN n % 3000 = 0 THEN 'rare' END, CASE WHEN n BETWEEN 3000 AND 9000 THEN 'older' "
        "END)), "
        "timestamptz '2026-01-01Z' + n * interval '1 second' FROM generate_series(1, 32000) n JOIN conversation c ON "
        "c.id = "
        "CASE WHEN n % 500 = 0 THEN " +
        quoted(said.conversation) + "::uuid ELSE " + quoted(other) + " END");
    database.execute("ANALYZE message");
    const auto expected = [&](const std::string& condition, const std::string& way) {
      const auto text =
          database.execute("SELECT coalesce(string_agg(id::text, ',' ORDER BY created_at" + way + ", id" + way +
                           "), '') FROM (SELECT *, ' ' || coalesce(data ->> 'text', data ->> 'caption') "
                           "|| ' ' AS said FROM message) m WHERE " +
                           condition);
      Ids out;
      for (std::size_t at = 0; at < text.size(); at += 37) out.push_back(text.substr(at, 36));
      return out;
    };
    const auto rare = "said LIKE '% rare %'", older = "said LIKE '% older %'", both = "said LIKE '% even rare %'";
    const std::vector<std::tuple<std::string, std::string, std::string>> searches{
        {"rare", "", rare},
        {"rar", "&direction=InBound", std::string(rare) + " AND direction = 'InBound'"},
        {"rare", "&messageType=Image", rare},
        {"rare", "&messageType=Text", "false"},
        {"rare", "&from=2026-01-01T02:00:00Z&to=2026-01-01T06:00:00Z",
         std::string(rare) + " AND created_at >= '2026-01-01T02:00Z' AND created_at < '2026-01-01T06:00Z'"},
        {"rare even", "", both},
        {"\"even rare\"", "", both},
        {"even -older rare", "", std::string(both) + " AND NOT " + older},
        {"even", "&contact_id=" + said.service.contact.text(),
         "said LIKE '% even %' AND conversation_id = " + quoted(said.conversation)},
        {"even rare", "&conversation_id=" + said.conversation.text(),
         std::string(both) + " AND conversation_id = " + quoted(said.conversation)},
        {"all", "&messageType=Image", "message_type = 'Image'"},
        {"older", "&messageType=Image", std::string(older) + " AND message_type = 'Image'"}};
    for (const auto& [text, filter, condition] : searches)
      for (const bool ascending : {false, true}) {
        CAPTURE(text);
        CAPTURE(filter);
        const auto target =
            "/api/messages/search?per_page=7&search=" + encoded(text) + filter + (ascending ? "&order=asc" : "");
        CHECK(follow(said.service, ids_in, target) == expected(condition, ascending ? "" : " DESC"));
      }
    // Too many for the index, and none among the newest: a page looks at 20,000, and the next goes on behind them.
    const auto first = said.search("older", "&per_page=100&to=2026-01-01T05:00:00Z");
    CHECK(ids_in(first) == [&] {
      auto all = expected(std::string(older) + " AND created_at < '2026-01-01T05:00:00Z'", " DESC");
      all.resize(100);
      return all;
    }());
    const auto newest = said.search("older", "&per_page=100");
    CHECK(ids_in(newest).empty());
    CHECK(!next_of(newest).empty());
    CHECK(ids_in(said.service.get(next_of(newest))).size() == 100);
  }

  TEST_CASE("rare words cost what they find, however many messages there are") {
    Said said;
    auto& database = said.service.database;
    database.execute(
        "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, data, "
        "created_at) "
        "SELECT " +
        quoted(said.service.organization) + ", gen_random_uuid(), " + quoted(said.conversation) + ", " +
        quoted(said.service.contact) +
        ", 'InBound', 'Read', 'Text', jsonb_build_object('text', 'common ' || CASE WHEN n % 4000 = "
        "0 THEN 'rare' ELSE '' END), timestamptz '2026-01-01Z' + n * interval '1 second' FROM generate_series(1, "
        "20000) n");
    database.execute("VACUUM ANALYZE message");
    queue_tests::Session session(database.url());
    session.execute(
        "BEGIN; PREPARE measured (uuid, text, int8, uuid, text[], text[], text, text, timestamptz, int8) AS " +
        sql::search[{}].sql);
    const auto key = said.service.organization.text().substr(24);
    const auto cost =
        session.cost("measured", quoted(said.service.organization) + ", '''" + key + "rare''', 253402300799000000, " +
                                     quoted(Uuid{}) + ", '{}', '{}', NULL, NULL, NULL, 20");
    CHECK(cost < 60);
  }
}

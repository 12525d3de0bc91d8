// Contacts made, changed, filtered, exported and deleted through the real gateway.
#include <boost/json/serialize.hpp>
#include <chrono>
#include <thread>

#include "tests/e2e/requests.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;
namespace json = boost::json;

namespace {

// An organization of these tests' own, as they change it.
Organization& home() {
  static Organization organization = fill(world().system, "Contacts at work", 6);
  return organization;
}

std::string text(const json::value& value) { return value.as_string().c_str(); }

std::vector<std::string> pointers(const Answer& answer) {
  std::vector<std::string> out;
  const auto problem = answer.json();
  for (const auto& error : problem.at("errors").as_array()) out.push_back(text(error.at("pointer")));
  return out;
}

// The cells of a CSV file (RFC 4180).
std::vector<std::vector<std::string>> read_csv(const std::string& file) {
  std::vector<std::vector<std::string>> lines(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < file.size(); ++i) {
    auto& cell = lines.back().back();
    if (quoted) {
      if (file[i] != '"')
        cell += file[i];
      else if (i + 1 < file.size() && file[i + 1] == '"')
        cell += file[++i];
      else
        quoted = false;
    } else if (file[i] == '"') {
      quoted = true;
    } else if (file[i] == ',') {
      lines.back().emplace_back();
    } else if (file[i] == '\r') {
      REQUIRE_EQ(file.at(++i), '\n');
      lines.push_back({""});
    } else {
      cell += file[i];
    }
  }
  lines.pop_back();  // the last line ends too
  return lines;
}

}  // namespace

TEST_CASE("contacts: one is made, found, changed and deleted") {
  Client client(world().system, home().owner.api_key);
  const auto made = client.post("/api/contacts", R"({"name": "Joan Clarke", "phone": "+44 (0)7700 900-999",
      "attributes": {"city": "London", "seen": null}, "lists": [")" +
                                                     home().lists[0] + R"("], "tags": ["codes", ")" + home().tags[0] +
                                                     R"("], "unknown": 1})");
  REQUIRE_EQ(made.status, 201);
  const auto contact = made.json().at("contact");
  const auto target = "/api/contacts/" + text(contact.at("uniqueId"));
  CHECK_EQ(made.header("Location"), target);
  CHECK_EQ(text(contact.at("phone")), "+447700900999");
  CHECK_EQ(text(contact.at("status")), "Active");
  CHECK_EQ(contact.at("lists").as_array().size(), 1);
  CHECK_EQ(contact.at("tags").as_array().size(), 2);
  CHECK(contact.at("attributes").at("seen").is_null());
  const auto found = client.get(target);
  CHECK_EQ(found.json().at("contact"), contact);

  const auto again = client.post("/api/contacts", R"({"name": "Joan", "phone": "+447700900999"})");
  CHECK_EQ(again.status, 409);
  CHECK_EQ(pointers(again), std::vector<std::string>{"/phone"});
  CHECK(again.body.find(text(contact.at("uniqueId"))) != std::string::npos);

  const auto changed = client.post(target, R"({"lists": [], "tags": ["codes"], "status": "Inactive"})");
  REQUIRE_EQ(changed.status, 200);
  CHECK_EQ(text(changed.json().at("contact").at("name")), "Joan Clarke");
  CHECK(changed.json().at("contact").at("lists").as_array().empty());
  CHECK_EQ(client.get(target).json(), changed.json());

  CHECK_EQ(client("DELETE", target).status, 204);
  CHECK_EQ(client.get(target).status, 404);
  CHECK_EQ(client("DELETE", target).status, 404);
  CHECK_EQ(client.post(target, R"({"name": "x"})").status, 404);
}

TEST_CASE("contacts: a number has as many digits as its country's have, but for those that were taken before") {
  Client client(world().system, home().owner.api_key);
  const auto add = [&](const std::string& phone) {
    return client.post("/api/contacts", R"({"name": "Joan", "phone": ")" + phone + R"("})");
  };
  for (const auto& [phone, why] :
       std::vector<std::array<std::string, 2>>{{"+49 170", "+49 is followed by 4 to 13 digits, not 3"},
                                               {"+33 6 12 34 56 78 9", "+33 is followed by 9 digits, not 10"},
                                               {"+229 97 12 34 5", "+229 is followed by 10 digits, not 7"}}) {
    const auto refused = add(phone);
    CHECK_EQ(refused.status, 400);
    CHECK_EQ(pointers(refused), std::vector<std::string>{"/phone"});
    CHECK_EQ(text(refused.json().at("errors").at(0).at("detail")), "is no telephone number: " + why);
  }
  const auto made = add("+33 6 12 34 56 78");
  REQUIRE_EQ(made.status, 201);
  const auto target = "/api/contacts/" + text(made.json().at("contact").at("uniqueId"));
  world()
      .system.sql("contacts")
      .rows("UPDATE contact SET phone = '+336123' WHERE organization_id = $1 AND id = $2",
            {home().id, target.substr(target.rfind('/') + 1)});
  CHECK_EQ(text(client.get(target).json().at("contact").at("phone")), "+336123");
  for (const auto* body : {R"({"name": "Joan Clarke"})", R"({"name": "Joan Clarke", "phone": "+336123"})"}) {
    const auto changed = client.post(target, body);
    CHECK_EQ(changed.status, 200);
    CHECK_EQ(text(changed.json().at("contact").at("phone")), "+336123");
  }
  CHECK_EQ(pointers(client.post(target, R"({"phone": "+336124"})")), std::vector<std::string>{"/phone"});
  CHECK_EQ(client("DELETE", target).status, 204);
}

TEST_CASE("contacts: numbers can be sent back as they were answered, and do not come back as hundreds of digits") {
  Client client(world().system, home().owner.api_key);
  const auto made = client.post("/api/contacts", R"({"name": "Numbers", "phone": "+447700900998", "attributes":
      {"a": 7e20, "b": 1.8446744073709552e19, "c": -1e-32, "d": 0.1, "e": 9007199254740993, "f": 9.999e31}})");
  REQUIRE_EQ(made.status, 201);
  const auto target = "/api/contacts/" + text(made.json().at("contact").at("uniqueId"));
  const auto attributes = client.get(target).json().at("contact").at("attributes");
  const auto body = client.get(target).body;
  const auto begin = body.find("\"attributes\":") + 13;
  const auto sent = body.substr(begin, body.find('}', begin) + 1 - begin);
  CHECK(sent.find("700000000000000000000") != std::string::npos);
  const auto again = client.post(target, "{\"attributes\":" + sent + "}");
  REQUIRE_EQ(again.status, 200);
  CHECK_EQ(again.json().at("contact").at("attributes"), attributes);
  for (const std::string far : {"1e32", "1e308", "-1e-33", "700000000000000000001"})
    CHECK_EQ(client.post(target, "{\"attributes\":{\"a\":" + far + "}}").status, 400);
  CHECK_EQ(client("DELETE", target).status, 204);
}

TEST_CASE("contacts: a thousand at once, all or none") {
  Client client(world().system, home().owner.api_key);
  std::string body = "[";
  for (int i = 0; i < 1'000; ++i)
    body += (i ? "," : "") + std::string(R"({"name": "Many )") + std::to_string(i) + R"(", "phone": "+49170)" +
            std::to_string(1'000'000 + i) + R"(", "tags": ["many", "m)" + std::to_string(i % 7) + R"("], "lists": [")" +
            home().lists[2] + R"("]})";
  const auto before = settled_digest(world().system);  // events of the tests before may still arrive
  auto spoiled = body;
  spoiled.replace(spoiled.find("+491701000777"), 13, "4917010007770");
  const auto refused = client.post("/api/contacts", spoiled + "]");
  CHECK_EQ(refused.status, 400);
  CHECK_EQ(pointers(refused), std::vector<std::string>{"/777/phone"});
  CHECK_EQ(client.post("/api/contacts", body + R"(,{"name": "One more", "phone": "+491702000000"}])").status, 400);
  CHECK_EQ(differences(before, settled_digest(world().system)), "");

  const auto made = client.post("/api/contacts", body + "]");
  REQUIRE_EQ(made.status, 201);
  const auto contacts = made.json().at("contacts");
  REQUIRE_EQ(contacts.as_array().size(), 1'000);
  CHECK_EQ(text(contacts.as_array()[999].at("name")), "Many 999");
  CHECK_EQ(contacts.as_array()[0].at("lists").as_array()[0].at("numberOfContacts").to_number<int>(), 1'000);
  const auto page = client.get("/api/contacts?list_id=" + home().lists[2] + "&per_page=1&order=asc").json();
  CHECK_EQ(page.at("paginationMeta").at("total").to_number<int>(), 1'000);
  CHECK_EQ(page.at("contacts").as_array()[0], contacts.as_array()[0]);
  CHECK_EQ(client.post("/api/contacts", body + "]").status, 409);
}

TEST_CASE("contacts: what is wrong with a body is named by its place") {
  Client client(world().system, home().owner.api_key);
  struct Wrong {
    std::string body;
    std::vector<std::string> pointers;
  };
  const std::string long_name(256, 'x'), much(17'000, 'x');
  const std::vector<Wrong> all{
      {"[]", {""}},
      {R"("Ada")", {""}},
      {"{}", {"/name", "/phone"}},
      {R"({"name": "", "phone": "+49170"})", {"/name", "/phone"}},
      {R"({"name": 1, "phone": ["x"]})", {"/name", "/phone"}},
      {R"([{"name": "Ada", "phone": "+491701111111"}, 7])", {"/1"}},
      {R"({"name": ")" + long_name + R"(", "phone": "+491701111111"})", {"/name"}},
      {R"({"name": "Ada", "phone": "+491701111111", "attributes": []})", {"/attributes"}},
      {R"({"name": "Ada", "phone": "+491701111111", "attributes": {"a": ")" + much + R"("}})", {"/attributes"}},
      {R"({"name": "Ada", "phone": "+491701111111", "status": "Gone"})", {"/status"}},
      {R"({"name": "Ada", "phone": "+491701111111", "tags": ["", 3]})", {"/tags/1"}},
      {R"({"name": "Ada", "phone": "+491701111111", "tags": ["ok", " "]})", {"/tags/1"}},
      {R"({"name": "Ada", "phone": "+491701111111", "lists": ["x", ")" + world().a.lists[0] + R"("]})", {"/lists/0"}},
      {R"({"name": "Ada", "phone": "+491701111111", "lists": [")" + world().a.lists[0] + R"("]})", {"/lists/0"}},
  };
  const auto before = world().system.row_counts();
  for (const auto& [body, expected] : all) {
    INFO(body.substr(0, 200));
    const auto answer = client.post("/api/contacts", body);
    CHECK_EQ(answer.status, 400);
    CHECK_EQ(pointers(answer), expected);
  }
  const auto twice = client.post(
      "/api/contacts", R"([{"name": "Ada", "phone": "+491701111111"}, {"name": "Bob", "phone": "+49 170 111-11-11"}])");
  CHECK_EQ(twice.status, 409);
  CHECK_EQ(pointers(twice), std::vector<std::string>{"/1/phone"});
  CHECK_EQ(world().system.row_counts(), before);
}

TEST_CASE("GET /api/contacts: filters by tag, by attributes and by numbers as they are written") {
  Client client(world().system, home().owner.api_key);
  const auto make = [&](const std::string& name, const std::string& phone, const std::string& rest) {
    const auto made =
        client.post("/api/contacts", R"({"name": ")" + name + R"(", "phone": ")" + phone + "\"" + rest + "}");
    REQUIRE_EQ(made.status, 201);
  };
  make("Paula", "+33639980001", R"(, "tags": ["Été"], "attributes": {"city": "Paris", "visits": 12, "gold": true})");
  make("Pierre", "+33639980002", R"(, "tags": ["Été"], "attributes": {"city": "Paris & more", "visits": "12"})");
  const auto names = [&](const std::string& query) {
    const auto answer = client.get("/api/contacts?order=asc&" + query);
    REQUIRE_EQ(answer.status, 200);
    std::string out;
    const auto page = answer.json();
    for (const auto& contact : page.at("contacts").as_array()) out += text(contact.at("name")) + " ";
    CHECK_EQ(page.at("paginationMeta").at("total").to_number<std::size_t>(), page.at("contacts").as_array().size());
    return out;
  };
  CHECK_EQ(names("tag=%C3%A9T%C3%89"), "Paula Pierre ");
  CHECK_EQ(names("tag=unknown"), "");
  CHECK_EQ(names("attributes.city=Paris"), "Paula ");
  CHECK_EQ(names("attributes.city=Paris+%26+more"), "Pierre ");
  CHECK_EQ(names("attributes.visits=12"), "Paula Pierre ");
  CHECK_EQ(names("attributes[city]=Paris"), "Paula ");
  CHECK_EQ(names("attributes%5Bvisits%5D=12&attributes[gold]=true"), "Paula ");
  CHECK_EQ(names("attributes.visits=12&attributes.gold=true"), "Paula ");
  CHECK_EQ(names("attributes.visits=1"), "");
  CHECK_EQ(names("attributes.gold=true&tag=%C3%A9t%C3%A9&status=Active&search=paul"), "Paula ");
  CHECK_EQ(names("search=0639+98+00"), "Paula Pierre ");
  CHECK_EQ(names("search=%2B33+(6)+39980002"), "Pierre ");
  CHECK_EQ(names("search=0033639980001"), "Paula ");
  for (const char* wrong :
       {"attributes.=x", "attributes[]=x", "attributes[a=1", "attributes.a=1&attributes[a]=2",
        "attributes.a=1&attributes.a=2", "attributes=1", "tag=", "tag=a&tag=b", "search=a%0Ab",
        "attributes.a=1&attributes.b=1&attributes.c=1&attributes.d=1&attributes.e=1&attributes.f=1"})
    CHECK_EQ(client.get(std::string("/api/contacts?") + wrong).status, 400);
}

TEST_CASE("a tag's id that is none, such as a deleted one's, is refused wherever tags are given, and makes no tag") {
  auto& system = world().system;
  Client client(system, system.create_owner("gone_tags@example.org", "Gone tags").api_key);
  const auto tag = text(client.post("/api/tags", R"({"label": "gone"})").json().at("tag").at("uniqueId"));
  const auto contact =
      client.post("/api/contacts", R"({"name": "Bearer", "phone": "+447700900780", "tags": [")" + tag + R"("]})");
  REQUIRE_EQ(contact.status, 201);
  const auto target = "/api/contacts/" + text(contact.json().at("contact").at("uniqueId"));
  REQUIRE_EQ(client("DELETE", "/api/tags/" + tag).status, 204);

  const auto tags = R"("tags": ["new", ")" + tag + R"("])";
  const auto refused = [&](const std::string& path, const std::string& body, const std::string& pointer) {
    const auto answer = client.post(path, body);
    INFO(path << " " << answer.body);
    CHECK_EQ(answer.status, 400);
    if (answer.status == 400) CHECK_EQ(text(answer.json().at("errors").at(0).at("pointer")), pointer);
  };
  refused("/api/contacts", R"({"name": "n", "phone": "+447700900781", )" + tags + "}", "/tags/1");
  refused("/api/contacts", R"({"contacts": [{"name": "n", "phone": "+447700900782", )" + tags + "}]}",
          "/contacts/0/tags/1");
  refused(target, "{" + tags + "}", "/tags/1");
  refused("/api/lists", R"({"name": "n", )" + tags + "}", "/tags/1");
  const auto list = text(client.post("/api/lists", R"({"name": "n"})").json().at("list").at("uniqueId"));
  refused("/api/lists/" + list, "{" + tags + "}", "/tags/1");
  refused("/api/campaigns", R"({"name": "n", "message": {"type": "Text", "text": "t"}, )" + tags + "}", "/tags/1");
  refused("/api/tags", R"({"label": ")" + tag + R"("})", "/label");
  CHECK_EQ(client.get("/api/tags").json().at("paginationMeta").at("total").as_int64(), 0);
}

TEST_CASE("POST /api/contacts: one, several as `contacts`, or an array; what is wrong is named by its place") {
  auto& system = world().system;
  Client client(system, system.create_owner("several@example.org", "Several").api_key);
  const auto made = client.post(
      "/api/contacts",
      R"({"contacts": [{"name": "A", "phone": "+447700900790"}, {"name": "B", "phone": "+447700900791"}]})");
  CHECK_EQ(made.status, 201);
  CHECK_EQ(made.json().at("contacts").as_array().size(), 2);
  for (const auto& [body, pointer] : std::vector<std::pair<std::string, std::string>>{
           {R"({"contacts": []})", "/contacts"},
           {R"({"contacts": {}})", "/contacts"},
           {R"({"contacts": null})", "/contacts"},
           {R"({"contacts": [1]})", "/contacts/0"},
           {R"({"contacts": [{"name": "A", "phone": "1"}]})", "/contacts/0/phone"},
           {R"([{"name": "A", "phone": "1"}])", "/0/phone"},
           {R"([{"name": "A", "phone": "+447700900792", "tags": null}])", "/0/tags"}}) {
    const auto answer = client.post("/api/contacts", body);
    INFO(body << " " << answer.body);
    CHECK_EQ(answer.status, 400);
    if (answer.status == 400) CHECK_EQ(text(answer.json().at("errors").at(0).at("pointer")), pointer);
  }
}

TEST_CASE("GET /api/contacts/export: all that match, in order, whatever is in their cells") {
  auto& system = world().system;
  Client client(system, system.create_owner("exports@example.org", "Exported").api_key);
  const auto made = client.post("/api/contacts", R"([
      {"name": "=cmd|' /C calc'!A0", "phone": "+491701111111", "tags": ["a", "b"], "attributes": {"say": "\"hi\",\r\nyou"}},
      {"name": "Quote \" and, comma\nand line", "phone": "+491701111112", "status": "OptedOut"},
      {"name": "Жанна 佐藤", "phone": "+491701111113", "tags": ["a"]}])");
  REQUIRE_EQ(made.status, 201);
  CHECK_EQ(read_csv(client.get("/api/contacts/export").body)[1][1], "'=cmd|' /C calc'!A0");
  const auto file = client.get("/api/contacts/export?format=csv-raw");
  REQUIRE_EQ(file.status, 200);
  CHECK(file.header("Content-Type").starts_with("text/csv"));
  const auto lines = read_csv(file.body);
  REQUIRE_EQ(lines.size(), 4);
  const auto contacts = made.json().at("contacts");
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& contact = contacts.as_array()[i];
    REQUIRE_EQ(lines[i + 1].size(), 8);
    const std::vector<std::string> names{"uniqueId", "name", "phone", "status", "createdAt"};
    for (std::size_t c = 0; c < names.size(); ++c) CHECK_EQ(lines[i + 1][c], text(contact.at(names[c])));
    CHECK_EQ(json::parse(lines[i + 1][7]), contact.at("attributes"));
  }
  CHECK_EQ(lines[1][5], "a|b");
  CHECK_EQ(read_csv(client.get("/api/contacts/export?status=OptedOut").body).size(), 2);
  CHECK_EQ(read_csv(client.get("/api/contacts/export?tag=a&search=11111").body).size(), 3);
  CHECK_EQ(read_csv(client.get("/api/contacts/export?attributes.no=1").body).size(), 1);
  CHECK_EQ(client.get("/api/contacts/export?per_page=1").status, 400);
  CHECK_EQ(pointers(client.get("/api/contacts/export?format=json")), std::vector<std::string>{"?format"});
  CHECK_EQ(client("HEAD", "/api/contacts/export").status, 200);
}

TEST_CASE(
    "GET /api/contacts/export: readers that do not read hold up nobody but their own organization's exports, and "
    "still get every line") {
  auto& system = world().system;
  const auto owner = system.create_owner("slow-exports@example.org", "Slowly exported");
  system.sql("contacts")
      .rows(
          "INSERT INTO contact (organization_id, id, name, phone, attributes) SELECT $1, "
          "(lpad(to_hex(1767225600000 + n), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid, 'Contact ' || n, "
          "'+49171' || 1000000 + n, jsonb_build_object('filler', repeat('x', 2000)) FROM generate_series(1, 12000) n",
          {owner.organization_id});
  std::vector<std::unique_ptr<Wire>> readers;
  const auto begun = [&] {
    return system.sql("contacts")
        .number(
            "SELECT count(*) FROM outbox, jsonb_array_elements(changes) c WHERE c ->> 'action' = 'ContactsExported' "
            "AND "
            "c ->> 'memberId' = $1",
            {owner.member_id});
  };
  for (int i = 0; i < 16; ++i) {  // as many as an organization may have, and more than there are connections for it
    readers.push_back(std::make_unique<Wire>(system.gateway().port()));
    REQUIRE(readers.back()->send(
        support::request_text("GET", "/api/contacts/export", {{"Authorization", "Bearer " + owner.api_key}})));
  }
  for (int i = 0; i < 3'000 && begun() < 16; ++i) std::this_thread::sleep_for(10ms);
  CHECK_EQ(begun(), 16);
  Client client(system, owner.api_key);
  const auto refused = client.get("/api/contacts/export");
  CHECK_EQ(refused.status, 429);
  CHECK_EQ(refused.header("Retry-After"), "10");
  Client other(system, system.create_owner("other-exports@example.org", "Not held up").api_key);
  CHECK_EQ(other.get("/api/contacts/export").status, 200);
  for (int i = 0; i < 20; ++i) CHECK_EQ(client.get("/api/contacts?search=Contact+" + std::to_string(i)).status, 200);
  readers.resize(6);
  for (auto& reader : readers) {
    const auto answer = reader->read();
    REQUIRE(answer);
    CHECK_EQ(answer->status, 200);
    CHECK_EQ(std::count(answer->body.begin(), answer->body.end(), '\n'), 12'001);
  }
  CHECK_EQ(client.get("/api/contacts/export").status, 200);
}

// Sound requests with values that no operation can take: a 400 that says where, and nothing done. The numbers are those
// of the list of bad inputs that the product promises to withstand.
#include <boost/json/serialize.hpp>

#include "tests/e2e/world.hpp"

using namespace parley;
using namespace parley::e2e;
namespace json = boost::json;

namespace {

using Texts = std::vector<std::string>;

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

// POSTs of the specification; bodies.cpp goes through every one that is documented.
struct Target {
  std::string path, body;
};
std::vector<Target> posts() {
  auto& a = world().a;
  return {
      {"/api/lists", R"({"name":"n"})"},
      {"/api/rbac/roles", R"({"name":"n"})"},
      {"/api/organization", R"({"name":"n"})"},
      {"/api/conversation/" + a.conversations[2], R"({"status":"Active"})"},
      {"/api/organization/messagingBusinessAccount", R"({"businessAccountId":"1","code":"c","phoneNumberId":"2"})"}};
}

bool points_at(const Answer& answer, const std::string& pointer) {
  const auto problem = answer.json();
  for (const auto& fault : problem.at("errors").as_array())
    if (fault.at("pointer").as_string() == json::string_view(pointer)) return true;
  return false;
}

}  // namespace

TEST_CASE("bad values: 31-36, 39-43 a body that is no JSON object of ours is refused by POSTs") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  const auto before = system.row_counts();
  struct Bad {
    std::string name, body;
    unsigned status = 400;
  };
  const std::vector<Bad> bodies{
      {"32 deep arrays", R"({"name":"n","x":)" + std::string(1000, '[') + std::string(1000, ']') + "}"},
      {"32 deep objects", repeated(R"({"name":)", 1000) + "1" + std::string(1000, '}')},
      {"32 33 deep", R"({"name":"n","x":)" + std::string(33, '[') + std::string(33, ']') + "}"},
      {"33 a key twice", R"({"name":"n","name":"m"})"},
      {"33 an inner key twice", R"({"name":"n","x":{"a":1,"a":2}})"},
      {"33 a key twice, once escaped", R"({"name":"n","n\u0061me":"m"})"},
      {"34 garbage behind", R"({"name":"n"}x)"},
      {"34 two documents", R"({"name":"n"}{"name":"m"})"},
      {"35 empty", ""},
      {"35 spaces", "   "},
      {"36 array", "[]"},
      {"36 string", "\"name\""},
      {"36 null", "null"},
      {"36 number", "1"},
      {"39 U+0000", R"({"name":"a\u0000b"})"},
      {"39 U+0000 in a key", R"({"name":"n","a\u0000":1})"},
      {"39 raw control character", "{\"name\":\"a\nb\"}"},
      {"40 lone high surrogate", R"({"name":"\ud800"})"},
      {"40 lone low surrogate", R"({"name":"\udc00x"})"},
      {"41 not UTF-8", "{\"name\":\"\xff\xfe\"}"},
      {"41 overlong", "{\"name\":\"\xc0\xaf\"}"},
      {"41 surrogate in UTF-8", "{\"name\":\"\xed\xa0\x80\"}"},
      {"42 byte order mark", "\xef\xbb\xbf{\"name\":\"n\"}"},
      {"43 1e400", R"({"name":"n","x":1e400})"},
      {"43 NaN", R"({"name":"n","x":NaN})"},
      {"43 Infinity", R"({"name":"n","x":Infinity})"},
      {"44 a huge integer", R"({"name":"n","x":12345678901234567890123})"},
      {"unfinished", R"({"name":"n")"},
      {"trailing comma", R"({"name":"n",})"},
      {"comment", R"({"name":"n"/*x*/})"},
      {"single quotes", "{'name':'n'}"},
      {"45 tags without end", R"({"name":"n","tags":[)" + repeated("\"x\",", 100'000) + "\"x\"]}"},
      {"31 one octet over 1 MiB", R"({"name":")" + std::string(1024 * 1024 + 1 - 11, 'x') + "\"}", 413},
      {"31 8 MiB", R"({"name":")" + std::string(8 * 1024 * 1024, 'x') + "\"}", 413},
  };
  for (const auto& target : posts())
    for (const auto& bad : bodies) {
      INFO(target.path << " " << bad.name);
      const auto answer = client.post(target.path, bad.body, {{"Content-Type", "application/json"}});
      CHECK_EQ(answer.status, bad.status);
    }
  CHECK_EQ(system.row_counts(), before);
}

TEST_CASE("bad values: 31 more than 1 MiB in chunks is refused too, wherever it is noticed") {
  auto& [system, a, b] = world();
  const auto before = system.row_counts();
  for (const std::size_t octets : {std::size_t{1024 * 1024 + 1}, std::size_t{4 * 1024 * 1024}}) {
    Wire wire(system.gateway().port());
    wire.send(
        "POST /api/lists HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: "
        "chunked\r\nAuthorization: Bearer " +
        a.owner.api_key + "\r\n\r\n");
    std::string body = R"({"name":")" + std::string(octets - 11, 'x') + "\"}";
    for (std::size_t at = 0; at < body.size(); at += 65536) {
      const auto piece = body.substr(at, 65536);
      char size[20];
      std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
      if (!wire.send(size + piece + "\r\n")) break;
    }
    wire.send("0\r\n\r\n");
    const auto answer = wire.read();
    REQUIRE(answer);
    CHECK_EQ(answer->status, 413);
    check_documented(system, "POST", "/api/lists", *answer);
  }
  CHECK_EQ(system.row_counts(), before);
}

TEST_CASE("bad values: what is exactly at a limit is taken") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  std::string body = R"({"name":"large","x":")";
  body += std::string(1024 * 1024 - body.size() - 2, 'x') + "\"}";
  CHECK_EQ(body.size(), 1024 * 1024);
  CHECK_EQ(client.post("/api/lists", body).status, 201);
  CHECK_EQ(client
               .post("/api/lists",
                     R"({"name":")" + repeated("é", 255) + R"(","description":")" + repeated("日", 2000) + "\"}")
               .status,
           201);
  CHECK_EQ(client.post("/api/lists", R"({"name":"n","x":)" + std::string(30, '[') + std::string(30, ']') + "}").status,
           201);
  json::array tags;
  for (int i = 0; i < 100; ++i) tags.push_back(json::value("limit " + std::to_string(i)));
  CHECK_EQ(client.post("/api/lists", json::serialize(json::object{{"name", "n"}, {"tags", tags}})).status, 201);
  CHECK_EQ(client.get("/api/contacts?per_page=100&search=" + std::string(100, 'a')).status, 200);
}

TEST_CASE("bad values: 37, 38, 44-47, 49, 50, 60 a field that is not as documented is named by its pointer") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  const auto before = system.row_counts();
  const auto statuses =
      system.sql("conversations").value("SELECT string_agg(status, ',' ORDER BY id) FROM conversation");
  struct Bad {
    std::string path, body, pointer;
  };
  const std::string lists = "/api/lists", roles = "/api/rbac/roles", organization = "/api/organization",
                    conversation = "/api/conversation/" + a.conversations[1],
                    account = "/api/organization/messagingBusinessAccount";
  std::vector<Bad> all;
  for (const auto& path : {lists, roles, organization}) {
    const std::string rest = path == roles ? R"(,"permissions":[]})" : "}";
    for (const std::string& name : Texts{"1", "null", "[]", "{}", "true", "\"\"", "\"   \"", "\"\\u200b\\u00a0\"",
                                         "\"" + repeated("x", 256) + "\"", "12345678901234567890", "1.5"})
      all.push_back({path, R"({"name":)" + name + rest, "/name"});
    all.push_back({path, R"({"description":"no name"})", "/name"});
    all.push_back({path, R"({"Name":"n"})", "/name"});
    for (const std::string& text : Texts{"1", "[\"a\"]", "{\"a\":1}", "\"" + repeated("x", 2001) + "\""})
      all.push_back({path, R"({"name":"n","description":)" + text + rest, "/description"});
  }
  for (const std::string& tags : Texts{"1", "\"a\"", "{}"})
    all.push_back({lists, R"({"name":"n","tags":)" + tags + "}", "/tags"});
  all.push_back({lists, R"({"name":"n","tags":["a",1]})", "/tags/1"});
  all.push_back({lists, R"({"name":"n","tags":["a","b",""]})", "/tags/2"});
  all.push_back({lists, R"({"name":"n","tags":["a",null]})", "/tags/1"});
  all.push_back({lists, R"({"name":"n","tags":[")" + repeated("x", 256) + "\"]}", "/tags/0"});
  all.push_back({lists, R"({"name":"n","tags":[)" + repeated("\"x\",", 50'000) + "\"x\"]}", "/tags"});
  all.push_back({lists, R"({"name":"n","contactIds":"x"})", "/contactIds"});
  all.push_back({lists, R"({"name":"n","contactIds":[1]})", "/contactIds/0"});
  all.push_back({lists, R"({"name":"n","contactIds":[")" + a.contacts[0] + R"(","not an id"]})", "/contactIds/1"});
  all.push_back({lists, R"({"name":"n","contactIds":[")" + a.contacts[0] + "' OR 1=1--\"]}", "/contactIds/0"});
  all.push_back(
      {lists,
       R"({"name":"n","contactIds":[)" + repeated("\"" + a.contacts[0] + "\",", 10'000) + "\"" + a.contacts[0] + "\"]}",
       "/contactIds"});
  for (const std::string& permission :
       Texts{"get:x", "A:B:C", "Get:", ":Contact", "Get:contact", "Get:Contact ", "*", "*:*", "Get:Everything", ""})
    all.push_back({roles, json::serialize(json::object{{"name", "n"}, {"permissions", {"Get:Contact", permission}}}),
                   "/permissions/1"});
  all.push_back({roles, R"({"name":"n","permissions":[)" + repeated("\"Get:Contact\",", 9'999) + "\"Get:Contact\"]}",
                 "/permissions"});
  all.push_back({roles, R"({"name":"n","permissions":"Get:Contact"})", "/permissions"});
  for (const std::string& status : Texts{"\"Bogus\"", "\"active\"", "\"\"", "1", "null", "[\"Closed\"]", "true"})
    all.push_back({conversation, R"({"status":)" + status + "}", "/status"});
  for (const std::string& url :
       Texts{"javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "ftp://example.com", "//example.com",
             "example.com", "https://", "https://user:pass@example.com", "http://exa mple.com",
             "https://example.com/" + repeated("x", 2048)})
    all.push_back({organization, json::serialize(json::object{{"name", "n"}, {"websiteUrl", url}}), "/websiteUrl"});
  all.push_back({organization, R"({"name":"n","websiteUrl":1})", "/websiteUrl"});
  for (const std::string& id :
       Texts{"1", "\"\"", "\"../me\"", "\"1/2\"", "\"1?x\"", "\"abc\"", "null", "\"" + repeated("1", 300) + "\""}) {
    all.push_back(
        {account, R"({"businessAccountId":)" + id + R"(,"code":"code-x","phoneNumberId":"2"})", "/businessAccountId"});
    all.push_back(
        {account, R"({"businessAccountId":"1","code":"code-x","phoneNumberId":)" + id + "}", "/phoneNumberId"});
  }
  all.push_back({account, R"({"businessAccountId":"1","code":"","phoneNumberId":"2"})", "/code"});
  all.push_back(
      {account, R"({"businessAccountId":"1","code":")" + repeated("c", 3000) + R"(","phoneNumberId":"2"})", "/code"});
  for (const auto& bad : all) {
    INFO(bad.path << " " << bad.body.substr(0, 200));
    const auto answer = client.post(bad.path, bad.body);
    CHECK_EQ(answer.status, 400);
    if (answer.status == 400) {
      INFO(answer.body.substr(0, 300));
      CHECK(points_at(answer, bad.pointer));
    }
  }
  CHECK_EQ(system.row_counts(), before);
  CHECK_EQ(system.sql("conversations").value("SELECT string_agg(status, ',' ORDER BY id) FROM conversation"), statuses);
}

TEST_CASE("bad values: 60 an address inside the network is stored, and never fetched") {
  auto& [system, a, b] = world();
  Client client(system, system.create_owner("ssrf@example.com", "SSRF").api_key);
  for (const std::string& url :
       Texts{"http://169.254.169.254/latest/meta-data",
             "http://127.0.0.1:" + std::to_string(system.simulator().port()) + "/fetched", "https://[::1]/"}) {
    const auto answer =
        client.post("/api/organization", json::serialize(json::object{{"name", "n"}, {"websiteUrl", url}}));
    REQUIRE_EQ(answer.status, 201);
    CHECK_EQ(std::string(answer.json().at("organization").at("websiteUrl").as_string().c_str()), url);
  }
  client.get("/api/organization");
  Wire wire(system.simulator().port());
  wire.send(support::request_text("GET", "/simulator/journal"));
  CHECK(wire.read()->body.find("fetched") == std::string::npos);
}

TEST_CASE("bad values: 51 an id that is none is not found, and never a question to the database") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  const auto& id = a.contacts[0];
  for (const std::string& bad :
       {std::string("x"), std::string("0"), std::string("null"), id.substr(1), id + "0", std::string(8'000, 'a'),
        std::string("..%2f..%2finternal"), std::string("%00"), id + "%00", id + "%20", std::string("%27%20OR%201=1--"),
        std::string("{") + id + "}", std::string("{id}"), std::string("%ff%fe"), std::string("-1"),
        std::string("00000000-0000-0000-0000-000000000000"), std::string("ffffffff-ffff-ffff-ffff-ffffffffffff"),
        std::string("%"), std::string("%zz")})
    for (const std::string& path : Texts{"/api/contacts/", "/api/conversation/"}) {
      INFO(path << bad.substr(0, 100));
      const auto answer = client.get(path + bad);
      CHECK((answer.status == 404 || answer.status == 400));
      if (path == "/api/conversation/") {
        const auto posted = client.post(path + bad, R"({"status":"Closed"})");
        CHECK((posted.status == 404 || posted.status == 400));
      }
    }
  CHECK_EQ(client.get("/api/contacts/" + std::string(10'000, 'a')).status, 414);
  // Letters of either case name the same resource.
  std::string upper = id;
  for (auto& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  CHECK_EQ(client.get("/api/contacts/" + upper).status, 200);
}

TEST_CASE("bad values: 53-59 a query that is not as documented is a 400 that names the parameter") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  struct Bad {
    std::string path, query, pointer;
  };
  std::vector<Bad> all;
  for (const std::string& path : Texts{"/api/contacts", "/api/organization"}) {
    for (const std::string& value : Texts{"0", "-1", "1000000000", "abc", "18446744073709551616", "9223372036854775808",
                                          "", "1.5", "0x10", "+5", "%205", "5%20", "1e2", "101", "5%00", "%D9%A5"}) {
      all.push_back({path, "per_page=" + value, "?per_page"});
      all.push_back({path, "limit=" + value, "?limit"});
    }
    for (const std::string& value :
         Texts{"-1", "abc", "9223372036854775808", "18446744073709551616", "", "1.5", "-9223372036854775808"})
      all.push_back({path, "skip=" + value, "?skip"});
    for (const std::string& value : Texts{"0", "-1", "abc", "", "9223372036854775807"})
      all.push_back({path, "page=" + value, "?page"});
    for (const std::string& value : Texts{"ASC", "ASC%00", "asc%20", "up", "", "asc,desc", "1"})
      all.push_back({path, "order=" + value, "?order"});
    all.push_back({path, "order=asc&order=asc", "?order"});
    all.push_back({path, "skip=1&skip=2", "?skip"});
    all.push_back({path, "skip=1&page=2", "?page"});
    all.push_back({path, "per_page=1&limit=2", "?limit"});
    all.push_back({path, "nonsense=1", "?nonsense"});
    all.push_back({path, "PER_PAGE=1", "?PER_PAGE"});
    all.push_back({path, "per_page[]=1", "?per_page[]"});
  }
  for (const std::string& value : Texts{"id;drop", "unknown", "", "created_at", "NAME", "name,phone", "1", "name--"})
    all.push_back({"/api/contacts", "sort_by=" + value, "?sort_by"});
  for (const std::string& value : Texts{"x", "", "1", a.lists[0] + "x", "%27"})
    all.push_back({"/api/contacts", "list_id=" + value, "?list_id"});
  for (const std::string& value : Texts{"x", "", "active", "Active,Blocked"})
    all.push_back({"/api/contacts", "status=" + value, "?status"});
  all.push_back({"/api/contacts", "search=" + std::string(101, 'a'), "?search"});
  all.push_back({"/api/contacts", "search=" + std::string(7'000, 'a'), "?search"});
  all.push_back({"/api/contacts", "search=a&search=b", "?search"});
  for (const std::string& value : Texts{"x", "", "AAAA", std::string(1000, 'A'), a.contacts[0]}) {
    all.push_back({"/api/contacts", "cursor=" + value, "?cursor"});
  }
  for (const std::string& value : Texts{"2024-02-30", "2024-13-01", "9999999-01-01", "2024-01-01T00:00:00",
                                        "2024-01-01T25:00:00Z", "2024-01-01%2000:00:00Z", "yesterday", "", "1700000000",
                                        "2024-01-01T00:00:00+25:00", "0000-00-00", "2024-1-1", "2024-01-01Z"}) {
    all.push_back({"/api/analytics/campaigns", "from=" + value, "?from"});
    all.push_back({"/api/analytics/campaigns", "from=2024-01-01&to=" + value, "?to"});
  }
  all.push_back({"/api/analytics/campaigns", "from=2024-02-01&to=2024-01-01", "?to"});
  for (const std::string& value : Texts{"Nowhere", "", "UTC%00", "../../etc/passwd", "europe/berlin2", "%2B02:00",
                                        std::string(65, 'A'), "UTC'; DROP TABLE x--"})
    all.push_back({"/api/analytics/campaigns", "from=2024-01-01&to=2024-01-02&timezone=" + value, "?timezone"});
  all.push_back({"/api/analytics/campaigns", "start=2024-01-01", "?start"});
  for (const auto& bad : all) {
    auto target = bad.path + "?" + bad.query;
    for (auto& c : target)
      if (c == ' ') c = '+';
    INFO(target.substr(0, 200));
    const auto answer = client.get(target);
    INFO(answer.body.substr(0, 300));
    CHECK_EQ(answer.status, 400);
    // Octets that are no text at all are refused for the query as a whole.
    if (answer.status == 400 && bad.query.find("%00") == std::string::npos) CHECK(points_at(answer, bad.pointer));
  }
  for (const std::string& query :
       Texts{"search=%", "search=%zz", "search=%ff", "search=%c0%af", "search=a%00b", "%=1", "=1", "&&=&"}) {
    INFO(query);
    CHECK_EQ(client.get("/api/contacts?" + query).status, 400);
  }
  for (const std::string& query :
       Texts{"from=2020-01-01&to=2024-01-01", "from=9998-01-01&to=9999-12-31T23:59:59Z",
             "from=0001-01-01&to=0001-01-02", "to=9999-12-31", "from=9999-12-31", "from=1969-12-31&to=1970-01-02"}) {
    INFO(query);
    const auto answer = client.get("/api/analytics/campaigns?" + query);
    CHECK((answer.status == 400 || answer.status == 200));
  }
}

TEST_CASE(
    "bad values: 54 a skip beyond all rows is an empty page, or refused, and 57 what LIKE would understand is searched "
    "for as it is") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  for (const std::string& skip : Texts{"1000000", "1000000000", "9223372036854775807"}) {
    const auto answer = client.get("/api/contacts?skip=" + skip);
    CHECK((answer.status == 200 || answer.status == 400));
    if (answer.status == 200) CHECK(answer.json().at("contacts").as_array().empty());
  }
  const auto count = [&](const std::string& search) {
    return client.get("/api/contacts?search=" + search)
        .json()
        .at("paginationMeta")
        .at("total")
        .to_number<std::int64_t>();
  };
  CHECK_EQ(count("%25_%5C%27"), 0);
  CHECK_EQ(count("%5C"), 0);
  CHECK_EQ(count("%25"),
           system.sql("contacts")
               .number("SELECT count(*) FROM contact WHERE organization_id = $1 AND strpos(name, '%') > 0", {a.id}));
  CHECK_EQ(count("_"),
           system.sql("contacts")
               .number("SELECT count(*) FROM contact WHERE organization_id = $1 AND strpos(name, '_') > 0", {a.id}));
  CHECK_EQ(count("%EF%BC%85"), count("%25"));  // its wide form is the same sign to a reader, and no wildcard either
}

// However much an organization puts into what it keeps, an answer stays within what a process has: the worst pages that
// can be made through the API, read by a system of their own, whose memory is looked at.
#include <atomic>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <cstring>
#include <fstream>
#include <regex>
#include <set>
#include <thread>

#include "tests/e2e/channel_bed.hpp"
#include "tests/support/memory_limit.hpp"

using namespace parley;
using namespace parley::e2e;
namespace json = boost::json;

namespace {

constexpr std::size_t kMaxOctets = 4 << 20;  // of a page's records; see http::kMaxPageOctets
constexpr std::size_t kRest = 1024;          // of a page: what stands around the records

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}
const std::string kWide = "𝔘";  // four octets

// The most memory that it ever had, in octets.
double most_memory(const support::Component& component) {
  std::ifstream file("/proc/" + std::to_string(component.process()) + "/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) * 1024;
  FAIL("no VmHWM");
  return 0;
}

struct Bed {
  System system{{.replicas = 1, .environment = {}}};
  Channel channel{system, "Long answers", "200000000000901"};
  Channel quiet{system, "Short answers", "200000000000902"};

  // Without a look at the contract, which would take minutes for the answers that must not be.
  Answer get(const std::string& target) {
    support::Wire wire(system.gateway().port());
    wire.send(support::request_text("GET", target, {{"Authorization", "Bearer " + channel.api_key()}}));
    auto answer = wire.read();
    REQUIRE(answer);
    return std::move(*answer);
  }
  void check_memory(support::Component& component) {
    CAPTURE(component.name());
    CHECK(component.running());
    const auto most = most_memory(component);
    MESSAGE(component.name(), " had ", most / 1024 / 1024, " MiB at most");
    CHECK_LT(most, support::memory_limit("workload/deployment.yaml"));
  }
  // Asks for it, or changes it, forty times without reading an answer, and then sixteen times at once as one should.
  void storm(const std::string& target, const std::string& change = {}) {
    CAPTURE(target);
    std::vector<std::pair<std::string, std::string>> fields{{"Authorization", "Bearer " + channel.api_key()}};
    if (!change.empty()) fields.emplace_back("Content-Type", "application/json");
    const auto question = support::request_text(change.empty() ? "GET" : "POST", target, fields, change);
    std::vector<support::Wire> unread;
    for (int i = 0; i < 40; ++i) unread.emplace_back(system.gateway().port()).send(question);
    std::atomic<int> answered = 0, refused = 0, cut_off = 0;
    std::vector<std::thread> readers;
    for (int i = 0; i < 16; ++i)
      readers.emplace_back([&] {
        const auto status = status_of(question);
        answered += status == 200;
        refused += status == 429 || status == 503 || status == 504;  // the last where the machine is slow
        cut_off += status == 0;
      });
    for (auto& reader : readers) reader.join();
    MESSAGE(target, ": of 16 ", answered.load(), " were answered, ", refused.load(), " refused, ", cut_off.load(),
            " cut off");
    CHECK_EQ(answered + refused + cut_off, 16);
    if (change.empty()) CHECK_EQ(cut_off, 0);
    // Another organization's long answer is not cut off for them either.
    CHECK_EQ(quiet_page(), 200);
    for (const auto* path : {"/api/contacts", "/api/campaigns", "/api/conversations"})
      CHECK_EQ(quiet.client().get(path).status, 200);
    unread.clear();
    CHECK(comes_to([&] { return status_of(question) == 200; }));
  }
  // Of a page of some 1.6 MiB, made at first need.
  unsigned quiet_page() {
    if (!has_quiet_page) {
      boost::json::array contacts;
      for (int i = 0; i < 50; ++i)
        contacts.push_back({{"name", "Quiet"},
                            {"phone", "+49153" + std::to_string(20'000'000 + i)},
                            {"attributes", {{"a", std::string(16'000, 'x')}}}});
      for (int i = 0; i < 2; ++i) {
        REQUIRE_EQ(quiet.client().post("/api/contacts", boost::json::serialize(contacts)).status, 201);
        for (auto& contact : contacts) {
          auto& phone = contact.as_object()["phone"].as_string();
          phone = "+49154" + std::string(std::string_view(phone).substr(6));
        }
      }
      has_quiet_page = true;
    }
    return status_of(
        support::request_text("GET", "/api/contacts?per_page=100", {{"Authorization", "Bearer " + quiet.api_key()}}));
  }
  bool has_quiet_page = false;
  // 0: the answer was cut off.
  unsigned status_of(const std::string& question) {
    support::Wire wire(system.gateway().port());
    wire.send(question);
    try {
      const auto answer = wire.read();
      return answer ? answer->status : 0;
    } catch (const std::runtime_error&) {
      return 0;
    }
  }
  std::string made(const std::string& target, const json::value& body, const char* name) {
    const auto answer = channel.client().post(target, json::serialize(body));
    REQUIRE_EQ(answer.status, 201);
    return answer.json().at(name).at("uniqueId").as_string().c_str();
  }
};
Bed& bed() {
  static Bed the_bed;
  return the_bed;
}

// Reads a list whose page of 100 is too long, as its refusal says and then by its links. Returns the ids, in order.
std::vector<std::string> walk(const std::string& target, const char* name) {
  const auto refused = bed().get(target + "?per_page=100");
  REQUIRE_EQ(refused.status, 400);
  const auto error = refused.json().at("errors").at(0);
  CHECK_EQ(error.at("pointer"), json::value("?per_page"));
  std::smatch fitting;
  const std::string detail = error.at("detail").as_string().c_str();
  REQUIRE(std::regex_search(detail, fitting, std::regex("at most ([0-9]+) here")));
  CHECK_EQ(bed().get(target + "?skip=0&per_page=100").status, 400);

  std::vector<std::string> ids;
  std::size_t shortened = 0;
  for (auto next = target + "?per_page=" + fitting[1].str(); !next.empty();) {
    const auto page = bed().get(next);
    REQUIRE_EQ(page.status, 200);
    const auto json = page.json();
    const auto& records = json.at(name).as_array();
    if (records.size() > 1) CHECK_LE(page.body.size(), kMaxOctets + kRest);
    for (const auto& record : records) ids.emplace_back(record.at("uniqueId").as_string().c_str());
    std::smatch link;
    const auto field = page.header("Link");
    next = std::regex_search(field, link, std::regex("<([^>]*)>")) ? link[1].str() : "";
    if (!next.empty()) next = std::regex_replace(next, std::regex("per_page=[0-9]+"), "per_page=100");
    shortened += !next.empty();
  }
  CHECK_GT(shortened, 0);
  return ids;
}

// The page of 100 behind a list's first record.
std::string second_page(const std::string& target) {
  const auto field = bed().get(target + "?per_page=1").header("Link");
  std::smatch link;
  REQUIRE(std::regex_search(field, link, std::regex("<([^>]*)per_page=1([^0-9][^>]*)?>")));
  return link[1].str() + "per_page=100" + link[2].str();
}

// Each of them so many times, on connections that read nothing until all have asked.
void ask_at_once(const std::vector<std::string>& targets, int times) {
  std::vector<Wire> wires;
  for (int i = 0; i < times; ++i)
    for (const auto& target : targets) {
      wires.emplace_back(bed().system.gateway().port());
      wires.back().send(support::request_text("GET", target, {{"Authorization", "Bearer " + bed().channel.api_key()}}));
    }
  for (auto& wire : wires) {
    const auto answer = wire.read();
    REQUIRE(answer);
    CHECK_LT(answer->status, 500);
  }
}

// A hundred members and as many invitations, who all have a hundred roles that nobody could have with longer texts.
void give_roles(const std::string& organization) {
  auto& sql = bed().system.sql("organizations");
  const Sql::Parameters of{organization};
  sql.rows(
      "INSERT INTO role (organization_id, id, name, description, permissions) SELECT $1::uuid, gen_random_uuid(), "
      "to_char(i, 'FM000') || repeat('𝔘', 252), repeat('𝔘', 2000), 1 FROM generate_series(1, 100) i",
      of);
  sql.rows(
      "WITH made AS (INSERT INTO person (id, email, name) SELECT gen_random_uuid(), 'long' || i || '@example.com', "
      "repeat('𝔘', 255) FROM generate_series(1, 100) i RETURNING id) "
      "INSERT INTO member (organization_id, id, person_id, access_level) "
      "SELECT $1::uuid, gen_random_uuid(), id, 'Member' FROM made",
      of);
  sql.rows(
      "INSERT INTO invite (organization_id, id, email, access_level, secret_hash, invited_by, expires_at) "
      "SELECT $1::uuid, gen_random_uuid(), 'invited' || i || '@example.com', 'Member', "
      "sha256(i::text::bytea), gen_random_uuid(), now() + interval '1 day' FROM generate_series(1, 100) i",
      of);
  sql.rows(
      "INSERT INTO member_role (organization_id, member_id, role_id) SELECT m.organization_id, m.id, r.id "
      "FROM member m JOIN role r USING (organization_id) WHERE m.organization_id = $1::uuid",
      of);
  sql.rows(
      "INSERT INTO invite_role (organization_id, invite_id, role_id) SELECT i.organization_id, i.id, r.id "
      "FROM invite i JOIN role r USING (organization_id) WHERE i.organization_id = $1::uuid",
      of);
}

// Each to another of these members.
void assign_conversations(const std::string& organization) {
  const auto members =
      bed()
          .system.sql("organizations")
          .column("SELECT id FROM member WHERE organization_id = $1::uuid AND access_level = 'Member'", {organization});
  bed()
      .system.sql("conversations")
      .rows(
          "UPDATE conversation c SET assigned_member_id = m.id "
          "FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM conversation WHERE organization_id = $1::uuid) o "
          "JOIN unnest($2::uuid[]) WITH ORDINALITY AS m(id, n) USING (n) "
          "WHERE c.organization_id = $1::uuid AND c.id = o.id",
          {organization, support::sql_array(members)});
}

}  // namespace

TEST_SUITE("e2e: the longest answers") {
  TEST_CASE("contacts in a hundred lists of a hundred long tags") {
    auto client = bed().channel.client();
    json::array contacts, ids;
    const std::string attributes = "{\"a\": \"" + std::string(16'000, 'x') + "\"}";
    for (int i = 0; i < 25; ++i)
      contacts.push_back({{"name", repeated(kWide, 255)},
                          {"phone", "+49151" + std::to_string(20'000'000 + i)},
                          {"attributes", json::parse(attributes)}});
    const auto made = client.post("/api/contacts", json::serialize(contacts));
    REQUIRE_EQ(made.status, 201);
    const auto answer = made.json();
    for (const auto& contact : answer.at("contacts").as_array()) ids.push_back(contact.at("uniqueId"));
    json::array tags;
    for (int i = 0; i < 100; ++i) tags.emplace_back(std::to_string(100 + i) + repeated(kWide, 252));
    json::array lists;
    for (int i = 0; i < 100; ++i)
      lists.emplace_back(bed().made("/api/lists",
                                    {{"name", repeated(kWide, 255)},
                                     {"description", repeated(kWide, 2'000)},
                                     {"tags", tags},
                                     {"contactIds", ids}},
                                    "list"));

    bed().check_memory(bed().system.contacts());
    const auto walked = walk("/api/contacts", "contacts");
    CHECK_EQ(walked.size(), ids.size());
    CHECK_EQ(std::set<std::string>(walked.begin(), walked.end()).size(), ids.size());
    const auto one = bed().get("/api/contacts/" + walked.front());
    CHECK_EQ(one.status, 200);
    CHECK_EQ(one.json().at("contact").at("lists").as_array().size(), 100);
    bed().check_memory(bed().system.contacts());
    bed().storm("/api/contacts/" + walked.front());
    bed().storm("/api/contacts?skip=0&per_page=1");
    bed().storm("/api/contacts/" + walked.front(), R"({"name": "Changed"})");
    bed().check_memory(bed().system.contacts());

    // One list more than that is refused, and so is an answer to many such contacts at once.
    const auto more =
        client.post("/api/lists", json::serialize(json::value{{"name", "one too many"}, {"contactIds", ids}}));
    CHECK_EQ(more.status, 409);
    for (auto& contact : contacts) {
      auto& object = contact.as_object();
      object["phone"] = "+49152" + std::string(object["phone"].as_string().subview(6));
      object["lists"] = lists;
    }
    const auto many = client.post("/api/contacts", json::serialize(contacts));
    CHECK_EQ(many.status, 400);
    bed().check_memory(bed().system.contacts());
  }

  TEST_CASE("campaigns with members that nobody knows, and the longest messages that are") {
    auto client = bed().channel.client();
    const json::value unknown{{"name", "Padded"},
                              {"message", {{"type", "Text"}, {"text", "Hi"}, {"padding", std::string(900'000, 'x')}}}};
    for (int i = 0; i < 50; ++i) {
      const auto made =
          client.post("/api/campaigns", json::serialize(unknown), {{"Idempotency-Key", "padded " + std::to_string(i)}});
      REQUIRE_EQ(made.status, 201);
      CHECK_LT(made.body.size(), 10'000);
    }
    const auto page = bed().get("/api/campaigns?per_page=50");
    CHECK_EQ(page.status, 200);
    CHECK_LT(page.body.size(), 100'000);
    bed().check_memory(bed().system.conversations());

    // Fallbacks are not what the channel counts.
    const auto text = repeated("{{name|" + repeated("y", 250) + "}}", 62);
    json::array variants;
    for (int i = 1; i <= 9; ++i)
      variants.push_back(
          {{"name", "V" + std::to_string(i)}, {"share", 10}, {"message", {{"type", "Text"}, {"text", text}}}});
    const json::value longest{
        {"name", "Long"}, {"message", {{"type", "Text"}, {"text", text}}}, {"variants", variants}};
    for (int i = 0; i < 50; ++i) bed().made("/api/campaigns", longest, "campaign");
    CHECK_EQ(walk("/api/campaigns", "campaigns").size(), 100);
    bed().storm("/api/campaigns?skip=0&per_page=20");
    bed().check_memory(bed().system.conversations());
  }

  TEST_CASE("conversations and messages with the longest texts") {
    auto& channel = bed().channel;
    constexpr int kPeople = 70;
    for (int i = 0; i < kPeople; ++i) {
      const auto number = "4915130000" + std::to_string(100 + i);
      json::array messages;
      for (int j = 0; j < 2; ++j)
        messages.push_back(Channel::text(number, "wamid.long" + std::to_string(i) + "." + std::to_string(j),
                                         std::string(100'000, 'z')));
      channel.deliver(channel.body(messages, {}, {{{"profile", {{"name", "Long"}}}, {"wa_id", number}}}));
    }
    auto& sql = bed().system.sql("conversations");
    wait_for("all messages are there", [&] {
      return sql.number("SELECT count(*) FROM message WHERE organization_id = '" + channel.organization() + "'") ==
             2 * kPeople;
    });
    CHECK_EQ(walk("/api/conversations", "conversations").size(), kPeople);
    CHECK_EQ(walk("/api/messages", "messages").size(), 2 * kPeople);
    bed().storm("/api/conversations?skip=0&per_page=35");
    bed().storm("/api/messages?per_page=35");
    // One long page that nobody reads leaves room for another.
    auto& conversations = bed().system.conversations();
    wait_for("nothing is being read", [&] { return conversations.metric("http_answer_bytes") == 0; });
    support::Wire unread(bed().system.gateway().port());
    unread.send(support::request_text("GET", "/api/messages?per_page=34",
                                      {{"Authorization", "Bearer " + bed().channel.api_key()}}));
    wait_for("a page is being read", [&] { return conversations.metric("http_answer_bytes") > 0; });
    CHECK_EQ(bed().get("/api/messages?per_page=34").status, 200);
    bed().check_memory(bed().system.conversations());
  }

  TEST_CASE("a hundred members, and as many invitations, of a hundred roles with the longest texts") {
    give_roles(bed().channel.organization());
    const std::vector<std::pair<std::string, const char*>> lists{{"/api/organization/members", "members"},
                                                                 {"/api/organization/invites", "invites"}};
    for (const auto& [target, name] : lists) {
      const auto walked = walk(target, name);
      CHECK_EQ(walked.size(), std::string_view(name) == "members" ? 101 : 100);  // and the owner
      CHECK_EQ(std::set<std::string>(walked.begin(), walked.end()).size(), walked.size());
      const auto one = bed().get(target + "/" + walked.back());
      CHECK_EQ(one.json().at(std::string(name, std::strlen(name) - 1)).at("roles").as_array().size(), 100);
    }
    // Refused ones, and the longest pages that there are, at once.
    std::vector<std::string> targets;
    for (const auto& [target, name] : lists) {
      targets.push_back(target + "?per_page=100");
      targets.push_back(second_page(target));
    }
    ask_at_once(targets, 8);
    bed().check_memory(bed().system.organizations());

    // They are whole also where conversations are assigned to them.
    assign_conversations(bed().channel.organization());
    const auto some = bed().get("/api/conversations?per_page=3");
    CHECK_EQ(some.status, 200);
    CHECK_EQ(some.header("Parley-Degraded"), "");
    const auto json = some.json();
    for (const auto& conversation : json.at("conversations").as_array())
      CHECK_EQ(conversation.at("assignedTo").at("roles").as_array().size(), 100);
    ask_at_once({"/api/conversations?per_page=10"}, 16);

    // A conversation of the longest messages, which is changed.
    const std::string number = "491513000999";
    json::array messages;
    for (int i = 0; i < 20; ++i)
      messages.push_back(Channel::text(number, "wamid.longest" + std::to_string(i), std::string(120'000, 'z')));
    for (auto& message : messages) bed().channel.deliver(bed().channel.body({message}, {}, {}));
    wait_for("all messages are there", [&] {
      const auto conversation = bed().channel.conversation(number);
      return !conversation.is_null() && conversation.at("totalMessages") == json::value(20);
    });
    const std::string id = bed().channel.conversation(number).at("uniqueId").as_string().c_str();
    assign_conversations(bed().channel.organization());
    bed().storm("/api/conversation/" + id);
    bed().storm("/api/conversation/" + id + "/read", "{}");
    bed().check_memory(bed().system.organizations());
    bed().check_memory(bed().system.conversations());
  }
}

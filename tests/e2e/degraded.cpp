// The system with parts of it dead, hung or away: what does not need them answers as ever, what joins them says what is
// missing, and what cannot be answered is a 503 that tells when to try again.
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <functional>
#include <thread>

#include "tests/e2e/world.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/loopback.hpp"
#include "tests/support/statements.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;
namespace json = boost::json;

namespace {

struct Bed {
  Bed() : organization(fill(system, "Degraded", 12)), client(system, organization.owner.api_key) {
    client.may_fail = true;
    organization_id = organization.id;
    // Composed ones may not know all others' names yet, and of two replicas either may answer.
    for (int turn = 0; support::AttachedSystem::given() && turn < 8; ++turn) wait_until_whole();
  }
  std::string contact(std::size_t number = 0) const { return "/api/contacts/" + organization.contacts[number]; }
  std::string conversation() const { return "/api/conversation/" + organization.conversations[1]; }

  // Turns until the system has noticed that a part is back.
  void until(const std::function<bool()>& condition) {
    support::wait_until(condition, [&] { std::this_thread::sleep_for(20ms); });
  }
  void check_unavailable(const Answer& answer) {
    INFO(answer.body);
    CHECK_EQ(answer.status, 503);
    CHECK_NE(answer.header("Retry-After"), "");
    CHECK(answer.body.find("127.0.0.1") == std::string::npos);  // nothing of the inside
    CHECK(answer.body.find("onnect") == std::string::npos);
  }
  // Of all replicas.
  void each(const std::string& name, void (support::Component::*happens)()) {
    for (std::size_t number = 0; number < system.count(name); ++number) (system.component(name, number).*happens)();
  }
  void kill(const std::string& name) { each(name, &support::Component::kill); }
  void start(const std::string& name) { each(name, &support::Component::start); }
  void wait_until_whole() {
    for (const auto& target : {std::string("/api/contacts"), contact(), conversation(),
                               std::string("/api/organization"), std::string("/api/analytics/campaigns")}) {
      INFO(target);
      until([&] {
        const auto answer = client.get(target);
        return answer.status == 200 && !answer.has("Parley-Degraded");
      });
    }
  }
  void check_whole() {
    wait_until_whole();
    CHECK_EQ(client.post("/api/lists", R"({"name":"whole again"})").status, 201);
  }

  System system;
  Organization organization;
  Client client;
  std::string organization_id;
};

}  // namespace

TEST_CASE("degraded: without conversations contacts are answered without them and say so, their own routes are a 503") {
  Bed bed;
  auto& [system, organization, client, id] = bed;
  const auto whole = client.get(bed.contact()).json().at("contact");
  for (const bool hung : {false, true}) {
    INFO((hung ? "hung" : "dead"));
    const Headers seen{{"If-Match", client.get(bed.contact(1)).header("ETag")}};
    bed.each("conversations", hung ? &support::Component::pause : &support::Component::kill);
    for (const auto& target : {bed.contact(), std::string("/api/contacts?per_page=5"), bed.contact()}) {
      const auto answer = client.get(target);
      CHECK_EQ(answer.status, 200);
      CHECK_EQ(answer.header("Parley-Degraded"), "conversations");
      CHECK_FALSE(answer.has("ETag"));
    }
    const auto usage = client.get("/api/organization/usage");
    CHECK_EQ(usage.status, 200);
    CHECK_EQ(usage.header("Parley-Degraded"), "conversations");
    CHECK_EQ(usage.json().at("missing"), json::array({"conversations"}));
    CHECK(usage.body.find("\"contacts\"") != std::string::npos);
    auto expected = whole.as_object();
    expected["conversations"] = json::array();
    CHECK_EQ(client.get(bed.contact()).json().at("contact"), json::value(expected));
    double counted = 0;
    for (std::size_t number = 0; number < system.count("contacts"); ++number)
      counted += system.contacts(number).metric("http_degraded_answers_total");
    CHECK_GT(counted, 0);
    // What needs nothing of them does not notice.
    CHECK_EQ(client.post("/api/lists", R"({"name":"meanwhile"})").status, 201);
    CHECK_EQ(client.get("/api/organization").status, 200);
    CHECK_EQ(client.get("/api/analytics/campaigns").status, 200);
    CHECK_EQ(client.get("/api/contacts/" + model::new_uuid().text()).status, 404);
    // Nor does what is compared with what was seen of a contact itself.
    CHECK_EQ(client.post(bed.contact(1), hung ? R"({"name":"Hung"})" : R"({"name":"Dead"})", seen).status, 200);
    CHECK_EQ(client("DELETE", bed.contact(1), {}, seen).status, 412);
    if (!hung) {
      bed.check_unavailable(client.get(bed.conversation()));
      bed.check_unavailable(client.post(bed.conversation(), R"({"status":"Closed"})"));
    }
    bed.each("conversations", hung ? &support::Component::resume : &support::Component::start);
    bed.check_whole();
    CHECK_EQ(client.get(bed.contact()).json().at("contact"), whole);
  }
}

TEST_CASE("degraded: without contacts a conversation comes without its contact and tags, and contacts are a 503") {
  Bed bed;
  auto& [system, organization, client, id] = bed;
  const auto whole = client.get(bed.conversation()).json().at("conversation");
  const Headers seen{{"If-Match", client.get(bed.conversation()).header("ETag")}};
  bed.kill("contacts");
  const auto answer = client.get(bed.conversation());
  CHECK_EQ(answer.status, 200);
  CHECK_EQ(answer.header("Parley-Degraded"), "contacts");
  auto expected = whole.as_object();
  expected["contact"] = nullptr;
  expected["tags"] = json::array();
  CHECK_EQ(answer.json().at("conversation"), json::value(expected));
  const auto changed = client.post(bed.conversation(), R"({"status":"Closed"})", seen);
  CHECK_EQ(changed.status, 200);
  CHECK_EQ(changed.header("Parley-Degraded"), "contacts");
  bed.check_unavailable(client.get("/api/contacts"));
  bed.check_unavailable(client.get(bed.contact()));
  bed.check_unavailable(client.post("/api/lists", R"({"name":"n"})"));
  CHECK_EQ(client.get("/api/organization").status, 200);
  CHECK_EQ(system.sql("contacts").number("SELECT count(*) FROM list WHERE name = 'n'"), 0);
  bed.start("contacts");
  bed.check_whole();
}

TEST_CASE(
    "degraded: without organizations those who are known are served for a while, nobody else, and nobody for ever") {
  Bed bed;
  auto& [system, organization, client, id] = bed;
  const auto stranger = system.add_member(id, "stranger@example.com", identity::PermissionSet::all().mask());
  CHECK_EQ(client.get(bed.conversation()).status, 200);
  bed.kill("organizations");
  const auto answer = client.get(bed.conversation());
  CHECK_EQ(answer.status, 200);
  CHECK_EQ(answer.header("Parley-Degraded"), "organizations");
  CHECK(answer.json().at("conversation").at("assignedTo").is_null());
  bed.check_unavailable(client.get("/api/organization"));
  bed.check_unavailable(client.post("/api/organization", R"({"name":"n"})"));
  bed.check_unavailable(client.get("/api/auth/api-keys/regenerate"));
  Client unknown(system, stranger.api_key), garbage(system, "garbage");
  unknown.may_fail = true;
  bed.check_unavailable(unknown.get("/api/contacts"));
  CHECK_EQ(garbage.get("/api/contacts").status, 401);  // that it is none can be seen without them
  bed.until([&] { return client.get("/api/contacts").status == 503; });
  bed.check_unavailable(client.get("/api/contacts"));
  bed.start("organizations");
  bed.check_whole();
  CHECK_EQ(unknown.get("/api/contacts").status, 200);
}

TEST_CASE(
    "degraded: without contacts and organizations a conversation names both, without analytics only analytics is "
    "away") {
  Bed bed;
  auto& [system, organization, client, id] = bed;
  CHECK_EQ(client.get(bed.conversation()).status, 200);
  bed.kill("contacts");
  bed.kill("organizations");
  const auto answer = client.get(bed.conversation());
  CHECK_EQ(answer.status, 200);
  CHECK(answer.header("Parley-Degraded").find("contacts") != std::string::npos);
  CHECK(answer.header("Parley-Degraded").find("organizations") != std::string::npos);
  bed.start("organizations");
  bed.start("contacts");
  bed.check_whole();
  bed.kill("analytics");
  bed.check_unavailable(client.get("/api/analytics/campaigns"));
  CHECK_EQ(client.get(bed.contact()).status, 200);
  CHECK_FALSE(client.get(bed.contact()).has("Parley-Degraded"));
  bed.start("analytics");
  bed.check_whole();
}

// A port where connections are begun and nobody says anything to it, as with a machine that is gone.
class SilentPort {
 public:
  SilentPort() : listener_(support::listen(support::loopback(0))) {
    ::listen(listener_.socket, 0);
    const auto address = support::loopback(listener_.port);
    for (int& socket : waiting_) {  // they fill the queue
      socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
      ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
  }
  ~SilentPort() {
    for (const int socket : waiting_) ::close(socket);
    ::close(listener_.socket);
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(listener_.port); }

 private:
  support::Listener listener_;
  std::array<int, 4> waiting_{};
};

TEST_CASE("degraded: a service whose machine is gone is out of reach, and nothing may have been done there") {
  const SilentPort gone;
  System system({.environment = {{"PARLEY_CONTACTS_URL", gone.url()}}});
  const auto organization = fill(system, "Gone", 3);
  Client client(system, organization.owner.api_key);
  client.may_fail = true;
  for (const std::string method : {"GET", "POST"}) {
    const auto answer = client(method, "/api/lists", method == "POST" ? R"({"name":"n"})" : "");
    CHECK_EQ(answer.status, 503);  // not 504, which says that it may have been done
    CHECK_NE(answer.header("Retry-After"), "");
  }
  CHECK(system.gateway().log().find(R"("error":"connecting: timed out")") != std::string::npos);
  const auto conversation = client.get("/api/conversation/" + organization.conversations[1]);
  CHECK_EQ(conversation.status, 200);
  CHECK_EQ(conversation.header("Parley-Degraded"), "contacts");
}

TEST_CASE("degraded: whatever Redis does, every answer is as before") {
  Bed bed;
  auto& [system, organization, client, id] = bed;
  const std::vector<std::string> targets{"/api/contacts?status=Active",
                                         "/api/contacts?search=a",
                                         "/api/contacts?list_id=" + organization.lists[0],
                                         bed.contact(),
                                         bed.conversation(),
                                         "/api/organization"};
  const auto answers = [&, &client = client] {
    std::vector<std::string> out;
    for (const auto& target : targets) {
      const auto answer = client.get(target);
      CHECK_EQ(answer.status, 200);
      out.push_back(answer.body);
    }
    return out;
  };
  const auto whole = answers();
  const std::vector<std::pair<std::string, std::function<void()>>> faults{
      {"flushed", [&] { bed.system.redis().flush(); }},
      {"hung", [&] { bed.system.redis().pause(); }},
      {"back from hanging", [&] { bed.system.redis().resume(); }},
      {"killed", [&] { bed.system.redis().kill(); }},
      {"started", [&] { bed.system.redis().start(); }},
      {"full", [&] { bed.system.redis().command("CONFIG SET maxmemory 1"); }},
      {"not full", [&] { bed.system.redis().command("CONFIG SET maxmemory 0"); }},
      {"read only", [&] { bed.system.redis().command("REPLICAOF 127.0.0.1 1"); }},
      {"its own master", [&] { bed.system.redis().command("REPLICAOF NO ONE"); }},
  };
  for (const auto& [name, happens] : faults) {
    INFO(name);
    happens();
    for (int turn = 0; turn < 2; ++turn) {
      const auto now = answers();
      for (std::size_t i = 0; i < whole.size(); ++i) CHECK_EQ(now[i], whole[i]);
    }
  }
  // A total after a write is the new one, on the way in and out of every fault.
  const auto total = [&, &client = client] {
    return client.get("/api/contacts?status=Active").json().at("paginationMeta").at("total").to_number<std::int64_t>();
  };
  auto& sql = system.sql("contacts");
  for (const auto& [name, happens] : faults) {
    INFO(name);
    const auto before = total();
    happens();
    sql.rows("BEGIN");
    sql.rows("INSERT INTO contact (organization_id, id, name) VALUES ($1, gen_random_uuid(), 'new')", {id});
    sql.rows(support::source_statements().at("services/contacts/lists/sql/add_to_tally"),
             {id, model::Uuid{}.text(), "3", "1"});
    sql.rows("COMMIT");
    CHECK_EQ(total(), before + 1);
    CHECK_EQ(total(), before + 1);
  }
}

TEST_CASE("degraded: without PostgreSQL everything is a 503 that says when to come back, and comes back by itself") {
  Bed bed;
  auto& [system, organization, client, id] = bed;
  CHECK_EQ(client.get(bed.contact()).status, 200);
  const auto lists = system.sql("contacts").number("SELECT count(*) FROM list");
  int made = 0;
  for (const bool orderly : {false, true}) {
    if (orderly)
      system.postgres().stop();
    else
      system.postgres().kill();
    for (int i = 0; i < 3; ++i) {
      for (const auto& target : {std::string("/api/contacts"), bed.contact(), bed.conversation(),
                                 std::string("/api/organization"), std::string("/api/analytics/campaigns")})
        bed.check_unavailable(client.get(target));
      bed.check_unavailable(client.post("/api/lists", R"({"name":"lost"})"));
      bed.check_unavailable(client.post(bed.conversation(), R"({"status":"Closed"})"));
    }
    system.postgres().start();
    bed.wait_until_whole();
    // One connection to it may be back before another is: until then a write is refused as before, and not done.
    bed.until([&] {
      const auto answer = client.post("/api/lists", R"({"name":"whole again"})");
      if (answer.status != 201) bed.check_unavailable(answer);
      return answer.status == 201;
    });
    ++made;
    for (auto* component : system.all()) CHECK(component->running());
  }
  Sql sql(system.postgres().url("postgres", "parley") + "?options=-csearch_path%3Dcontacts");
  CHECK_EQ(sql.number("SELECT count(*) FROM list"), lists + made);
  CHECK_EQ(sql.number("SELECT count(*) FROM list WHERE name = 'lost'"), 0);
}

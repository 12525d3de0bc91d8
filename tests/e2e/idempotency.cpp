// Every POST of the document with an Idempotency-Key: repeated, in a crowd, and through the death of its service, it
// takes effect once. What an effect is, is told by the rows of all tables: as many more as after the same request
// without a key.
#include <algorithm>
#include <chrono>
#include <random>
#include <set>
#include <thread>

#include "tests/e2e/requests.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;

namespace {

// But for signing out: whoever has done that is not let in to ask again.
std::vector<const support::Operation*> posts() {
  std::vector<const support::Operation*> out;
  for (const auto& operation : contract_of(world().system).operations())
    if (operation.method == "POST" && operation.path.starts_with("/api/") && operation.id != "logout")
      out.push_back(&operation);
  return out;
}

std::string new_key() { return "key " + model::new_uuid().text(); }

// The number of rows of each table, but of those that keep the keys themselves, of tallies, whose rows are as many as
// writers happened to meet, and of figures by time, which have a row more when the clock comes to its next quarter.
using Counts = std::map<std::string, std::int64_t>;
Counts counts(System& system) {
  Counts out;
  for (const auto& [table, content] : settled_digest(system))
    if (!table.ends_with(".idempotency") && !table.ends_with(".tally") && !table.ends_with("_rollup"))
      out[table] = std::stoll(content);
  return out;
}
std::string growth(const Counts& before, const Counts& after) {
  std::string out;
  for (const auto& [table, count] : after)
    if (const auto was = before.contains(table) ? before.at(table) : 0; count != was)
      out += table + " " + (count > was ? "+" : "") + std::to_string(count - was) + " ";
  return out;
}

// Whether an operation's answer holds what is shown once, which is documented by its Cache-Control: a repeated request
// is told so, instead of what it was.
bool is_secret(const support::Operation& operation) {
  for (const auto& response : object_of(world().system, operation).at("responses").as_object()) {
    if (!std::string_view(response.key()).starts_with('2')) continue;
    const auto* headers = resolved(world().system, response.value()).as_object().if_contains("headers");
    if (headers && headers->as_object().contains("Cache-Control")) return true;
  }
  return false;
}

Answer over_own_connection(System& system, const Prepared& prepared, const std::string& key) {
  Wire wire(system.gateway().port());
  auto headers = prepared.headers;
  headers.emplace_back("Idempotency-Key", key);
  if (!prepared.api_key.empty()) headers.emplace_back("Authorization", "Bearer " + prepared.api_key);
  wire.send(support::request_text("POST", prepared.target, headers, prepared.body));
  return wire.read().value_or(Answer{});
}

// The rows that one such request adds, once those that only a first one adds are there.
std::string effect_of(System& system, Requests& requests, const support::Operation& operation) {
  const auto first = requests.send(requests.make(operation));
  INFO(operation.id << " " << first.status << " " << first.body.substr(0, 300));
  CHECK_LT(first.status, 300);
  const auto prepared = requests.make(operation);
  const auto before = counts(system);
  CHECK_LT(requests.send(prepared).status, 300);
  return growth(before, counts(system));
}

// The same for the world's own system, asked for by several tests.
Requests& requests() {
  static Organization organization = fill(world().system, "Idempotency", 12);
  static Requests the_requests(world().system, organization);
  return the_requests;
}
const std::string& effect(const support::Operation& operation) {
  static std::map<std::string, std::string> known;
  if (!known.contains(operation.id)) known[operation.id] = effect_of(world().system, requests(), operation);
  return known[operation.id];
}

bool same_request(const Prepared& a, const Prepared& b) {
  return a.target == b.target && a.body == b.body && a.api_key == b.api_key;
}

}  // namespace

TEST_CASE("idempotency: every POST documents the key") {
  for (const auto* operation : posts()) {
    bool documented = false;
    for (const auto* parameter : parameters_of(world().system, *operation))
      documented = documented || parameter->at("name") == boost::json::value("Idempotency-Key");
    INFO(operation->id);
    CHECK(documented);
  }
}

TEST_CASE("idempotency: a request that is repeated is done once and answered as before, another one is refused") {
  auto& system = world().system;
  for (const auto* operation : posts()) {
    INFO(operation->id);
    const auto expected = effect(*operation);
    const auto prepared = requests().make(*operation), other = requests().make(*operation);
    const auto key = new_key();
    const auto before = counts(system);
    const auto first = requests().send(prepared, {{"Idempotency-Key", key}});
    INFO(first.status << " " << first.body.substr(0, 300));
    REQUIRE_LT(first.status, 300);
    for (int times = 0; times < 2; ++times) {
      const auto again = requests().send(prepared, {{"Idempotency-Key", key}});
      if (is_secret(*operation)) {
        CHECK_EQ(again.status, 409);
        continue;
      }
      CHECK_EQ(again.status, first.status);
      CHECK_EQ(again.body, first.body);
      CHECK_EQ(again.header("Location"), first.header("Location"));
      CHECK_EQ(again.header("Content-Type"), first.header("Content-Type"));
    }
    // Of another person who is of no organization a key is another one.
    if (!same_request(prepared, other) && prepared.api_key == other.api_key)
      CHECK_EQ(requests().send(other, {{"Idempotency-Key", key}}).status, 422);
    CHECK_EQ(growth(before, counts(system)), expected);
  }
}

TEST_CASE("idempotency: what failed keeps nothing, and its key can be used again") {
  for (const auto* operation : posts()) {
    const auto body = body_of(world().system, *operation);
    if (!body) continue;
    auto prepared = requests().make(*operation), bad = prepared;
    bad.body = "{nonsense";
    const auto key = new_key();
    INFO(operation->id);
    if (body->media_type == "application/json") CHECK_EQ(requests().send(bad, {{"Idempotency-Key", key}}).status, 400);
    CHECK_LT(requests().send(prepared, {{"Idempotency-Key", key}}).status, 300);
    for (const auto& wrong : {std::string(256, 'k'), std::string("\x80")})
      CHECK_EQ(requests().send(prepared, {{"Idempotency-Key", wrong}}).status, 400);
    CHECK_EQ(requests().send(prepared, {{"Idempotency-Key", key}, {"Idempotency-Key", key}}).status, 400);
  }
}

TEST_CASE("idempotency: the same key of two organizations is two keys") {
  static Organization organization = fill(world().system, "Idempotency, another", 12);
  Requests others(world().system, organization);
  for (const auto* operation : posts()) {
    if (!operation->needs_credential) continue;
    INFO(operation->id);
    const auto key = new_key();
    const auto mine = requests().send(requests().make(*operation), {{"Idempotency-Key", key}});
    const auto theirs = others.send(others.make(*operation), {{"Idempotency-Key", key}});
    CHECK_LT(mine.status, 300);
    CHECK_LT(theirs.status, 300);
    CHECK_EQ(theirs.header("Idempotency-Replayed"), "");
    if (operation->id == "updateOptOutSettings")  // answers name nobody: their own settings tell
      CHECK_EQ(world()
                   .system.sql("conversations")
                   .number("SELECT count(*) FROM opt_out_settings WHERE organization_id = $1", {organization.id}),
               1);
    else if (operation->id == "setCampaignExperiment")  // nor do these
      CHECK_GE(world()
                   .system.sql("conversations")
                   .number("SELECT count(*) FROM campaign WHERE organization_id = $1 AND experiment ->> 'share' = '20'",
                           {organization.id}),
               1);
    else if (theirs.status != 204)
      CHECK_NE(mine.body, theirs.body);
  }
}

TEST_CASE("idempotency: fifty at once with one key are one effect, and others go on meanwhile") {
  auto& system = world().system;
  for (const auto* operation : posts()) {
    INFO(operation->id);
    const auto expected = effect(*operation);
    const auto prepared = requests().make(*operation);
    const auto key = new_key();
    const auto before = counts(system);
    std::vector<Answer> answers(50);
    std::vector<std::thread> crowd;
    for (auto& answer : answers) crowd.emplace_back([&] { answer = over_own_connection(system, prepared, key); });
    for (int i = 0; i < 10; ++i)
      CHECK_EQ(Client(system, requests().organization().owner.api_key).get("/api/contacts?per_page=1").status, 200);
    for (auto& each : crowd) each.join();
    std::set<std::string> bodies;
    int done = 0;
    for (const auto& answer : answers) {
      INFO(answer.status << " " << answer.body.substr(0, 300));
      const bool is_done = answer.status >= 200 && answer.status < 300;
      // Many who sign in to one account at once are held up as who guesses passwords, and so many files are not taken
      // at once of one organization.
      const bool is_held_up =
          answer.status == 429 && (!operation->needs_credential || operation->id == "importContacts");
      if (is_held_up) CHECK(answer.has("Retry-After"));
      CHECK((is_done || is_held_up || answer.status == 409));
      if (!is_done) continue;
      ++done;
      bodies.insert(answer.body);
    }
    if (is_secret(*operation)) CHECK_EQ(done, 1);
    CHECK_EQ(bodies.size(), 1);
    const auto later = requests().send(prepared, {{"Idempotency-Key", key}});
    CHECK((later.status == 409 || later.status == 429 || bodies.contains(later.body)));
    CHECK_EQ(growth(before, counts(system)), expected);
  }
}

namespace {

// Asks until there is an answer that would not change any more.
Answer ask_to_the_end(System& system, const Prepared& prepared, const std::string& key) {
  const auto limit = std::chrono::steady_clock::now() + 90s;
  for (;;) {
    const auto answer = over_own_connection(system, prepared, key);
    const bool later = answer.status == 0 || answer.status >= 500 || answer.has("Retry-After");
    if (!later || std::chrono::steady_clock::now() > limit) return answer;
    std::this_thread::sleep_for(20ms);
  }
}

// The channel takes a code once. One that it took from a service that died before it could keep the token is spent: the
// caller is told so, and connects with the code of another sign-up.
bool is_spent_code(const Answer& answer) {
  return answer.status == 400 && answer.body.find("This authorization code has been used.") != std::string::npos;
}

// The service that has a route, as it says itself.
support::Component& owner_of(System& system, const support::Operation& operation) {
  const auto series = "method=\"" + operation.method + "\",route=\"" + operation.path + "\"";
  for (const std::string service : {"contacts", "conversations", "organizations", "analytics"}) {
    Wire wire(system.component(service, 0).admin_port());
    wire.send(support::request_text("GET", "/metrics", {{"Connection", "close"}}));
    if (wire.read().value().body.find(series) != std::string::npos) return system.component(service, 0);
  }
  throw std::logic_error("no service has " + operation.path);
}

}  // namespace

TEST_CASE("idempotency: a service killed around its commit leaves one effect, once the request is made again") {
  System system;
  const Organization organization = fill(system, "Killed", 12);
  Requests mine(system, organization);
  std::mt19937 random{std::random_device{}()};
  auto some = posts();  // others each time: all of them would take minutes
  std::shuffle(some.begin(), some.end(), random);
  some.resize(6);
  for (const auto* operation : some) {
    INFO(operation->id);
    auto& service = owner_of(system, *operation);
    const auto expected = effect_of(system, mine, *operation);
    const auto timed = mine.make(*operation);
    const auto begin = std::chrono::steady_clock::now();
    mine.send(timed);
    const auto usual = std::chrono::steady_clock::now() - begin;
    for (int times = 0; times < 2; ++times) {
      const auto prepared = mine.make(*operation);
      const auto key = new_key();
      const auto before = counts(system);
      Answer first;
      std::thread client([&] {
        try {
          first = over_own_connection(system, prepared, key);
        } catch (const std::runtime_error&) {  // cut off: it is asked again
        }
      });
      std::this_thread::sleep_for(usual * (random() % 150) / 100);
      service.kill();
      client.join();
      service.start();
      auto last = ask_to_the_end(system, prepared, key);
      if (operation->id == "updateMessagingBusinessAccount" && is_spent_code(last)) {
        CHECK_EQ(growth(before, counts(system)), "");
        last = ask_to_the_end(system, mine.make(*operation), key);
      }
      INFO("first " << first.status << ", last " << last.status << " " << last.body.substr(0, 300));
      CHECK((last.status < 300 || last.body.find("shown once") != std::string::npos));
      if (first.status > 0 && first.status < 300 && !is_secret(*operation)) CHECK_EQ(last.body, first.body);
      CHECK_EQ(growth(before, counts(system)), expected);
    }
  }
}

// Messages are sent while dispatchers are killed and stopped past their leases, the database is killed, and the channel
// loses answers, hangs and refuses. The simulator, which counts what it accepted, is the judge: none twice, none lost,
// and no more that nobody knows of than were on their way when something died.
//
// PARLEY_FAULTS_MESSAGES (2000) and PARLEY_FAULTS_KILLS (15) make it longer.
#include <doctest/doctest.h>

#include <boost/json/serialize.hpp>
#include <chrono>
#include <map>
#include <random>
#include <thread>

#include "tests/faults/option.hpp"
#include "tests/support/system.hpp"

using namespace parley;
using namespace std::chrono_literals;
using faults::option;
using support::System;
namespace json = boost::json;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kNumbers = 4, kDispatchers = 3, kRate = 60;
constexpr int kLostBefore = 6, kHangs = 3;  // that the channel never accepted, and never says so
const std::string kBusinessAccount = "100000000000001";

std::string number(int i) { return "20000000000010" + std::to_string(i); }

json::value ask(int port, const std::string& method, const std::string& target, const json::value& body = nullptr,
                const std::string& key = {}) {
  support::Wire wire(port);
  std::vector<std::pair<std::string, std::string>> headers{{"Content-Type", "application/json"}};
  if (!key.empty()) headers.emplace_back("Authorization", "Bearer " + key);
  wire.send(support::request_text(method, target, headers, body.is_null() ? "" : json::serialize(body)));
  const auto answer = wire.read();
  REQUIRE(answer);
  REQUIRE_MESSAGE(answer->status < 300, target << ": " << answer->body);
  return answer->body.empty() ? json::value(nullptr) : answer->json();
}

class Trial {
 public:
  Trial()
      : messages_(option("PARLEY_FAULTS_MESSAGES", 2'000)),
        kills_wanted_(option("PARLEY_FAULTS_KILLS", 15)),
        system_({.environment = {{"PARLEY_DISPATCH_RATE", std::to_string(kRate)},
                                 {"PARLEY_DISPATCH_LEASE_SECONDS", "2"},
                                 {"PARLEY_DISPATCH_DOUBT_SECONDS", "20"},
                                 {"PARLEY_DRAIN_NOTICE_MS", "0"}},
                 .dispatchers = kDispatchers}) {
    connect();
    fill();
    spoil();
  }

  void run();
  void judge();

 private:
  json::value simulator(const std::string& method, const std::string& target, const json::value& body = nullptr) {
    return ask(system_.simulator().port(), method, "/simulator/" + target, body);
  }
  std::unique_ptr<support::Sql> sql() {
    return std::make_unique<support::Sql>(system_.postgres().url("postgres", "parley") +
                                          "?options=-csearch_path%3Dconversations");
  }
  std::int64_t count(const std::string& table) { return sql()->number("SELECT count(*) FROM " + table); }

  void connect();
  void fill();
  void spoil();
  void disturb();
  void kill_a_dispatcher();
  void stop_a_dispatcher();
  void kill_the_database();
  void calm();
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  support::Component& some_dispatcher() { return system_.dispatcher(static_cast<std::size_t>(pick(kDispatchers))); }

  int messages_, kills_wanted_;
  System system_;
  std::vector<std::string> organizations_;
  std::mt19937 random_{20260131};
  int kills_ = 0, stops_ = 0, outages_ = 0;
};

// Each number is an organization's.
void Trial::connect() {
  for (int i = 0; i < kNumbers; ++i) {
    simulator("POST", "accounts",
              {{"businessAccountId", kBusinessAccount}, {"phoneNumbers", json::array{{{"id", number(i)}}}}});
    const auto name = "faults" + std::to_string(i);
    const auto owner = system_.create_owner(name + "@example.com", name);
    ask(system_.gateway().port(), "POST", "/api/organization/messagingBusinessAccount",
        {{"businessAccountId", kBusinessAccount}, {"code", "code-" + name}, {"phoneNumberId", number(i)}},
        owner.api_key);
    organizations_.push_back(owner.organization_id);
  }
}

// As add_outgoing() does it, with ids of version 7: a status with another is of another program. Every fifth message is
// the second one to its recipient.
void Trial::fill() {
  for (int i = 0; i < kNumbers; ++i) {
    const auto& organization = organizations_[static_cast<std::size_t>(i)];
    sql()->rows("INSERT INTO sender (organization_id, phone_number_id) VALUES ($1, $2)", {organization, number(i)});
    sql()->rows(
        "WITH c AS (INSERT INTO conversation (organization_id, id, contact_id, initiated_by) SELECT $1::uuid, "
        "gen_random_uuid(), gen_random_uuid(), 'Member' FROM generate_series(1, $3::int) RETURNING *), n AS (SELECT "
        "*, row_number() OVER () AS n FROM c), m AS (INSERT INTO message (organization_id, id, conversation_id, "
        "contact_id, direction, status, message_type, data) SELECT organization_id, "
        "overlay(gen_random_uuid()::text PLACING '7' FROM 15)::uuid, id, contact_id, "
        "'OutBound', 'Queued', 'Text', jsonb_build_object('text', 'message ' || n) FROM n RETURNING *) INSERT INTO "
        "outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, expires_at, created_at) "
        "SELECT organization_id, id, 'Message', $2, contact_id, '+49151' || (1000000 + substr(data ->> 'text', "
        "9)::int % ($3::int * 4 / 5)), now() + interval '1 day', clock_timestamp() FROM m",
        {organization, number(i), std::to_string(messages_ / kNumbers)});
  }
}

// What the channel does wrong, of all its calls.
void Trial::spoil() {
  simulator("POST", "behaviour", {{"delayMs", 20}, {"reorder", true}, {"batch", 20}});
  const auto fault = [&](json::object what, int one_in, int times) {
    what["path"] = "/*/messages";
    what["oneIn"] = one_in;
    what["times"] = times;
    simulator("POST", "faults", what);
  };
  fault({{"status", "lose"}}, 23, messages_);                                              // accepted, no answer
  fault({{"status", 500}, {"done", true}, {"body", "<html>oops</html>"}}, 29, messages_);  // accepted, no good answer
  fault({{"code", 130429}}, 211, messages_);
  fault({{"code", 131056}}, 61, messages_);
  fault({{"code", 131000}}, 43, messages_);
  fault({{"code", 2}, {"status", 503}, {"done", true}}, 37, messages_);  // accepted, and said to be out of order
  fault({{"status", "reset"}}, 97, kLostBefore);
  fault({{"status", "hang"}}, 151, kHangs);
}

void Trial::kill_a_dispatcher() {
  auto& dispatcher = some_dispatcher();
  if (!dispatcher.running()) return;
  dispatcher.kill();
  dispatcher.launch();
  ++kills_;
}

// Past its lease: others take its numbers, and then it goes on where it was.
void Trial::stop_a_dispatcher() {
  auto& dispatcher = some_dispatcher();
  if (!dispatcher.running()) return;
  dispatcher.pause();
  std::this_thread::sleep_for(3'500ms);
  dispatcher.resume();
  ++stops_;
}

void Trial::kill_the_database() {
  system_.postgres().kill();
  std::this_thread::sleep_for(std::chrono::milliseconds(pick(1'000)));
  system_.postgres().start();
  ++outages_;
}

void Trial::disturb() {
  const auto dice = pick(20);
  if (dice == 0 && outages_ < kills_wanted_ / 7)
    kill_the_database();
  else if (dice <= 2 && stops_ < kills_wanted_ / 5)
    stop_a_dispatcher();
  else
    kill_a_dispatcher();
}

void Trial::run() {
  while (kills_ + stops_ + outages_ < kills_wanted_ && count("outgoing WHERE state <> 'InDoubt'") > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200 + pick(800)));
    disturb();
  }
  if (outages_ == 0) kill_the_database();
  if (stops_ == 0) stop_a_dispatcher();
  calm();
}

// Until each message has its fate, and all that the channel has to say is told and applied.
void Trial::calm() {
  simulator("DELETE", "faults");
  const auto settled = [&] {
    return count("outgoing") == 0 && count("inbox") == 0 &&
           simulator("GET", "webhooks?limit=0").at("pending").to_number<int>() == 0;
  };
  for (const auto limit = Clock::now() + 10min; !settled(); std::this_thread::sleep_for(200ms))
    REQUIRE_MESSAGE(Clock::now() < limit, system_.logs());
}

void Trial::judge() {
  const auto seen = simulator("GET", "accepted?limit=" + std::to_string(messages_ * 2));
  std::map<std::string, std::int64_t> accepted;  // by message
  for (const auto& each : seen.at("accepted").as_array())
    accepted[each.at("opaque").as_string().c_str()] += each.at("count").to_number<std::int64_t>();
  std::map<std::string, int> fates;
  int doubled = 0, lost = 0, wrong = 0, unknown = 0, refused = 0;
  for (const auto& row : sql()->rows("SELECT id, status, coalesce(error_text, '') FROM message")) {
    const auto found = accepted.find(row[0]);
    const auto times = found == accepted.end() ? 0 : found->second;
    ++fates[row[1]];
    if (times > 1) ++doubled;
    if (row[1] == "Queued") ++lost;
    if ((times == 0) != (row[1] == "Failed")) ++wrong;
    if (row[1] == "Failed") ++(row[2] == "unknown" ? unknown : refused);
  }
  for (const auto& [status, times] : fates) MESSAGE(status << ": " << times);
  MESSAGE(messages_ << " messages, " << accepted.size() << " accepted, " << doubled << " twice; " << kills_
                    << " kills, " << stops_ << " stops, " << outages_ << " outages of the database; " << unknown
                    << " never known, " << refused << " refused");
  CHECK(doubled == 0);
  CHECK(seen.at("doubled").to_number<int>() == 0);
  CHECK(lost == 0);   // each has a fate
  CHECK(wrong == 0);  // and it is the true one
  // What a number's owner can have claimed and not sent when it dies, and what the channel swallowed.
  const int deaths = kills_ + stops_ + outages_ * kDispatchers;
  CHECK(unknown <= deaths * kNumbers * kRate / 4 + kLostBefore + kHangs);
  CHECK(refused == 0);
}

}  // namespace

TEST_CASE("sending: none lost and none twice, whoever dies and whatever the channel does") {
  Trial trial;
  trial.run();
  trial.judge();
}

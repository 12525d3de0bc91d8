// Two replicas of everything under a light load: ending one in good order loses no request, killing one loses no read,
// and no write is ever done twice.
#include <atomic>
#include <chrono>
#include <mutex>
#include <system_error>
#include <thread>

#include "tests/e2e/world.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;

namespace {

// Clients as programs are: each keeps its connection while it may, and goes to the other gateway when one is gone.
class Load {
 public:
  Load(System& system, const Organization& organization, bool writes)
      : system_(system), organization_(organization), writes_(writes) {
    for (std::size_t i = 0; i < kClients; ++i) clients_.emplace_back([this, i] { run(static_cast<int>(i)); });
  }
  ~Load() { stop(); }
  void stop() {
    stop_ = true;
    for (auto& client : clients_) client.join();
    clients_.clear();
  }

  std::atomic<int> answered = 0, lists_made = 0, lists_tried = 0;
  // Reads, when a replica is killed: no more than are under way.
  std::size_t may_be_lost() const { return has_several_addresses_ ? kClients : 0; }
  std::vector<std::string> failures() {
    const std::lock_guard lock(mutex_);
    return failures_;
  }

 private:
  static constexpr std::size_t kClients = 4;
  struct Request {
    std::string text;
    unsigned expected;
    bool repeatable;
  };

  Request next(int turn) const {
    const auto& o = organization_;
    const auto n = static_cast<std::size_t>(turn);
    const std::vector<std::pair<std::string, std::string>> headers{{"Authorization", "Bearer " + o.owner.api_key},
                                                                   {"Content-Type", "application/json"}};
    switch (turn % (writes_ ? 7 : 5)) {
      case 0:
        return {support::request_text("GET", "/api/contacts/" + o.contacts[n % o.contacts.size()], headers), 200, true};
      case 1:
        return {support::request_text("GET", "/api/contacts?per_page=5&status=Active", headers), 200, true};
      case 2:
        return {support::request_text("GET", "/api/conversation/" + o.conversations[1], headers), 200, true};
      case 3:
        return {support::request_text("GET", "/api/organization", headers), 200, true};
      case 4:
        return {support::request_text("GET", "/api/analytics/campaigns", headers), 200, true};
      case 5:  // of many, as a contact is in no more than 100 lists
        return {support::request_text(
                    "POST", "/api/lists", headers,
                    R"({"name":"under load","contactIds":[")" + o.contacts[n % o.contacts.size()] + "\"]}"),
                201, false};
      default:
        return {
            support::request_text("POST", "/api/conversation/" + o.conversations[2], headers, R"({"status":"Closed"})"),
            200, false};
    }
  }

  void run(int number) {
    std::unique_ptr<Wire> wire;
    auto gateway = static_cast<std::size_t>(number % 2);
    for (int turn = number; !stop_; ++turn) {
      const auto request = next(turn);
      if (request.expected == 201) ++lists_tried;
      std::string failure;
      try {
        const auto answer = exchange(request, wire, gateway);
        if (!answer)
          failure = "closed without an answer";
        else if (answer->status != request.expected)
          failure = std::to_string(answer->status) + " " + answer->body;
        else if (answer->has("Parley-Degraded") && !has_several_addresses_)
          failure = "without a part: " + answer->header("Parley-Degraded");
        if (answer && answer->status == 201) ++lists_made;
        if (answer && answer->header("Connection") == "close") {
          wire.reset();
          gateway = 1 - gateway;
        }
      } catch (const std::exception& error) {
        failure = error.what();
        wire.reset();
      }
      ++answered;
      if (!failure.empty()) {
        const std::lock_guard lock(mutex_);
        failures_.push_back(request.text.substr(0, request.text.find("\r\n")) + ": " + failure);
      }
      std::this_thread::sleep_for(2ms);
    }
  }

  // A connection that was kept and is closed before an octet of the answer: only a request that changes nothing may be
  // sent again, as any HTTP client does it.
  std::optional<Answer> exchange(const Request& request, std::unique_ptr<Wire>& wire, std::size_t& gateway) {
    for (int tries = 0; tries < 3; ++tries) {
      const bool kept = wire != nullptr;
      if (!wire) wire = connect(gateway);
      auto answer = wire->send(request.text) ? wire->read() : std::nullopt;
      if (answer) return answer;
      wire.reset();
      if (!kept || !request.repeatable) return std::nullopt;
    }
    return std::nullopt;
  }

  std::unique_ptr<Wire> connect(std::size_t& gateway) {
    for (int tries = 0;; ++tries) try {
        return std::make_unique<Wire>(system_.gateway(gateway).port());
      } catch (const std::system_error&) {
        gateway = 1 - gateway;
        if (tries > 3) throw;
      }
  }

  System& system_;
  const Organization& organization_;
  bool writes_;
  // A composed replica has an address in each network: the second attempt may be made at the same dead one, and a part
  // be missing, or the answer.
  const bool has_several_addresses_ = support::AttachedSystem::given() != nullptr;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::vector<std::string> failures_;
  std::vector<std::thread> clients_;
};

void wait_for(Load& load, int more) {
  const auto limit = std::chrono::steady_clock::now() + 60s;
  for (const int until = load.answered + more; load.answered < until;) {
    REQUIRE(std::chrono::steady_clock::now() < limit);
    std::this_thread::sleep_for(2ms);
  }
}

std::int64_t lists_of_load(System& system) {
  return system.sql("contacts").number("SELECT count(*) FROM list WHERE name = 'under load'");
}

void show(const std::vector<std::string>& failures) {
  for (std::size_t i = 0; i < std::min<std::size_t>(failures.size(), 10); ++i) MESSAGE(failures[i]);
}

}  // namespace

TEST_CASE("restarts: each process ended by SIGTERM and started again, one after the other, loses no request") {
  System system({.replicas = 2, .environment = {{"PARLEY_DRAIN_NOTICE_MS", "300"}, {"PARLEY_DRAIN_TIME_MS", "10000"}}});
  const auto organization = fill(system, "Rolling", 12);
  Load load(system, organization, true);
  wait_for(load, 200);
  for (const std::string name : {"contacts", "conversations", "organizations", "analytics", "gateway"})
    for (std::size_t number : {0, 1}) {
      INFO(name << " " << number);
      auto& component = system.component(name, number);
      const auto before = load.failures().size();
      component.ask_to_end();
      CHECK_EQ(component.wait_for_end(), 0);
      component.start();
      wait_for(load, 100);
      const auto failures = load.failures();
      CHECK_EQ(failures.size(), before);
      show({failures.begin() + static_cast<std::ptrdiff_t>(before), failures.end()});
    }
  load.stop();
  CHECK_EQ(lists_of_load(system), load.lists_made);
  MESSAGE(load.answered.load() << " requests, " << load.lists_made.load() << " lists");
}

TEST_CASE("restarts: a replica killed without warning costs no read, and no write that was answered, nor any twice") {
  System system({.replicas = 2, .environment = {}});
  const auto organization = fill(system, "Killed", 12);
  Load reading(system, organization, false), writing(system, organization, true);
  wait_for(reading, 100);
  for (const std::string name : {"contacts", "conversations", "organizations", "analytics"}) {
    INFO(name);
    const auto before = reading.failures().size();
    system.component(name, 0).kill();
    wait_for(reading, 150);
    system.component(name, 0).start();
    wait_for(reading, 50);
    const auto failures = reading.failures();
    CHECK_LE(failures.size(), before + reading.may_be_lost());
    show({failures.begin() + static_cast<std::ptrdiff_t>(before), failures.end()});
  }
  reading.stop();
  writing.stop();
  CHECK_GE(lists_of_load(system), writing.lists_made);
  CHECK_LE(lists_of_load(system), writing.lists_tried);
  std::size_t reads_lost = 0;
  for (const auto& failure : writing.failures()) reads_lost += !failure.starts_with("POST");
  CHECK_LE(reads_lost, 4 * writing.may_be_lost());
  show(writing.failures());
  MESSAGE(reading.answered.load() << " reads, " << writing.answered.load() << " with writes, of which "
                                  << writing.failures().size() << " failed");
}

TEST_CASE(
    "restarts: a request under way when its process is told to end is answered, and the process ends in good order") {
  System system;
  const auto organization = fill(system, "Slow", 3);
  auto& sql = system.sql("contacts");
  sql.rows("BEGIN");
  sql.rows("LOCK TABLE contacts.list IN ACCESS EXCLUSIVE MODE");
  Wire wire(system.gateway().port());
  wire.send(support::request_text(
      "POST", "/api/lists",
      {{"Authorization", "Bearer " + organization.owner.api_key}, {"Content-Type", "application/json"}},
      R"({"name":"slow"})"));
  Sql watching(system.postgres().url("postgres", "parley"));
  const auto limit = std::chrono::steady_clock::now() + 30s;
  while (watching.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") == 0) {
    REQUIRE(std::chrono::steady_clock::now() < limit);
    std::this_thread::sleep_for(5ms);
  }
  {
    std::jthread gateway([&] { system.gateway().ask_to_end(); });  // both at once: a lock is not waited for for long
    system.contacts().ask_to_end();
  }
  std::this_thread::sleep_for(300ms);
  sql.rows("COMMIT");
  const auto answer = wire.read();
  REQUIRE(answer);
  CHECK_EQ(answer->status, 201);
  CHECK_EQ(answer->header("Connection"), "close");
  CHECK_EQ(system.contacts().wait_for_end(), 0);
  CHECK_EQ(system.gateway().wait_for_end(), 0);
  CHECK_EQ(sql.number("SELECT count(*) FROM list WHERE name = 'slow'"), 1);
}

// Ten organizations that ask for all they can get, and a quiet one beside them: what the quiet one waits for its
// answers, its import, its webhooks and its events, against what it waits alone. Nothing of it may fail.
//
// PARLEY_FAULTS_NOISY (3), PARLEY_FAULTS_NOISY_CONTACTS (2000), PARLEY_FAULTS_NOISE_SECONDS (3)
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "tests/e2e/stream_bed.hpp"
#include "tests/faults/option.hpp"
#include "tests/faults/traffic.hpp"
#include "tests/support/loopback.hpp"

using namespace parley;
using namespace parley::faults;
using namespace std::chrono_literals;
using e2e::Client;
using support::System;
using support::Wire;

namespace {

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

struct Tenant {
  support::Caller owner;
  std::string list;      // of all its contacts
  unsigned address = 0;  // that it asks from: see Wire
};

// Contacts that are all in one list, each with a conversation.
Tenant make_tenant(System& system, const std::string& name, int contacts, unsigned address = 0) {
  Tenant out{system.create_owner(name + "@example.com", name), model::new_uuid().text(), address};
  const auto& organization = out.owner.organization_id;
  const std::string ids =
      "SELECT gen_random_uuid() AS id, n FROM generate_series(1, " + std::to_string(contacts) + ") n";
  auto& sql = system.sql("contacts");
  sql.rows("INSERT INTO list (organization_id, id, name, description) VALUES ($1, $2, 'all', '')",
           {organization, out.list});
  sql.rows(
      "WITH made AS (INSERT INTO contact (organization_id, id, name, phone) SELECT $1, id, 'Person ' || n, "
      "'+4917' || lpad(n::text, 8, '0') FROM (" +
          ids +
          ") x RETURNING id) "
          "INSERT INTO membership SELECT $1, $2, id FROM made",
      {organization, out.list});
  const auto made = sql.column("SELECT id FROM contact WHERE organization_id = $1", {organization});
  system.sql("conversations")
      .rows(
          "INSERT INTO conversation (organization_id, id, contact_id, initiated_by) SELECT $1, gen_random_uuid(), c, "
          "'Contact' FROM unnest($2::uuid[]) c",
          {organization, support::sql_array(made)});
  return out;
}

// Accepts connections, or lets them wait to be, and never answers.
class SilentHost {
 public:
  SilentHost() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    auto address = support::loopback(0);
    socklen_t size = sizeof address;
    REQUIRE(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) == 0);
    REQUIRE(::listen(socket_, 4'096) == 0);
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ~SilentHost() { ::close(socket_); }
  SilentHost(const SilentHost&) = delete;
  SilentHost& operator=(const SilentHost&) = delete;
  std::string url(int number) const {
    return "http://127.0.0.1:" + std::to_string(port_) + "/" + std::to_string(number);
  }

 private:
  int socket_, port_ = 0;
};

struct Scene {
  System& system;
  std::vector<Tenant> noisy;
  Tenant quiet;
  SilentHost silent;
  std::atomic<bool> stop = false;
};

std::string text_of(const Tenant& tenant, const std::string& method, const std::string& target,
                    const std::string& body = {}, const std::string& type = "application/json") {
  return support::request_text(method, target,
                               {{"Authorization", "Bearer " + tenant.owner.api_key}, {"Content-Type", type}}, body);
}

// ---- noise: what one thread of a noisy organization does until the scene stops --------------------------------------

using Noise = std::function<void(Scene&, const Tenant&, int thread)>;

void ask(Scene& scene, const Tenant& tenant, const std::string& request) {
  Wire wire(scene.system.gateway().port(), tenant.address);
  if (wire.send(request)) wire.read();
}

Noise asking(const std::string& target) {
  return [target](Scene& scene, const Tenant& tenant, int) {
    auto own = target;
    if (const auto at = own.find("LIST"); at != own.npos) own.replace(at, 4, tenant.list);
    while (!scene.stop) ask(scene, tenant, text_of(tenant, "GET", own));
  };
}

void make_contacts(Scene& scene, const Tenant& tenant, int thread) {
  for (int i = 0; !scene.stop; ++i)
    ask(scene, tenant,
        text_of(tenant, "POST", "/api/contacts",
                R"({"name":"N","phone":"+49151)" + std::to_string(10'000'000 + thread * 1'000'000 + i) + "\"}"));
}

void trickle_uploads(Scene& scene, const Tenant& tenant, int) {
  const std::string head =
      "POST /api/contacts/imports HTTP/1.1\r\nHost: a\r\nContent-Type: text/csv\r\nAuthorization: Bearer " +
      tenant.owner.api_key + "\r\nContent-Length: 1000000\r\n\r\nname,phone\r\n";
  std::vector<Wire> wires;
  for (int i = 0; i < 16; ++i) wires.emplace_back(scene.system.gateway().port(), tenant.address);
  for (auto& wire : wires) wire.send(head);
  while (!scene.stop) {
    for (auto& wire : wires) wire.send("x");
    std::this_thread::sleep_for(100ms);
  }
}

void import_much(Scene& scene, const Tenant& tenant, int thread) {
  std::string file = "name,phone\r\n";
  for (int i = 0; i < 20'000; ++i)
    file += "Imported,+49160" + std::to_string(10'000'000 + thread * 1'000'000 + i) + "\r\n";
  while (!scene.stop) {
    ask(scene, tenant, text_of(tenant, "POST", "/api/contacts/imports", file, "text/csv"));
    std::this_thread::sleep_for(50ms);
  }
}

void export_slowly(Scene& scene, const Tenant& tenant, int) {
  std::vector<Wire> wires;
  for (int i = 0; i < 32; ++i) wires.emplace_back(scene.system.gateway().port(), tenant.address);
  for (auto& wire : wires) wire.send(text_of(tenant, "GET", "/api/contacts/export"));
  while (!scene.stop) std::this_thread::sleep_for(10ms);
}

void listen_much(Scene& scene, const Tenant& tenant, int) {
  std::vector<Wire> wires;
  for (int i = 0; i < 100; ++i) {
    wires.emplace_back(scene.system.gateway().port(), tenant.address);
    wires.back().send(text_of(tenant, "GET", "/api/events"));
  }
  while (!scene.stop) std::this_thread::sleep_for(10ms);
}

void tell_silent_hosts(Scene& scene, const Tenant& tenant, int thread) {
  if (thread == 0)
    for (int i = 0; i < 40; ++i)
      ask(scene, tenant,
          text_of(tenant, "POST", "/api/webhooks",
                  R"({"events":["contact.created"],"url":")" + scene.silent.url(i) + "\"}"));
  make_contacts(scene, tenant, thread);
}

// Makes the noise, from four threads of each noisy organization, for as long as it lives.
class Crowd {
 public:
  Crowd(Scene& scene, const Noise& noise) : scene_(scene) {
    scene_.stop = false;
    for (const auto& tenant : scene_.noisy)
      for (int i = 0; i < 4; ++i)
        threads_.emplace_back([this, &noise, &tenant, i] {
          try {
            noise(scene_, tenant, i);
          } catch (const std::exception&) {  // what becomes of the noisy ones is not asked here
          }
        });
  }
  ~Crowd() {
    scene_.stop = true;
    for (auto& thread : threads_) thread.join();
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

 private:
  Scene& scene_;
  std::vector<std::thread> threads_;
};

// ---- what the quiet organization does -------------------------------------------------------------------------------

struct Waits {
  std::vector<double> answers;  // milliseconds
  double imported = 0, delivered = 0, heard = 0;
  std::size_t failures = 0;
};

double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

class Quiet {
 public:
  explicit Quiet(Scene& scene) : scene_(scene), client_(scene.system, scene.quiet.owner.api_key) {
    client_.may_fail = true;
    const auto made =
        client_.post("/api/webhooks", R"({"events":["contact.created"],"url":")" + receiver_.url() + "\"}");
    REQUIRE_EQ(made.status, 201);
    const auto first = [&](const std::string& target, const char* records) {
      return std::string(client_.get(target).json().at(records).at(0).at("uniqueId").as_string());
    };
    contact_ = first("/api/contacts?per_page=1", "contacts");
    conversation_ = first("/api/conversations?per_page=1", "conversations");
  }

  Waits wait(std::chrono::seconds time) {
    Waits out;
    const auto end = Clock::now() + time;
    do {
      for (const auto& target : {std::string("/api/contacts/" + contact_), std::string("/api/contacts?per_page=20"),
                                 std::string("/api/contacts?search=Person+77"), std::string("/api/conversations"),
                                 std::string("/api/lists"), std::string("/api/organization/members")})
        answer(out, [&] { return client_.get(target); });
      answer(out, [&] { return client_.post("/api/contacts", R"({"name":"Q","phone":")" + next_phone() + "\"}"); });
    } while (Clock::now() < end);
    out.imported = import_one(out);
    out.delivered = tell(out);
    out.heard = hear();
    return out;
  }

 private:
  std::string next_phone() { return "+49152" + std::to_string(10'000'000 + phones_++); }

  template <class Ask>
  void answer(Waits& out, const Ask& ask) {
    const auto begin = Clock::now();
    const auto answered = ask();
    out.answers.push_back(milliseconds_since(begin));
    refused(out, answered);
  }

  static bool refused(Waits& out, const auto& answered) {
    if (answered.status < 300) return false;
    ++out.failures;
    MESSAGE("the quiet one got " << answered.status << ": " << answered.body);
    return true;
  }

  double import_one(Waits& out) {
    const auto begin = Clock::now();
    const auto made = client_.post("/api/contacts/imports", "name,phone\r\nOne," + next_phone() + "\r\n",
                                   {{"Content-Type", "text/csv"}});
    if (refused(out, made)) return 0;
    const auto path = "/api/contacts/imports/" + std::string(made.json().at("import").at("uniqueId").as_string());
    e2e::wait_for("the import of one row",
                  [&] { return client_.get(path).json().at("import").at("status") == "Finished"; });
    return milliseconds_since(begin);
  }

  double tell(Waits& out) {
    const auto begin = Clock::now();
    const auto made = client_.post("/api/contacts", R"({"name":"Told","phone":")" + next_phone() + "\"}");
    if (refused(out, made)) return 0;
    const std::string id = made.json().at("contact").at("uniqueId").as_string().c_str();
    e2e::wait_for("the webhook", [&] {
      const auto calls = receiver_.calls();
      return std::any_of(calls.begin(), calls.end(),
                         [&](const auto& call) { return call.body.find(id) != call.body.npos; });
    });
    return milliseconds_since(begin);
  }

  // A conversation that is closed and opened again.
  double hear() {
    const auto begin = Clock::now();
    e2e::Stream stream(scene_.system, scene_.quiet.owner.api_key, "");
    CHECK_EQ(stream.status(), 200);
    if (stream.status() != 200) return 0;
    REQUIRE(stream.hears("retry:"));
    for (const char* status : {"Closed", "Active"})
      client_.post("/api/conversation/" + conversation_, std::string(R"({"status":")") + status + "\"}");
    CHECK(stream.hears(conversation_));
    return milliseconds_since(begin);
  }

  Scene& scene_;
  e2e::Receiver receiver_;
  Client client_;
  std::string contact_, conversation_;
  int phones_ = 0;
};

std::string show(const Waits& waits, const Waits* alone = nullptr) {
  char line[240];
  const auto ratio = [&](double now, double before) { return alone && before > 0 ? now / before : 1.0; };
  const double median = quantile(waits.answers, 0.5), p99 = quantile(waits.answers, 0.99);
  std::snprintf(
      line, sizeof line,
      "%5zu answers, median %7.1f ms (%5.1f), p99 %8.1f ms (%5.1f), import %7.0f ms (%5.1f), webhook %7.0f ms "
      "(%5.1f), event %6.0f ms (%5.1f), %zu failed",
      waits.answers.size(), median, ratio(median, alone ? quantile(alone->answers, 0.5) : 0), p99,
      ratio(p99, alone ? quantile(alone->answers, 0.99) : 0), waits.imported,
      ratio(waits.imported, alone ? alone->imported : 0), waits.delivered,
      ratio(waits.delivered, alone ? alone->delivered : 0), waits.heard, ratio(waits.heard, alone ? alone->heard : 0),
      waits.failures);
  return line;
}

}  // namespace

TEST_CASE("fairness: whatever other organizations do, a quiet one is served") {
  const int contacts = option("PARLEY_FAULTS_NOISY_CONTACTS", 2'000);
  const std::chrono::seconds time(option("PARLEY_FAULTS_NOISE_SECONDS", 3));
  System system({.environment = {{"PARLEY_WEBHOOKS_ALLOW_PRIVATE", "on"}}});
  Scene scene{.system = system, .noisy = {}, .quiet = make_tenant(system, "quiet", contacts), .silent = {}};
  for (int i = 0; i < option("PARLEY_FAULTS_NOISY", 3); ++i)
    scene.noisy.push_back(make_tenant(system, "noisy" + std::to_string(i), contacts, 100 + static_cast<unsigned>(i)));
  Quiet quiet(scene);
  const std::vector<std::pair<std::string, Noise>> noises{
      {"one contact", asking("/api/contacts?per_page=1")},
      {"new contacts", make_contacts},
      {"conversations of a list of all", asking("/api/conversations?list_id=LIST")},
      {"deep pages by name", asking("/api/contacts?search=e&sort_by=name&per_page=100&skip=10000")},
      {"uploads that trickle", trickle_uploads},
      {"large imports", import_much},
      {"exports that nobody reads", export_slowly},
      {"event streams", listen_much},
      {"webhooks to silent hosts", tell_silent_hosts},
  };
  quiet.wait(1s);  // what only the first ones take is no measure
  const auto alone = quiet.wait(time);
  MESSAGE("alone: " << show(alone));
  CHECK_EQ(alone.failures, 0);
  for (const auto& [name, noise] : noises) {
    INFO(name);
    const auto waits = [&] {
      const Crowd crowd(scene, noise);
      std::this_thread::sleep_for(1s);
      return quiet.wait(time);
    }();
    MESSAGE(name << ": " << show(waits, &alone));
    CHECK_EQ(waits.failures, 0);
  }
}

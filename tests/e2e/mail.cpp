// Mails through the whole system: what is asked for at the gateway comes to a real SMTP server, and its links work.
#include <boost/json/serialize.hpp>
#include <chrono>
#include <thread>

#include "tests/e2e/world.hpp"
#include "tests/support/mail_server.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;
using support::Mail;
using support::MailServer;

namespace {

const std::string kPassword = "correct horse battery";

std::string text_at(const Answer& answer, std::string_view pointer) {
  const auto json = answer.json();
  return json.at_pointer({pointer.data(), pointer.size()}).as_string().c_str();
}

std::string json_of(std::initializer_list<std::pair<const char*, std::string>> members) {
  boost::json::object out;
  for (const auto& [name, value] : members) out[name] = value;
  return boost::json::serialize(out);
}

// A page, which is no operation of the contract. Where the console is built, it is one of the console.
Answer page(support::System& system, const std::string& target) {
  Wire wire(system.gateway().port());
  wire.send(support::request_text("GET", target, {}));
  const auto answer = wire.read(false).value();
  return answer.status == 303 ? page(system, answer.header("Location")) : answer;
}

// A system whose mail is taken.
struct Bed {
  MailServer server;
  support::System system;
  Client nobody{system};

  explicit Bed(int replicas = 1)
      : system(
            {.replicas = replicas,
             .environment = {{"PARLEY_SMTP_URL", server.url()}, {"PARLEY_MAIL_FROM", "Parley <no-reply@p.example>"}}}) {
  }

  std::string person() {
    const auto email = model::new_uuid().text() + "@mail.example";
    REQUIRE_EQ(
        nobody.post("/api/auth/register", json_of({{"name", "Ada"}, {"email", email}, {"password", kPassword}})).status,
        201);
    return email;
  }
  Answer ask(const std::string& email) { return nobody.post("/api/auth/password-reset", json_of({{"email", email}})); }
  Mail next_to(const std::string& email) {
    const auto limit = std::chrono::steady_clock::now() + 1min;
    while (server.mails_to(email).empty()) {
      REQUIRE(std::chrono::steady_clock::now() < limit);
      std::this_thread::sleep_for(10ms);
    }
    return server.mails_to(email)[0];
  }
  // The page that a mail leads to, without its token.
  std::string page_of(const Mail& mail) {
    const auto begin = mail.text.find("\n" + system.gateway().url() + "/") + 1;
    REQUIRE_GT(begin, 0);
    const auto end = mail.text.find('#', begin);
    return mail.text.substr(begin + system.gateway().url().size(), end - begin - system.gateway().url().size());
  }
  void check_no_log_has(const std::string& text) {
    for (auto* component : system.all()) CHECK(component->log().find(text) == std::string::npos);
  }
};

}  // namespace

TEST_CASE("mail: who has forgotten a password is mailed a link to a page, and sets another one") {
  Bed bed;
  CHECK_EQ(bed.nobody.get("/api/options").json().at_pointer("/options/isMailOn"), boost::json::value(true));
  const auto email = bed.person();
  CHECK_EQ(bed.ask(email).status, 204);
  const auto mail = bed.next_to(email);
  CHECK_EQ(mail.header("From"), "Parley <no-reply@p.example>");
  CHECK_EQ(bed.page_of(mail), "/password");
  const auto shown = page(bed.system, "/password");
  CHECK_EQ(shown.status, 200);
  CHECK_NE(shown.header("Referrer-Policy"), "");
  CHECK_EQ(bed.nobody.post("/api/auth/password", json_of({{"token", mail.token()}, {"password", "another password"}}))
               .status,
           204);
  CHECK_EQ(bed.nobody.post("/api/auth/login", json_of({{"email", email}, {"password", "another password"}})).status,
           200);
  CHECK_EQ(bed.nobody.post("/api/auth/password", json_of({{"token", mail.token()}, {"password", "a third password"}}))
               .status,
           400);
  CHECK_EQ(bed.ask("nobody-" + email).status, 204);
  bed.check_no_log_has(mail.token());
  bed.check_no_log_has(email);
}

TEST_CASE("mail: an invitation is mailed with a link to a page, and lets in") {
  Bed bed;
  const auto owner = bed.system.create_owner("owner@mail.example", "Engines");
  const auto email = model::new_uuid().text() + "@mail.example";
  const auto made = Client(bed.system, owner.api_key).post("/api/organization/invites", json_of({{"email", email}}));
  REQUIRE_EQ(made.status, 201);
  const auto mail = bed.next_to(email);
  CHECK_EQ(mail.header("Subject"), "Invitation to Engines");
  CHECK_EQ(bed.page_of(mail), "/join");
  CHECK_EQ(page(bed.system, "/join").status, 200);
  CHECK_EQ(mail.token(), text_at(made, "/token"));
  const auto body = json_of({{"token", mail.token()}, {"name", "Ada"}, {"password", kPassword}});
  CHECK_EQ(bed.nobody.post("/api/auth/join-organization", body).status, 201);
  bed.check_no_log_has(mail.token());
}

TEST_CASE("mail: what waits while the server is down, and processes are killed, comes; operators see and seal it") {
  Bed bed(2);
  auto& system = bed.system;
  bed.server.stop();
  const auto email = bed.person();
  CHECK_EQ(bed.ask(email).status, 204);
  const auto metric = [&](std::string_view name, std::string_view labels = {}) {
    return system.organizations(0).metric(name, labels) + system.organizations(1).metric(name, labels);
  };
  const auto until = [](const std::function<bool()>& condition) {
    const auto limit = std::chrono::steady_clock::now() + 1min;
    while (!condition()) {
      REQUIRE(std::chrono::steady_clock::now() < limit);
      std::this_thread::sleep_for(20ms);
    }
  };
  until([&] { return metric("mail_attempts_total", "result=\"failed\"") >= 1; });
  until([&] { return metric("mails_waiting") >= 1; });
  const auto environment = system.organizations().environment;
  CHECK(system.run("organizations", {"reseal", "--check"}, environment)
            .find(R"({"table":"mail","sealedWith":{"test":1})") != std::string::npos);
  for (const std::size_t number : {0, 1}) {
    system.organizations(number).kill();
    system.organizations(number).start();
  }
  bed.server.start();
  const auto mail = bed.next_to(email);
  CHECK_EQ(bed.nobody.post("/api/auth/password", json_of({{"token", mail.token()}, {"password", "another password"}}))
               .status,
           204);
  until([&] { return metric("mail_attempts_total", "result=\"sent\"") == 1; });
  until([&] { return system.sql("organizations").number("SELECT count(*) FROM mail") == 0; });
  CHECK_EQ(bed.server.mails_to(email).size(), 1);

  // After a restore nothing is sent that may have been sent before.
  bed.server.stop();
  CHECK_EQ(bed.ask(email).status, 204);
  for (const std::size_t number : {0, 1}) system.organizations(number).kill();
  system.run("organizations", {"after-restore"}, environment);
  CHECK_EQ(system.sql("organizations").number("SELECT count(*) FROM mail"), 0);
  for (const std::size_t number : {0, 1}) system.organizations(number).start();
}

TEST_CASE("mail: without a server of mails, options and the refusal say so") {
  support::System off(
      {.environment = {{"PARLEY_SMTP_URL", ""}, {"PARLEY_MAIL_FROM", ""}, {"PARLEY_MAIL_PAGES_URL", ""}}});
  Client nobody(off);
  CHECK_EQ(nobody.get("/api/options").json().at_pointer("/options/isMailOn"), boost::json::value(false));
  const auto refused = nobody.post("/api/auth/password-reset", R"({"email":"ada@mail.example"})");
  CHECK_EQ(refused.status, 409);
  CHECK_NE(text_at(refused, "/detail").find("password-token"), std::string::npos);
}

// Mails of organizations, at a real SMTP server: links for forgotten passwords, invitations, and what goes wrong on the
// way.
#include "organizations/mail/worker.hpp"
#include "organizations/users/password_token.hpp"
#include "tests/integration/organizations_users_bed.hpp"
#include "tests/support/certificates.hpp"
#include "tests/support/loopback.hpp"
#include "tests/support/mail_server.hpp"

#include <unistd.h>

using namespace parley;
using namespace parley::organizations_tests;
using support::MailServer;
namespace mail = parley::organizations::mail;

namespace {

constexpr auto kReset = "/api/auth/password-reset";

// One that does not wait long.
mail::WorkerSettings hasty() {
  mail::WorkerSettings out;
  out.idle_pause = 5ms;
  out.first_pause = 10ms;
  out.longest_pause = 50ms;
  out.stop_time = 1s;
  return out;
}

mail::Settings settings(const std::string& url) {
  return {
      .url = url, .is_encrypted = false, .from = {"Parley", "no-reply@parley.example"}, .pages = "https://p.example"};
}

// Organizations that send mail; each test begins without any that wait.
struct Bed {
  World world{{}, kMany, true};
  std::unique_ptr<mail::Worker> worker;

  Bed() {
    World::sql("DELETE FROM mail");
    static int number = 0;  // each test asks from somewhere else
    world.client_address = "203.0.113." + std::to_string(++number);
  }
  ~Bed() { stop(); }
  void start(mail::Settings with, mail::WorkerSettings how = hasty()) {
    worker = std::make_unique<mail::Worker>(world.process(), world.database, world.keys(), std::move(with), how);
    worker->start();
  }
  void stop() {
    if (worker) support::run(world.context(), worker->stop());
    worker.reset();
  }
  std::string person() {
    const auto email = new_email();
    REQUIRE(sign_up(world, email).status == 201);
    return email;
  }
  Answer ask(const std::string& email, const Fields& fields = {}) {
    return world.post_as_gateway(kReset, json_of({{"email", email}}), fields);
  }
  Answer set_password(const std::string& token, const std::string& password) {
    return world.post_as_gateway("/api/auth/password", json_of({{"token", token}, {"password", password}}));
  }
  static std::string waiting() { return World::sql("SELECT count(*) FROM mail"); }
  void until_none_waits() {
    world.until([] { return waiting() == "0"; });
  }
};

Answer invite(World& world, const Caller& owner, const std::string& email) {
  return world.post(owner, "/api/organization/invites", json_of({{"email", email}}));
}

}  // namespace

TEST_CASE("Mail: a link for a forgotten password comes, sets the password once, and is kept nowhere") {
  Bed bed;
  MailServer server;
  const auto email = bed.person();
  const auto answer = bed.ask(email);
  CHECK(answer.status == 204);
  CHECK(World::sql("SELECT count(*) FROM mail m WHERE strpos(m::text, '" + email + "') > 0") == "0");
  bed.start(settings(server.url()));
  bed.until_none_waits();

  REQUIRE(server.mails_to(email).size() == 1);
  const auto got = server.mails_to(email)[0];
  CHECK(got.sender == "no-reply@parley.example");
  CHECK(got.header("From") == "Parley <no-reply@parley.example>");
  CHECK(got.header("To") == email);
  CHECK(got.header("Subject") == "Set your password");
  CHECK(got.header("Auto-Submitted") == "auto-generated");
  CHECK(got.text.find("\nhttps://p.example/password#token=parley_password_") != got.text.npos);
  CHECK(bed.set_password(got.token(), "another password").status == 204);
  CHECK(sign_in(bed.world, email, "another password").status == 200);
  CHECK(bed.set_password(got.token(), "a third password").status == 400);
  CHECK(bed.worker->stats().sent == 1);
}

TEST_CASE("Mail: an address that nobody has is answered like any other, and no mail is sent") {
  Bed bed;
  MailServer server;
  const auto email = bed.person(), nobody = new_email();
  const auto known = bed.ask(email), unknown = bed.ask(nobody);
  CHECK(known.status == unknown.status);
  CHECK(known.text == unknown.text);
  const auto without_id = [](const std::string& head) { return head.substr(head.find("\r\n")); };
  CHECK(known.head.starts_with("X-Request-Id: "));
  CHECK(without_id(known.head) == without_id(unknown.head));
  CHECK(Bed::waiting() == "2");
  bed.start(settings(server.url()));
  bed.until_none_waits();
  CHECK(server.mails_to(email).size() == 1);
  CHECK(server.mails_to(nobody).empty());
  CHECK(World::sql("SELECT count(*) FROM person WHERE email = '" + nobody + "'") == "0");
}

TEST_CASE("Mail: addresses that no mail is sent to are refused, whoever has them") {
  Bed bed;
  for (const std::string bad :
       {"ada", "", "a\r\nRCPT TO:<x@y.example>@z.example", "<a@b.example>", "a@\xC3\xA4.example", "\"a\"@b.example"}) {
    const auto answer = bed.ask(bad);
    CHECK(answer.status == 400);
    CHECK(answer.text_at("/errors/0/pointer") == "/email");
  }
  CHECK(Bed::waiting() == "0");
}

TEST_CASE("Mail: without a server of mails nobody can ask for a link, and invitations are not mailed") {
  World world;
  World::sql("DELETE FROM mail");
  const auto answer = world.post_as_gateway(kReset, json_of({{"email", new_email()}}));
  CHECK(answer.status == 409);
  CHECK(answer.text_at("/detail").find("sends no mail") != std::string::npos);
  CHECK(invite(world, world.new_owner(), new_email()).status == 201);
  CHECK(Bed::waiting() == "0");
}

TEST_CASE("Mail: what an account or a stranger asks for is bounded, alike for addresses that nobody has") {
  Bed bed;
  const auto person = bed.person();
  bed.world.client_address = "198.51.100.76";  // where nobody has signed in from
  for (const auto& email : {person, new_email()}) {
    std::string upper = email;
    for (char& c : upper) c = static_cast<char>(std::toupper(c));
    for (int i = 0; i < 5; ++i) CHECK(bed.ask(i % 2 ? email : upper).status == 204);
    const auto refused = bed.ask(email);
    CHECK(refused.status == 429);
    CHECK(refused.text_at("/detail") == "too many mails were asked for: wait before the next one");
    CHECK(refused.head.find("Retry-After: ") != refused.head.npos);
    const auto here = std::exchange(bed.world.client_address, "198.51.100.77");
    CHECK(bed.ask(upper).status == 429);  // nor from elsewhere
    bed.world.client_address = here;
  }
  CHECK(Bed::waiting() == "10");
  // One that asks for everybody; 12 were counted before.
  for (int i = 0; i < 38; ++i) CHECK(bed.ask(new_email()).status == 204);
  CHECK(bed.ask(new_email()).status == 429);
  bed.world.client_address = "198.51.100.78";
  CHECK(bed.ask(new_email()).status == 204);
}

TEST_CASE("Mail: who has signed in from a network asks there, whatever strangers do") {
  Bed bed;
  const auto email = bed.person();
  CHECK(sign_in(bed.world, email).status == 200);
  const auto home = std::exchange(bed.world.client_address, "198.51.100.79");
  for (int i = 0; i < 5; ++i) CHECK(bed.ask(email).status == 204);
  CHECK(bed.ask(email).status == 429);
  bed.world.client_address = home;
  CHECK(bed.ask(email).status == 204);
}

TEST_CASE("Mail: a repetition of a request puts one mail") {
  Bed bed;
  const Fields key{{"Idempotency-Key", model::new_uuid().text()}};
  const auto email = new_email();
  CHECK(bed.ask(email, key).status == 204);
  CHECK(bed.ask(email, key).status == 204);
  CHECK(Bed::waiting() == "1");
}

TEST_CASE("Mail: the queue is bounded") {
  Bed bed;
  World::sql(
      "INSERT INTO mail (id, kind, secret, expires_at) SELECT gen_random_uuid(), 'Request', 'x', now() + interval '1 "
      "hour' "
      "FROM generate_series(1, 9999)");
  CHECK(bed.ask(new_email()).status == 204);
  CHECK(bed.ask(new_email()).status == 503);
  World::sql("DELETE FROM mail");
}

TEST_CASE("Mail: while the server is down mails wait, and each comes once it is up, with the link that it had") {
  Bed bed;
  MailServer server;
  server.stop();
  const auto email = bed.person();
  CHECK(bed.ask(email).status == 204);
  bed.start(settings(server.url()));
  bed.world.until([&] { return bed.worker->stats().failed >= 3; });
  CHECK(World::sql("SELECT count(DISTINCT secret_hash) FROM password_token") != "0");
  const auto hash = World::sql(
      "SELECT secret_hash FROM password_token t JOIN person p ON p.id = t.person_id WHERE email = '" + email + "'");
  CHECK(Bed::waiting() == "1");
  server.start();
  bed.until_none_waits();
  REQUIRE(server.mails_to(email).size() == 1);
  const auto token = server.mails_to(email)[0].token();
  CHECK(hash ==
        World::sql("SELECT secret_hash FROM password_token t JOIN person p ON p.id = t.person_id WHERE email = '" +
                   email + "'"));
  CHECK(bed.set_password(token, "another password").status == 204);
}

TEST_CASE("Mail: what the server refuses is given up and counted; what it cannot take now comes later") {
  Bed bed;
  MailServer server({.recipient = "550 5.1.1 no such user"});
  const auto first = bed.person(), second = bed.person(), third = bed.person();
  CHECK(bed.ask(first).status == 204);
  bed.start(settings(server.url()));
  bed.until_none_waits();
  CHECK(bed.worker->stats().refused == 1);
  CHECK(bed.worker->stats().given_up == 1);
  CHECK(bed.worker->stats().failed == 0);
  CHECK(server.mails().empty());

  server.stop();
  server.options = {.text = "554 5.7.1 spam"};
  server.start();
  CHECK(bed.ask(second).status == 204);
  bed.until_none_waits();
  CHECK(bed.worker->stats().refused == 2);
  CHECK(server.mails_to(second).size() == 1);

  server.stop();
  server.options = {.recipient = "451 4.7.1 greylisted"};
  server.start();
  CHECK(bed.ask(third).status == 204);
  bed.world.until([&] { return bed.worker->stats().failed >= 2; });
  server.stop();
  server.options = {};
  server.start();
  bed.until_none_waits();
  CHECK(server.mails_to(third).size() == 1);
  CHECK(bed.worker->stats().refused == 2);
}

TEST_CASE("Mail: a server that takes a mail and does not say so gets it again, the same one") {
  Bed bed;
  MailServer server({.is_silent = true});
  const auto email = bed.person();
  CHECK(bed.ask(email).status == 204);
  auto how = hasty();
  how.limits.attempt = 5s;  // enough for the next time
  bed.start(settings(server.url()), how);
  bed.world.until([&] { return bed.worker->stats().failed >= 1; });
  server.stop();
  server.options = {};
  server.start();
  bed.until_none_waits();
  const auto mails = server.mails_to(email);
  REQUIRE(mails.size() >= 2);
  for (const auto& each : mails) {
    CHECK(each.header("Message-ID") == mails[0].header("Message-ID"));
    CHECK(each.text == mails[0].text);
  }
}

TEST_CASE("Mail: what a process that has died was sending is sent by another once its lease has ended") {
  Bed bed;
  MailServer silent({.is_silent = true}), server;
  const auto email = bed.person();
  CHECK(bed.ask(email).status == 204);
  auto how = hasty();
  how.idle_pause = 10min;  // it looks once
  bed.start(settings(silent.url()), how);
  bed.world.until([&] { return silent.mails().size() == 1; });
  World::sql("UPDATE mail SET due_at = now()");
  mail::Worker other(bed.world.process(), bed.world.database, bed.world.keys(), settings(server.url()), hasty());
  other.start();
  bed.until_none_waits();
  support::run(bed.world.context(), other.stop());
  bed.stop();  // the first finds that it is not its mail any more
  CHECK(bed.waiting() == "0");
  REQUIRE(server.mails().size() == 1);
  CHECK(server.mails()[0].token() == silent.mails()[0].token());
}

TEST_CASE("Mail: a server that never greets is left at the deadline, and does not keep a process from its end") {
  Bed bed;
  const auto listener = support::listen();
  const auto email = bed.person();
  CHECK(bed.ask(email).status == 204);
  auto how = hasty();
  how.limits.attempt = 300ms;
  bed.start(settings("smtp://127.0.0.1:" + std::to_string(listener.port)), how);
  bed.world.until([&] { return bed.worker->stats().failed >= 2; });
  bed.stop();
  how.limits.attempt = 10min;
  how.stop_time = 0s;
  World::sql("UPDATE mail SET due_at = now()");
  bed.start(settings("smtp://127.0.0.1:" + std::to_string(listener.port)), how);
  bed.world.until(
      [] { return World::sql("SELECT count(*) FROM mail WHERE due_at > now() + interval '30 seconds'") == "1"; });
  bed.stop();
  ::close(listener.socket);
  CHECK(Bed::waiting() == "1");
}

TEST_CASE("Mail: what cannot be sent before its time is given up") {
  Bed bed;
  MailServer server;
  server.stop();
  CHECK(bed.ask(bed.person()).status == 204);
  bed.start(settings(server.url()));
  bed.world.until([&] { return bed.worker->stats().failed >= 1; });
  World::sql("UPDATE mail SET expires_at = now()");
  bed.until_none_waits();
  bed.world.until([&] { return bed.worker->stats().given_up == 1; });
}

TEST_CASE(
    "Mail: nothing is told to a server without TLS where that is required, or to one whose certificate is not good") {
  const support::Certificate authority("Authority", nullptr, ""), other("Other", nullptr, "");
  const support::Certificate certificate("mail.test", &authority, "IP:127.0.0.1");
  const support::PemFiles files(certificate), authorities(authority), others(other);
  Bed bed;
  MailServer server({.user = "ada", .password = "s3cret"});
  auto with = settings("smtp://ada:s3cret@127.0.0.1:" + std::to_string(server.port()));
  with.is_encrypted = true;
  with.ca_file = authorities.certificate();
  const auto email = bed.person();
  CHECK(bed.ask(email).status == 204);
  bed.start(with);
  bed.world.until([&] { return bed.worker->stats().failed >= 1; });
  bed.stop();

  server.stop();
  server.options.tls = "starttls";
  server.options.certificate = files.certificate();
  server.options.key = files.key();
  server.start();
  auto wrong = with;
  wrong.ca_file = others.certificate();
  bed.start(wrong);
  bed.world.until([&] { return bed.worker->stats().failed >= 1; });
  bed.stop();
  CHECK(server.mails().empty());
  CHECK(Bed::waiting() == "1");

  bed.start(with);
  bed.until_none_waits();
  REQUIRE(server.mails_to(email).size() == 1);
  CHECK(server.mails_to(email)[0].is_encrypted);
  CHECK(server.mails_to(email)[0].user == "ada");
  bed.stop();

  server.stop();
  server.options.tls = "implicit";
  server.start();
  with.url = "smtps://ada:s3cret@127.0.0.1:" + std::to_string(server.port());
  const auto second = bed.person();
  CHECK(bed.ask(second).status == 204);
  bed.start(with);
  bed.until_none_waits();
  CHECK(server.mails_to(second).at(0).is_encrypted);
}

TEST_CASE("Mail: a wrong password for the server loses no mail") {
  Bed bed;
  MailServer server({.user = "ada", .password = "s3cret"});
  const auto email = bed.person();
  CHECK(bed.ask(email).status == 204);
  bed.start(settings("smtp://ada:wrong@127.0.0.1:" + std::to_string(server.port())));
  bed.world.until([&] { return bed.worker->stats().failed >= 1; });
  bed.stop();
  CHECK(Bed::waiting() == "1");
  bed.start(settings("smtp://ada:s3cret@127.0.0.1:" + std::to_string(server.port())));
  bed.until_none_waits();
  CHECK(server.mails_to(email).size() == 1);
}

TEST_CASE("Mail: a link ends with a newer one and with its time, and a mail whose link has ended is not sent") {
  Bed bed;
  MailServer server;
  const auto email = bed.person();
  CHECK(bed.ask(email).status == 204);
  bed.start(settings(server.url()));
  bed.until_none_waits();
  CHECK(bed.ask(email).status == 204);
  bed.until_none_waits();
  REQUIRE(server.mails_to(email).size() == 2);
  CHECK(bed.set_password(server.mails_to(email)[0].token(), "another password").status == 400);
  World::sql("UPDATE password_token SET expires_at = now()");
  CHECK(bed.set_password(server.mails_to(email)[1].token(), "another password").status == 400);

  server.stop();
  for (int i = 1; i <= 2; ++i) {
    CHECK(bed.ask(email).status == 204);
    bed.world.until([&] { return World::sql("SELECT count(*) FROM mail WHERE kind = 'Password'") == "1"; });
    bed.world.until([&] { return Bed::waiting() == "1"; });
  }
  World::sql("UPDATE password_token SET expires_at = now()");
  bed.until_none_waits();
  server.start();
  CHECK(server.mails_to(email).size() == 2);
  CHECK(bed.worker->stats().given_up == 0);
}

TEST_CASE("Mail: who could not prove their address does so by the link, and a second factor stays on") {
  Bed bed;
  MailServer server;
  const auto email = bed.person();
  CHECK(World::sql("SELECT address_proved_at IS NULL FROM person WHERE email = '" + email + "'") == "t");
  World::sql("UPDATE person SET second_factor_at = now() WHERE email = '" + email + "'");
  CHECK(bed.ask(email).status == 204);
  bed.start(settings(server.url()));
  bed.until_none_waits();
  CHECK(bed.set_password(server.mails_to(email).at(0).token(), "another password").status == 204);
  CHECK(World::sql("SELECT address_proved_at IS NULL FROM person WHERE email = '" + email + "'") == "f");
}

TEST_CASE("Mail: an invitation is mailed with its link, and not once it was revoked") {
  Bed bed;
  MailServer server;
  const auto owner = bed.world.new_owner("Ad\xC3\xA4 & Engines");
  const auto email = new_email(), revoked = new_email();
  const auto made = invite(bed.world, owner, email);
  REQUIRE(made.status == 201);
  const auto other = invite(bed.world, owner, revoked);
  CHECK(bed.world.del(owner, "/api/organization/invites/" + other.text_at("/invite/uniqueId")).status == 204);
  CHECK(Bed::waiting() == "2");
  bed.start(settings(server.url()));
  bed.until_none_waits();
  CHECK(server.mails_to(revoked).empty());
  REQUIRE(server.mails_to(email).size() == 1);
  const auto got = server.mails_to(email)[0];
  CHECK(got.header("Subject") == "Invitation to Ad\xC3\xA4 & Engines");
  CHECK(got.text.find("\nhttps://p.example/join#token=parley_invite_") != got.text.npos);
  CHECK(got.text.find(made.text_at("/invite/expiresAt").substr(0, 10)) != got.text.npos);
  CHECK(got.token() == made.text_at("/token"));
  const auto joined = bed.world.post_as_gateway(
      "/api/auth/join-organization", json_of({{"token", got.token()}, {"name", "Ada"}, {"password", kPassword}}));
  CHECK(joined.status == 201);
}

TEST_CASE("Mail: an organization's name adds nothing to the header of an invitation") {
  Bed bed;
  MailServer server;
  const auto owner = bed.world.new_owner();
  World::sql(
      "UPDATE organization SET name = E'Evil\\r\\nBcc: all@x.example\\r\\n\\r\\nText' WHERE organization_id = '" +
      owner.organization.text() + "'");
  const auto email = new_email();
  CHECK(invite(bed.world, owner, email).status == 201);
  bed.start(settings(server.url()));
  bed.until_none_waits();
  REQUIRE(server.mails().size() == 1);
  const auto got = server.mails()[0];
  CHECK(got.recipients == std::vector{email});
  CHECK(got.header("Bcc").empty());
  CHECK(got.header("Subject") == "Invitation to Evil  Bcc: all@x.example    Text");
}

TEST_CASE(
    "Mail: how often an organization mails one address is bounded, and addresses that no mail is sent to are invited") {
  Bed bed;
  const auto owner = bed.world.new_owner();
  const auto email = new_email();
  for (int i = 0; i < 5; ++i) {
    const auto made = invite(bed.world, owner, email);
    REQUIRE(made.status == 201);
    if (i < 4) CHECK(invite(bed.world, owner, email).status == 409);  // which counts for nothing
    bed.world.del(owner, "/api/organization/invites/" + made.text_at("/invite/uniqueId"));
  }
  CHECK(Bed::waiting() == "5");
  CHECK(invite(bed.world, owner, email).status == 429);
  CHECK(invite(bed.world, owner, new_email()).status == 201);
  CHECK(invite(bed.world, bed.world.new_owner(), email).status == 201);
  CHECK(invite(bed.world, owner, model::new_uuid().text() + "@\xC3\xA4.example").status == 201);
  CHECK(Bed::waiting() == "7");
}

TEST_CASE("Mail: of two processes one sends each mail") {
  Bed bed;
  MailServer server;
  std::vector<std::string> emails;
  const auto owner = bed.world.new_owner();
  for (int i = 0; i < 20; ++i) REQUIRE(invite(bed.world, owner, emails.emplace_back(new_email())).status == 201);
  mail::Worker other(bed.world.process(), bed.world.database, bed.world.keys(), settings(server.url()), hasty());
  other.start();
  bed.start(settings(server.url()));
  bed.until_none_waits();
  support::run(bed.world.context(), other.stop());
  CHECK(server.mails().size() == 20);
  for (const auto& email : emails) CHECK(server.mails_to(email).size() == 1);
}

// Mails as they are sent, and the settings of who sends them.
#include <doctest/doctest.h>

#include <cstdlib>
#include <map>

#include "organizations/mail/settings.hpp"
#include "organizations/mail/texts.hpp"

using namespace parley;
using namespace parley::organizations::mail;

namespace {

const Mailbox kFrom{"Parley", "no-reply@parley.example"};

std::string message(const Letter& letter, const Mailbox& from = kFrom) {
  return message_of(letter, from, "01949c44", 1'767'351'903);  // 2 January 2026, 11:05:03
}

// Variables as long as it lives.
class Variables {
 public:
  explicit Variables(std::map<std::string, std::string> values) : values_(std::move(values)) {
    for (const auto& [name, value] : values_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  ~Variables() {
    for (const auto& [name, value] : values_) ::unsetenv(name.c_str());
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  std::map<std::string, std::string> values_;
};

struct Read {
  std::optional<Settings> settings;
  std::string faults;
};

Read read(std::map<std::string, std::string> more) {
  std::map<std::string, std::string> values{{"PARLEY_SMTP_URL", "smtp://user:pass@mail.example:587"},
                                            {"PARLEY_MAIL_FROM", "Parley <no-reply@parley.example>"},
                                            {"PARLEY_PUBLIC_URL", "https://parley.example/"}};
  for (const auto& [name, value] : more) values[name] = value;
  const Variables variables(values);
  chassis::Environment environment;
  Read out{Settings::read(environment), {}};
  for (const auto& fault : environment.faults()) out.faults += fault + "\n";
  return out;
}

}  // namespace

TEST_CASE("Mail: addresses that stand for themselves are mailed to, and no others") {
  for (const std::string good :
       {"ada@example.com", "a.b+c@sub.example.org", "o'neil_{x}@x-y.example", "root@localhost"})
    CHECK_MESSAGE(is_mailable(good), good);
  for (const std::string bad : {"",
                                "@",
                                "ada",
                                "ada@",
                                "@example.com",
                                "ada@example.com\r\nRCPT TO:<x@y.example>",
                                "ada@example.com\n",
                                "a b@x.example",
                                "ada@exam ple.com",
                                "<ada@example.com>",
                                "ada@example.com>",
                                "ada@x.example,b@x.example",
                                "\"a b\"@x.example",
                                ".a@x.example",
                                "a.@x.example",
                                "a..b@x.example",
                                "ada@-x.example",
                                "ada@x-.example",
                                "ada@x..example",
                                "ada@[127.0.0.1]",
                                "a(b)@x.example",
                                "a@b@c.example",
                                "\xC3\xA4@x.example",
                                "a@\xC3\xA4.example",
                                "a\\b@x.example",
                                "a;b@x.example",
                                "a:b@x.example"})
    CHECK_MESSAGE(!is_mailable(bad), bad);
  CHECK(is_mailable(std::string(64, 'a') + "@x.example"));
  CHECK_FALSE(is_mailable(std::string(65, 'a') + "@x.example"));
  CHECK_FALSE(is_mailable("a@" + std::string(64, 'x') + ".example"));
  std::string long_one = "a@";
  while (long_one.size() < 250) long_one += "aaaaaaaaa.";
  CHECK_FALSE(is_mailable(long_one + "example"));
}

TEST_CASE("Mail: a sender is an address, with a name or without") {
  const auto plain = read_mailbox("no-reply@parley.example");
  REQUIRE(plain);
  CHECK(plain->name.empty());
  CHECK(plain->address == "no-reply@parley.example");
  for (const std::string named : {"Parley of Ada <a@b.example>", " \"Parley of Ada\" <a@b.example> "}) {
    const auto mailbox = read_mailbox(named);
    REQUIRE(mailbox);
    CHECK(mailbox->name == "Parley of Ada");
    CHECK(mailbox->address == "a@b.example");
  }
  for (const std::string bad : {"", "Parley", "Parley <>", "Parley <a@b.example", "Par\nley <a@b.example>",
                                "Par\xFFley <a@b.example>", "<a@b.example> x"})
    CHECK_FALSE(read_mailbox(bad));
}

TEST_CASE(
    "Mail: a message has the header of a mail that a machine sent, and its text in lines of at most 76 characters") {
  CHECK(message({"ada@x.example", "Hello", "One.\n.\nTwo = 2 \n"}) ==
        "Date: Fri, 2 Jan 2026 11:05:03 +0000\r\n"
        "From: \"Parley\" <no-reply@parley.example>\r\n"
        "To: ada@x.example\r\n"
        "Subject: Hello\r\n"
        "Message-ID: <01949c44@parley.example>\r\n"
        "Auto-Submitted: auto-generated\r\n"
        "MIME-Version: 1.0\r\n"
        "Content-Type: text/plain; charset=utf-8\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\n"
        "\r\n"
        "One.\r\n.\r\nTwo =3D 2=20\r\n");
  const auto whole = message({"ada@x.example", "Hello", std::string(500, 'x') + "\n"});
  for (std::size_t at = 0; at < whole.size();) {
    const auto end = whole.find("\r\n", at);
    REQUIRE(end != whole.npos);
    CHECK(end - at <= 76);
    at = end + 2;
  }
}

TEST_CASE("Mail: texts of strangers add no field, no line and no direction of writing") {
  const std::string evil =
      "Evil\r\nBcc: all@x.example\r\n\r\nText \xE2\x80\xAE"
      "txet\xC2\x85\xE2\x80\xA8"
      "after\x7F";
  CHECK(one_line(evil, 100) == "Evil  Bcc: all@x.example    Text  txet  after ");
  CHECK(one_line("a\xE2\x81\xA6"
                 "b\xE2\x81\xA9"
                 "c\xE2\x80\xA9"
                 "d\xC2\xA0"
                 "e\t",
                 100) ==
        "a b c d\xC2\xA0"
        "e ");
  CHECK(one_line("\xC3\xA4\xF0\x9F\x90\xA6 f\xC3\xBCr \xE2\x82\xAC", 6) == "\xC3\xA4\xF0\x9F\x90\xA6 f\xC3\xBCr");
  const auto letter = invitation_letter("https://p.example", "ada@x.example", evil, model::Timestamp::now(), "TOKEN");
  const auto text = message(letter);
  CHECK(text.find("\r\nBcc") == text.npos);
  CHECK(text.find("https://p.example/join#token=3DTOKEN") != text.npos);
  // Whatever is no plain ASCII is encoded as a whole.
  const auto subject = message({"ada@x.example", "\xC3\x9C\r\nBcc: all@x.example", ""});
  CHECK(subject.find("Subject: =?UTF-8?B?w5wNCkJjYzogYWxsQHguZXhhbXBsZQ==?=\r\nMessage-ID") != subject.npos);
  CHECK(message({"ada@x.example", "a =?UTF-8?Q?b?=", ""}).find("Subject: =?UTF-8?B?") != subject.npos);
  CHECK(message({"ada@x.example", "", ""}, {"J\xC3\xBCrgen \"x\" <y>", "a@b.example"})
            .find("From: =?UTF-8?B?SsO8cmdlbiAieCIgPHk+?= <a@b.example>\r\n") != subject.npos);
  // In words of whole characters, and lines of at most 76 (RFC 2047, 2).
  std::string many;
  for (int i = 0; i < 40; ++i) many += "\xE2\x82\xAC";
  const auto folded = message({"ada@x.example", many, ""});
  const auto begin = folded.find("Subject: "), end = folded.find("\r\nMessage-ID");
  std::size_t words = 0;
  for (auto at = begin; at < end; ++words) at = folded.find("?=", at) + 2;
  CHECK(words == 4);
  for (auto at = begin; at < end; at = folded.find("\r\n", at) + 2) CHECK(folded.find("\r\n", at) - at <= 76);
  CHECK(folded.find("?=\r\n =?UTF-8?B?") != folded.npos);
}

TEST_CASE("Mail: settings: TLS is required, unless the server is this machine or it is said otherwise") {
  const auto usual = read({});
  CHECK(usual.faults == "");
  REQUIRE(usual.settings);
  CHECK(usual.settings->is_encrypted);
  CHECK(usual.settings->pages == "https://parley.example");
  CHECK(usual.settings->from.address == "no-reply@parley.example");
  for (const std::string here : {"smtp://localhost", "smtp://127.0.0.1:2525", "smtp://[::1]:25"})
    CHECK_FALSE(read({{"PARLEY_SMTP_URL", here}}).settings->is_encrypted);
  CHECK(read({{"PARLEY_SMTP_URL", "smtp://localhost"}, {"PARLEY_SMTP_TLS", "required"}}).settings->is_encrypted);
  CHECK(read({{"PARLEY_SMTP_URL", "smtps://localhost"}}).settings->is_encrypted);
  CHECK_FALSE(read({{"PARLEY_SMTP_TLS", "off"}}).settings->is_encrypted);
  CHECK(read({{"PARLEY_MAIL_PAGES_URL", "https://app.example"}}).settings->pages == "https://app.example");
}

TEST_CASE("Mail: settings: without a server there is no mail, and what is wrong is named without the password") {
  const auto off = read({{"PARLEY_SMTP_URL", ""}});
  CHECK_FALSE(off.settings);
  CHECK(off.faults == "PARLEY_MAIL_FROM is of no use without PARLEY_SMTP_URL\n");
  for (const std::string bad :
       {"http://user:s3cret@x.example", "smtp://", "mail.example", "smtp://user:s3cret@x.example?a=b", "smtp://x y"}) {
    const auto said = read({{"PARLEY_SMTP_URL", bad}}).faults;
    CHECK_MESSAGE(said.starts_with("PARLEY_SMTP_URL must be smtp://"), bad);
    CHECK(said.find("s3cret") == said.npos);
  }
  CHECK(read({{"PARLEY_SMTP_TLS", "maybe"}}).faults == "PARLEY_SMTP_TLS must be required or off\n");
  CHECK(read({{"PARLEY_SMTP_URL", "smtps://x.example"}, {"PARLEY_SMTP_TLS", "off"}})
            .faults.starts_with("PARLEY_SMTP_TLS"));
  CHECK(read({{"PARLEY_SMTP_CA_FILE", "/nowhere"}}).faults == "PARLEY_SMTP_CA_FILE cannot be read from /nowhere\n");
  CHECK(read({{"PARLEY_MAIL_FROM", ""}}).faults == "PARLEY_MAIL_FROM is not set\n");
  CHECK(read({{"PARLEY_MAIL_FROM", "Parley"}}).faults.starts_with("PARLEY_MAIL_FROM must be"));
  CHECK(read({{"PARLEY_PUBLIC_URL", ""}}).faults == "PARLEY_PUBLIC_URL is not set\n");
}

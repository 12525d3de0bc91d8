// Answers in JSON that come compressed to clients that accept it, and those that never do.
#include <boost/json/serialize.hpp>

#include "tests/e2e/channel_bed.hpp"
#include "tests/e2e/requests.hpp"
#include "tests/support/gzip.hpp"

using namespace parley;
using namespace parley::e2e;

namespace {

namespace json = boost::json;

const std::string kContacts = "/api/contacts?per_page=45";

// As what it is: Client reads every answer as its plain text.
Answer ask(const std::string& key, const std::string& method, const std::string& target, Headers headers = {},
           const std::string& body = {}) {
  headers.emplace_back("Authorization", "Bearer " + key);
  if (!body.empty()) headers.emplace_back("Content-Type", "application/json");
  Wire wire(world().system.gateway().port());
  wire.send(support::request_text(method, target, headers, body));
  return wire.read(method == "HEAD").value();
}

Headers accepting(const std::string& codings = "gzip", Headers more = {}) {
  more.emplace_back("Accept-Encoding", codings);
  return more;
}

const std::string& key() { return world().a.owner.api_key; }

// A resource that is longer than what is not worth compressing.
std::string long_contact() {
  Client client(world().system, key());
  const json::object body{{"name", "Ada"},
                          {"phone", "+4917" + std::to_string(30'000'000 + next_number())},
                          {"attributes", {{"notes", std::string(2'000, 'x')}}}};
  const auto made = client.post("/api/contacts", json::serialize(body));
  REQUIRE_EQ(made.status, 201);
  return "/api/contacts/" + std::string(made.json().at("contact").at("uniqueId").as_string());
}

}  // namespace

TEST_CASE("compression: a page comes compressed to who accepts gzip, with the same text") {
  const auto plain = ask(key(), "GET", kContacts);
  REQUIRE_EQ(plain.status, 200);
  CHECK_EQ(plain.header("Content-Encoding"), "");
  CHECK_EQ(plain.header("Vary"), "Accept-Encoding");
  const auto packed = ask(key(), "GET", kContacts, accepting("br, gzip;q=0.5"));
  CHECK_EQ(packed.status, 200);
  CHECK_EQ(packed.header("Content-Encoding"), "gzip");
  CHECK_EQ(packed.header("Vary"), "Accept-Encoding");
  CHECK_EQ(packed.header("Content-Type"), plain.header("Content-Type"));
  CHECK_LT(packed.body.size(), plain.body.size() / 2);
  CHECK_EQ(support::gunzipped(packed.body), plain.body);
  for (const std::string refusing : {"identity", "gzip;q=0", "br"})
    CHECK_EQ(ask(key(), "GET", kContacts, accepting(refusing)).body, plain.body);

  const auto head = ask(key(), "HEAD", kContacts, accepting());
  CHECK_EQ(head.status, 200);
  CHECK_EQ(head.header("Content-Encoding"), "gzip");
  CHECK_FALSE(head.has("Content-Length"));
}

TEST_CASE("compression: the compressed form has a tag of its own, which counts as the plain one") {
  const auto target = long_contact();
  const auto plain = ask(key(), "GET", target), packed = ask(key(), "GET", target, accepting());
  CHECK_EQ(packed.header("Content-Encoding"), "gzip");
  const auto plain_tag = plain.header("ETag"), packed_tag = packed.header("ETag");
  CHECK_NE(packed_tag, plain_tag);

  for (const auto& tag : {plain_tag, packed_tag, "\"another\", " + packed_tag, "W/" + packed_tag}) {
    INFO(tag);
    const auto again = ask(key(), "GET", target, accepting("gzip", {{"If-None-Match", tag}}));
    CHECK_EQ(again.status, 304);
    CHECK_EQ(again.header("ETag"), tag == plain_tag ? plain_tag : packed_tag);
    CHECK_EQ(again.header("Content-Encoding"), "");
    CHECK_EQ(again.header("Vary"), "Accept-Encoding");
  }
  const auto other = ask(key(), "GET", target, accepting("gzip", {{"If-None-Match", "\"another-gzip\""}}));
  CHECK_EQ(other.status, 200);

  const std::string body = R"({"name":"Grace"})";
  CHECK_EQ(ask(key(), "POST", target, {{"If-Match", "\"0-0-gzip\""}}, body).status, 412);
  CHECK_EQ(ask(key(), "POST", target, {{"If-Match", packed_tag}}, body).status, 200);
  CHECK_EQ(ask(key(), "POST", target, {{"If-Match", packed_tag}}, body).status, 412);
}

TEST_CASE("compression: what is short, holds secrets, is a file, a stream or no success is not compressed") {
  auto& system = world().system;
  Channel channel(system, "compression", "291100000091");
  auto client = channel.client();
  const auto organization = "/api/organization/" + channel.organization();
  const json::object described{{"description", std::string(2'000, 'x')}};
  REQUIRE_EQ(client.post(organization, json::serialize(described)).status, 200);

  const auto with_secrets = ask(channel.api_key(), "GET", organization, accepting());
  CHECK_EQ(with_secrets.status, 200);
  CHECK_GT(with_secrets.body.size(), 2'000);
  CHECK_EQ(with_secrets.header("Content-Encoding"), "");
  CHECK_FALSE(with_secrets.has("Vary"));

  const auto refused = "/api/contacts?unknown=" + std::string(2'000, 'x');
  for (const std::string& target : {std::string("/api/options"), std::string("/api/contacts/export"), refused}) {
    INFO(target);
    const auto answer = ask(key(), "GET", target, accepting());
    CHECK_EQ(answer.header("Content-Encoding"), "");
    CHECK_FALSE(answer.body.empty());
  }
  const auto key_made = ask(key(), "POST", "/api/auth/api-keys", accepting(), R"({"name":"for compression"})");
  CHECK_EQ(key_made.status, 201);
  CHECK_EQ(key_made.header("Content-Encoding"), "");
}

TEST_CASE("compression: every read that is compressed has the text that it has otherwise") {
  static Organization organization = fill(world().system, "Compression", 45);
  static Requests requests(world().system, organization);
  int compressed = 0;
  for (const auto& operation : contract_of(world().system).operations()) {
    if (operation.method != "GET" || operation.id == "streamEvents") continue;
    INFO(operation.id);
    const auto prepared = requests.make(operation);
    const auto credential = prepared.api_key.empty() ? organization.owner.api_key : prepared.api_key;
    const auto packed = ask(credential, "GET", prepared.target, accepting("gzip", prepared.headers));
    if (packed.header("Content-Encoding") != "gzip") continue;
    ++compressed;
    CHECK_EQ(packed.header("Content-Type"), "application/json");
    const auto text = support::gunzipped(packed.body);
    CHECK_NOTHROW(json::parse(text));
    CHECK_EQ(json::parse(text), ask(credential, "GET", prepared.target, prepared.headers).json());
  }
  CHECK_GE(compressed, 5);
}

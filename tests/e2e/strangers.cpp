// What callers without a credential can take of the gateway: not what others need.
#include <regex>
#include <thread>

#include "tests/e2e/channel_bed.hpp"
#include "tests/e2e/world.hpp"
#include "tests/support/signing.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;

namespace {

// From where a trusted proxy asks, which says for whom.
constexpr unsigned kProxy = 90;  // 127.0.0.91

struct Bed {
  System system{{.replicas = 1,
                 .environment = {{"PARLEY_TRUSTED_PROXIES", "127.0.0.91"},
                                 {"PARLEY_RATE_FAILURES", "30"},
                                 {"PARLEY_RATE_LIMIT_ADDRESS", "20"},  // the slowest machine asks faster
                                 {"PARLEY_RATE_BURST_ADDRESS", "400"}}}};
  Caller one = system.create_owner("one@example.com", "One"), two = system.create_owner("two@example.com", "Two");

  double metric(std::string_view name, std::string_view labels = {}) { return system.gateway().metric(name, labels); }
};

Bed& bed() {
  static Bed the_bed;
  return the_bed;
}

// From another address of loopback for each `from`.
Answer ask(unsigned from, const std::string& method, const std::string& target, const std::string& body = {},
           Headers headers = {}) {
  Wire wire(bed().system.gateway().port(), from);
  if (!body.empty()) headers.emplace_back("Content-Type", "application/json");
  wire.send(support::request_text(method, target, headers, body));
  auto answer = wire.read();
  REQUIRE(answer);
  check_documented(bed().system, method, target, *answer);
  return *answer;
}

Answer post_webhook(unsigned from, const std::string& body, bool is_signed = true, const std::string& client = {}) {
  const auto signature = support::hub_signature(is_signed ? System::app_secret() : "another", body);
  Headers headers{{"X-Hub-Signature-256", signature}};
  if (!client.empty()) headers.emplace_back("X-Forwarded-For", client);
  return ask(from, "POST", "/webhooks/messaging", body, std::move(headers));
}

Answer make_list(unsigned from, const Caller& who, std::size_t description) {
  return ask(from, "POST", "/api/lists", R"({"name":"a list","description":")" + std::string(description, 'd') + "\"}",
             {{"Authorization", "Bearer " + who.api_key}});
}

std::string json_of(std::size_t size) { return R"({"entry":[],"more":")" + std::string(size, 'x') + "\"}"; }

// A host in one of the /64s of a /48, as the proxy tells it.
std::string host(int site, int subnet) {
  return "2001:db8:" + std::to_string(site) + ':' + std::to_string(subnet) + "::1";
}
std::string forwarded_for(int site, int subnet) { return "X-Forwarded-For: " + host(site, subnet) + "\r\n"; }

// Connections that have sent a head and of a body only its beginning.
class Unfinished {
 public:
  Unfinished(
      int count, unsigned from, const std::string& target, std::size_t length, std::size_t sent,
      const std::function<std::string(int)>& fields = [](int) { return std::string(); }) {
    for (int i = 0; i < count; ++i) {
      wires_.emplace_back(bed().system.gateway().port(), from);
      wires_.back().send("POST " + target + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" + fields(i) +
                         "Content-Length: " + std::to_string(length) + "\r\n\r\n" + std::string(sent, ' '));
    }
  }
  Wire& operator[](std::size_t i) { return wires_[i]; }

 private:
  std::vector<Wire> wires_;
};

}  // namespace

TEST_CASE("strangers: a body without a credential has at most 16 KiB, however it is framed") {
  const std::string fits = R"({"email":"nobody@example.com","password":"no password"})";
  const std::string longest = fits + std::string(16'384 - fits.size(), ' '), longer = longest + " ";
  for (const std::string path : {"/api/auth/login", "/api/auth/register", "/api/auth/join-organization"}) {
    INFO(path);
    CHECK_NE(ask(1, "POST", path, longest).status, 413);
    CHECK_EQ(ask(1, "POST", path, longer).status, 413);
    Wire chunked(bed().system.gateway().port(), 1);
    chunked.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" +
                 "Transfer-Encoding: chunked\r\n\r\n4001\r\n" + longer + "\r\n0\r\n\r\n");
    CHECK_EQ(chunked.read().value().status, 413);
  }
  CHECK_EQ(make_list(1, bed().one, 20'000).status, 400);  // of its length, which was read
}

TEST_CASE("strangers: unfinished bodies of one address are its own trouble, and no member's") {
  const auto refused_bodies = [] { return bed().metric("http_over_share_total", "of=\"bodies\""); };
  const auto before = refused_bodies();
  const Unfinished sign_ins(390, 2, "/api/auth/login", 16'000, 15'900);
  e2e::wait_for("they have all that they may", [&] { return refused_bodies() > before; });
  CHECK_GT(bed().metric("http_gathered_bytes"), 3 << 20);
  CHECK_LE(bed().metric("http_gathered_bytes"), 4 << 20);
  CHECK_EQ(make_list(0, bed().one, 500'000).status, 400);
  CHECK_EQ(make_list(2, bed().one, 500'000).status, 400);
  CHECK_EQ(ask(3, "POST", "/api/auth/login", json_of(10'000)).status, 400);
  const auto refused = ask(2, "POST", "/api/auth/login", json_of(10'000));
  CHECK_EQ(refused.status, 429);
  CHECK_EQ(refused.header("Retry-After"), "1");
}

TEST_CASE("strangers: unfinished bodies of a /48 are its own trouble, from whichever of its /64s they come") {
  const auto refused_bodies = [] { return bed().metric("http_over_share_total", "of=\"bodies\""); };
  const auto before = refused_bodies();
  const Unfinished sign_ins(390, kProxy, "/api/auth/login", 16'000, 15'900, [](int i) { return forwarded_for(1, i); });
  e2e::wait_for("they have all that they may", [&] { return refused_bodies() > before; });
  CHECK_LE(bed().metric("http_gathered_bytes"), 4 << 20);
  const auto sign_in = [](int site) {
    return ask(kProxy, "POST", "/api/auth/login", json_of(10'000), {{"X-Forwarded-For", host(site, 1'000)}}).status;
  };
  CHECK_EQ(sign_in(2), 400);
  CHECK_EQ(sign_in(1), 429);
}

TEST_CASE("strangers: an organization's bodies that are on their way take no more than its share") {
  const auto refused_bodies = [] { return bed().metric("http_over_share_total", "of=\"bodies\""); };
  const auto before = refused_bodies();
  const Unfinished lists(40, 0, "/api/lists", 1'000'000, 900'000,
                         [](int) { return "Authorization: Bearer " + bed().one.api_key + "\r\n"; });
  e2e::wait_for("they have all that they may", [&] { return refused_bodies() > before; });
  CHECK_GT(bed().metric("http_gathered_bytes"), 4 << 20);
  CHECK_LE(bed().metric("http_gathered_bytes"), 8 << 20);
  CHECK_EQ(make_list(0, bed().two, 500'000).status, 400);
  CHECK_EQ(make_list(0, bed().one, 3'000).status, 400);  // lies in its connection's buffer
}

TEST_CASE("strangers: long webhooks that trickle in from one address keep no signed one out") {
  const Unfinished slow(300, 4, "/webhooks/messaging", 1'000'000, 1);
  e2e::wait_for("those that may be are forwarded", [] {
    return bed().metric("gateway_upstream_in_flight", "service=\"conversations-webhook-uploads\"") == 32;
  });
  CHECK_EQ(post_webhook(0, json_of(100'000)).status, 200);
  CHECK_EQ(post_webhook(0, json_of(10)).status, 200);
  CHECK_EQ(post_webhook(4, json_of(100'000)).status, 429);
}

TEST_CASE("strangers: long webhooks that trickle in from a /48 keep no signed one of another out") {
  const Unfinished slow(300, kProxy, "/webhooks/messaging", 1'000'000, 1, [](int i) { return forwarded_for(3, i); });
  e2e::wait_for("those that may be are forwarded", [] {
    return bed().metric("gateway_upstream_in_flight", "service=\"conversations-webhook-uploads\"") >= 32;
  });
  CHECK_EQ(post_webhook(kProxy, json_of(100'000), true, host(4, 0)).status, 200);
  CHECK_EQ(post_webhook(kProxy, json_of(100'000), true, host(3, 1'000)).status, 429);
}

TEST_CASE(
    "strangers: webhooks of a /48 that are not rightly signed are refused, from whichever of its /64s they come") {
  int refused = 0;
  for (int i = 0; i < 200 && refused == 0; ++i)
    refused += post_webhook(kProxy, json_of(10), false, host(5, i)).status == 429;
  CHECK_EQ(refused, 1);
  CHECK_EQ(post_webhook(kProxy, json_of(10), false, host(6, 0)).status, 401);
}

TEST_CASE("strangers: webhooks that are not rightly signed are refused for a while, by their address") {
  const auto come_to_a_refusal = [] {
    for (int i = 0; i < 200; ++i) {
      const auto status = post_webhook(5, json_of(10), false).status;
      if (status == 429) return true;
      CHECK_EQ(status, 401);
    }
    return false;
  };
  bool signed_one_too = false;  // unless the minute has just ended
  for (int tries = 0; tries < 3 && !signed_one_too; ++tries) {
    REQUIRE(come_to_a_refusal());
    signed_one_too = post_webhook(5, json_of(10)).status == 429;
  }
  CHECK(signed_one_too);
  for (int i = 0; i < 40; ++i) CHECK_EQ(post_webhook(6, json_of(10)).status, 200);
  // Whose signed ones came before: an address that sends for many, as the channel does.
  for (int i = 0; i < 100; ++i) CHECK_EQ(post_webhook(6, json_of(10), false).status, 401);
  CHECK_EQ(post_webhook(6, json_of(10)).status, 200);
}

TEST_CASE("strangers: what only asks at a webhook's URL, or for the document, is held to its address's rate") {
  for (const std::string target : {"/webhooks/messaging/01949c30-1111-7222-8333-c1f59cd3847c?hub.mode=subscribe&"
                                   "hub.verify_token=x&hub.challenge=y",
                                   "/docs"}) {
    INFO(target);
    Wire wire(bed().system.gateway().port(), 7);
    int limited = 0;
    for (int i = 0; i < 3'000 && limited == 0; ++i) {
      wire.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
      limited += wire.read().value().status == 429;
    }
    CHECK_EQ(limited, 1);
    Wire another(bed().system.gateway().port(), 8);
    another.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
    CHECK_NE(another.read().value().status, 429);
  }
}

namespace {

// Responses of the gateway that count as failures in deploy/prometheus/rules/goals.yml, so far.
double failures() {
  Wire wire(bed().system.gateway().admin_port());
  wire.send(support::request_text("GET", "/metrics", {{"Connection", "close"}}));
  const auto text = wire.read().value().body;
  double sum = 0;
  static const std::regex failed(
      "\\nhttp_requests_total\\{method=\"[A-Za-z]+\",route=\"([^\"]+)\",status=\"5..\"\\} (\\S+)");
  for (std::sregex_iterator each(text.begin(), text.end(), failed); each != std::sregex_iterator(); ++each)
    if ((*each)[1] != "unmatched") sum += std::stod((*each)[2]);
  return sum;
}

std::size_t error_lines() {
  const auto log = bed().system.gateway().log();
  std::size_t count = 0;
  for (auto at = log.find("\"level\":\"error\""); at != log.npos; at = log.find("\"level\":\"error\"", at + 1)) ++count;
  return count;
}

// What is sent, and whether the sender then closes its side. Each ends with an answer or the connection.
const std::vector<std::pair<std::string, bool>>& odd_requests() {
  const std::string host = " HTTP/1.1\r\nHost: a\r\n", login = "POST /api/auth/login" + host;
  const std::string te = "Transfer-Encoding: ", json = "Content-Type: application/json\r\n";
  static const std::vector<std::pair<std::string, bool>> all{
      {"FOO /api/contacts" + host + "\r\n", false},
      {"TRACE /api/contacts" + host + "\r\n", false},
      {"PROPFIND /l/AAECAwQFBjfRAYv1" + host + "\r\n", false},
      {"FOO /webhooks/messaging" + host + "\r\n", false},
      {"FOO /nothing" + host + "\r\n", false},
      {"OPTIONS *" + host + "\r\n", false},
      {"OPTIONS /api/contacts" + host + "Origin: https://a.example\r\nAccess-Control-Request-Method: GET\r\n\r\n",
       false},
      {"CONNECT a:443" + host + "\r\n", false},
      {"GET http://other.example/api/contacts" + host + "\r\n", false},
      {"GET /api/contacts HTTP/1.0\r\n\r\n", false},
      {"GET /api/contacts HTTP/1.1\r\n\r\n", false},
      {"GET /api/contacts" + host + "Host: b\r\n\r\n", false},
      {"GET /api/contacts HTTP/1.1\r\nHost: a b@[c\r\n\r\n", false},
      {"GET /api/contacts HTTP/3.0\r\nHost: a\r\n\r\n", false},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", false},
      {"GET /api/contacts" + host +
           "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
       false},
      {"GET /api/events" + host + "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n", false},
      {login + "Expect: miracles\r\nContent-Length: 5\r\n\r\n", false},
      {login + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n", true},
      {login + te + "gzip\r\n\r\n", false},
      {login + te + "gzip, chunked\r\n\r\n0\r\n\r\n", false},
      {login + json + te + "chunked\r\n\r\n5\r\nhelloX", false},
      {login + json + "Content-Length: 100\r\n\r\n{", true},
      {login + json + "Content-Length: 2\r\n\r\n\xff\xfe", false},
      {login + json + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}", false},
      {login + json + "Idempotency-Key: \xff\xfe\r\nContent-Length: 2\r\n\r\n{}", false},
      {login + json + "User-Agent: \xff\xfe\r\nX-Forwarded-For: \xff\r\nContent-Length: 58\r\n\r\n" +
           R"({"email":"nobody@example.com","password":"no password\u0000"})",
       false},
      {"POST /webhooks/messaging" + host + json + "X-Hub-Signature-256: \xff\r\nContent-Length: 2\r\n\r\n{}", false},
      {"POST /webhooks/messaging" + host + "Content-Length: 100000\r\n\r\n{", true},
      {"POST /webhooks/messaging" + host + te + "chunked\r\n\r\n1\r\n{\r\nX\r\n", false},
      {"POST /webhooks/messaging/%00%ff" + host + "Content-Length: 2\r\n\r\n{}", false},
      {"GET /webhooks/messaging?hub.mode=subscribe&hub.verify_token=%ff%00&hub.challenge=%00" + host + "\r\n", false},
      {"GET /l/%00%ff%2f" + host + "\r\n", false},
      {"HEAD /l/" + std::string(7'000, 'x') + host + "\r\n", false},
      {"GET /api/contacts" + host + "Authorization: Bearer \xff\xfe\r\nX-Organization-Id: \xff\r\n\r\n", false},
      {"GET /api/contacts?" + std::string(9'000, 'x') + host + "\r\n", false},
      {"GET /api/contacts" + host + "X: " + std::string(17'000, 'x') + "\r\n\r\n", false},
      {"GET /api/contacts" + host + "traceparent: \xff\r\ntracestate: \xff\r\nX-Request-Id: \xff\r\n\r\n", false},
      {"\x16\x03\x01\x02\r\n\r\n", false},
      {"GET /\xff" + host + "\r\n", false},
  };
  return all;
}

}  // namespace

TEST_CASE("strangers: nothing that they send counts as our failure, or is logged as an error") {
  const auto failed = failures();
  const auto logged = error_lines();
  std::size_t answered = 0;
  for (const auto& [octets, shuts] : odd_requests()) {
    INFO(octets.substr(0, 200));
    Wire wire(bed().system.gateway().port(), 11);
    wire.send(octets);
    if (shuts) wire.finish_sending();
    if (const auto answer = wire.read(octets.starts_with("HEAD"))) {
      ++answered;
      CHECK((answer->status < 500 || answer->status == 501));
    }
  }
  CHECK_GE(answered, odd_requests().size() - 3);
  CHECK_EQ(ask(11, "GET", "/api/contacts").status, 401);  // all before it has been counted
  CHECK_EQ(failures(), failed);
  CHECK_EQ(error_lines(), logged);
}

TEST_CASE("strangers: who signs in and who follows a link have places of their own") {
  ask(9, "POST", "/api/auth/login", R"({"email":"nobody@example.com","password":"no password"})");
  ask(9, "GET", "/l/AAECAwQFBjfRAYv1");
  for (const std::string service : {"organizations-sign-in", "conversations-links"})
    CHECK_GE(bed().metric("gateway_upstream_requests_total", "service=\"" + service + "\""), 1);
}

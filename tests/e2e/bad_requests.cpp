// Octets that no good client sends, to the real gateway: each is refused as documented, nothing is done, and nobody
// else is served worse for it. The numbers are those of the list of bad inputs that the product promises to withstand.
#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <thread>

#include "tests/e2e/world.hpp"
#include "tests/support/signing.hpp"

using namespace parley;
using namespace parley::e2e;

namespace {

struct Bad {
  std::string name, octets;
  std::vector<unsigned> statuses;
  bool closes = true;
};

std::string credential() { return "Authorization: Bearer " + world().a.owner.api_key + "\r\n"; }

// A request to make a list, up to and without the fields that frame its body.
std::string post_head(const std::string& version = "HTTP/1.1") {
  return "POST /api/lists " + version + "\r\nHost: parley.test\r\nContent-Type: application/json\r\n" + credential();
}
std::string get_head(const std::string& target = "/api/contacts?per_page=1") {
  return "GET " + target + " HTTP/1.1\r\nHost: parley.test\r\n" + credential();
}

const std::string kBody = R"({"name":"must not be"})";
const std::string kSmuggled = "POST /api/lists HTTP/1.1\r\nHost: parley.test\r\nContent-Length: 0\r\n\r\n";

std::string sized(const std::string& body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string chunked(const std::string& body) {
  char size[20];
  std::snprintf(size, sizeof size, "%zx", body.size());
  return size + std::string("\r\n") + body + "\r\n0\r\n\r\n";
}

std::vector<Bad> bad_framing() {
  const std::string te = "Transfer-Encoding: ", cl = "Content-Length: ";
  const auto chunks = chunked(kBody);
  std::vector<Bad> out{
      {"1 length and chunked", post_head() + cl + "5\r\n" + te + "chunked\r\n\r\n" + chunks + kSmuggled, {400}},
      {"1 chunked and length", post_head() + te + "chunked\r\n" + cl + "5\r\n\r\n" + chunks + kSmuggled, {400}},
      {"2 gzip then length", post_head() + te + "gzip\r\n" + cl + "22\r\n\r\n" + kBody + kSmuggled, {400, 501}},
      {"2 gzip alone", post_head() + te + "gzip\r\n\r\n" + kSmuggled, {400, 501}},
      {"2 gzip, chunked", post_head() + te + "gzip, chunked\r\n\r\n" + chunks, {400, 501}},
      {"2 identity", post_head() + te + "identity\r\n\r\n" + kSmuggled, {400, 501}},
      {"3 xchunked", post_head() + te + "xchunked\r\n\r\n" + chunks, {501}},
      {"4 chunked, chunked", post_head() + te + "chunked, chunked\r\n\r\n" + chunks, {400}},
      {"5 two codings", post_head() + te + "chunked\r\n" + te + "chunked\r\n\r\n" + chunks, {400}},
      {"5 chunked;q=1", post_head() + te + "chunked;q=1\r\n\r\n" + chunks, {400, 501}},
      {"6 chunked in 1.0", post_head("HTTP/1.0") + te + "chunked\r\n\r\n" + chunks, {400}},
      {"7 two lengths", post_head() + cl + "22\r\n" + cl + "5\r\n\r\n" + kBody, {400}},
      {"7 two equal lengths", post_head() + cl + "22\r\n" + cl + "22\r\n\r\n" + kBody, {400}},
      {"7 list of lengths", post_head() + cl + "22, 22\r\n\r\n" + kBody, {400}},
      {"10 space before the colon", post_head() + "Content-Length : 22\r\n\r\n" + kBody, {400}},
      {"11 folded field", post_head() + "X-Folded: a\r\n b\r\n" + sized(kBody), {400}},
      {"11 folded length", post_head() + "Content-Length:\r\n 22\r\n\r\n" + kBody, {400}},
      {"12 bare LF", "GET /api/contacts HTTP/1.1\nHost: parley.test\n\n", {400}},
      {"12 one bare LF", get_head() + "X-A: b\nX-C: d\r\n\r\n", {400}},
      {"13 NUL in a value", get_head() + std::string("X-A: b\0c\r\n\r\n", 12), {400}},
      {"13 CR in a value", get_head() + "X-A: b\rc\r\n\r\n", {400}},
      {"13 NUL in a name", get_head() + std::string("X-\0A: b\r\n\r\n", 11), {400}},
      {"13 NUL in the target", "GET /api/con" + std::string(1, '\0') + "tacts HTTP/1.1\r\nHost: a\r\n\r\n", {400}},
      {"14 huge chunk size", post_head() + te + "chunked\r\n\r\nffffffffffffffff1\r\n" + kBody, {400}},
      {"14 negative chunk size", post_head() + te + "chunked\r\n\r\n-1\r\n" + kBody, {400}},
      {"14 no chunk size", post_head() + te + "chunked\r\n\r\n\r\n" + kBody, {400}},
      {"14 chunk size 0x5", post_head() + te + "chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n", {400}},
      {"15 extension of 100 KB",
       post_head() + te + "chunked\r\n\r\n5;a=" + std::string(100'000, 'x') + "\r\nhello\r\n0\r\n\r\n",
       {400}},
      {"16 chunk without CRLF", post_head() + te + "chunked\r\n\r\n5\r\nhelloXX0\r\n\r\n", {400}},
      {"16 trailers of 100 KB",
       post_head() + te + "chunked\r\n\r\n0\r\nX-T: " + std::string(100'000, 'x') + "\r\n\r\n",
       {400}},
      {"17 no Host", "GET /api/contacts HTTP/1.1\r\n" + credential() + "\r\n", {400}},
      {"17 two Hosts", get_head() + "Host: other\r\n\r\n", {400}},
      {"19 field of 17 KiB", get_head() + "X-A: " + std::string(17 * 1024, 'a') + "\r\n\r\n", {431}},
      {"19 name of 17 KiB", get_head() + std::string(17 * 1024, 'a') + ": b\r\n\r\n", {431}},
      {"20 target of 9 KiB", get_head("/api/contacts?search=" + std::string(9 * 1024, 'a')) + "\r\n", {414}},
      {"20 target of 20 KiB", get_head("/api/contacts?search=" + std::string(20 * 1024, 'a')) + "\r\n", {414, 431}},
      {"no version", "GET /api/contacts\r\nHost: a\r\n\r\n", {400}},
      {"HTTP/0.9", "GET /api/contacts HTTP/0.9\r\nHost: a\r\n\r\n", {400, 505}},
      {"HTTP/1.2", "GET /api/contacts HTTP/1.2\r\nHost: a\r\n\r\n", {400, 505}},
      {"HTTP/2.0", "GET /api/contacts HTTP/2.0\r\nHost: a\r\n\r\n", {400, 505}},
      {"HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {400, 505}},
      {"TLS",
       std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + std::string(200, '\x55') + "\r\n\r\n",
       {400}},
      {"spaces in the target", "GET /api/contacts /x HTTP/1.1\r\nHost: a\r\n\r\n", {400}},
      {"no colon", get_head() + "nonsense\r\n\r\n", {400}},
      {"empty name", get_head() + ": value\r\n\r\n", {400}},
      {"line of spaces first", " GET /api/contacts HTTP/1.1\r\nHost: a\r\n\r\n", {400}},
  };
  for (const char* length :
       {"+22", "0x16", "2 2", "-1", "1e1", "22.0", "", " ", "22a", "٢٢", "22,", "022222222222222222222"})
    out.push_back({std::string("8 length ") + length, post_head() + cl + length + "\r\n\r\n" + kBody, {400}});
  for (const char* length :
       {"9223372036854775808", "18446744073709551616", "99999999999999999999999", "9223372036854775807", "10000000000"})
    out.push_back({std::string("9 length ") + length, post_head() + cl + length + "\r\n\r\n" + kBody, {400, 413}});
  std::string many = get_head();
  for (int i = 0; i < 70; ++i) many += "X-" + std::to_string(i) + ": a\r\n";
  out.push_back({"19 72 fields", many + "\r\n", {431}});
  return out;
}

// A documented path that knows the one method and not the other.
std::string path_with(const std::string& known, const std::string& unknown) {
  const auto& contract = contract_of(world().system);
  for (const auto& operation : contract.operations())
    if (operation.method == known && operation.path.find('{') == std::string::npos &&
        !contract.find(unknown, operation.path))
      return operation.path;
  throw std::logic_error("every path knows " + unknown);
}

// Requests that are sound HTTP but not to be done.
std::vector<Bad> bad_requests() {
  const std::string post = post_head();
  std::vector<Bad> out{
      {"18 another host",
       "GET http://other.example/api/contacts HTTP/1.1\r\nHost: parley.test\r\n" + credential() + "\r\n",
       {400, 421},
       false},
      {"18 our own inside",
       "GET http://127.0.0.1/internal/events HTTP/1.1\r\nHost: parley.test\r\n" + credential() + "\r\n",
       {400, 404, 421},
       false},
      {"18 authority form", "CONNECT parley.test:443 HTTP/1.1\r\nHost: parley.test\r\n\r\n", {400}, false},
      {"18 asterisk", "OPTIONS * HTTP/1.1\r\nHost: parley.test\r\n\r\n", {400}, false},
      {"21 FOO", "FOO /api/contacts HTTP/1.1\r\nHost: a\r\n\r\n", {405}, false},
      {"21 TRACE", "TRACE /api/contacts HTTP/1.1\r\nHost: a\r\n\r\n", {405}, false},
      {"21 get", "get /api/contacts HTTP/1.1\r\nHost: a\r\n\r\n", {405}, false},
      {"22 POST where GET is known",
       "POST " + path_with("GET", "POST") + " HTTP/1.1\r\nHost: a\r\n" + credential() + sized("{}"),
       {405},
       false},
      {"22 GET where POST is known",
       "GET " + path_with("POST", "GET") + " HTTP/1.1\r\nHost: a\r\n" + credential() + "\r\n",
       {405},
       false},
      {"26 another expectation", post + "Expect: 200-ok\r\n" + sized(kBody), {417}, false},
  };
  for (const char* type :
       {"text/plain", "application/json; charset=utf-16", "application/jsonp", "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x", "", "json", "application/json; charset=latin1"})
    out.push_back({std::string("23 24 ") + type,
                   "POST /api/lists HTTP/1.1\r\nHost: a\r\nContent-Type: " + std::string(type) + "\r\n" + credential() +
                       sized(kBody),
                   {415},
                   false});
  out.push_back({"23 none", "POST /api/lists HTTP/1.1\r\nHost: a\r\n" + credential() + sized(kBody), {415}, false});
  for (const char* coding : {"gzip", "br", "deflate, gzip", "x-unknown"})
    out.push_back(
        {std::string("25 ") + coding,
         post + "Content-Encoding: " + coding + "\r\n" + sized(std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00", 8)),
         {415},
         false});
  return out;
}

void mangle(std::string& octets, std::mt19937& random) {
  using namespace std::string_literals;
  static const auto spice = "\0\r\n\t :;,=%&?/\\\"'{}[]<>0\x7f\x80\xff\xc3"s;
  if (octets.empty()) octets = "x";
  const auto at = random() % octets.size();
  switch (random() % 5) {
    case 0:
      octets[at] = spice[random() % spice.size()];
      break;
    case 1:
      octets[at] = static_cast<char>(random());
      break;
    case 2:
      octets.erase(at, 1 + random() % 20);
      break;
    case 3:
      octets.insert(at, octets.substr(random() % octets.size(), random() % 40));
      break;
    default:
      octets.insert(at, 1, spice[random() % spice.size()]);
  }
}

void check_alive() {
  Wire wire(world().system.gateway().port());
  wire.send(get_head() + "\r\n");
  const auto answer = wire.read();
  REQUIRE(answer);
  CHECK_EQ(answer->status, 200);
}

}  // namespace

TEST_CASE(
    "bad requests: each is refused with a problem, its connection closed where its end is not known, nothing done") {
  auto& [system, a, b] = world();
  const auto before = system.row_counts();
  auto all = bad_framing();
  for (auto& bad : bad_requests()) all.push_back(std::move(bad));
  for (const auto& bad : all) {
    INFO(bad.name);
    Wire wire(system.gateway().port());
    wire.send(bad.octets);
    std::optional<Answer> answer;
    try {
      answer = wire.read();
    } catch (const std::runtime_error& error) {
      FAIL_CHECK(error.what());
    }
    CHECK(answer.has_value());
    if (!answer) continue;
    INFO(answer->status << " " << answer->body);
    CHECK(std::find(bad.statuses.begin(), bad.statuses.end(), answer->status) != bad.statuses.end());
    CHECK_EQ(answer->header("Content-Type"), "application/problem+json");
    CHECK_NE(answer->header("X-Request-Id"), "");
    if (answer->status == 405) CHECK_NE(answer->header("Allow"), "");
    if (bad.closes) {
      CHECK_EQ(answer->header("Connection"), "close");
      CHECK(wire.closes());  // and what followed was not answered
    } else if (answer->header("Connection") != "close") {
      wire.send(get_head() + "\r\n");
      const auto next = wire.read();
      CHECK((next && next->status == 200));
    }
  }
  CHECK_EQ(system.row_counts(), before);
  check_alive();
}

TEST_CASE("bad requests: 26 a body is asked for with 100 only when the request is sound, and is then taken") {
  auto& [system, a, b] = world();
  Wire wire(system.gateway().port());
  const auto body = R"({"name":"expected"})";
  wire.send(post_head() + "Expect: 100-continue\r\nContent-Length: " + std::to_string(std::strlen(body)) + "\r\n\r\n");
  const auto go_on = wire.read_any();
  REQUIRE(go_on);
  CHECK_EQ(go_on->status, 100);
  wire.send(body);
  const auto answer = wire.read();
  REQUIRE(answer);
  CHECK_EQ(answer->status, 201);

  Wire refused(system.gateway().port());
  refused.send(
      "POST /api/lists HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: "
      "100-continue\r\nContent-Length: 10\r\n\r\n");
  const auto no = refused.read_any();
  REQUIRE(no);
  CHECK_EQ(no->status, 401);
}

TEST_CASE("bad requests: 27 fifty requests in one write are answered in their order, each with its own answer") {
  auto& [system, a, b] = world();
  std::string octets;
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < 50; ++i) {
    const bool foreign = i % 5 == 4;
    const auto& id = foreign ? b.contacts[i % b.contacts.size()] : a.contacts[i % a.contacts.size()];
    octets += "GET /api/contacts/" + id + " HTTP/1.1\r\nHost: a\r\nX-Request-Id: n" + std::to_string(i) + "\r\n" +
              credential() + "\r\n";
    expected.push_back(foreign ? "" : id);
  }
  Wire wire(system.gateway().port());
  wire.send(octets);
  for (std::size_t i = 0; i < 50; ++i) {
    const auto answer = wire.read();
    REQUIRE(answer);
    CHECK_EQ(answer->header("X-Request-Id"), "n" + std::to_string(i));
    CHECK_EQ(answer->status, expected[i].empty() ? 404 : 200);
    if (!expected[i].empty())
      CHECK_EQ(std::string(answer->json().at("contact").at("uniqueId").as_string().c_str()), expected[i]);
  }
}

TEST_CASE("bad requests: 29 what a client says about who it is changes nothing") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  const auto plain = client.get("/api/contacts?per_page=5");
  for (const auto& [name, value] : Headers{{"X-Org-Id", b.id},
                                           {"X_Org_Id", b.id},
                                           {"X-Organization_Id", b.id},
                                           {"Parley-Identity", "e30.AAAA"},
                                           {"Parley_Identity", "e30.AAAA"},
                                           {"X-Internal-Service", "contacts"},
                                           {"X-User-Id", b.owner.member_id},
                                           {"X-Forwarded-For", "10.0.0.1"},
                                           {"X-Real-IP", "10.0.0.1"},
                                           {"Forwarded", "for=10.0.0.1"},
                                           {"Parley-Client-Address", "10.0.0.1"},
                                           {"Connection", "Authorization, Parley-Identity"},
                                           {"X-HTTP-Method-Override", "DELETE"},
                                           {"X-Original-URL", "/internal/events"},
                                           {"traceparent", "nonsense"},
                                           {"X-Request-Id", std::string(300, 'x')},
                                           {"X-Request-Id", "<script>"},
                                           {"Range", "bytes=0-1"},
                                           {"If-None-Match", "nonsense"}}) {
    INFO(name << ": " << value);
    const auto answer = client.get("/api/contacts?per_page=5", {{name, value}});
    CHECK_EQ(answer.status, 200);
    CHECK_EQ(answer.body, plain.body);
  }
  // As the contract says of what is ignored.
  const auto faults =
      contract_of(system).check_request_documented("GET", "/api/contacts", {{"traceparent", "nonsense"}}, "", "");
  CHECK_EQ(faults, support::Faults{});
  CHECK_EQ(client.get("/api/contacts", {{"X-Organization-Id", a.id}, {"X-Organization-Id", b.id}}).status, 400);
}

TEST_CASE(
    "bad requests: a client that stops in the middle of its body is told so, or left; never a 5xx, never a list") {
  auto& [system, a, b] = world();
  const auto before = system.row_counts();
  for (const std::string framing :
       {"Content-Length: 1000\r\n\r\n{\"name\":\"half", "Transfer-Encoding: chunked\r\n\r\n1000\r\n{\"name\":\"half",
        "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"nam\r\n", "Content-Length: 20\r\n\r\n"}) {
    Wire wire(system.gateway().port());
    wire.send(post_head() + framing);
    wire.finish_sending();
    const auto answer = wire.read();
    INFO(framing << (answer ? std::to_string(answer->status) + answer->body : " closed"));
    CHECK((!answer || answer->status == 400 || answer->status == 408));
  }
  CHECK_EQ(system.row_counts(), before);
}

TEST_CASE("bad requests: a client that goes silent in the middle of its body is the one that is late, not the system") {
  auto& [system, a, b] = world();
  const auto before = system.row_counts();
  std::vector<Wire> wires;  // all wait at once
  const std::vector<std::string> beginnings{"Content-Length: 1000\r\n\r\n{\"name\":\"half",
                                            "Content-Length: 1000\r\n\r\n",
                                            "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"nam\r\n"};
  for (const auto& beginning : beginnings) {
    wires.emplace_back(system.gateway().port());
    wires.back().send(post_head() + beginning);
  }
  for (auto& wire : wires) {
    const auto answer = wire.read();
    INFO((answer ? std::to_string(answer->status) + answer->body : " closed"));
    CHECK((!answer || answer->status == 408 || answer->status == 400));
  }
  CHECK_EQ(system.row_counts(), before);
  check_alive();
}

TEST_CASE("bad requests: bodies that trickle in, more than a service is sent at once, keep nobody else from it") {
  auto& [system, a, b] = world();
  const std::string anybody = "POST /webhooks/messaging HTTP/1.1\r\nHost: a\r\n";
  const auto metric = [&](std::string_view name, std::string_view labels = {}) {
    return system.gateway().metric(name, labels);
  };
  for (const auto& beginning :
       {post_head() + "Content-Length: 1000\r\n\r\n{", anybody + "Content-Length: 1000\r\n\r\n{",
        anybody + "Content-Length: 1000000\r\n\r\n{"}) {
    INFO(beginning);
    std::vector<Wire> slow;
    for (int i = 0; i < 300; ++i) {
      slow.emplace_back(system.gateway().port());
      slow.back().send(beginning);
    }
    // Those that are forwarded piece by piece have a bound of their own, by address: more of them are refused.
    const auto taken = [&] {
      return metric("http_requests_in_flight") + metric("load_shed_total", "reason=\"deadline\"") >= 300 ||
             metric("gateway_upstream_in_flight", "service=\"conversations-webhook-uploads\"") == 32;
    };
    for (int i = 0; i < 300 && !taken(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(taken());
    Client client(system, a.owner.api_key);
    CHECK_EQ(client.get("/api/lists").status, 200);
    CHECK_EQ(client.get("/api/conversation/" + a.conversations[1]).status, 200);
    const std::string body = R"({"entry":[]})";
    Wire channel(system.gateway().port());
    channel.send(support::request_text("POST", "/webhooks/messaging",
                                       {{"X-Hub-Signature-256", support::hub_signature(System::app_secret(), body)}},
                                       body));
    CHECK_EQ(channel.read().value().status, 200);
  }
  check_alive();
}

TEST_CASE("bad requests: thousands of mangled copies of good ones are never a 5xx and never half a write") {
  auto& [system, a, b] = world();
  const std::vector<std::string> good{
      post_head() +
          sized(R"({"name":"mangled","tags":["t1",")" + a.tags[0] + R"("],"contactIds":[")" + a.contacts[0] + R"("]})"),
      post_head() + "Transfer-Encoding: chunked\r\n\r\n" + chunked(R"({"name":"mangled","description":"ü"})"),
      get_head("/api/contacts?search=a%25b&status=Active&sort_by=name&order=desc&skip=1&per_page=3") + "\r\n",
      get_head("/api/conversation/" + a.conversations[1]) + "\r\n",
      "POST /api/rbac/roles HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" + credential() +
          sized(R"({"name":"mangled","permissions":["Get:Contact"]})"),
      get_head("/api/analytics/campaigns?from=2026-01-01T00:00:00Z&to=2026-01-31&timezone=Europe/Berlin") + "\r\n"};
  std::mt19937 random(4711);
  std::map<unsigned, int> seen;
  for (int i = 0; i < 3000; ++i) {
    const auto whole = good[random() % good.size()];
    auto octets = whole;
    auto head = std::string();
    const auto end_of_head = whole.find("\r\n\r\n");
    const bool body_only =
        i % 2 == 0 && whole.find("Content-Length: ") != whole.npos;  // framed anew: it gets further in
    if (body_only) {
      head = whole.substr(0, whole.rfind("Content-Length: ", end_of_head));
      octets = whole.substr(end_of_head + 4);
    }
    for (auto changes = 1 + random() % 3; changes > 0; --changes) mangle(octets, random);
    if (body_only) octets = head + sized(octets);
    Wire wire(system.gateway().port());
    wire.send(octets);
    wire.finish_sending();
    std::optional<Answer> answer;
    try {
      while ((answer = wire.read())) {
        ++seen[answer->status];
        if (answer->status >= 500 && answer->status != 501 && answer->status != 505)
          FAIL_CHECK(answer->status << " " << answer->body << "\nto\n" << octets);
        if (answer->status >= 400) CHECK_EQ(answer->header("Content-Type"), "application/problem+json");
      }
    } catch (const std::exception& error) {
      if (octets.find("HEAD") == octets.npos) FAIL_CHECK(error.what() << "\nto\n" << octets);
    }
  }
  std::string counts;
  for (const auto& [status, count] : seen) counts += std::to_string(status) + ": " + std::to_string(count) + " ";
  MESSAGE(counts);
  auto& sql = system.sql("contacts");
  CHECK_EQ(sql.number("SELECT count(*) FROM list l WHERE NOT EXISTS (SELECT FROM tally t WHERE t.organization_id = "
                      "l.organization_id AND t.list_id = l.id)"),
           0);
  CHECK_EQ(
      sql.number(
          "SELECT count(*) FROM tally t WHERE list_id <> '00000000-0000-0000-0000-000000000000' AND contacts <> "
          "(SELECT count(*) FROM membership m WHERE m.organization_id = t.organization_id AND m.list_id = t.list_id)"),
      0);
  CHECK_EQ(sql.number("SELECT count(*) FROM membership m WHERE organization_id = $1 AND contact_id NOT IN (SELECT id "
                      "FROM contact WHERE organization_id = $1)",
                      {a.id}),
           0);
  check_alive();
}

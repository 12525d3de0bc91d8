// What the gateway says when a service breaks off, against one that the test plays.
#include "gateway/proxy.hpp"

#include "common/http/problem.hpp"
#include "tests/integration/http_bed.hpp"
#include "tests/integration/redis_loop.hpp"
#include "tests/support/process.hpp"

using namespace parley;
using http_tests::ScriptedServer;
using Peer = ScriptedServer::Peer;

namespace {

class Bed {
 public:
  explicit Bed(const std::string& url)
      : proxy_(process_, {url, url, url, url}, cookie_), routes_(process_.boundary()) {}
  ~Bed() { static_cast<http::Loop&>(process_.context()).end(); }

  // What it says; where that is an answer of the service, its status alone.
  http::Problem ask(http::Method method, std::string_view path, std::string_view key = "") {
    http_tests::Pieces body({R"({"name":"n"})"});
    const std::vector<http::Field> fields{{"Idempotency-Key", key}};
    http::Request request;
    request.method = method;
    request.target = request.path = path;
    if (!key.empty()) request.fields = fields;
    request.has_body = method == http::Method::post;
    request.body_source = &body;
    return redis_tests::run(process_.context(), forward(request));
  }

  // What the first is told that is turned away, of more requests at once than there are places and may wait.
  unsigned first_refusal(std::string_view path, const http::RequestOwner& owner) {
    refusal_ = 0;
    for (int i = 0; i < 600; ++i) redis_tests::launch(process_.context(), running_, crowd(path, owner));
    redis_tests::turn_until(process_.context(), [&] { return refusal_ != 0; });
    return refusal_;
  }

 private:
  http::awaitable<http::Problem> forward(http::Request& request) {
    chassis::RequestContext scope;
    const auto& route = routes_.find(request, scope);
    try {
      const auto response = co_await proxy_.forward(request, route, "token", scope, {});
      co_return http::Problem({.status = response.status, .detail = {}});
    } catch (const http::Problem& problem) {
      co_return problem;
    }
  }

  http::awaitable<void> crowd(std::string_view path, http::RequestOwner owner) {
    http::Request request;
    request.method = http::Method::post;
    request.target = request.path = path;
    request.owner = std::move(owner);
    const auto told = co_await forward(request);
    if (refusal_ == 0) refusal_ = told.status;
  }

  int running_ = 0;
  unsigned refusal_ = 0;
  chassis::Process process_{support::process_settings("gateway")};
  gateway::SessionCookie cookie_;
  gateway::Proxy proxy_;
  gateway::Routes routes_;
};

using http::Method;
constexpr std::string_view kLists = "/api/lists";
constexpr std::string_view kUnknown = "whether this was done is not known";

bool contains(const http::Problem& problem, std::string_view text) {
  return problem.detail.find(text) != std::string::npos;
}

}  // namespace

TEST_SUITE("integration: gateway proxy") {
  TEST_CASE("a service that goes away with a request may have done it: a 504, and no invitation to send it again") {
    const std::vector<std::pair<std::string, std::function<void(Peer&, std::size_t)>>> ends{
        {"it reads all and closes", [](Peer& peer, std::size_t body) { peer.read(body); }},
        {"it reads all and breaks the connection", [](Peer& peer, std::size_t body) { peer.read(body), peer.reset(); }},
        {"it reads half and breaks the connection", [](Peer& peer, std::size_t) { peer.reset(); }},
        {"it begins to answer", [](Peer& peer, std::size_t body) { peer.read(body), peer.send("HTTP/1.1 201 Cr"); }},
    };
    std::atomic<std::size_t> how = 0;
    std::atomic<int> taken = 0;
    ScriptedServer service([&](Peer& peer, int) {
      const auto head = peer.head();
      if (head.empty()) return;
      ++taken;
      ends[how].second(peer, head.starts_with("POST") ? 12 : 0);
    });
    Bed bed(service.url());
    for (how = 0; how < ends.size(); ++how) {
      INFO(ends[how].first);
      taken = 0;
      const auto plain = bed.ask(Method::post, kLists);
      CHECK_EQ(plain.status, 504);
      CHECK_EQ(plain.head, "");
      CHECK(contains(plain, kUnknown));
      CHECK_FALSE(contains(plain, "gain"));
      CHECK_EQ(taken, 1);
      const auto keyed = bed.ask(Method::post, kLists, "a-key");
      CHECK_EQ(keyed.status, 504);
      CHECK(contains(keyed, kUnknown));
      CHECK(contains(keyed, "Send the same again with its Idempotency-Key"));
      CHECK_EQ(taken, 2);
      CHECK_EQ(bed.ask(Method::del, "/api/lists/01949c42-b9d5-7199-83fa-f42ccf06b7af").status, 504);
      CHECK_EQ(taken, 3);
    }
  }

  TEST_CASE("a GET that a service took with it is sent once more, and then a 503 that says to try again") {
    std::atomic<int> taken = 0;
    ScriptedServer service([&](Peer& peer, int) { taken += !peer.head().empty(); });
    Bed bed(service.url());
    const auto answer = bed.ask(Method::get, kLists);
    CHECK_EQ(answer.status, 503);
    CHECK_EQ(answer.head, "Retry-After: 1\r\n");
    CHECK_EQ(taken, 2);
    // But for the one that changes something.
    const auto regenerated = bed.ask(Method::get, "/api/auth/api-keys/regenerate");
    CHECK_EQ(regenerated.status, 504);
    CHECK(contains(regenerated, kUnknown));
    CHECK_EQ(taken, 3);
  }

  TEST_CASE("what reached nobody was not done: a 503 for all") {
    Bed bed("http://127.0.0.1:" + std::to_string(support::free_port()));
    for (const auto method : {Method::get, Method::post}) {
      const auto answer = bed.ask(method, kLists);
      CHECK_EQ(answer.status, 503);
      CHECK_EQ(answer.head, "Retry-After: 1\r\n");
      CHECK_FALSE(contains(answer, kUnknown));
    }
  }

  TEST_CASE("who crowds out others gets a 503, and without a credential, as anybody may send that, a 429") {
    ScriptedServer service([](Peer& peer, int) { peer.wait_for_end(); });
    CHECK_EQ(Bed(service.url()).first_refusal(kLists, {"an organization", false}), 503);
    CHECK_EQ(Bed(service.url()).first_refusal("/api/auth/login", {"192.0.2.1", true}), 429);
  }

  TEST_CASE("an answer that is none is a 502, which says of a change that it may have been done") {
    ScriptedServer service([&](Peer& peer, int) {
      if (!peer.head().empty()) peer.send("220 mail.example.com ESMTP\r\n\r\n");
    });
    Bed bed(service.url());
    const auto changing = bed.ask(Method::post, kLists), reading = bed.ask(Method::get, kLists);
    CHECK_EQ(changing.status, 502);
    CHECK(contains(changing, kUnknown));
    CHECK_EQ(reading.status, 502);
    CHECK_FALSE(contains(reading, kUnknown));
  }
}

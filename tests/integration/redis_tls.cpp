// A Redis that is spoken to by TLS, and only when it is the one that it should be.
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/integration/redis_loop.hpp"
#include "tests/support/certificates.hpp"
#include "tests/support/loopback.hpp"
#include "tests/support/sentinels.hpp"

using namespace parley::redis_tests;
using parley::support::Certificate;
using parley::support::PemFiles;
using parley::support::RedisServer;
using parley::support::SentinelServer;
namespace redis = parley::redis;
using Kind = redis::Reply::Kind;

namespace {

const std::string kHere = "DNS:localhost,IP:127.0.0.1";

// A redis-server with a port for TLS beside the plain one by which the test itself looks at it.
struct TlsServer {
  explicit TlsServer(const Certificate& identity, std::vector<std::string> more = {}) : files(identity) {
    std::vector<std::string> arguments{"--tls-port", std::to_string(port), "--tls-auth-clients", "no"};
    for (const auto& [option, path] : {std::pair{"--tls-cert-file", files.certificate()},
                                       {"--tls-key-file", files.key()},
                                       {"--tls-ca-cert-file", files.certificate()}})
      arguments.insert(arguments.end(), {option, path});
    arguments.insert(arguments.end(), more.begin(), more.end());
    server = std::make_unique<RedisServer>(arguments);
  }
  std::string url(const std::string& host, const std::string& credentials = "") const {
    return "rediss://" + credentials + host + ":" + std::to_string(port) + "/0";
  }

  PemFiles files;
  int port = parley::support::free_port();
  std::unique_ptr<RedisServer> server;
};

// Never up, and why. A client says so of each of its attempts, some of which may end otherwise on a busy machine.
void check_refused(const std::string& url, const std::string& ca_file, const std::string& why) {
  CAPTURE(url);
  Loop loop(redis::Settings{.url = url, .ca_file = ca_file});
  std::string fault;
  CAPTURE(fault);
  turn_until(loop.context, [&] {
    fault = loop.client.stats().last_fault;
    return !fault.empty() && fault.find(why) != std::string::npos;
  });
  CHECK(loop.command({"PING"}).kind == Kind::unavailable);
  CHECK(loop.client.stats().connects == 0);
}

}  // namespace

TEST_CASE("redis tls: everything goes as without, by name and by address") {
  const Certificate authority("Authority", nullptr, ""), leaf("redis", &authority, kHere);
  const PemFiles ca(authority);
  TlsServer server(leaf);
  server.server->command("CONFIG SET requirepass wordpass");
  for (const std::string host : {"localhost", "127.0.0.1"}) {
    Loop loop(redis::Settings{.url = server.url(host, ":wordpass@"), .ca_file = ca.certificate()});
    loop.wait_up();
    // More than one record, more than a socket's buffer, and many commands of one turn.
    const std::string big(5'000'000, 'b');
    CHECK(loop.command({"SET", "big", big}).ok());
    CHECK(loop.command({"GET", "big"}).text == big);
    std::vector<redis::Pending> pending;
    for (int i = 0; i < 5'000; ++i) pending.push_back(loop.client.start({"ECHO", std::to_string(i)}, 10s));
    for (int i = 0; i < 5'000; ++i) CHECK(run(loop.context, pending[i].get()).text == std::to_string(i));
    CHECK(loop.client.stats().connects == 1);
  }
}

TEST_CASE("redis tls: killed and back again, with commands in flight") {
  const Certificate authority("Authority", nullptr, ""), leaf("redis", &authority, kHere);
  const PemFiles ca(authority);
  TlsServer server(leaf);
  Loop loop(redis::Settings{.url = server.url("localhost"), .ca_file = ca.certificate()});
  loop.wait_up();
  server.server->pause();
  auto lost = loop.client.start({"PING"}, 10s);
  server.server->kill();
  CHECK(run(loop.context, lost.get()).kind == Kind::unavailable);
  server.server->start();
  loop.wait_up();
  CHECK(loop.command({"ECHO", "again"}).text == "again");
}

TEST_CASE("redis tls: a server that is not the one is refused, which says why") {
  const Certificate authority("Authority", nullptr, ""), other("Authority", nullptr, "");
  const PemFiles ca(authority), others(other);
  const std::string refused = "TLS: the server's certificate is refused: ";
  SUBCASE("another authority's, and one that the system does not know") {
    const Certificate leaf("redis", &authority, kHere);
    TlsServer server(leaf);
    check_refused(server.url("localhost"), others.certificate(), refused);
    check_refused(server.url("localhost"), "", refused + "unable to get local issuer certificate");
  }
  SUBCASE("of another name or address") {
    const Certificate leaf("localhost", &authority, "DNS:redis.example.com,IP:127.0.0.2");
    TlsServer server(leaf);
    check_refused(server.url("localhost"), ca.certificate(), refused + "hostname mismatch");
    check_refused(server.url("127.0.0.1"), ca.certificate(), refused + "IP address mismatch");
  }
  SUBCASE("expired") {
    const Certificate leaf("redis", &authority, kHere, -1);
    TlsServer server(leaf);
    check_refused(server.url("localhost"), ca.certificate(), refused + "certificate has expired");
  }
  SUBCASE("with a TLS that is too old") {
    const Certificate leaf("redis", &authority, kHere);
    TlsServer server(leaf, {"--tls-protocols", "TLSv1.1", "--tls-ciphers", "DEFAULT:@SECLEVEL=0"});
    check_refused(server.url("localhost"), ca.certificate(), "TLS: ");
  }
  SUBCASE("without TLS") {
    RedisServer plain;
    check_refused("rediss://localhost:" + std::to_string(plain.port()), ca.certificate(), "");
  }
  SUBCASE("with TLS, which is not asked for") {
    const Certificate leaf("redis", &authority, kHere);
    TlsServer server(leaf);
    check_refused("redis://localhost:" + std::to_string(server.port), "", "");
  }
}

TEST_CASE("redis tls: no password leaves before the server is known") {
  const Certificate authority("Authority", nullptr, ""), other("Authority", nullptr, "");
  const PemFiles ca(authority);
  const Certificate leaf("redis", &other, kHere);
  TlsServer server(leaf);
  check_refused(server.url("localhost", ":wordpass@"), ca.certificate(), "TLS: ");
  CHECK(server.server->command("INFO commandstats").find("cmdstat_auth") == std::string::npos);
}

TEST_CASE("redis tls: who accepts and never shakes hands is left at the deadline") {
  asio::io_context context{1};
  const auto listener = parley::support::listen();
  redis::Settings settings{.url = "rediss://127.0.0.1:" + std::to_string(listener.port)};
  settings.connect_deadline = 200ms;
  settings.min_backoff = 5ms;
  redis::Client client(context.get_executor(), settings);
  client.open();
  turn_until(context, [&] { return client.stats().last_fault == "no connection within the deadline"; });
  client.close();
  turn_until(context, [&] { return client.stats().outstanding == 0; });
  ::close(listener.socket);
}

TEST_CASE("redis tls: sentinels and the master that they tell of") {
  const Certificate authority("Authority", nullptr, ""), leaf("redis", &authority, kHere);
  const Certificate other("Authority", nullptr, "");
  const PemFiles ca(authority), others(other), files(leaf);
  TlsServer server(leaf);
  const int port = parley::support::free_port();
  // It speaks TLS with the master too.
  SentinelServer sentinel(
      server.port, 1,
      {"tls-port " + std::to_string(port), "tls-auth-clients no", "tls-replication yes",
       "tls-cert-file " + files.certificate(), "tls-key-file " + files.key(), "tls-ca-cert-file " + ca.certificate()});
  const auto url = "rediss+sentinel://localhost:" + std::to_string(port) + "/main/0";
  redis::Settings settings{.url = url, .ca_file = ca.certificate()};
  settings.sentinel_deadline = 5s;  // as handshakes of a busy machine take
  Loop loop(settings);
  loop.wait_up();
  CHECK(loop.command({"SET", "k", "v"}).ok());
  CHECK(server.server->command("GET k").find("v") != std::string::npos);

  check_refused(url, others.certificate(), "no sentinel tells where the master is (localhost:" + std::to_string(port));
}

TEST_CASE("redis tls: authorities that cannot be read are told at once") {
  asio::io_context context{1};
  CHECK_THROWS_AS(redis::Client(context.get_executor(), {.url = "rediss://localhost", .ca_file = "/nowhere/ca.pem"}),
                  std::invalid_argument);
}

// TLS to an upstream: whom we trust, and whom not.
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <string>

#include "tests/integration/http_bed.hpp"
#include "tests/support/certificates.hpp"

using namespace parley;
using support::Certificate, support::PemFiles;
using namespace parley::http_tests;
using Why = http::Unreachable::Why;

namespace {

// Answers every request on a connection with "ok"; after `requests` of them it says goodbye as TLS wants it.
struct TlsServer {
  explicit TlsServer(const Certificate& identity, int requests = 1000, int newest = TLS1_3_VERSION)
      : context(SSL_CTX_new(TLS_server_method())), listener([this, requests](ScriptedServer::Peer& peer, int) {
          SSL* const tls = SSL_new(context);
          SSL_set_fd(tls, peer.descriptor());
          if (SSL_accept(tls) == 1) {
            if (const char* name = SSL_get_servername(tls, TLSEXT_NAMETYPE_host_name)) asked_name = name;
            for (int i = 0; i < requests && serve(tls); ++i) {
            }
            SSL_shutdown(tls);
          }
          SSL_free(tls);
        }) {
    SSL_CTX_use_certificate(context, identity.certificate);
    SSL_CTX_use_PrivateKey(context, identity.key);
    SSL_CTX_set_security_level(context, 0);
    SSL_CTX_set_min_proto_version(context, TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context, newest);
  }
  ~TlsServer() { SSL_CTX_free(context); }

  bool serve(SSL* tls) {
    std::string head;
    char octet;
    while (!head.ends_with("\r\n\r\n")) {
      if (SSL_read(tls, &octet, 1) != 1) return false;
      head += octet;
    }
    const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    return SSL_write(tls, answer.data(), static_cast<int>(answer.size())) > 0;
  }
  std::string url(const std::string& host) const { return "https://" + host + ":" + std::to_string(listener.port()); }

  SSL_CTX* context;
  std::string asked_name;
  ScriptedServer listener;
};

http::UpstreamSettings settings(std::string url, const std::string& ca) {
  http::UpstreamSettings out;
  out.url = std::move(url);
  out.tls_ca_file = ca;
  return out;
}

// What comes of a request that must not be sent.
void check_untrusted(const http::UpstreamSettings& given) {
  ClientBed bed(given);
  const auto error = bed.fails({.target = "/secret"});
  REQUIRE(error);
  CHECK(error->why == Why::reset);
  CHECK(error->sent_nothing);
  CHECK(std::string(error->what()).find("TLS") == 0);
  CHECK(bed.stats().in_flight == 0);
}

const std::string kLocal = "DNS:localhost,IP:127.0.0.1";

}  // namespace

TEST_CASE("tls: a server that our authority vouches for") {
  const Certificate authority("Authority", nullptr, ""), leaf("x", &authority, kLocal);
  const PemFiles ca(authority);
  SUBCASE("by name") {
    TlsServer server(leaf);
    ClientBed bed(settings(server.url("localhost"), ca.certificate()));
    for (int i = 0; i < 5; ++i) CHECK(bed.get("/").body == "ok");
    CHECK(server.listener.connections() == 1);
    CHECK(server.asked_name == "localhost");
    CHECK(bed.stats().retries == 0);
  }
  SUBCASE("by address") {
    TlsServer server(leaf);
    ClientBed bed(settings(server.url("127.0.0.1"), ca.certificate()));
    CHECK(bed.get("/").body == "ok");
    CHECK(server.asked_name == "");
  }
  SUBCASE("speaking TLS 1.2") {
    TlsServer server(leaf, 1000, TLS1_2_VERSION);
    ClientBed bed(settings(server.url("localhost"), ca.certificate()));
    CHECK(bed.get("/").body == "ok");
    CHECK(bed.get("/").body == "ok");
    CHECK(server.listener.connections() == 1);
  }
  SUBCASE("that says goodbye while the connection is idle") {
    TlsServer server(leaf, 1);
    ClientBed bed(settings(server.url("localhost"), ca.certificate()));
    for (int i = 0; i < 4; ++i) {
      CHECK(bed.send({.method = http::Method::post, .target = "/", .replayable = false}).body == "ok");
      std::this_thread::sleep_for(200ms);
    }
    CHECK(server.listener.connections() == 4);
  }
}

TEST_CASE("tls: servers that are not to be trusted") {
  const Certificate authority("Authority", nullptr, ""), other("Authority", nullptr, "");
  const PemFiles ca(authority);
  SUBCASE("another authority's") {
    const Certificate leaf("x", &other, kLocal);
    TlsServer server(leaf);
    check_untrusted(settings(server.url("localhost"), ca.certificate()));
  }
  SUBCASE("its own authority") {
    const Certificate leaf("localhost", nullptr, kLocal);
    TlsServer server(leaf);
    check_untrusted(settings(server.url("localhost"), ca.certificate()));
  }
  SUBCASE("unknown to the system") {
    const Certificate leaf("x", &authority, kLocal);
    TlsServer server(leaf);
    check_untrusted(settings(server.url("localhost"), ""));
  }
  SUBCASE("of another name") {
    const Certificate leaf("x", &authority, "DNS:example.com,IP:127.0.0.2");
    TlsServer server(leaf);
    check_untrusted(settings(server.url("localhost"), ca.certificate()));
    check_untrusted(settings(server.url("127.0.0.1"), ca.certificate()));
  }
  SUBCASE("expired") {
    const Certificate leaf("x", &authority, kLocal, -1);
    TlsServer server(leaf);
    check_untrusted(settings(server.url("localhost"), ca.certificate()));
  }
  SUBCASE("speaking what is too old") {
    const Certificate leaf("x", &authority, kLocal);
    TlsServer server(leaf, 1000, TLS1_1_VERSION);
    check_untrusted(settings(server.url("localhost"), ca.certificate()));
  }
  SUBCASE("not speaking TLS at all") {
    ScriptedServer plain([](ScriptedServer::Peer& peer, int) { peer.send("HTTP/1.1 400 Bad Request\r\n\r\n"); });
    check_untrusted(settings("https://127.0.0.1:" + std::to_string(plain.port()), ca.certificate()));
  }
}

TEST_CASE("tls: an authority's file that is not there is told at once") {
  CHECK_THROWS(ClientBed{settings("https://localhost:1", "/nowhere/ca.pem")});
}

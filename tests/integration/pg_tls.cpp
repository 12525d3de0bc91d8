// PostgreSQL by TLS, and only the one that it should be.
#include <string>

#include "tests/integration/pg_loop.hpp"
#include "tests/support/certificates.hpp"

using namespace parley;
using namespace parley::pg_tests;
using support::Certificate;
using support::PemFiles;
using support::PostgresServer;

namespace {

// A server that takes TLS from now on.
void offer_tls(const PostgresServer& server, const PemFiles& identity) {
  server.execute("ALTER SYSTEM SET ssl_cert_file = '" + identity.certificate() + "'");
  server.execute("ALTER SYSTEM SET ssl_key_file = '" + identity.key() + "'");
  server.execute("ALTER SYSTEM SET ssl = on");
  server.execute("CREATE ROLE app LOGIN");
  server.execute("SELECT pg_reload_conf()");
}

pg::Settings settings(const PostgresServer& server, const std::string& host, const std::string& options) {
  pg::Settings out;
  out.url = "postgresql://app@" + host + ":" + std::to_string(server.port()) + "/postgres?" + options;
  return out;
}

// Never available, and why. Other addresses of a name may fail otherwise.
void check_refused(pg::Settings given, const std::string& why) {
  Loop loop(std::move(given));
  std::string fault;
  CAPTURE(fault);
  loop.until([&] {
    fault = loop.pool.stats(pg::Lane::read).last_failure;
    return fault.find(why) != std::string::npos;
  });
  CHECK_FALSE(loop.pool.available());
}

}  // namespace

TEST_CASE("pg tls: verify-full takes the server that it should be, and no other") {
  const Certificate authority("Authority", nullptr, ""), other("Another", nullptr, "");
  const Certificate leaf("localhost", &authority, "DNS:localhost");
  PostgresServer server;
  const PemFiles ca(authority), others(other), files(leaf, server.data());
  offer_tls(server, files);
  const std::string verified = "sslmode=verify-full&sslrootcert=";

  Loop loop(settings(server, "localhost", verified + ca.certificate()));
  loop.wait_until_available();
  CHECK(server.execute("SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) "
                       "WHERE usename = 'app'") == "t");

  check_refused(settings(server, "localhost", verified + others.certificate()), "certificate verify failed");
  // By an address that the certificate is not for.
  check_refused(settings(server, "127.0.0.1", verified + ca.certificate()), "does not match host name");
  check_refused(settings(server, "localhost", verified + "/nowhere/ca.pem"), "root certificate file");
}

TEST_CASE("pg tls: a server without TLS is not spoken to") {
  const Certificate authority("Authority", nullptr, "");
  const PemFiles ca(authority);
  check_refused(settings(shared_server(), "localhost", "sslmode=verify-full&sslrootcert=" + ca.certificate()),
                "server does not support SSL");
}

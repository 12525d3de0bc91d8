// Where a request for a stranger's URL may go: decided by the address that is connected to, each time.
#include "common/http/address.hpp"
#include "tests/integration/http_bed.hpp"

using namespace parley;
using namespace parley::http_tests;

namespace {

http::UpstreamSettings settings_for(const std::string& url, std::function<bool(const boost::asio::ip::address&)> may) {
  http::UpstreamSettings settings{.url = url, .tls_ca_file = {}};
  settings.may_call = std::move(may);
  return settings;
}

}  // namespace

TEST_SUITE("integration: addresses that may be called") {
  TEST_CASE("a name or an address that leads inside is not connected to") {
    TestServer server;
    const auto port = std::to_string(server.port());
    for (const std::string host : {"localhost", "127.0.0.1", "127.1", "0x7f.1", "2130706433"}) {
      INFO(host);
      ClientBed bed(settings_for("http://" + host + ":" + port, http::is_public));
      const auto failure = bed.fails({.target = "/echo"});
      REQUIRE(failure);
      CHECK(failure->why == http::Unreachable::Why::refused);
      CHECK(failure->sent_nothing);
      CHECK(std::string(failure->what()).find("127") == std::string::npos);  // nothing is told of the inside
    }
    CHECK(server.stats().accepted == 0);
  }

  TEST_CASE("a name that led elsewhere a moment ago is looked at anew for each connection") {
    TestServer server;
    bool may = true;
    std::vector<std::string> asked;
    ClientBed bed(settings_for("http://localhost:" + std::to_string(server.port()), [&](const auto& address) {
      asked.push_back(address.to_string());
      return may;
    }));
    CHECK(bed.get().status == 200);
    may = false;
    bed.client->upstream().close();  // the connection that was good is gone
    REQUIRE(bed.fails({.target = "/echo"}));
    CHECK(server.stats().accepted == 1);
    may = true;
    CHECK(bed.get().status == 200);
    for (const auto& address : asked) CHECK(address == "127.0.0.1");
  }
}

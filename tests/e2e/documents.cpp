// What the gateway shows to readers: /docs and what its pages load, the pages that mails lead to, and the contract.
#include <cstdlib>
#include <set>

#include "tests/e2e/channel_bed.hpp"
#include "tests/e2e/world.hpp"
#include "tests/support/gzip.hpp"

using namespace parley;
using namespace parley::e2e;

namespace {

Answer ask(const std::string& target, const Headers& headers = {}, const std::string& method = "GET") {
  Wire wire(world().system.gateway().port());
  wire.send(support::request_text(method, target, headers));
  return wire.read(method == "HEAD").value();
}

// Where a page leads on this host, and what it loads.
std::set<std::string> addresses_in(const std::string& page) {
  std::set<std::string> out;
  for (const std::string attribute : {"href=\"", "src=\""})
    for (auto at = page.find(attribute); at != page.npos; at = page.find(attribute, at)) {
      at += attribute.size();
      const auto address = page.substr(at, page.find_first_of("\"#", at) - at);
      if (address.starts_with('/')) out.insert(address);
    }
  return out;
}

// Everything that the start page and mails lead to, with what these pages load.
std::set<std::string> everything() {
  std::set<std::string> found{"/docs/start"};
  for (const auto* page : {"/password", "/join"})
    if (ask(page).status == 200) found.insert(page);  // else they lead into the console
  auto left = found;
  while (!left.empty()) {
    const auto answer = ask(left.extract(left.begin()).value());
    if (!answer.header("Content-Type").starts_with("text/html")) continue;
    for (const auto& address : addresses_in(answer.body))
      if (found.insert(address).second) left.insert(address);
  }
  return found;
}

}  // namespace

TEST_CASE(
    "documents: the start page leads to the reference and the contract, and nothing that it leads to is missing") {
  const auto all = everything();
  CHECK(all.contains("/openapi.json"));
  CHECK_GE(all.size(), 3);
  for (const auto& address : all) {
    INFO(address);
    const auto answer = ask(address);
    CHECK_EQ(answer.status, 200);
    CHECK_FALSE(answer.body.empty());
    CHECK_EQ(answer.header("X-Content-Type-Options"), "nosniff");
    CHECK_NE(answer.header("RateLimit"), "");
    CHECK_EQ(answer.header("Vary"), "Accept-Encoding");
  }
  CHECK_EQ(ask("/docs").header("Content-Type"), "text/html; charset=utf-8");
  CHECK_EQ(ask("/openapi.json").header("Content-Type"), "application/json");
}

TEST_CASE("documents: pages allow scripts of this host alone, no evaluation, and no frame around them") {
  for (const auto& address : everything()) {
    const auto answer = ask(address);
    if (!answer.header("Content-Type").starts_with("text/html")) continue;
    INFO(address);
    const auto policy = answer.header("Content-Security-Policy");
    for (const std::string part :
         {"default-src 'none'; ", "script-src 'self'; ", "connect-src 'self'; ", "frame-ancestors 'none'"})
      CHECK_NE(policy.find(part), policy.npos);
    CHECK_EQ(policy.find("unsafe-eval"), policy.npos);
    CHECK_EQ(answer.body.find("<script>"), answer.body.npos);
    CHECK_EQ(answer.body.find("src=\"http"), answer.body.npos);
  }
}

TEST_CASE("documents: they come packed to who accepts that, with the same text") {
  for (const auto& address : everything()) {
    INFO(address);
    const auto plain = ask(address), packed = ask(address, {{"Accept-Encoding", "br, gzip;q=0.8"}});
    CHECK_EQ(plain.header("Content-Encoding"), "");
    CHECK_EQ(packed.header("Content-Encoding"), "gzip");
    CHECK_EQ(packed.header("Content-Type"), plain.header("Content-Type"));
    CHECK(support::gunzipped(packed.body) == plain.body);
    CHECK_NE(packed.header("ETag"), plain.header("ETag"));
  }
  for (const std::string refusing : {"identity", "gzip;q=0", "gzip; q=0.0", "br", "*;q=0"})
    CHECK_EQ(ask("/docs", {{"Accept-Encoding", refusing}}).header("Content-Encoding"), "");
  for (const std::string accepting : {"*", "GZIP", "br;q=1.0, gzip ; q=0.001", "*;q=0, gzip"})
    CHECK_EQ(ask("/docs", {{"Accept-Encoding", accepting}}).header("Content-Encoding"), "gzip");
}

TEST_CASE("documents: HEAD answers as GET, and who has a document is told that it has not changed") {
  for (const auto& address : everything()) {
    INFO(address);
    const auto got = ask(address), head = ask(address, {}, "HEAD");
    CHECK_EQ(head.status, 200);
    CHECK_EQ(head.header("Content-Length"), std::to_string(got.body.size()));
    CHECK_EQ(head.header("ETag"), got.header("ETag"));
    const auto again = ask(address, {{"If-None-Match", "\"another\", " + got.header("ETag")}});
    CHECK_EQ(again.status, 304);
    CHECK(again.body.empty());
    CHECK_EQ(again.header("ETag"), got.header("ETag"));
    CHECK_EQ(ask(address, {{"If-None-Match", "\"another\""}}).status, 200);
    // An address that has a hash in it is kept for good; any other is asked for again.
    const bool is_asset = address.starts_with("/docs/assets/");
    CHECK_EQ(got.header("Cache-Control"), is_asset ? "public, max-age=31536000, immutable" : "public, no-cache");
  }
}

TEST_CASE("documents: no other path below /docs, and no other method, is answered by one") {
  for (const std::string target :
       {"/docs/", "/docs/start/", "/docs/none", "/docs/assets/", "/docs/../docs", "//docs", "/DOCS", "/index.html"})
    CHECK_EQ(ask(target).status, 404);
  for (const std::string method : {"POST", "DELETE", "PUT"}) {
    CHECK_EQ(ask("/docs", {}, method).status, 405);
    CHECK_EQ(ask("/", {}, method).status, 405);
  }
}

TEST_CASE("documents: the commands of the guides work, one after the other, as a reader would paste them") {
  auto& system = world().system;
  Channel channel(system, "Guides", "200000000000901");
  channel.simulator("POST", "/simulator/templates", boost::json::parse(R"({
      "name": "members_week", "language": "en", "status": "APPROVED", "category": "MARKETING",
      "components": [{"type": "BODY", "text": "Hello {{1}}, our week has begun: {{2}} Answer STOP to hear no more.",
                      "example": {"body_text": [["Ada", "https://shop.example"]]}}]})"));
  const auto command = "PARLEY_URL=http://127.0.0.1:" + std::to_string(system.gateway().port()) +
                       " PARLEY_API_KEY=" + channel.api_key() + " " PARLEY_SOURCE_DIR "/tests/docs/guides";
  CHECK_EQ(std::system(command.c_str()), 0);
}

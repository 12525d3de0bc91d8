// The web console as the gateway delivers it; in a build without the console, that there is none.
#include <array>
#include <cstdio>
#include <set>

#include "tests/e2e/world.hpp"
#include "tests/support/gzip.hpp"

using namespace parley;
using namespace parley::e2e;

namespace {

const std::string kPage = "/console/", kAssets = "/console/assets/";

Answer ask(const std::string& target, const Headers& headers = {}, const std::string& method = "GET") {
  Wire wire(world().system.gateway().port());
  wire.send(support::request_text(method, target, headers));
  return wire.read(method == "HEAD").value();
}

Headers accepting(const std::string& codings) { return {{"Accept-Encoding", codings}}; }

bool is_built() {
  static const bool is_there = ask(kPage).status == 200;
  return is_there;
}

// The page, what it loads, and the licences.
std::set<std::string> everything() {
  std::set<std::string> found{kPage, "/console/licences.txt"};
  const auto page = ask(kPage).body;
  for (auto at = page.find(kAssets); at != page.npos; at = page.find(kAssets, at + 1))
    found.insert(page.substr(at, page.find('"', at) - at));
  return found;
}

// What curl makes of brotli.
std::string unpacked(const std::string& target) {
  const auto command = "curl -q --noproxy '*' -sS -m 10 --compressed -H 'Accept-Encoding: br' http://127.0.0.1:" +
                       std::to_string(world().system.gateway().port()) + target;
  auto* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::string out;
  std::array<char, 65'536> piece;
  while (const auto length = std::fread(piece.data(), 1, piece.size(), pipe)) out.append(piece.data(), length);
  CHECK_EQ(pclose(pipe), 0);
  return out;
}

}  // namespace

TEST_CASE("console: / and /console lead to it; without it / is the start page of the documents") {
  if (!is_built()) {
    CHECK_EQ(ask("/").status, 200);
    CHECK_EQ(ask("/").body, ask("/docs/start").body);
    for (const std::string target : {"/console", "/console/", "/console/assets/x.js", "/console/licences.txt"})
      CHECK_EQ(ask(target).status, 404);
    return;
  }
  for (const std::string target : {"/", "/console"})
    for (const std::string method : {"GET", "HEAD"}) {
      INFO(method << " " << target);
      const auto answer = ask(target, {}, method);
      CHECK_EQ(answer.status, 303);
      CHECK_EQ(answer.header("Location"), kPage);
      CHECK_EQ(answer.header("Content-Length"), "0");
      CHECK_EQ(answer.header("X-Content-Type-Options"), "nosniff");
      CHECK_NE(answer.header("RateLimit"), "");
    }
  // What mails lead to: a browser takes what is behind the # along.
  for (const std::string target : {"/join", "/password"}) {
    CHECK_EQ(ask(target).status, 303);
    CHECK_EQ(ask(target).header("Location"), "/console" + target);
  }
}

TEST_CASE("console: every path below it is its page, but for an asset that is not there") {
  if (!is_built()) return;
  const auto page = ask(kPage);
  CHECK_EQ(page.header("Content-Type"), "text/html; charset=utf-8");
  CHECK_NE(page.body.find("<meta name=\"parley-build\" content=\""), page.body.npos);
  for (const std::string target :
       {"/console/o/01949c42-b9d5-7199-83fa-f42ccf06b7af/inbox?assigned_to=me", "/console/sign-in", "/console/x.js",
        "/console/assets", "/console//", "/console/%2e%2e/api/user", "/console/../internal/events"}) {
    INFO(target);
    const auto answer = ask(target);
    CHECK_EQ(answer.status, 200);
    CHECK(answer.body == page.body);
    CHECK_EQ(answer.header("ETag"), page.header("ETag"));
  }
  for (const std::string target : {"/console/assets/", "/console/assets/main-00000000.js", "/console/assets/../"})
    for (const std::string method : {"GET", "HEAD", "POST"}) {
      INFO(method << " " << target);
      const auto answer = ask(target, {}, method);
      CHECK_EQ(answer.status, 404);
      CHECK_EQ(answer.header("Content-Type"), "application/problem+json");
      CHECK_EQ(answer.header("Cache-Control").find("immutable"), std::string::npos);
    }
  for (const std::string target : {"/consolex", "/CONSOLE/", "/%63onsole/", "//console/"})
    CHECK_EQ(ask(target).status, 404);
}

TEST_CASE("console: it may run its own scripts alone, and has nothing to do with pages of other origins") {
  if (!is_built()) return;
  for (const auto& address : everything()) {
    INFO(address);
    const auto answer = ask(address);
    CHECK_EQ(answer.header("Content-Security-Policy"),
             "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; "
             "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
             "require-trusted-types-for 'script'; trusted-types 'none'");
    CHECK_EQ(answer.header("Cross-Origin-Opener-Policy"), "same-origin");
    CHECK_EQ(answer.header("Cross-Origin-Resource-Policy"), "same-origin");
    CHECK_EQ(answer.header("Referrer-Policy"), "same-origin");
    CHECK_EQ(answer.header("X-Content-Type-Options"), "nosniff");
    CHECK_EQ(answer.header("Vary"), "Accept-Encoding");
    CHECK_NE(answer.header("RateLimit"), "");
  }
}

TEST_CASE("console: what has a hash in its address is kept for good, the rest is asked for again") {
  if (!is_built()) return;
  const auto all = everything();
  CHECK_GE(all.size(), 5);  // page, script, style, icon, licences
  for (const auto& address : all) {
    INFO(address);
    CHECK_EQ(ask(address).header("Cache-Control"),
             address.starts_with(kAssets) ? "public, max-age=31536000, immutable" : "public, no-cache");
  }
}

TEST_CASE("console: each file comes by brotli, by gzip and as it is, each with a tag of its own") {
  if (!is_built()) return;
  for (const auto& address : everything()) {
    INFO(address);
    const auto plain = ask(address), packed = ask(address, accepting("gzip")), brotli = ask(address, accepting("br"));
    CHECK_EQ(plain.header("Content-Encoding"), "");
    CHECK_EQ(packed.header("Content-Encoding"), "gzip");
    CHECK_EQ(brotli.header("Content-Encoding"), "br");
    CHECK(support::gunzipped(packed.body) == plain.body);
    CHECK(unpacked(address) == plain.body);
    CHECK_LT(brotli.body.size(), plain.body.size() + 10);  // the shortest are no shorter by it
    const std::set<std::string> tags{plain.header("ETag"), packed.header("ETag"), brotli.header("ETag")};
    CHECK_EQ(tags.size(), 3);
    for (const auto& tag : tags) CHECK(tag.starts_with('"'));
    for (const auto& each : {packed, brotli}) {
      CHECK_EQ(each.header("Content-Type"), plain.header("Content-Type"));
      CHECK_EQ(each.header("Vary"), "Accept-Encoding");
    }
  }
}

TEST_CASE("console: the coding is the one that the browser likes best") {
  if (!is_built()) return;
  const std::vector<std::pair<std::string, std::string>> cases{{"gzip, deflate, br, zstd", "br"},
                                                               {"gzip, br;q=0.5", "gzip"},
                                                               {"gzip;q=0.2, BR;q=0.3", "br"},
                                                               {"br;q=0, gzip", "gzip"},
                                                               {"br;q=0.000, *", "gzip"},
                                                               {"*", "br"},
                                                               {"*;q=0, gzip;q=0.001", "gzip"},
                                                               {"br;q=0.5, gzip;q=0.55", "gzip"},
                                                               {"br ; Q=0 , gzip ;q=0", ""},
                                                               {"identity", ""},
                                                               {"identity, br;q=0.9", ""},
                                                               {"identity;q=0.5, br;q=0.9", "br"},
                                                               {"*;q=0", ""},
                                                               {"deflate", ""},
                                                               {"", ""}};
  for (const auto& [wish, coding] : cases) {
    INFO(wish);
    CHECK_EQ(ask(kPage, accepting(wish)).header("Content-Encoding"), coding);
  }
  CHECK_EQ(ask(kPage, {{"Accept-Encoding", "gzip"}, {"Accept-Encoding", "br"}}).header("Content-Encoding"), "br");
}

TEST_CASE("console: HEAD answers as GET, and who has a file is told that it has not changed") {
  if (!is_built()) return;
  for (const auto& address : everything())
    for (const std::string coding : {"identity", "gzip", "br"}) {
      INFO(address << " " << coding);
      const auto got = ask(address, accepting(coding)), head = ask(address, accepting(coding), "HEAD");
      CHECK_EQ(head.status, 200);
      for (const auto* field : {"ETag", "Content-Type", "Content-Encoding", "Cache-Control", "Content-Security-Policy"})
        CHECK_EQ(head.header(field), got.header(field));
      CHECK_EQ(head.header("Content-Length"), std::to_string(got.body.size()));
      const auto again = ask(address, {{"Accept-Encoding", coding}, {"If-None-Match", got.header("ETag")}});
      CHECK_EQ(again.status, 304);
      CHECK(again.body.empty());
      for (const auto* field : {"ETag", "Vary", "Cache-Control"}) CHECK_EQ(again.header(field), got.header(field));
      const auto other = coding == "br" ? "gzip" : "br";  // whose octets are others
      CHECK_EQ(ask(address, {{"Accept-Encoding", other}, {"If-None-Match", got.header("ETag")}}).status, 200);
    }
}

// The reader of messages, fed in every way that a network may cut them: what comes out must not depend on it.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/support/message_reading.hpp"

namespace {

using namespace parley;
using namespace parley::http;

using support::Reading;

template <bool is_request>
Reading read(std::string_view octets, const std::vector<std::size_t>& pieces, const ReaderLimits& limits = {},
             bool close = false) {
  auto reading = support::read_messages<is_request>(octets, pieces, limits, close);
  CHECK_EQ(reading.broken, "");
  return reading;
}

template <bool is_request>
Reading read_all_ways(std::string_view octets, const ReaderLimits& limits = {}) {
  const auto whole = read<is_request>(octets, {}, limits);
  CHECK(read<is_request>(octets, {0}, limits) == whole);
  for (std::size_t at = 1; at < octets.size() && at < 2000; ++at) {
    const auto cut = read<is_request>(octets, {at}, limits);
    if (cut == whole) continue;
    INFO("cut at " << at);
    CHECK(cut.heads == whole.heads);
    CHECK(cut.bodies == whole.bodies);
    CHECK(cut.fault == whole.fault);
    break;
  }
  return whole;
}

Reading request(std::string_view octets, const ReaderLimits& limits = {}) {
  return read_all_ways<true>(octets, limits);
}
Reading response(std::string_view octets, const ReaderLimits& limits = {}) {
  return read_all_ways<false>(octets, limits);
}

struct Case {
  const char* what;
  std::string octets;
  unsigned fault;  // 0: sound
};

std::string fields(std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += "N" + std::to_string(i) + ": v\r\n";
  return out;
}

using namespace std::string_literals;

}  // namespace

TEST_CASE("heads, sound and unsound, have one verdict however they arrive") {
  const std::string host = "Host: a\r\n";
  const std::string get = "GET / HTTP/1.1\r\n";
  const std::string post = "POST / HTTP/1.1\r\nHost: a\r\n";
  const std::vector<Case> cases{
      // framing: how one message may be taken for two
      {"length and chunked", post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"chunked and length", post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", 400},
      {"gzip, then length", post + "Transfer-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello", 400},
      {"length, then gzip", post + "Content-Length: 5\r\nTransfer-Encoding: gzip\r\n\r\nhello", 400},
      {"gzip alone", post + "Transfer-Encoding: gzip\r\n\r\nhello", 501},
      {"xchunked", post + "Transfer-Encoding: xchunked\r\n\r\n", 501},
      {"xchunked and length", post + "Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n\r\n", 400},
      {"chunked;q=1", post + "Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n", 501},
      {"identity", post + "Transfer-Encoding: identity\r\n\r\n", 501},
      {"gzip, chunked", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400},
      {"chunked, gzip", post + "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n", 501},
      {"chunked, chunked", post + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", 400},
      {"chunked twice", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"identity, then chunked", post + "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       400},
      {"empty transfer coding", post + "Transfer-Encoding:\r\n\r\n", 501},
      {"chunked in HTTP/1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"chunked, other case", post + "transfer-encoding: CHUNKED\r\n\r\n0\r\n\r\n", 0},
      {"chunked with space around", post + "Transfer-Encoding: \t chunked \r\n\r\n0\r\n\r\n", 0},
      {"a tab before chunked's end", post + "Transfer-Encoding: chunk\ted\r\n\r\n0\r\n\r\n", 501},
      {"vertical tab before chunked", post + "Transfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n", 400},
      {"two lengths that differ", post + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 400},
      {"the same length twice", post + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 400},
      {"a list of lengths", post + "Content-Length: 5, 5\r\n\r\nhello", 400},
      {"length +5", post + "Content-Length: +5\r\n\r\nhello", 400},
      {"length -1", post + "Content-Length: -1\r\n\r\n", 400},
      {"length 0x5", post + "Content-Length: 0x5\r\n\r\nhello", 400},
      {"length 5 5", post + "Content-Length: 5 5\r\n\r\nhello", 400},
      {"length 1e3", post + "Content-Length: 1e3\r\n\r\n", 400},
      {"length with a comma", post + "Content-Length: 5,\r\n\r\nhello", 400},
      {"length empty", post + "Content-Length: \r\n\r\n", 400},
      {"length beyond 2^63", post + "Content-Length: 9223372036854775808\r\n\r\n", 413},
      {"length beyond 2^64", post + "Content-Length: 18446744073709551616\r\n\r\n", 400},
      {"length 0", post + "Content-Length: 0\r\n\r\n", 0},
      {"length 00005", post + "Content-Length: 00005\r\n\r\nhello", 0},
      {"space before the colon", post + "Content-Length : 5\r\n\r\nhello", 400},
      // who is meant
      {"no Host", get + "\r\n", 400},
      {"two Hosts", get + host + "Host: b\r\n\r\n", 400},
      {"the same Host twice", get + host + host + "\r\n", 400},
      {"no Host in HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", 0},
      {"empty Host", get + "Host:\r\n\r\n", 0},
      // syntax
      {"bare line feeds", "GET / HTTP/1.1\nHost: a\n\n", 400},
      {"one bare line feed", get + "Host: a\nX: b\r\n\r\n", 400},
      {"a bare carriage return in a value", get + host + "X: a\rb\r\n\r\n", 400},
      {"a carriage return before the line's end", get + host + "X: a\r\r\n\r\n", 400},
      {"NUL in a value", get + host + "X: a\0b\r\n\r\n"s, 400},
      {"NUL in a name", get + host + "X\0: b\r\n\r\n"s, 400},
      {"a folded line", get + host + "X: a\r\n b\r\n\r\n", 400},
      {"a line folded by a tab", get + host + "X: a\r\n\tb\r\n\r\n", 400},
      {"a first field that begins with a space", get + " Host: a\r\n\r\n", 400},
      {"a line without a colon", get + host + "X\r\n\r\n", 400},
      {"a field without a name", get + host + ": x\r\n\r\n", 400},
      {"a space in a name", get + host + "X Y: x\r\n\r\n", 400},
      {"an empty value", get + host + "X:\r\n\r\n", 0},
      {"an underscore in a name", get + host + "X_Y: x\r\n\r\n", 0},
      {"8-bit octets in a value", get + host + "X: \xC3\xA9\xFF\r\n\r\n", 0},
      {"8-bit octets in the target", "GET /\xC3\xA9 HTTP/1.1\r\n" + host + "\r\n", 400},
      {"DEL in the target", "GET /\x7F HTTP/1.1\r\n" + host + "\r\n", 400},
      {"HTTP/1.2", "GET / HTTP/1.2\r\n" + host + "\r\n", 400},
      {"HTTP/2.0", "GET / HTTP/2.0\r\n" + host + "\r\n", 400},
      {"HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
      {"http/1.1", "GET / http/1.1\r\n" + host + "\r\n", 400},
      {"no version", "GET /\r\n" + host + "\r\n", 400},
      {"two spaces", "GET  / HTTP/1.1\r\n" + host + "\r\n", 400},
      {"a space at the line's end", "GET / HTTP/1.1 \r\n" + host + "\r\n", 400},
      {"no target", "GET HTTP/1.1\r\n" + host + "\r\n", 400},
      {"an empty line first", "\r\n" + get + host + "\r\n", 400},
      {"a control character as method", "\x16\x03\x01 / HTTP/1.1\r\n" + host + "\r\n", 400},
      {"an unknown method", "FOO / HTTP/1.1\r\n" + host + "\r\n", 0},
      {"a method in small letters", "get / HTTP/1.1\r\n" + host + "\r\n", 0},
      {"an absolute target", "GET http://b/x HTTP/1.1\r\n" + host + "\r\n", 0},
      {"an asterisk", "OPTIONS * HTTP/1.1\r\n" + host + "\r\n", 0},
      // chunks
      {"a chunk", post + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 0},
      {"an extension and a trailer",
       post + "Transfer-Encoding: chunked\r\n\r\n5;a=b;c=\"d\"\r\nhello\r\n0;e\r\nT: x\r\n\r\n", 0},
      {"a chunk of 2^68 octets", post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n", 400},
      {"a chunk of 2^64-1 octets", post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", 413},
      {"a chunk without its line end", post + "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloX0\r\n\r\n", 400},
      {"a chunk longer than it says", post + "Transfer-Encoding: chunked\r\n\r\n4\r\nhello\r\n0\r\n\r\n", 400},
      {"a chunk size that is none", post + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n", 400},
      {"an empty chunk size", post + "Transfer-Encoding: chunked\r\n\r\n\r\n\r\n", 400},
      {"a chunk size of -1", post + "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n", 400},
      {"a chunk size of 0x5", post + "Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n", 400},
      {"a bad extension", post + "Transfer-Encoding: chunked\r\n\r\n5 a\r\nhello\r\n0\r\n\r\n", 400},
      {"a bare line feed behind a chunk size", post + "Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n", 400},
      {"an extension of 100 KB",
       post + "Transfer-Encoding: chunked\r\n\r\n5;" + std::string(100'000, 'x') + "\r\nhello\r\n0\r\n\r\n", 400},
      {"trailers of 100 KB",
       post + "Transfer-Encoding: chunked\r\n\r\n0\r\nT: " + std::string(100'000, 'x') + "\r\n\r\n", 400},
  };
  for (const auto& one : cases) {
    INFO(one.what);
    const auto reading = request(one.octets);
    CHECK(reading.fault == one.fault);
    CHECK((reading.fault == 0) == reading.reason.empty());
  }
}

TEST_CASE("limits hold to the octet") {
  const std::string begin = "GET / HTTP/1.1\r\nHost: a\r\n";
  SUBCASE("fields") {
    CHECK(request(begin + fields(63) + "\r\n").fault == 0);
    CHECK(request(begin + fields(64) + "\r\n").fault == 431);
    CHECK(request(begin + fields(1000) + "\r\n").fault == 431);
    CHECK(request(begin + fields(3) + "\r\n", {.fields = 4}).fault == 0);
    CHECK(request(begin + fields(4) + "\r\n", {.fields = 4}).fault == 431);
  }
  SUBCASE("head") {
    const auto head_of = [&](std::size_t octets) {
      return begin + "X: " + std::string(octets - begin.size() - 3 - 4, 'x') + "\r\n\r\n";
    };
    REQUIRE(head_of(16384).size() == 16384);
    CHECK(request(head_of(16384)).fault == 0);
    CHECK(request(head_of(16385)).fault == 431);
    CHECK(request(head_of(40000)).fault == 431);
    CHECK(request(head_of(100), {.head = 100}).fault == 0);
    CHECK(request(head_of(101), {.head = 100}).fault == 431);
    CHECK(request(std::string(16385, 'G')).fault == 431);
    CHECK(request(std::string(16384, 'G')).fault == 0);
  }
  SUBCASE("target") {
    const auto with = [](std::size_t octets) {
      return "GET /" + std::string(octets - 1, 'x') + " HTTP/1.1\r\nHost: a\r\n\r\n";
    };
    CHECK(request(with(8192)).fault == 0);
    CHECK(request(with(8193)).fault == 414);
    CHECK(request(with(9 * 1024)).fault == 414);
  }
  SUBCASE("body with a length") {
    const auto with = [](std::size_t octets) {
      return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(octets) + "\r\n\r\n" +
             std::string(octets, 'x');
    };
    CHECK(request(with(100), {.body = 100}).bodies.size() == 101);
    const auto over = request(with(101), {.body = 100});
    CHECK(over.fault == 413);
    CHECK(over.bodies.empty());
    CHECK(request(with(0), {.body = 0}).fault == 0);
  }
  SUBCASE("body in chunks") {
    const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    const auto chunk = "32\r\n" + std::string(50, 'x') + "\r\n";
    CHECK(request(head + chunk + chunk + "0\r\n\r\n", {.body = 100}).fault == 0);
    const auto over = request(head + chunk + chunk + "1\r\nx\r\n0\r\n\r\n", {.body = 100});
    CHECK(over.fault == 413);
    CHECK(over.bodies.size() == 100);
  }
}

TEST_CASE("pipelined requests come out one by one") {
  const std::string one = "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
  const std::string two = "GET /2?x=y HTTP/1.1\r\nHost: a\r\n\r\n";
  const std::string three =
      "PUT /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
  const std::string four = "GET /4 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  const auto reading = request(one + two + three + two + four);
  CHECK(reading.fault == 0);
  CHECK(reading.bodies == "hello||abcde|||");
  CHECK(reading.heads ==
        "POST /1 0 11 keep length=5; Host=a; Content-Length=5\n"
        "GET /2?x=y 0 11 keep; Host=a\n"
        "PUT /3 0 11 keep chunked; Host=a; Transfer-Encoding=chunked\n"
        "GET /2?x=y 0 11 keep; Host=a\n"
        "GET /4 0 11 close; Host=a; Connection=close\n");
  CHECK(request(one + "BAD\r\n\r\n").fault == 400);
}

TEST_CASE("keep-alive") {
  const auto heads = [](const std::string& octets) { return request(octets).heads; };
  CHECK(heads("GET / HTTP/1.0\r\n\r\n").find(" 10 close") != std::string::npos);
  CHECK(heads("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").find(" 10 close") != std::string::npos);
  CHECK(heads("GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n").find(" 11 close") != std::string::npos);
  CHECK(heads("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, close\r\n\r\n").find(" 11 close") != std::string::npos);
  CHECK(heads("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n").find(" 11 keep") != std::string::npos);
}

TEST_CASE("a trailer is no field of the head") {
  const auto reading = request(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nParley-Identity: forged\r\nX: y\r\n\r\n");
  CHECK(reading.fault == 0);
  CHECK(reading.heads == "POST / 0 11 keep chunked; Host=a; Transfer-Encoding=chunked\n");
}

TEST_CASE("bodies of streamed paths have no bound, all others do") {
  const std::vector<std::string> streamed{"/files"};
  const ReaderLimits limits{.body = 10, .streamed = streamed};
  const auto lengthy = [](const std::string& start) {
    return start + " HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n" + std::string(20, 'x');
  };
  const auto chunked = [](const std::string& start) {
    const std::string chunk = "8\r\nxxxxxxxx\r\n";
    return start + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + chunk + "0\r\n\r\n";
  };
  for (const std::string start : {"POST /files", "POST /files?a=b"}) {
    CHECK(request(lengthy(start), limits).bodies == std::string(20, 'x') + "|");
    CHECK(request(chunked(start), limits).bodies == std::string(16, 'x') + "|");
  }
  for (const std::string start : {"POST /file", "POST /files/", "POST /files/1", "PUT /files", "POST /x?/files"}) {
    CHECK(request(lengthy(start), limits).fault == 413);
    CHECK(request(chunked(start), limits).fault == 413);
  }
  // The next message has its own.
  CHECK(request(lengthy("POST /files") + lengthy("POST /others"), limits).fault == 413);
}

TEST_CASE("a head's slices stay while a large body passes through") {
  ReaderLimits limits{.body = 10 << 20};
  const std::string head = "POST /target?query HTTP/1.1\r\nHost: a\r\nX-Long: " + std::string(3000, 'l') + "\r\n";
  std::string body;
  for (int i = 0; body.size() < 300'000; ++i) body += std::to_string(i) + " ";
  std::string chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
  for (std::size_t at = 0, size = 1; at < body.size(); at += size, size = size * 2 + 1) {
    const auto piece = body.substr(at, size);
    char digits[16];
    std::snprintf(digits, sizeof digits, "%zx\r\n", piece.size());
    chunked += digits + piece + "\r\n";
  }
  chunked += "0\r\n\r\n";
  const auto lengthy = head + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  const std::string next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";
  for (const auto& octets : {lengthy + next, chunked + next})
    for (const std::size_t first : {1u, 3000u, 3100u, 4095u, 4096u, 4097u, 60'000u, 70'000u, 200'000u}) {
      INFO("first " << first);
      std::vector<std::size_t> pieces(50, first);
      const auto reading = read<true>(octets, pieces, limits);
      CHECK(reading.fault == 0);
      CHECK(reading.bodies == body + "||");
    }
  CHECK(read<true>(chunked, {0}, limits).bodies == body + "|");
  CHECK(read<true>(lengthy, {0}, limits).bodies == body + "|");
}

TEST_CASE("the slices themselves do not move") {
  ReaderLimits limits;
  MessageReader<true> reader(limits);
  const auto feed = [&](std::string_view octets) {
    while (!octets.empty()) {
      const auto space = reader.space();
      const auto count = std::min(octets.size(), space.size());
      std::memcpy(space.data(), octets.data(), count);
      reader.commit(count);
      octets.remove_prefix(count);
      while (reader.step() == MessageReader<true>::Step::body) {
      }
    }
  };
  feed("POST /path HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n");
  const auto target = reader.head().target;
  const auto host = reader.head().fields()[0].value;
  feed(std::string(200'000, 'x'));
  CHECK(reader.done());
  CHECK(target == "/path");
  CHECK(host == "a");
  CHECK(reader.head().target.data() == target.data());
}

TEST_CASE("responses") {
  SUBCASE("framed by a length, by chunks, by nature") {
    const auto reading = response(
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        "HTTP/1.1 204 No Content\r\n\r\n"
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n"
        "HTTP/1.1 100 Continue\r\n\r\n"
        "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
        "HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n");
    CHECK(reading.fault == 0);
    CHECK(reading.bodies == "hi|||||x|");
  }
  SUBCASE("framed by the connection's end") {
    const auto reading = read<false>("HTTP/1.1 200 OK\r\n\r\nhello", {}, {}, true);
    CHECK(reading.bodies == "hello|");
    CHECK(reading.heads.find("close") != std::string::npos);
    CHECK(read<false>("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello", {}, {}, true).fault == 400);
    CHECK(read<false>("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", {}, {}, true).fault ==
          400);
    CHECK(read<false>("HTTP/1.1 200 OK\r\nContent-", {}, {}, true).fault == 400);
    CHECK(read<false>("", {}, {}, true).fault == 400);
  }
  SUBCASE("unsound ones") {
    for (const std::string octets :
         {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi", "HTTP/1.1 2x0 OK\r\n\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/3 200 OK\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nhi", "HTTP/1.1 200 OK\n\n"}) {
      INFO(octets);
      CHECK(response(octets).fault != 0);
    }
  }
  SUBCASE("the answer to HEAD has no body whatever it says") {
    ReaderLimits limits;
    MessageReader<false> reader(limits);
    reader.expect_no_body();
    const std::string_view octets = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n";
    std::memcpy(reader.space().data(), octets.data(), octets.size());
    reader.commit(octets.size());
    CHECK(reader.step() == MessageReader<false>::Step::head);
    CHECK(reader.head().content_length == 100);
    CHECK(reader.step() == MessageReader<false>::Step::done);
  }
}

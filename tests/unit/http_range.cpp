// Which part of a file a GET is for.
#include <doctest/doctest.h>

#include "common/http/range.hpp"

using namespace parley;

namespace {

std::string range_of(std::string_view value, std::string_view if_range = {}, http::Method method = http::Method::get) {
  std::vector<http::Field> fields{{"Range", value}};
  if (!if_range.empty()) fields.push_back({"If-Range", if_range});
  http::Request request;
  request.method = method;
  request.fields = fields;
  const auto range = http::choose_range(request, 100, "\"tag\"");
  return range.kind == http::Range::Kind::whole ? "whole" : http::content_range(range, 100);
}

}  // namespace

TEST_SUITE("http: ranges") {
  TEST_CASE("one range is the part that it names, cut at the end") {
    CHECK(range_of("bytes=0-0") == "bytes 0-0/100");
    CHECK(range_of("bytes=10-19") == "bytes 10-19/100");
    CHECK(range_of("BYTES=10-") == "bytes 10-99/100");
    CHECK(range_of("bytes=90-1000") == "bytes 90-99/100");
    CHECK(range_of("bytes=90-99999999999999999999999") == "bytes 90-99/100");
    CHECK(range_of("bytes=-1") == "bytes 99-99/100");
    CHECK(range_of("bytes=-1000") == "bytes 0-99/100");
    CHECK(range_of("bytes= 1-2 ") == "bytes 1-2/100");
  }

  TEST_CASE("a range behind the end cannot be served") {
    CHECK(range_of("bytes=100-") == "bytes */100");
    CHECK(range_of("bytes=99999999999999999999999-") == "bytes */100");
    CHECK(range_of("bytes=-0") == "bytes */100");
  }

  TEST_CASE("what is no range, or several, is answered with the whole") {
    for (const auto* text : {"", "bytes", "bytes=", "bytes=-", "bytes=1", "bytes=2-1", "bytes=a-b", "bytes=1-2,4-5",
                             "bytes=+1-2", "bytes=1--2", "bytes=0x1-2", "octets=1-2", "1-2", "bytes =1-2"}) {
      CAPTURE(text);
      CHECK(range_of(text) == "whole");
    }
    CHECK(range_of("bytes=1-2", {}, http::Method::head) == "whole");
  }

  TEST_CASE("If-Range wants the very tag") {
    CHECK(range_of("bytes=1-2", "\"tag\"") == "bytes 1-2/100");
    for (const auto* other : {"\"other\"", "W/\"tag\"", "tag", "*", "Sat, 29 Oct 1994 19:43:31 GMT"})
      CHECK(range_of("bytes=1-2", other) == "whole");
  }
}

#include "common/pg/decode.hpp"

#include <doctest/doctest.h>

#include <boost/describe/enum.hpp>
#include <limits>
#include <string>

using namespace parley;
namespace oid = pg::oid;
using namespace std::string_literals;

namespace parley::pg_decode_tests {
enum class Colour { Red, DarkBlue };
BOOST_DESCRIBE_ENUM(Colour, Red, DarkBlue)
}  // namespace parley::pg_decode_tests
using parley::pg_decode_tests::Colour;

namespace {

template <class T>
const char* read(Oid type, const std::string& bytes, T& out) {
  return pg::decode(pg::Cell{bytes.data(), bytes.size(), type}, out);
}

template <class T>
T good(Oid type, const std::string& bytes) {
  T out{};
  const char* fault = read(type, bytes, out);
  CHECK_MESSAGE(fault == nullptr, (fault ? fault : ""));
  return out;
}

template <class T>
bool refuses(Oid type, const std::string& bytes) {
  T out{};
  return read(type, bytes, out) != nullptr;
}

}  // namespace

TEST_CASE("pg: integers, with the member's range") {
  CHECK(good<std::int64_t>(oid::int8, "\xff\xff\xff\xff\xff\xff\xff\xfe"s) == -2);
  CHECK(good<std::int64_t>(oid::int4, "\x00\x00\x01\x00"s) == 256);
  CHECK(good<int>(oid::int2, "\xff\xff"s) == -1);
  CHECK(good<std::int16_t>(oid::int8, "\x00\x00\x00\x00\x00\x00\x7f\xff"s) == 32'767);
  CHECK(refuses<std::int16_t>(oid::int8, "\x00\x00\x00\x00\x00\x00\x80\x00"s));
  CHECK(refuses<unsigned>(oid::int4, "\xff\xff\xff\xff"s));
  CHECK(refuses<int>(oid::int4, "\x00"s));
  CHECK(pg::Decode<int>::accepts(oid::int2));
  CHECK_FALSE(pg::Decode<int>::accepts(oid::numeric));
  CHECK_FALSE(pg::Decode<int>::accepts(oid::boolean));
}

TEST_CASE("pg: text, JSON and bytes") {
  CHECK(good<std::string>(oid::text, "a\0b"s) == "a\0b"s);
  CHECK(good<std::string>(oid::varchar, "") == "");
  CHECK(good<std::string>(oid::jsonb, "\x01{}") == "{}");
  CHECK(good<model::RawJson>(oid::jsonb, "\x01[1]").text == "[1]");
  CHECK(good<model::RawJson>(oid::json, "[1]").text == "[1]");
  CHECK(refuses<std::string>(oid::jsonb, "\x02{}"));
  CHECK(refuses<model::RawJson>(oid::jsonb, ""));
  CHECK(pg::Decode<std::string>::accepts(oid::bytea));
  CHECK(pg::Decode<std::string>::accepts(oid::first_user_defined));
  CHECK_FALSE(pg::Decode<std::string>::accepts(oid::uuid));
}

TEST_CASE("pg: other scalars") {
  CHECK(good<bool>(oid::boolean, "\x01"));
  CHECK_FALSE(good<bool>(oid::boolean, "\0"s));
  CHECK(good<double>(oid::float8, "\x3f\xf0\0\0\0\0\0\0"s) == 1.0);
  CHECK(good<double>(oid::float4, "\x3f\x80\0\0"s) == 1.0);
  CHECK(good<model::Uuid>(oid::uuid, "0123456789abcdef").text() == "30313233-3435-3637-3839-616263646566");
  CHECK(refuses<model::Uuid>(oid::uuid, "short"));
  CHECK(good<Colour>(oid::text, "DarkBlue") == Colour::DarkBlue);
  CHECK(refuses<Colour>(oid::text, "Blue"));
}

TEST_CASE("pg: timestamps are cut towards the past") {
  auto milliseconds = [](const std::string& bytes) {
    return good<model::Timestamp>(oid::timestamptz, bytes).milliseconds_since_epoch;
  };
  CHECK(milliseconds("\0\0\0\0\0\0\0\0"s) == 946'684'800'000);
  CHECK(milliseconds("\0\0\0\0\0\0\x03\xe7"s) == 946'684'800'000);                          // +999 us
  CHECK(milliseconds("\xff\xff\xff\xff\xff\xff\xff\xff"s) == 946'684'799'999);              // -1 us
  CHECK(milliseconds("\xff\xff\xff\xff\xff\xff\xfc\x18"s) == 946'684'799'999);              // -1,000 us
  CHECK(refuses<model::Timestamp>(oid::timestamptz, "\x7f\xff\xff\xff\xff\xff\xff\xff"s));  // infinity
  CHECK(refuses<model::Timestamp>(oid::timestamptz, "\x80\0\0\0\0\0\0\0"s));
}

TEST_CASE("pg: NULL fits only optionals") {
  const pg::Cell null{nullptr, 0, 0};
  int number = 1;
  CHECK(pg::decode(null, number) != nullptr);
  std::optional<int> maybe = 1;
  CHECK(pg::decode(null, maybe) == nullptr);
  CHECK_FALSE(maybe);
  CHECK(good<std::optional<int>>(oid::int2, "\0\5"s) == 5);
}

TEST_CASE("pg: arrays") {
  const auto one_two = "\0\0\0\1\0\0\0\0\0\0\0\x17\0\0\0\2\0\0\0\1\0\0\0\4\0\0\0\1\0\0\0\4\0\0\0\2"s;
  CHECK(good<std::vector<int>>(oid::int4_array, one_two) == std::vector<int>{1, 2});
  CHECK(good<std::vector<int>>(oid::int4_array, "\0\0\0\0\0\0\0\0\0\0\0\x17"s).empty());
  const auto with_null = "\0\0\0\1\0\0\0\1\0\0\0\x19\0\0\0\2\0\0\0\1\xff\xff\xff\xff\0\0\0\1a"s;
  const auto texts = good<std::vector<std::optional<std::string>>>(oid::text_array, with_null);
  REQUIRE(texts.size() == 2);
  CHECK_FALSE(texts[0]);
  CHECK(texts[1] == "a");
  CHECK(refuses<std::vector<std::string>>(oid::text_array, with_null));
  CHECK(pg::Decode<std::vector<std::string>>::accepts(oid::text_array));
  CHECK_FALSE(pg::Decode<std::vector<std::string>>::accepts(oid::int4_array));
  CHECK_FALSE(pg::Decode<std::vector<int>>::accepts(oid::int4));
}

TEST_CASE("pg: arrays that lie about their size are refused") {
  for (std::size_t cut = 0; cut < 36; ++cut) {
    const auto whole = "\0\0\0\1\0\0\0\0\0\0\0\x17\0\0\0\2\0\0\0\1\0\0\0\4\0\0\0\1\0\0\0\4\0\0\0\2"s;
    CHECK(refuses<std::vector<int>>(oid::int4_array, whole.substr(0, cut)));
  }
  CHECK(refuses<std::vector<int>>(oid::int4_array, "\0\0\0\1\0\0\0\0\0\0\0\x17\x7f\xff\xff\xff\0\0\0\1"s));
  CHECK(refuses<std::vector<int>>(oid::int4_array, "\0\0\0\2\0\0\0\0\0\0\0\x17\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1"s));
}

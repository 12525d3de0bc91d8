// Uuid, Timestamp and the functions on text.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <unordered_set>

#include "common/model/text.hpp"
#include "common/model/timestamp.hpp"
#include "common/model/uuid.hpp"

using namespace parley::model;

TEST_CASE("Uuid: parse and format") {
  const std::string text = "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b";
  const auto id = Uuid::parse(text);
  REQUIRE(id);
  CHECK(id->text() == text);
  CHECK(Uuid::parse("0190A1B2-C3D4-7E5F-8A6B-7C8D9E0F1A2B") == id);
  CHECK(id->milliseconds() == 0x0190a1b2c3d4);
  CHECK_FALSE(id->is_nil());
  CHECK(Uuid::parse("00000000-0000-0000-0000-000000000000")->is_nil());
  for (const std::string bad : {"", "x", "0190a1b2c3d47e5f8a6b7c8d9e0f1a2b", "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2",
                                "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b0", "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2g",
                                "0190a1b2_c3d4-7e5f-8a6b-7c8d9e0f1a2b", "{190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2}",
                                "0190a1b-2c3d4-7e5f-8a6b-7c8d9e0f1a2b", " 190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"}) {
    INFO(bad);
    CHECK_FALSE(Uuid::parse(bad));
  }
  CHECK_FALSE(Uuid::parse(std::string(36, '\0')));
  CHECK_FALSE(Uuid::parse(std::string(10'000, 'a')));
}

TEST_CASE("Uuid: new ones are version 7, unique and ascending") {
  std::unordered_set<Uuid> seen;
  auto last = new_uuid();
  for (int i = 0; i < 100'000; ++i) {
    const auto next = new_uuid();
    REQUIRE(last < next);
    REQUIRE(last.text() < next.text());
    REQUIRE((next.bytes[6] >> 4) == 7);
    REQUIRE((next.bytes[8] >> 6) == 2);
    REQUIRE(seen.insert(next).second);
    last = next;
  }
}

TEST_CASE("Timestamp: what it takes") {
  const auto text = [](std::string_view given) {
    const auto parsed = Timestamp::parse(given);
    return parsed ? parsed->text() : "none";
  };
  CHECK(text("2026-01-31T12:34:56.789Z") == "2026-01-31T12:34:56.789Z");
  CHECK(text("2026-01-31T12:34:56Z") == "2026-01-31T12:34:56.000Z");
  CHECK(text("2026-01-31t12:34:56z") == "2026-01-31T12:34:56.000Z");
  CHECK(text("2026-01-31") == "2026-01-31T00:00:00.000Z");
  CHECK(text("1970-01-01") == "1970-01-01T00:00:00.000Z");
  CHECK(text("1969-12-31T23:00:00-01:00") == "1970-01-01T00:00:00.000Z");
  CHECK(text("9998-12-31T23:59:59.999Z") == "9998-12-31T23:59:59.999Z");
  // fractions: three digits count
  CHECK(text("2026-01-31T12:34:56.7Z") == "2026-01-31T12:34:56.700Z");
  CHECK(text("2026-01-31T12:34:56.78Z") == "2026-01-31T12:34:56.780Z");
  CHECK(text("2026-01-31T12:34:56.789999999Z") == "2026-01-31T12:34:56.789Z");
  CHECK(text("2026-01-31T12:34:56." + std::string(1000, '9') + "Z") == "2026-01-31T12:34:56.999Z");
  // zones
  CHECK(text("2026-01-31T12:00:00+05:30") == "2026-01-31T06:30:00.000Z");
  CHECK(text("2026-01-31T12:00:00-05:30") == "2026-01-31T17:30:00.000Z");
  CHECK(text("2026-01-31T12:00:00 05:30") == "2026-01-31T06:30:00.000Z");  // an unescaped plus in a query
  CHECK(text("2026-01-31T23:30:00-01:00") == "2026-02-01T00:30:00.000Z");
  CHECK(text("2026-01-31T12:00:00-00:00") == "2026-01-31T12:00:00.000Z");
  // leap years
  CHECK(text("2024-02-29") == "2024-02-29T00:00:00.000Z");
  CHECK(text("2000-02-29") == "2000-02-29T00:00:00.000Z");
}

TEST_CASE("Timestamp: what it refuses") {
  for (const std::string bad : {"",
                                "2024-02-30",
                                "2023-02-29",
                                "2100-02-29",
                                "2026-13-01",
                                "2026-00-10",
                                "2026-01-00",
                                "2026-04-31",
                                "1969-12-31",
                                "9999-01-01",
                                "0000-01-01",
                                "1970-01-01T00:00:00+00:01",
                                "9998-12-31T23:59:59-00:01",
                                "10000-01-01",
                                "26-01-01",
                                "2026-1-31",
                                "20260131",
                                "2026-01-31T",
                                "2026-01-31T12:34:56",
                                "2026-01-31 12:34:56Z",
                                "2026-01-31T12:34Z",
                                "2026-01-31T24:00:00Z",
                                "2026-01-31T12:60:00Z",
                                "2026-01-31T12:34:60Z",
                                "2026-01-31T12:34:56.Z",
                                "2026-01-31T12:34:56,5Z",
                                "2026-01-31T12:34:56+0530",
                                "2026-01-31T12:34:56+5:30",
                                "2026-01-31T12:34:56+24:00",
                                "2026-01-31T12:34:56+05:60",
                                "2026-01-31T12:34:56ZZ",
                                "2026-01-31T12:34:56Z ",
                                " 2026-01-31",
                                "2026-01-31x",
                                "-2026-01-31",
                                "2026-01-31T-1:00:00Z",
                                "now",
                                "1769862896"}) {
    INFO(bad);
    CHECK_FALSE(Timestamp::parse(bad));
  }
  CHECK_FALSE(Timestamp::parse(std::string("2026-01-31\0", 11)));
}

TEST_CASE("Timestamp: order and every day there and back") {
  CHECK(Timestamp{1} < Timestamp{2});
  for (std::int64_t day = 0; day < 366 * 60; ++day) {
    const Timestamp moment{day * 86'400'000 + day};
    REQUIRE(Timestamp::parse(moment.text()) == moment);
  }
}

TEST_CASE("count_characters") {
  CHECK(count_characters("") == 0);
  CHECK(count_characters("abc") == 3);
  CHECK(count_characters("h\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80") == 4);
  CHECK(count_characters(std::string_view("\0", 1)) == 1);
  for (const std::string bad :
       {"\x80", "\xC3", "\xC0\xAF", "\xC1\xBF", "\xE0\x80\xAF", "\xE2\x82", "\xED\xA0\x80", "\xED\xBF\xBF",
        "\xF0\x80\x80\xAF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "a\xFE", "\xC3("}) {
    INFO(bad);
    CHECK_FALSE(count_characters(bad));
  }
  CHECK(count_characters("\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF4\x8F\xBF\xBF") == 4);
}

TEST_CASE("first_octets") {
  const std::string text = "h\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";  // characters begin at 0, 1, 3, 6 and end at 10
  const std::array<std::size_t, 12> cut{0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (std::size_t most = 0; most < cut.size(); ++most) CHECK_EQ(first_octets(text, most), text.substr(0, cut[most]));
}

TEST_CASE("is_blank") {
  for (const std::string blank :
       {"", " ", "\t\r\n", "\xC2\xA0", "\xE2\x80\x8B\xE2\x80\xA8", "\xE3\x80\x80 ", "\xEF\xBB\xBF"})
    CHECK(is_blank(blank));
  for (const std::string visible : {"a", " a ", "\xC3\xA9", "\xE2\x80\x94", "\xE2\x82\xAC", "0", "\xE2\x80\xA6"}) {
    INFO(visible);
    CHECK_FALSE(is_blank(visible));
  }
}

TEST_CASE("equals_ignoring_case") {
  CHECK(equals_ignoring_case("Content-Length", "content-LENGTH"));
  CHECK_FALSE(equals_ignoring_case("a", "ab"));
  CHECK_FALSE(equals_ignoring_case("[", "{"));
  CHECK_FALSE(equals_ignoring_case("\xC3\x89", "\xC3\xA9"));
}

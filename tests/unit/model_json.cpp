// The strict parser, the writer, and the reader that says where each fault is.
#include <doctest/doctest.h>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "common/model/json.hpp"
#include "common/model/keep.hpp"

namespace sample {

enum class Colour { Red, Green };
BOOST_DESCRIBE_ENUM(Colour, Red, Green)

struct Inner {
  std::string label;
  std::int64_t weight = 0;
  bool operator==(const Inner&) const = default;
};
BOOST_DESCRIBE_STRUCT(Inner, (), (label, weight))

struct Outer {
  parley::model::Uuid uniqueId;
  parley::model::Timestamp createdAt;
  std::string name;
  bool IsOn = false;
  double rate = 0;
  Colour colour = Colour::Red;
  std::optional<std::string> note;
  std::optional<Inner> one;
  std::vector<Inner> many;
  std::vector<std::vector<std::int64_t>> grid;
  parley::model::RawJson attributes;
  bool operator==(const Outer&) const = default;
};
BOOST_DESCRIBE_STRUCT(Outer, (), (uniqueId, createdAt, name, IsOn, rate, colour, note, one, many, grid, attributes))

struct Empty {};
BOOST_DESCRIBE_STRUCT(Empty, (), ())

}  // namespace sample

namespace {

using namespace parley::model;

bool parses(std::string_view text) {
  Fault fault;
  const auto value = parse(text, fault);
  CHECK(value.has_value() == fault.detail.empty());
  return value.has_value();
}

std::string why(std::string_view text) {
  Fault fault;
  CHECK_FALSE(parse(text, fault));
  return fault.detail;
}

// "pointer detail" of each fault, a line each.
template <class T>
std::string faults_in(std::string_view text) {
  Fault fault;
  const auto json = parse(text, fault);
  REQUIRE(json);
  T out;
  Reader reader;
  reader.read(*json, out);
  std::string lines;
  for (const auto& [pointer, detail] : reader.faults) lines += pointer + " " + detail + "\n";
  return lines;
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

using namespace std::string_literals;

}  // namespace

TEST_CASE("parse: the grammar") {
  for (const std::string good : {"{}", "[]", "null", "\"x\"", "0", "-0", "1.5e3", " \t\r\n{ } ", "[1,[2,{\"a\":[]}]]",
                                 "\"\\ud83d\\ude00\"", "\"\\/\\b\\f\\n\\r\\t\"", "true", "\"\xC3\xA9\"", "{\"\":1}"}) {
    INFO(good);
    CHECK(parses(good));
  }
  for (const std::string bad : {"",
                                " ",
                                "{",
                                "[",
                                "[1,]",
                                "{\"a\":1,}",
                                "{a:1}",
                                "{'a':1}",
                                "01",
                                "+1",
                                ".5",
                                "1.",
                                "1e",
                                "- 1",
                                "0x10",
                                "tru",
                                "nul",
                                "NaN",
                                "Infinity",
                                "-Infinity",
                                "\"",
                                "\"\\x\"",
                                "\"\\u12\"",
                                "\"\n\"",
                                "\"\t\"",
                                "[1 2]",
                                "{\"a\" 1}",
                                "{\"a\":1}x",
                                "{}{}",
                                "1 2",
                                "// c\n1",
                                "/* c */1",
                                "1//c",
                                "\xEF\xBB\xBF{}",
                                "{}\xEF\xBB\xBF",
                                "\"\xFF\"",
                                "\"\xC0\xAF\"",
                                "\"\xED\xA0\x80\"",
                                "\"\xC3\"",
                                "\"\\ud800\"",
                                "\"\\udc00\"",
                                "\"\\ud800x\"",
                                "\"\\ud800\\ud800\"",
                                "{\"\\ud800\":1}",
                                "\"\xF4\x90\x80\x80\""}) {
    INFO(bad);
    CHECK_FALSE(parses(bad));
  }
  CHECK_FALSE(parses("{}\0"s));
  CHECK_FALSE(parses("\0{}"s));
}

TEST_CASE("parse: a key twice") {
  for (const std::string bad :
       {R"({"a":1,"a":1})", R"({"a":1,"b":2,"a":3})", R"({"x":{"a":1,"a":2}})", R"([[{"a":1,"a":2}]])",
        R"({"a":1,"\u0061":2})", R"({"\u0061":1,"a":2})", R"({"":1,"":2})", R"({"é":1,"\u00e9":2})"}) {
    INFO(bad);
    CHECK(why(bad).find("twice") != std::string::npos);
  }
  for (const std::string good :
       {R"({"a":1,"A":2})", R"({"a":{"a":{"a":1}},"b":{"a":1}})", R"([{"a":1},{"a":1}])", R"({"a":{"b":1},"b":2})"}) {
    INFO(good);
    CHECK(parses(good));
  }
}

TEST_CASE("parse: U+0000") {
  CHECK(why(R"("a\u0000b")").find("U+0000") != std::string::npos);
  CHECK(why(R"({"a\u0000":1})").find("U+0000") != std::string::npos);
  CHECK(why(R"({"x":{"y":["\u0000"]}})").find("U+0000") != std::string::npos);
  CHECK(why("{\"x\":\"" + std::string(5000, 'x') + "\\u0000\"}").find("U+0000") != std::string::npos);
  CHECK_FALSE(parses("\"a\0b\""s));
  CHECK_FALSE(parses("{\"a\0\":1}"s));
  CHECK(parses(R"("\\u0000")"));
}

TEST_CASE("parse: numbers") {
  for (const std::string good : {"9223372036854775807", "-9223372036854775808", "18446744073709551615",
                                 "1.7976931348623157e308", "1e-400", "0.1", "1e15",
                                 // as they come back of 7e20, 1e23, -1.5e19, 1e31
                                 "700000000000000000000", "100000000000000000000000", "-15000000000000000000",
                                 "10000000000000000000000000000000"}) {
    INFO(good);
    CHECK(parses(good));
  }
  // As they are written, and as PostgreSQL writes them out then: in digits, with zeros behind them.
  std::mt19937_64 random(1);
  for (int i = 0; i < 10'000; ++i) {
    auto text =
        to_json(std::ldexp(1 + static_cast<double>(random() >> 11) / 0x1p53, 64 + static_cast<int>(random() % 40)));
    if (const auto exponent = text.find('e'); exponent != text.npos) {
      const auto places = std::stoul(text.substr(exponent + 1));
      text.resize(exponent);
      std::erase(text, '.');
      text.resize(places + 1, '0');
    }
    REQUIRE_MESSAGE(parses(text), text);
    REQUIRE_MESSAGE(parses("-" + text), text);
  }
  CHECK(why("1e400").find("range") != std::string::npos);
  CHECK(parses("1" + std::string(308, '0')));  // as it comes back of 1e308
  for (const std::string long_one : {"700000000000000000001", "123456789012345678901", "18446744073709551617"})
    CHECK_MESSAGE(why(long_one).find("64 bits") != std::string::npos, long_one);
  CHECK(why("-1e400").find("range") != std::string::npos);
  CHECK(why("[1,1e999999999]").find("range") != std::string::npos);
  CHECK(why("12345678901234567890123").find("64 bits") != std::string::npos);
  CHECK(why("-9223372036854775809").find("64 bits") != std::string::npos);
  CHECK(parses("18446744073709551616"));  // a double has all of it
  CHECK_FALSE(parses(std::string(400, '9')));
  Fault fault;
  CHECK(parse("123456789.123456789", fault)->as_double() == 123456789.123456789);
  CHECK(parse("1e23", fault)->as_double() == 1e23);
  CHECK(parse("1e-400", fault)->as_double() == 0);
}

TEST_CASE("parse: depth and size") {
  CHECK(parses(nested(32)));
  CHECK_FALSE(parses(nested(33)));
  CHECK_FALSE(parses(nested(1000)));
  CHECK_FALSE(parses(nested(100'000)));
  CHECK_FALSE(parses(std::string(1'000'000, '[')));
  std::string objects;
  for (int i = 0; i < 33; ++i) objects += "{\"a\":";
  CHECK_FALSE(parses(objects + "1" + std::string(33, '}')));

  const auto array_of = [](std::size_t count) {
    std::string out = "[0";
    for (std::size_t i = 1; i < count; ++i) out += ",0";
    return out + "]";
  };
  CHECK(parses(array_of(100'000)));
  CHECK_FALSE(parses(array_of(100'001)));
  CHECK(parses("\"" + std::string(1 << 20, 'x') + "\""));
  CHECK_FALSE(parses("\"" + std::string((1 << 20) + 1, 'x') + "\""));
  CHECK_FALSE(parses("{\"" + std::string(1025, 'k') + "\":1}"));
  std::string many = "{";
  for (int i = 0; i < 4097; ++i) many += (i ? ",\"" : "\"") + std::to_string(i) + "\":1";
  CHECK_FALSE(parses(many + "}"));
}

TEST_CASE("write: text") {
  CHECK(to_json(std::string("a\"\\\n\r\t\x01\x1F/\x7F\xC3\xA9")) ==
        "\"a\\\"\\\\\\n\\r\\t\\u0001\\u001f/\x7F\xC3\xA9\"");
  std::string all;
  for (int c = 1; c < 128; ++c) all += static_cast<char>(c);
  Fault fault;
  CHECK(parse(to_json(all), fault)->as_string() == boost::json::string_view(all));
}

TEST_CASE("write: numbers, nothing, arrays") {
  CHECK(to_json(0.1) == "0.1");
  CHECK(to_json(-0.0) == "0");  // as it would be read again
  CHECK(to_json(1e300) == "1e+300");
  CHECK(to_json(100.0) == "100");
  CHECK(to_json(std::numeric_limits<double>::infinity()) == "null");
  CHECK(to_json(std::numeric_limits<double>::quiet_NaN()) == "null");
  CHECK(to_json(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(to_json(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  CHECK(to_json(true) == "true");
  CHECK(to_json("literal") == "\"literal\"");
  CHECK(to_json(std::optional<int>{}) == "null");
  CHECK(to_json(std::vector<int>{}) == "[]");
  CHECK(to_json(std::vector<int>{1, 2}) == "[1,2]");
  CHECK(to_json(sample::Empty{}) == "{}");
  CHECK(to_json(RawJson{}) == "null");
  CHECK(to_json(sample::Colour::Green) == "\"Green\"");
}

TEST_CASE("what is written can be read") {
  sample::Outer out;
  out.uniqueId = *Uuid::parse("0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b");
  out.createdAt = *Timestamp::parse("2026-01-31T12:34:56.789Z");
  out.name = "\"é\"\n";
  out.rate = 12.34;
  out.colour = sample::Colour::Green;
  out.one = sample::Inner{"x", -1};
  out.many = {{"a", 1}, {"b", 2}};
  out.grid = {{}, {1, 2}};
  out.attributes.text = R"({"a":[1,12.34,0.1,1e+300,"x",null,true,{}],"b":{}})";
  const auto text = to_json(out);
  CHECK(
      text ==
      R"({"uniqueId":"0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b","createdAt":"2026-01-31T12:34:56.789Z","name":"\"é\"\n","IsOn":false,)"
      R"("rate":12.34,"colour":"Green","note":null,"one":{"label":"x","weight":-1},"many":[{"label":"a","weight":1},)"
      R"({"label":"b","weight":2}],"grid":[[],[1,2]],"attributes":{"a":[1,12.34,0.1,1e+300,"x",null,true,{}],"b":{}}})");
  Fault fault;
  sample::Outer in;
  Reader reader;
  reader.read(*parse(text, fault), in);
  CHECK(reader.faults.empty());
  CHECK(in == out);
}

TEST_CASE("read: every fault, with its place") {
  CHECK(faults_in<sample::Outer>("{}") ==
        "/uniqueId is required\n/createdAt is required\n/name is required\n/IsOn is required\n/rate is required\n"
        "/colour is required\n/many is required\n/grid is required\n/attributes is required\n");
  CHECK(
      faults_in<sample::Outer>(
          R"({"uniqueId":"x","createdAt":"2024-02-30","name":1,"IsOn":"true","rate":"1","colour":"Blue","note":7,"one":[],)"
          R"("many":[{"label":"a","weight":1},{"label":null,"weight":1.5},3],"grid":[[1],[1,"2",3],{}],"attributes":7})") ==
      "/uniqueId must be an id\n/createdAt must be a date-time (RFC 3339)\n/name must be a string\n"
      "/IsOn must be true or false\n/rate must be a number\n/colour must be one of Red, Green\n/note must be a string\n"
      "/one must be an object\n/many/1/label must be a string\n/many/1/weight must be an integer\n/many/2 must be an "
      "object\n"
      "/grid/1/1 must be an integer\n/grid/2 must be an array\n");
  for (const auto* root : {"[]", "null", "1", "\"x\""}) CHECK(faults_in<sample::Inner>(root) == " must be an object\n");
}

TEST_CASE("read: unknown fields pass, null is absence, integers are integers") {
  CHECK(faults_in<sample::Inner>(R"({"label":"","weight":0,"more":{"x":[]}})").empty());
  CHECK(faults_in<std::optional<sample::Inner>>("null").empty());
  CHECK(faults_in<sample::Inner>(R"({"label":"","weight":null})") == "/weight must be an integer\n");
  CHECK(faults_in<std::int64_t>("9223372036854775808") == " must be an integer\n");
  CHECK(faults_in<std::int64_t>("1.0") == " must be an integer\n");
  CHECK(faults_in<std::int64_t>("-9223372036854775808").empty());
  CHECK(faults_in<double>("7").empty());
  CHECK(faults_in<sample::Colour>("\"red\"") == " must be one of Red, Green\n");
}

TEST_CASE("parse_of_client: numbers are not far from 1") {
  const auto refused = [](const std::string& text) {
    Fault fault;
    return parse_of_client(text, fault) ? "" : fault.detail;
  };
  for (const std::string good :
       {"9.999e31", "-9.999e31", "1e-32", "-1e-32", "1e-400", "0", "0.0", "700000000000000000000"})
    CHECK_MESSAGE(refused(good) == "", good);
  for (const auto& far :
       {"1e32"s, "-1e32"s, "1e308"s, "1e400"s, "9.9e-33"s, "-1e-300"s, "10e31"s, "1" + std::string(32, '0')})
    CHECK_MESSAGE(refused(far).find("range") != std::string::npos, far);
  CHECK(refused("18446744073709551617").find("64 bits") != std::string::npos);
}

TEST_CASE("kept_size: as much as PostgreSQL gives back, at least") {
  const auto size = [](const std::string& text) {
    Fault fault;
    return kept_size(parse(text, fault).value());
  };
  // By SELECT octet_length($1::jsonb::text).
  for (const auto& [text, octets] : std::vector<std::pair<std::string, std::size_t>>{{"1e31", 32},
                                                                                     {"[1e31,1e31]", 68},
                                                                                     {"-1.5e-31", 35},
                                                                                     {R"({"a":1,"b":[true,null]})", 29},
                                                                                     {R"("a\u0001")", 9}}) {
    CHECK_GE(size(text), octets);
    CHECK_LE(size(text), octets + 120);
  }
  CHECK(is_kept_within({"[1e31]"}, 48));
  CHECK_FALSE(is_kept_within({"[1e31,1e31]"}, 60));
}

TEST_CASE("keep_known: members that a struct does not have are dropped, however deep") {
  Fault fault;
  auto json = parse(R"({"label":"a","x":{"y":1},"weight":"no number"})", fault).value();
  keep_known<sample::Inner>(json);
  CHECK(boost::json::serialize(json) == R"({"label":"a","weight":"no number"})");
  auto list = parse(R"([{"label":"a","x":1},7])", fault).value();
  keep_known<std::optional<std::vector<sample::Inner>>>(list);
  CHECK(boost::json::serialize(list) == R"([{"label":"a"},7])");
}

TEST_CASE("parse_leniently: what was mended is read again, however long it got") {
  for (const auto& broken :
       {"{\"" + std::string(1'000, '\xFF') + "\":1}", "{\"a\":\"" + std::string(3 << 20, '\xFF') + "\"}"}) {
    Fault fault;
    const auto mended = parse_leniently(broken, fault);
    REQUIRE(mended.has_value());
    const auto again = parse_leniently(boost::json::serialize(*mended), fault);
    CHECK_MESSAGE(again == mended, fault.detail);
  }
}

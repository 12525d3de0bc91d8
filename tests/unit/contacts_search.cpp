// What a search means as a number, by its characters, and as attributes.
#include "contacts/contacts/search.hpp"

#include <doctest/doctest.h>

using namespace parley::contacts::contacts;
using Texts = std::vector<std::string>;

TEST_SUITE("unit: search of contacts") {
  TEST_CASE("numbers are found however they are written") {
    CHECK_EQ(number_patterns("+49 151"), Texts{"%\n+49151%"});
    CHECK_EQ(number_patterns("+49 (0)151-23"), Texts{"%\n+4915123%"});
    CHECK_EQ(number_patterns("0049 151"), Texts{"%\n%0049151%", "%\n+49151%"});
    CHECK_EQ(number_patterns("0151 23"), Texts{"%\n%015123%", "%\n+_15123%", "%\n+__15123%", "%\n+___15123%"});
    CHECK_EQ(number_patterns("0151 234 567"), Texts{"%\n%151234567%"});
    CHECK_EQ(number_patterns("0151234567"), Texts{"%\n%151234567%"});
    CHECK_EQ(number_patterns("0151"), Texts{"%\n+_151%", "%\n+__151%", "%\n+___151%"});
    CHECK_EQ(number_patterns("151.23"), Texts{"%\n%15123%"});
    CHECK_EQ(number_patterns(" 49151"), Texts{"%\n%49151%"});  // a plus that was not encoded
  }
  TEST_CASE("what is spelled as it is kept, or is no number, has no other spelling") {
    for (const char* search : {"", "15123", "+4915123", "12", "1 2", "+", "-", "12 monkeys", "151+23", "1_51", "15%1"})
      CHECK_EQ(number_patterns(search), Texts{});
  }
  TEST_CASE("long searches that end in digits are looked for by those") {
    const auto of = [](const std::string& search) { return tails(search, number_patterns(search)); };
    CHECK_EQ(of("+491701234567"), Texts{"%34567%"});
    CHECK_EQ(of("+49 (170) 1234567"), Texts{"%34567%"});
    CHECK_EQ(of("0170 1234567"), Texts{"%34567%"});
    CHECK_EQ(of("0170 123 45"), Texts{"%0170 123 45%", "%12345%"});
    CHECK_EQ(of("muller 7919"), Texts{"%7919%"});
    for (const char* search : {"", "ada", "ada 12", "12345", "1 23", "7919 muller", "0151"}) {
      INFO(search);
      CHECK_EQ(of(search), Texts{});
    }
  }
  TEST_CASE("what has no trigram is short") {
    for (const char* search : {"", "a", "zo", "日本", "---", "a b", "o'h", "%_\\", "+4", "12-34"}) {
      INFO(search);
      CHECK(is_short(search));
    }
    for (const char* search : {"ada", "日本語", "1234", "-ada-", "Zoë"}) {
      INFO(search);
      CHECK_FALSE(is_short(search));
    }
  }
  TEST_CASE("attributes are looked for as the text and as what it may spell") {
    CHECK_EQ(attribute_documents({{"city", "Paris"}}), Texts{R"({"city":"Paris"})"});
    CHECK_EQ(attribute_documents({{"n", "7"}}), Texts{R"({"n":"7"})", R"({"n":7})"});
    CHECK_EQ(attribute_documents({{"n", "-1.5e3"}}), Texts{R"({"n":"-1.5e3"})", R"({"n":-1.5e3})"});
    CHECK_EQ(attribute_documents({{"b", "true"}}), Texts{R"({"b":"true"})", R"({"b":true})"});
    CHECK_EQ(attribute_documents({{"a", "x"}, {"n", "7"}}), Texts{R"({"a":"x","n":"7"})", R"({"a":"x","n":7})"});
    CHECK_EQ(attribute_documents({{"n", "7"}, {"a", "\"x\\"}}),
             Texts{R"({"n":"7","a":"\"x\\"})", R"({"n":7,"a":"\"x\\"})"});
    for (const char* text : {"007", "", " 7", "7 ", "null", "[1]", "{}", "1e999", "\"x\"", "NaN", "0x1e"}) {
      INFO(text);
      CHECK_EQ(attribute_documents({{"n", text}}).size(), 1);
    }
  }
}

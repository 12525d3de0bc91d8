// Telephone numbers as they are typed, in E.164.
#include <doctest/doctest.h>

#include <string>

#include "common/model/phone.hpp"
#include "tests/unit/model_phone_examples.hpp"

using parley::model::is_international;
using parley::model::is_phone_country;
using parley::model::to_e164;
using parley::model::wrong_length_of;

namespace {

// Calls `check` with each of the numbers, in E.164.
template <class Check>
void for_each_number(std::string_view code, std::string_view numbers, Check check) {
  while (!numbers.empty()) {
    const auto end = std::min(numbers.find(' '), numbers.size());
    check("+" + std::string(code).append(numbers.substr(0, end)));
    numbers.remove_prefix(std::min(end + 1, numbers.size()));
  }
}

std::string read(std::string_view typed, std::string_view country = "") {
  return to_e164(typed, country).value_or("refused");
}

}  // namespace

TEST_CASE("Phone: every kind of number of every region is taken, and none that is too short or too long") {
  int possible = 0, impossible = 0;
  for (const auto& examples : parley::tests::kPhoneExamples) {
    for_each_number(examples.code, examples.possible, [&](const std::string& number) {
      ++possible;
      CHECK(read(number) == number);
      CHECK(wrong_length_of(number, "") == "");
    });
    for_each_number(examples.code, examples.impossible, [&](const std::string& number) {
      ++impossible;
      INFO(number);
      CHECK(read(number) == "refused");
      CHECK(wrong_length_of(number, "").starts_with("+" + std::string(examples.code) + " is followed by "));
    });
  }
  CHECK(possible >= 978);
  CHECK(impossible >= 3 * 200);
}

TEST_CASE("Phone: what is told of too few or too many digits") {
  CHECK(wrong_length_of("+49 170", "") == "+49 is followed by 4 to 13 digits, not 3");
  CHECK(wrong_length_of("0044 20 7946 001", "FR") == "");  // as there are shorter ones there
  CHECK(wrong_length_of("0207946", "GB") == "+44 is followed by 7 or 9 to 10 digits, not 6");
  CHECK(wrong_length_of("+1 555-0123", "") == "+1 is followed by 10 digits, not 7");
  CHECK(wrong_length_of("555-0123", "US") == "+1 is followed by 10 digits, not 7");
  CHECK(wrong_length_of("+229 21 34 56", "") == "+229 is followed by 10 digits, not 6");
  CHECK(wrong_length_of("21 34 56 78", "BJ") == "+229 is followed by 10 digits, not 8");  // until 2024
  for (const char* another : {"", "abc", "+999 123456789", "0170 1234567", "+1 101 555 0123", "+49 170x"})
    CHECK(wrong_length_of(another, "") == "");
}

TEST_CASE("Phone: international numbers, however they are written") {
  CHECK(read("+491701234567") == "+491701234567");
  for (const char* typed : {"+49 170 1234567", "+49-170-1234567", "+49.170.123.4567", "+49 (170) 1234567",
                            "+49/170/1234567", "+49 (0)170 1234567", "+49 0170 1234567", "  +49\t1701234567 ",
                            "0049 170 1234567", "00491701234567", "tel:+49-170-1234567", "TEL:+491701234567",
                            "\xEF\xBC\x8B\xEF\xBC\x94\xEF\xBC\x99"
                            "1701234567",  // full-width
                            "\xE2\x80\xAA+49\xC2\xA0"
                            "170 1234567\xE2\x80\xAC",  // an address book's marks
                            "+49 170\xE2\x80\x93"
                            "1234567",
                            "+\xD9\xA4\xD9\xA9"
                            "1701234567"}) {
    INFO(typed);
    CHECK(read(typed) == "+491701234567");
    CHECK(read(typed, "DE") == "+491701234567");
    CHECK(read(typed, "FR") == "+491701234567");
  }
  CHECK(read("+44 (0)20 7946 0018") == "+442079460018");
  CHECK(read("+39 06 698 12345") == "+390669812345");  // no trunk prefix there: the zero is the number's
  CHECK(read("+225 07 01 02 03 04") == "+2250701020304");
  CHECK(read("+7 800 555-35-35") == "+78005553535");
  CHECK(read("+36 06 1 234 5678") == "+3612345678");
  CHECK(read("+1 (201) 555-0123") == "+12015550123");
  CHECK(read("+683 4002") == "+6834002");
  CHECK(read("+882 1234567890 12") == "+882123456789012");
}

TEST_CASE("Phone: the channel's own forms of older numbers are taken, with their calling code") {
  for (const char* number :
       {"+5215512345678", "+5491123456789", "+551187654321", "+552187654321", "+22921345678", "+22507123456"})
    for (const char* country : {"", "DE", "MX", "BJ"}) {
      INFO(number);
      CHECK(read(number, country) == number);
      CHECK(wrong_length_of(number, country) == "");
    }
  CHECK(read("+52 1 55 1234 5678") == "+5215512345678");
  CHECK(read("22921345678", "BJ") == "+22921345678");
  CHECK(read("+525512345678") == "+525512345678");
  CHECK(read("+5225512345678") == "refused");
  CHECK(read("1 55 1234 5678", "MX") == "refused");
  CHECK(read("07 12 34 56", "CI") == "refused");
}

TEST_CASE("Phone: national numbers take the country's calling code and lose its trunk prefix") {
  CHECK(read("0170 1234567", "DE") == "+491701234567");
  CHECK(read("170 1234567", "DE") == "+491701234567");   // a spreadsheet took the zero
  CHECK(read("491701234567", "DE") == "+491701234567");  // or the plus
  CHECK(read("4921 12345", "DE") == "+49492112345");     // Emden, not Dusseldorf
  CHECK(read("020 7946 0018", "GB") == "+442079460018");
  CHECK(read("447911123456", "GB") == "+447911123456");
  CHECK(read("(201) 555-0123", "US") == "+12015550123");
  CHECK(read("1-201-555-0123", "CA") == "+12015550123");
  CHECK(read("8 (495) 123-45-67", "RU") == "+74951234567");
  CHECK(read("800 555-35-35", "RU") == "+78005553535");
  CHECK(read("8 029 123-45-67", "BY") == "+375291234567");
  CHECK(read("06 1 234 5678", "HU") == "+3612345678");
  CHECK(read("06 698 12345", "IT") == "+390669812345");
  CHECK(read("612 34 56 78", "ES") == "+34612345678");
  CHECK(read("34612345678", "ES") == "+34612345678");
  CHECK(read("98765 43210", "IN") == "+919876543210");
  CHECK(read("tel:0170-1234567", "DE") == "+491701234567");
  CHECK(read("436641234567", "AT") == "+436641234567");  // as long as the longest there, and longer than is usual
  CHECK(read("31612345678", "NL") == "+31612345678");
  CHECK(read("393123456789", "IT") == "+393123456789");
  CHECK(read("3912345678", "IT") == "+393912345678");
}

TEST_CASE("Phone: what is dialled abroad is known where it differs") {
  CHECK(read("011 49 170 1234567", "US") == "+491701234567");
  CHECK(read("0011 49 170 1234567", "AU") == "+491701234567");
  CHECK(read("010 49 170 1234567", "JP") == "+491701234567");
  CHECK(read("000 49 170 1234567", "KE") == "+491701234567");
  CHECK(read("8 10 49 170 1234567", "RU") == "+491701234567");
  CHECK(read("00 1 201 555 0123", "DE") == "+12015550123");
}

TEST_CASE("Phone: two zeros lead abroad also where something else is dialled") {
  CHECK(read("00447911123456", "NG") == "+447911123456");
  CHECK(read("00971501234567", "NG") == "+971501234567");
  CHECK(read("00919876543210", "NG") == "+919876543210");
  CHECK(read("002348012345678", "NG") == "+2348012345678");
  CHECK(read("009447911123456", "NG") == "+447911123456");
  CHECK(read("006591234567", "KE") == "+6591234567");
  CHECK(read("00254712345678", "KE") == "+254712345678");
  CHECK(read("00491701234567", "US") == "+491701234567");
  CHECK(read("00491701234567", "AU") == "+491701234567");
  CHECK(read("0001701234567", "NG") == "refused");  // and are no trunk prefix twice
}

TEST_CASE("Phone: refused") {
  for (const std::string typed : {"",
                                  " ",
                                  "+",
                                  "-",
                                  "abc",
                                  "+49abc",
                                  "0170 1234567",
                                  "491701234567",
                                  "12015550123",
                                  "+",
                                  "++491701234567",
                                  "49+1701234567",
                                  "+0491701234567",
                                  "+999 123456789",
                                  "+210 12345678",
                                  "+49 12",
                                  "+1 201 555 012",
                                  "+1 201 555 01234",
                                  "+1 101 555 0123",
                                  "+4917012345678901",
                                  "+491701234567 ext 5",
                                  "+491701234567;ext=5",
                                  "+49170123456x",
                                  "4.91701E+11",
                                  "+49\xFF"
                                  "1701234567",
                                  "+49\xE2\x80",
                                  "\xF0\x9F\x93\x9E+491701234567",
                                  "tel:",
                                  "+491701234567, +491701234568"}) {
    INFO(typed);
    CHECK(read(typed) == "refused");
  }
  CHECK(read("112", "DE") == "refused");
  CHECK(read("555-0123", "US") == "refused");
  CHECK(read("0170 1234567", "de") == "refused");  // a country is in capitals
  CHECK(read(std::string(1'000, '1'), "DE") == "refused");
  CHECK(read(std::string("+49170\0"
                         "1234567",
                         14)) == "refused");
  CHECK(read("+49 " + std::string(200, ' ') + "1701234567") == "refused");
}

TEST_CASE("Phone: what came out goes in again unchanged, whatever the country") {
  for (const char* number : {"+491701234567", "+12015550123", "+74951234567", "+390669812345", "+6834002"})
    for (const char* country : {"", "DE", "US", "RU", "IT", "JP"}) CHECK(read(number, country) == number);
  // Whatever zeros people put into it.
  for (const auto& examples : parley::tests::kPhoneExamples)
    for_each_number(examples.code, examples.possible, [&](const std::string& number) {
      for (const std::string between : {"0", "(0)", "00", "(0)00-", "06", "01", "8", "1"}) {
        const auto typed = "+" + std::string(examples.code) + " " + between + number.substr(1 + examples.code.size());
        if (const auto once = to_e164(typed, "")) CHECK_MESSAGE(read(*once) == *once, typed);
      }
    });
  CHECK(read("+49 (0)00-1701234567") == "refused");
}

TEST_CASE("Phone: what has the form of E.164") {
  for (const char* number : {"+491701234567", "+123", "+999123456789012"}) CHECK(is_international(number));
  for (const char* other : {"", "+", "+12", "+9991234567890123", "491701234567", "+49 170", "++49170", "+49170x"})
    CHECK_FALSE(is_international(other));
}

TEST_CASE("Phone: countries") {
  for (const char* known : {"DE", "US", "CA", "XK", "VA", "BJ"}) CHECK(is_phone_country(known));
  for (const char* unknown : {"", "D", "de", "DEU", "ZZ", "--", "49",
                              "\xC3\x84"
                              "A"})
    CHECK_FALSE(is_phone_country(unknown));
}

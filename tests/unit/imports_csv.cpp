// The CSV reader: records, lines and faults, wherever the data is cut.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "contacts/imports/csv.hpp"

using namespace parley::contacts::imports;
using Step = CsvReader::Step;

namespace {

struct Record {
  std::vector<std::string> fields;
  std::uint64_t line = 0;
  std::string fault;
  std::size_t end = 0;  // octets up to behind it
  bool operator==(const Record&) const = default;
};

struct Read {
  std::vector<Record> records;
  std::string broken;
  std::size_t used = 0;
  bool operator==(const Read&) const = default;
};

// Reads text that arrives in pieces of these sizes, the last one again and again, as a worker does.
Read read(const std::string& text, std::vector<std::size_t> pieces = {1'000'000}, char delimiter = ',') {
  Read out;
  CsvReader reader(delimiter);
  std::string data;
  std::size_t arrived = 0, piece = 0;
  for (;;) {
    const auto step = reader.next(data, arrived == text.size());
    if (step == Step::need_more) {
      REQUIRE(arrived < text.size());
      const auto size = pieces[std::min(piece++, pieces.size() - 1)];
      data += text.substr(arrived, size);
      arrived = std::min(arrived + size, text.size());
      continue;
    }
    if (step == Step::end) return out;
    if (step == Step::broken) {
      out.broken = std::to_string(reader.line()) + ": " + std::string(reader.fault());
      return out;
    }
    out.used += reader.consumed();
    if (step == Step::record)
      out.records.push_back(
          {{reader.fields().begin(), reader.fields().end()}, reader.line(), std::string(reader.fault()), out.used});
    data.erase(0, reader.consumed());
  }
}

using Fields = std::vector<std::string>;
std::vector<Fields> fields_of(const Read& read) {
  std::vector<Fields> out;
  for (const auto& record : read.records) out.push_back(record.fields);
  return out;
}

const std::string kDifficult =
    "name,phone\r\n"
    "plain,1\r\n"
    "\"quoted\",\"2\"\n"
    "\"with \"\"quotes\"\"\",3\r"
    "\"two\r\nlines, and a comma\",\"4\"\r\n"
    "\r\n"
    "\"\",\"\"\n"
    ",\n"
    "5\" pipe,\xC3\xA9\xF0\x9F\x98\x80\r\n"
    "\"\"\"\",\"a\rb\nc\r\n\"\r\n"
    "\"bad\"text,6\n"
    "last,";

}  // namespace

TEST_SUITE("unit: CSV") {
  TEST_CASE("fields, quotes, line ends and lines") {
    const auto found = read(kDifficult);
    CHECK(found.broken.empty());
    CHECK(fields_of(found) == std::vector<Fields>{{"name", "phone"},
                                                  {"plain", "1"},
                                                  {"quoted", "2"},
                                                  {"with \"quotes\"", "3"},
                                                  {"two\r\nlines, and a comma", "4"},
                                                  {"", ""},
                                                  {"", ""},
                                                  {"5\" pipe", "\xC3\xA9\xF0\x9F\x98\x80"},
                                                  {"\"", "a\rb\nc\r\n"},
                                                  {"bad", "6"},
                                                  {"last", ""}});
    std::vector<std::uint64_t> lines;
    for (const auto& record : found.records) lines.push_back(record.line);
    CHECK(lines == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 8, 9, 10, 11, 15, 16});
    for (const auto& record : found.records) CHECK((record.fault.empty() == (record.fields[0] != "bad")));
    CHECK(found.used == kDifficult.size());
  }

  TEST_CASE("it does not matter where the data is cut") {
    const auto whole = read(kDifficult);
    for (std::size_t cut = 1; cut < kDifficult.size(); ++cut) {
      CAPTURE(cut);
      CHECK(read(kDifficult, {cut, 1'000'000}) == whole);
    }
    for (const std::size_t size : {1, 2, 3, 5, 7}) CHECK(read(kDifficult, {size}) == whole);
  }

  TEST_CASE("every two cuts of a small file") {
    const std::string text = "a,\"b\"\"\r\n\"\r\n\r\"c\",d\r\ne,f";
    const auto whole = read(text);
    CHECK(fields_of(whole) == std::vector<Fields>{{"a", "b\"\r\n"}, {"c", "d"}, {"e", "f"}});
    for (std::size_t first = 1; first < text.size(); ++first)
      for (std::size_t second = 1; first + second < text.size(); ++second)
        CHECK(read(text, {first, second, 1'000'000}) == whole);
  }

  TEST_CASE("it goes on anywhere between two records") {
    const auto whole = read(kDifficult);
    for (std::size_t i = 0; i + 1 < whole.records.size(); ++i) {
      const auto& before = whole.records[i];
      CsvReader reader(',', 100);
      std::string_view rest = std::string_view(kDifficult).substr(before.end);
      auto step = reader.next(rest, true);
      if (step == Step::blank) step = reader.next(rest = rest.substr(reader.consumed()), true);
      CHECK(step == Step::record);
      CHECK(Fields(reader.fields().begin(), reader.fields().end()) == whole.records[i + 1].fields);
    }
  }

  TEST_CASE("other delimiters") {
    CHECK(fields_of(read("a;b,c;\"d;e\"\n", {3}, ';')) == std::vector<Fields>{{"a", "b,c", "d;e"}});
    CHECK(fields_of(read("a\tb c\t\n", {2}, '\t')) == std::vector<Fields>{{"a", "b c", ""}});
  }

  TEST_CASE("a quote that is never closed ends it, and says where it began") {
    for (const std::size_t piece : {1, 1000, 100'000}) {
      const auto short_one = read("a,b\nc,\"d\ne,f\ng,h\n", {piece});
      CHECK(fields_of(short_one) == std::vector<Fields>{{"a", "b"}});
      CHECK(short_one.broken.starts_with("2: a quote"));
    }
    std::string long_one = "a,b\nc,\"d";
    for (int i = 0; i < 20'000; ++i) long_one += "\nx,y and z";
    for (const std::size_t piece : {1000, 100'000}) CHECK(read(long_one, {piece}).broken.starts_with("2: a quote"));
    // A closing quote so far away that it cannot be meant.
    CHECK(read(long_one + "\"\n", {100'000}).broken.starts_with("2: a quote"));
  }

  TEST_CASE("a record may be as long as the bound and no longer, however it arrives") {
    for (const std::size_t piece : {999, 65'536, 1'000'000}) {
      CAPTURE(piece);
      const std::string fits(kMaxRecordLength - 1, 'x');
      CHECK(read(fits + "\ny", {piece}).records.size() == 2);
      CHECK(read(fits + "z", {piece}).records.size() == 1);
      CHECK(read(fits + "z\ny", {piece}).broken.starts_with("1: the record"));
      CHECK(read(fits + "zz", {piece}).broken.starts_with("1: the record"));
      const std::string quoted = "\"" + std::string(kMaxRecordLength - 3, 'x') + "\"";
      CHECK(read(quoted + "\ny", {piece}).records.size() == 2);
      CHECK(read(quoted + "\r\ny", {piece}).broken.starts_with("1: the record"));
    }
  }

  TEST_CASE("nothing, and next to nothing") {
    CHECK(read("").records.empty());
    CHECK(read("\n\r\n\r").records.empty());
    CHECK(read("\n\n").used == 2);
    CHECK(fields_of(read("x")) == std::vector<Fields>{{"x"}});
    CHECK(fields_of(read("\"\"")) == std::vector<Fields>{{""}});
    CHECK(fields_of(read(",")) == std::vector<Fields>{{"", ""}});
    CHECK(read("\"").broken.starts_with("1: a quote"));
  }

  TEST_CASE("what stands before the first record") {
    const auto of = [](std::string_view data) { return read_preamble(data, true).value(); };
    CHECK(of("name,phone\n").delimiter == ',');
    CHECK(of("name;phone,mobile;city\n1,2,3").delimiter == ';');
    CHECK(of("name\tphone\n").delimiter == '\t');
    CHECK(of("phone").delimiter == ',');
    CHECK(of("\"a;b;c\",d\n").delimiter == ',');
    CHECK(of("").octets == 0);
    CHECK(of("\xEF\xBB\xBFname;phone\n").octets == 3);
    CHECK(of("\xEF\xBB\xBFname;phone\n").delimiter == ';');
    const auto told = of("\xEF\xBB\xBFsep=;\r\nname,phone;x\r\n");
    CHECK(told.delimiter == ';');
    CHECK(told.octets == 10);
    CHECK(told.lines == 1);
    CHECK(of("SEP=|\na|b\n").delimiter == '|');
    for (const std::string_view begun : {"", "n", "\xEF\xBB", "name;ph", "name;phone\r", "\"a\nb"})
      CHECK_FALSE(read_preamble(begun, false));
    CHECK(read_preamble("name;phone\n", false));
    CHECK(read_preamble(std::string(kMaxRecordLength, 'x'), false));  // the reader will refuse it
  }
}

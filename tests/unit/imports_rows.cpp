// What a file's columns are, and what its records become.
#include <doctest/doctest.h>

#include "common/model/text.hpp"
#include "contacts/imports/rows.hpp"

using namespace parley;
using namespace parley::contacts::imports;

namespace {

std::vector<std::string> faults_of(const http::Faults& faults) {
  std::vector<std::string> out;
  try {
    http::Faults(faults).throw_if_any();
  } catch (const http::Problem& problem) {
    for (const auto& fault : problem.errors) out.push_back(fault.pointer + " " + fault.detail);
  }
  return out;
}

// "name phone attributes.city", or what is wrong.
std::string columns(const std::vector<std::string_view>& headers, std::string_view mapping = "") {
  http::Faults faults;
  std::string out;
  for (const auto& column : choose_columns(headers, read_mapping(mapping, faults), faults))
    out += (out.empty() ? "" : " ") + target_of(column);
  for (const auto& fault : faults_of(faults)) out = "refused: " + fault;
  return out;
}

Job job_with(std::vector<std::string> targets, OnConflict on_conflict = OnConflict::skip, std::string country = "DE") {
  Job job;
  job.on_conflict = on_conflict;
  job.country = std::move(country);
  for (const auto& target : targets) job.columns.push_back(column_of(target, "the " + target));
  return job;
}

Rows gather(const Job& job, const std::string& text) {
  RowGatherer gatherer(job);
  CsvReader reader(',', 2);
  std::string_view rest = text;
  for (;;) {
    const auto step = reader.next(rest, true);
    if (step == CsvReader::Step::end) break;
    REQUIRE(step != CsvReader::Step::broken);
    rest.remove_prefix(reader.consumed());
    gatherer.take(reader);
  }
  return gatherer.finish(static_cast<std::int64_t>(text.size()), static_cast<std::int64_t>(reader.next_line()));
}

std::string only_error(const Job& job, const std::string& text) {
  const auto rows = gather(job, text);
  CHECK(rows.rows.empty());
  CHECK(rows.progress.failed == 1);
  REQUIRE(rows.progress.errors.size() == 1);
  const auto& error = rows.progress.errors[0];
  return std::to_string(error.line) + " " + error.column + ": " + error.detail;
}

}  // namespace

TEST_SUITE("unit: import rows") {
  TEST_CASE("failed rows are kept with their fields, as many as an import may have") {
    auto job = job_with({"name", "phone"});
    auto rows = gather(job, "Ann,0171 2222222\n'=1+1,none\n\"a \"\"b\"\"\",1,more\n\xFF,2\n");
    REQUIRE(rows.failed.size() == 3);
    CHECK(rows.progress.failed == 3);
    CHECK(rows.progress.failed_kept == 3);
    CHECK(rows.failed[0].line == 3);
    CHECK(rows.failed[0].column == "the phone");
    CHECK(rows.failed[0].fields == std::vector<std::string>{"=1+1", "none"});
    CHECK(rows.failed[1].fields == std::vector<std::string>{"a \"b\"", "1", "more"});
    CHECK(rows.failed[1].reason == "has 3 fields, the header has 2");
    CHECK(rows.failed[2].fields[0] == "\xEF\xBF\xBD");
    job.cells = model::CsvCells::raw;
    CHECK(gather(job, "'=1+1,none\n").failed[0].fields[0] == "'=1+1");
    job.progress.failed_kept = kMaxFailedKept - 1;
    rows = gather(job, "a,none\nb,none\n");
    CHECK(rows.failed.size() == 1);
    CHECK(rows.progress.failed_kept == kMaxFailedKept);
    CHECK(rows.progress.failed == 2);
    job.progress.failed_kept = 0;
    job.progress.failed_octets = kMaxFailedOctets;
    CHECK(gather(job, "a,none\n").failed.empty());
  }

  TEST_CASE("columns are what they are called") {
    CHECK(columns({"name", "phone", "tags", "city"}) == "name phone tags attributes.city");
    CHECK(columns({" Phone ", "NAME", "Attributes.Home Town", "", "attributes."}) ==
          "phone name attributes.Home Town - attributes.attributes.");
  }

  TEST_CASE("columns are what the mapping says") {
    CHECK(columns({"Full Name", "Mobile", "Town", "Notes", "plan"},
                  "name:full name, phone:Mobile ,attributes.city:Town,-:Notes") ==
          "name phone attributes.city - attributes.plan");
    CHECK(columns({"phone", "mobile"}, "phone:mobile") == "attributes.phone phone");
    CHECK(columns({"a,b", "c:d", "e\\f"}, "phone:a\\,b,name:c\\:d,tags:e\\\\f") == "phone name tags");
    CHECK(columns({"city", "phone", "Town"}, "attributes.city:Town") == "- phone attributes.city");
  }

  TEST_CASE("columns that cannot be") {
    CHECK(columns({"name", "city"}).starts_with("refused:  line 1: no column is the phone"));
    CHECK(columns({"phone", "Phone"}) == "refused:  line 1: two columns are phone: see mapping");
    CHECK(columns({"phone", "city", "city"}) == "refused:  line 1: two columns are attributes.city: see mapping");
    CHECK(columns({"phone"}, "name:Other") == "refused: ?mapping the file has no column \"Other\"");
    CHECK(columns({"phone"}, "phone") == "refused: ?mapping \"phone\" is not TARGET:COLUMN");
    CHECK(columns({"phone"}, "email:phone").starts_with("refused: ?mapping \"email\" is not one of"));
    CHECK(columns({"phone"}, "attributes.:phone").starts_with("refused: ?mapping \"attributes.\" is not one of"));
    CHECK(columns({"phone", "x"}, "name:x,tags:X").starts_with("refused: ?mapping names the column \"X\" twice"));
    CHECK(columns({"phone", "\xFF"}).starts_with("refused: "));
    for (const auto& answer : {columns({"n\xE4me"}), columns({"phone", "n\xE4me", "n\xE4me"})})
      CHECK(model::count_characters(answer));  // which is JSON
    CHECK(columns(std::vector<std::string_view>(257, "x")).starts_with("refused:  line 1: there must be at most 256"));
  }

  TEST_CASE("a record becomes a contact") {
    const auto job = job_with({"name", "phone", "tags", "attributes.city", "-", "attributes.\"q\""});
    const auto rows = gather(job, " Ann Lee ,0170 1234567,\"a| b,c;a;\",Paris,secret,\n,+33612345678,,,,\"x\"\"y\"\n");
    REQUIRE(rows.rows.size() == 2);
    const auto& second = rows.rows[1];
    CHECK(second.name == "Ann Lee");
    CHECK(second.phone == "+491701234567");
    CHECK(second.attributes == R"({"city":"Paris"})");
    CHECK(second.tags == std::vector<std::string>{"a", "b", "c"});
    CHECK(second.line == 2);
    const auto& first = rows.rows[0];
    CHECK(first.name.empty());
    CHECK(first.phone == "+33612345678");  // rows come in the order of their phones
    CHECK(first.attributes == R"({"\"q\"":"x\"y"})");
    CHECK(first.line == 3);
    CHECK(rows.progress.rows_read == 2);
    CHECK(rows.progress.failed == 0);
    CHECK(rows.progress.tags == std::vector<std::string>{"a", "b", "c"});
  }

  TEST_CASE("rows that are bad are told with their line and column") {
    const auto job = job_with({"name", "phone", "tags", "attributes.x"});
    CHECK(only_error(job, "\n,abc,,\n") == "3 the phone: \"abc\" is no telephone number");
    CHECK(only_error(job, "Ann,+49 170,,\n") ==
          "2 the phone: \"+49 170\" is no telephone number: +49 is followed by 4 to 13 digits, not 3");
    CHECK(only_error(job, "Ann,0049 170 12345678901,,\n") ==
          "2 the phone: \"0049 170 12345678901\" is no telephone number: +49 is followed by 4 to 13 digits, not 14");
    CHECK(only_error(job, "Ann,,,\n") == "2 the phone: is empty: a contact needs a telephone number");
    CHECK(only_error(job, "Ann,01701234567\n") == "2 : has 2 fields, the header has 4");
    CHECK(only_error(job, "\"Ann\"x,01701234567,,\n") == "2 : there is text behind a closing quote");
    CHECK(only_error(job, "J\xFCrgen,01701234567,,\n") == "2 the name: is not UTF-8");
    CHECK(only_error(job, std::string("A\0nn,01701234567,,\n", 19)) == "2 the name: has the character U+0000");
    CHECK(only_error(job, std::string(256, 'x') + ",01701234567,,\n") == "2 the name: is longer than 255 characters");
    CHECK(only_error(job, "Ann,01701234567," + std::string(256, 'x') + ",\n") ==
          "2 the tags: has a tag of more than 255 characters");
    CHECK(only_error(job, "Ann,01701234567,," + std::string(kMaxAttributes, 'x') + "\n") ==
          "2 : its attributes are longer than 16 KiB");
    CHECK(only_error(job_with({"phone"}, OnConflict::skip, ""), "01701234567\n") ==
          "2 the phone: \"01701234567\" is no telephone number with its plus and calling code");
    const std::string name = std::string(100, 'x');
    CHECK(only_error(job, "Ann," + name + ",,\n") ==
          "2 the phone: \"" + name.substr(0, 40) + "...\" is no telephone number");
    CHECK(gather(job, "\xC3\xBC" + std::string(253, 'x') + "\xC3\xBC,01701234567,,\n").rows.size() == 1);
  }

  TEST_CASE("blank rows are no rows; the first hundred errors are kept, all are counted") {
    const auto job = job_with({"name", "phone"});
    CHECK(gather(job, "\n,\n\"\", \n\n").progress.rows_read == 0);
    std::string text;
    for (int i = 0; i < 150; ++i) text += "x,bad\n";
    const auto rows = gather(job, text);
    CHECK(rows.progress.rows_read == 150);
    CHECK(rows.progress.failed == 150);
    CHECK(rows.progress.errors.size() == kMaxErrors);
    CHECK(rows.progress.errors.back().line == 101);
  }

  TEST_CASE("the same phone twice: the first counts, or the later is merged into it") {
    const std::string text = "Ann,0170 1234567,a,1,\nBob,+491701234567,b,2,x\n,00491701234567,a,,\n";
    const std::vector<std::string> targets{"name", "phone", "tags", "attributes.n", "attributes.m"};
    const auto skipped = gather(job_with(targets), text);
    REQUIRE(skipped.rows.size() == 1);
    CHECK(skipped.rows[0].name == "Ann");
    CHECK(skipped.rows[0].attributes == R"({"n":"1"})");
    CHECK(skipped.progress.skipped == 2);
    CHECK(skipped.progress.tags == std::vector<std::string>{"a"});

    const auto merged = gather(job_with(targets, OnConflict::update), text);
    REQUIRE(merged.rows.size() == 1);
    CHECK(merged.rows[0].name == "Bob");
    CHECK(merged.rows[0].attributes == R"({"n":"1","n":"2","m":"x"})");  // of a key twice the later one counts
    CHECK(merged.rows[0].tags == std::vector<std::string>{"a", "b"});
    CHECK(merged.rows[0].repeated == 2);
    CHECK(merged.progress.rows_read == 3);
    CHECK(merged.progress.skipped == 0);
  }

  TEST_CASE("an import names at most a thousand different tags, whatever batch they are in") {
    auto job = job_with({"phone", "tags"});
    for (std::size_t i = 1; i < kMaxTagNames; ++i) job.progress.tags.push_back("tag " + std::to_string(i));
    const auto rows = gather(job, "+491701234561,tag 1\n+491701234562,new\n+491701234563,newer\n+491701234564,new\n");
    CHECK(rows.rows.size() == 3);
    CHECK(rows.progress.failed == 1);
    CHECK(rows.progress.errors.at(0).detail == "names a tag beyond the 1,000 that an import may name");
    CHECK(rows.progress.tags.size() == kMaxTagNames);
    CHECK(rows.new_tags);
  }
}

#pragma once
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "contacts/imports/csv.hpp"
#include "contacts/imports/shapes.hpp"

namespace parley::contacts::imports {

inline constexpr std::size_t kMaxAttributes = 16 * 1024;  // octets of a contact's attributes as JSON
inline constexpr std::size_t kMaxTagNames = 1'000;        // distinct tags of an import, each of which may be created

// A record of the file, for the file of failed rows.
struct Record {
  std::int64_t line = 0;
  std::string text;
};

struct Row {
  model::Uuid id;  // of the contact if it is created
  std::int64_t line = 0;
  std::string name, phone;
  std::string attributes;  // a JSON object
  std::vector<std::string> tags;
  std::int64_t repeated = 0;    // later rows with this phone, merged into this one
  std::vector<Record> records;  // its own and theirs, if it may fail when it is applied
};

// A batch of rows with distinct phones, and the progress after it, without the counts that applying determines.
struct Rows {
  std::vector<Row> rows;  // sorted by phone
  Progress progress;
  bool new_tags = false, new_errors = false;  // whether `progress` has new ones
  std::vector<FailedRow> failed;              // as many of the new ones as are kept
};

void add_error(Rows& rows, std::int64_t line, std::string_view column, std::string detail);

// Keeps a row that counts as failed, within the bounds of its import.
void keep_failed(Rows& rows, const Job& job, const CsvReader& record, std::string_view column, std::string_view reason);
void keep_failed(Rows& rows, const Job& job, const Record& record, std::string_view reason);

class RowGatherer {
 public:
  // The job must outlive this object.
  explicit RowGatherer(const Job& job);

  // Adds a record; ignores blank ones, counts and notes invalid ones.
  void take(const CsvReader& record);
  std::size_t size() const { return gathered_.rows.size(); }
  // Returns the batch, which ends at `position` and `line`. Call go_on() with the progress after applying it.
  Rows finish(std::int64_t position, std::int64_t line);
  void go_on(Progress progress);

 private:
  struct Fault {
    std::string_view column;
    std::string detail;
  };
  std::optional<Fault> read(std::span<const std::string_view> fields, Row& row);
  std::optional<Fault> read_tags(const Column& column, std::string_view cell, Row& row);
  void add(Row row);
  void merge(Row& into, Row row);

  const Job& job_;
  std::vector<std::string> keys_;  // attribute names as JSON with a colon, by column
  std::set<std::string, std::less<>> tags_;
  std::unordered_map<std::string, std::size_t> by_phone_;  // index into gathered_
  Rows gathered_;
};

}  // namespace parley::contacts::imports

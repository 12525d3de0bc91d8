#pragma once
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "contacts/imports/csv.hpp"
#include "contacts/imports/shapes.hpp"

namespace parley::contacts::imports {

inline constexpr std::size_t kMaxAttributes = 16 * 1024;  // octets of a contact's, as JSON
inline constexpr std::size_t kMaxTagNames = 1'000;        // different ones that an import may name: each makes a tag

// A contact that a row asks for.
struct Row {
  model::Uuid id;  // for the contact, if none has that phone
  std::int64_t line = 0;
  std::string name, phone;
  std::string attributes;  // a JSON object
  std::vector<std::string> tags;
  std::int64_t repeated = 0;  // later rows of its phone that were merged into it
};

// Rows that are applied together, no phone twice; and what `progress` is when they are, but for what becomes of them.
struct Rows {
  std::vector<Row> rows;  // sorted by phone
  Progress progress;
  bool new_tags = false, new_errors = false;  // in `progress`
};

// Notes what is wrong with a row; the first hundred are kept.
void add_error(Rows& rows, std::int64_t line, std::string_view column, std::string detail);

// Makes rows of records.
class RowGatherer {
 public:
  // The job outlives it.
  explicit RowGatherer(const Job& job);

  // A record, or the blank line that it may be. Bad ones are counted and noted.
  void take(const CsvReader& record);
  std::size_t size() const { return gathered_.rows.size(); }
  // What was gathered, up to where `position` and `line` are now. Then go_on() with what came of it.
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
  std::vector<std::string> keys_;  // of the attributes, as JSON with their colons; by column
  std::set<std::string, std::less<>> tags_;
  std::unordered_map<std::string, std::size_t> by_phone_;  // places in gathered_
  Rows gathered_;
};

}  // namespace parley::contacts::imports

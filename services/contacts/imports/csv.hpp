#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::contacts::imports {

// Octets that a record may have, its line's end included. What is longer has a quote that was never closed, or is no
// CSV.
inline constexpr std::size_t kMaxRecordLength = 64 * 1024;

// What stands before a file's first record: a byte-order mark, and the line `sep=;` that a spreadsheet may have
// written.
struct Preamble {
  std::size_t octets = 0;
  std::uint64_t lines = 0;
  char delimiter = ',';  // the most frequent of comma, semicolon and tab in the first line, outside of quotes
};
// Looks at a file's beginning; nullopt while more of it is needed. `last`: there is no more.
std::optional<Preamble> read_preamble(std::string_view data, bool last);

// Reads the records of RFC 4180 one by one off the front of what has arrived, and keeps nothing between two of them: to
// go on anywhere takes an offset and a line's number. Beyond the RFC: any delimiter, lines that end in LF or CR alone,
// a quote inside a field that does not begin with one stands for itself.
class CsvReader {
 public:
  // `line` is the number of the line at the front of the data to come; the first is 1.
  explicit CsvReader(char delimiter, std::uint64_t line = 1);

  enum class Step {
    record,     // fields() and fault() tell of it
    blank,      // an empty line
    need_more,  // the record goes on beyond the data
    end,        // there is nothing left
    broken      // the record is too long or ends in the middle of a quote: what follows cannot be read
  };
  // Reads what `data` begins with. `last`: nothing will follow it.
  Step next(std::string_view data, bool last);

  // Octets at the front of the data that the last step used up.
  std::size_t consumed() const { return consumed_; }
  // The first line of the record that the last step read.
  std::uint64_t line() const { return line_; }
  // The line behind it, where the next one begins.
  std::uint64_t next_line() const { return next_line_; }
  // Slices of the data or of this reader, until the next step.
  std::span<const std::string_view> fields() const { return fields_; }
  // Why the record cannot be used; "" when it can.
  std::string_view fault() const { return fault_; }

 private:
  enum class Field { more, last, need_more };
  Field read_field(std::string_view data, bool last);
  bool read_quoted(std::string_view data, bool last, std::string_view& field);
  Field end_field(std::string_view data, bool last);
  Step finish(std::string_view data);

  char delimiter_;
  std::uint64_t line_, next_line_;
  std::size_t at_ = 0, consumed_ = 0;
  bool has_quoted_ = false, in_quotes_ = false;
  std::vector<std::string_view> fields_;
  std::string unescaped_;  // never longer than a record, so that slices of it hold
  std::string_view fault_;
};

}  // namespace parley::contacts::imports

#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::contacts::imports {

// Maximum octets of a record with its line end. A longer one has an unclosed quote or is no CSV.
inline constexpr std::size_t kMaxRecordLength = 64 * 1024;

// The part before the first record: a byte-order mark, and a line such as `sep=;` that spreadsheets write.
struct Preamble {
  std::size_t octets = 0;
  std::uint64_t lines = 0;
  char delimiter = ',';  // the most frequent of comma, semicolon and tab in the first line, outside of quotes
};
// Returns nullopt if more data is needed. `last`: no data follows.
std::optional<Preamble> read_preamble(std::string_view data, bool last);

// Reads records of RFC 4180 one at a time, without state between them: an offset and a line number suffice to resume.
// Also accepts any delimiter, LF or CR alone as line ends, and quotes inside unquoted fields.
class CsvReader {
 public:
  // `line` is the number, from 1, of the line at which the data begins.
  explicit CsvReader(char delimiter, std::uint64_t line = 1);

  enum class Step {
    record,     // see fields() and fault()
    blank,      // an empty line
    need_more,  // the record goes on beyond the data
    end,
    broken  // too long or an unclosed quote: the rest is unreadable
  };
  // Reads the record at the front of `data`. `last`: no data follows.
  Step next(std::string_view data, bool last);

  // Octets that the last step consumed.
  std::size_t consumed() const { return consumed_; }
  // First line of the last record.
  std::uint64_t line() const { return line_; }
  // First line of the next record.
  std::uint64_t next_line() const { return next_line_; }
  // Views of the data or of this reader, valid until the next step.
  std::span<const std::string_view> fields() const { return fields_; }
  // The record as it stands in the data, with its line end.
  std::string_view text() const { return text_; }
  // Why the record is invalid; "" if valid.
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
  std::string unescaped_;  // never exceeds its reserved capacity, so views stay valid
  std::string_view text_, fault_;
};

}  // namespace parley::contacts::imports

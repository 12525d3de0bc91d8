#pragma once
// Plain SQL on a connection of the test's own, for test data and expected values.
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct pg_conn;

namespace parley::support {

// The server has ended the session.
struct SessionEnded : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Sql {
 public:
  using Row = std::vector<std::string>;  // in PostgreSQL's text form; "" for NULL
  using Parameters = std::vector<std::string>;

  // Throws std::runtime_error if it cannot connect within 10 s.
  explicit Sql(const std::string& url);

  // One statement with text parameters, or several without: the last one's rows. Throws with the server's message.
  std::vector<Row> rows(const std::string& sql, const Parameters& parameters = {});
  std::string value(const std::string& sql, const Parameters& parameters = {});
  std::int64_t number(const std::string& sql, const Parameters& parameters = {});
  std::vector<std::string> column(const std::string& sql, const Parameters& parameters = {});
  bool in_transaction() const;

 private:
  std::unique_ptr<pg_conn, void (*)(pg_conn*)> connection_;
};

// One statement or several: the last one's first value, or "". The sessions of the URLs that a thread used last are
// kept, as each costs the server more than most statements: set nothing in them but by SET LOCAL. Where one has ended,
// with its server or by a test, the statement is run in a new one. Throws as Sql does; a lock is waited for 20 s, as
// whoever has it may be served by this same thread.
std::string execute(const std::string& url, const std::string& sql);

// A PostgreSQL array `{a,b}` with every element quoted.
std::string sql_array(const std::vector<std::string>& elements);

// The text of a file of the source tree. Throws if it does not exist.
std::string source_text(const std::string& path);

}  // namespace parley::support

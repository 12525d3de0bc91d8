#pragma once
// Plain SQL over a connection of the test's own: what tests seed, and what they compare the product's answers with.
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct pg_conn;

namespace parley::support {

class Sql {
 public:
  using Row = std::vector<std::string>;  // in PostgreSQL's text form; "" for NULL
  using Parameters = std::vector<std::string>;

  // Throws std::runtime_error when it cannot connect within 10 s.
  explicit Sql(const std::string& url);

  // One statement with its $1.. as text, or several without parameters: the last one's rows. Throws with the server's
  // message.
  std::vector<Row> rows(const std::string& sql, const Parameters& parameters = {});
  // The first column of the first row, "" if there is none.
  std::string value(const std::string& sql, const Parameters& parameters = {});
  std::int64_t number(const std::string& sql, const Parameters& parameters = {});
  // The first column.
  std::vector<std::string> column(const std::string& sql, const Parameters& parameters = {});

 private:
  std::unique_ptr<pg_conn, void (*)(pg_conn*)> connection_;
};

// `{a,b}` as PostgreSQL reads an array, every element quoted.
std::string sql_array(const std::vector<std::string>& elements);

// The text of a file of the source tree, such as a service's SQL. Throws when there is none.
std::string source_text(const std::string& path);

}  // namespace parley::support

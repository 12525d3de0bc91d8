#include "common/pg/results.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace parley::pg {

const PGresult* Results::result(std::size_t i) const {
  if (i >= exchange_->results.size())
    throw MappingError("the batch has " + std::to_string(exchange_->results.size()) + " statements, not " +
                       std::to_string(i + 1));
  return exchange_->results[i].get();
}

std::size_t Results::row_count(std::size_t i) const { return static_cast<std::size_t>(::PQntuples(result(i))); }

std::uint64_t Results::affected(std::size_t i) const {
  const std::string_view text = ::PQcmdTuples(const_cast<PGresult*>(result(i)));
  std::uint64_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

int Results::column_count(std::size_t i) const { return ::PQnfields(result(i)); }

int Results::find_column(std::size_t i, const char* name, int guess) const {
  const PGresult* found = result(i);
  const int columns = ::PQnfields(found);
  const std::string_view wanted = name;
  if (guess < columns && wanted == ::PQfname(found, guess)) return guess;
  for (int column = 0; column < columns; ++column)
    if (wanted == ::PQfname(found, column)) return column;
  return -1;
}

Oid Results::type(std::size_t i, int column) const { return ::PQftype(result(i), column); }

Cell Results::cell(std::size_t i, int row, int column) const {
  const PGresult* from = exchange_->results[i].get();
  if (::PQgetisnull(from, row, column)) return {nullptr, 0, 0};
  return {::PQgetvalue(from, row, column), static_cast<std::size_t>(::PQgetlength(from, row, column)),
          ::PQftype(from, column)};
}

void Results::require_type(std::size_t i, int column, bool accepted, const char* expected) const {
  if (accepted) return;
  throw MappingError(exchange_->calls[i].statement->name + ": column " + ::PQfname(result(i), column) + " is " +
                     oid::name_of(type(i, column)) + ", the member needs " + expected);
}

void Results::missing_column(std::size_t i, const char* member) const {
  throw MappingError(exchange_->calls[i].statement->name + ": there is no column for the member " + member);
}

void Results::unused_column(std::size_t i, const int* mapping, std::size_t members) const {
  for (int column = 0; column < column_count(i); ++column)
    if (std::find(mapping, mapping + members, column) == mapping + members)
      throw MappingError(exchange_->calls[i].statement->name + ": there is no member for the column " +
                         ::PQfname(result(i), column));
  throw MappingError(exchange_->calls[i].statement->name + ": two members or columns of one name");
}

void Results::wrong(std::size_t i, const char* what) const {
  throw MappingError(exchange_->calls[i].statement->name + ' ' + what);
}

void Results::wrong_value(std::size_t i, int column, const char* what) const {
  throw MappingError(exchange_->calls[i].statement->name + ": column " + ::PQfname(result(i), column) + ' ' + what);
}

}  // namespace parley::pg

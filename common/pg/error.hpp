#pragma once
// What can go wrong between us and PostgreSQL, as exceptions.

#include <stdexcept>
#include <string>
#include <string_view>

namespace parley::pg {

// No connection could be had or kept in time, or a bound was reached. Nothing was changed; asking again later is safe.
struct Unavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The connection went while a COMMIT was under way: the transaction is either done or not, and nobody knows which.
struct OutcomeUnknown : Unavailable {
  using Unavailable::Unavailable;
};

// The server refused a statement. The rest of its batch did not run, and its transaction is (or will be) rolled back.
struct SqlError : std::runtime_error {
  SqlError(std::string statement, std::string state, std::string message, std::string detail, std::string constraint);

  std::string statement;   // Statement::name of the one that failed, or "COMMIT", "BEGIN"
  std::string state;       // five characters (PostgreSQL, appendix A)
  std::string message;     // the server's primary message
  std::string detail;      // may hold values of the row: not for callers' eyes
  std::string constraint;  // its name, for class 23; else ""

  bool in_class(std::string_view two) const { return std::string_view(state).substr(0, 2) == two; }
  // An empty constraint stands for any.
  bool is_unique_violation(std::string_view constraint = {}) const { return is("23505", constraint); }
  bool is_foreign_key_violation(std::string_view constraint = {}) const { return is("23503", constraint); }
  bool is_check_violation(std::string_view constraint = {}) const { return is("23514", constraint); }
  // The whole transaction may be tried again: serialization failure or deadlock.
  bool is_retryable() const { return state == "40001" || state == "40P01"; }
  // A value the server cannot hold: bad text, out of range, too long, malformed. The caller's fault, not ours.
  bool is_bad_value() const;
  // The server is short of something or the statement ran out of time: 53xxx, 55P03, 57014, 57P0x, 40001, 40P01.
  bool is_temporary() const;

 private:
  bool is(std::string_view wanted, std::string_view wanted_constraint) const {
    return state == wanted && (wanted_constraint.empty() || constraint == wanted_constraint);
  }
};

// Code and database do not fit: a parameter's or a column's type or name, a NULL where none may be, a statement on the
// wrong lane. A programming error.
struct MappingError : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace parley::pg

#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace parley::pg {

// No connection was available or kept in time, or a bound was reached. Nothing was changed; the caller may retry.
struct Unavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The connection was lost during a COMMIT: the transaction may or may not have committed.
struct OutcomeUnknown : Unavailable {
  using Unavailable::Unavailable;
};

// The server rejected a statement. The rest of its batch did not run, and its transaction is (or will be) rolled back.
struct SqlError : std::runtime_error {
  SqlError(std::string statement, std::string state, std::string message, std::string detail, std::string constraint);

  std::string statement;   // Statement::name of the failed one, or "COMMIT", "BEGIN"
  std::string state;       // SQLSTATE, five characters (PostgreSQL, appendix A)
  std::string message;     // the server's primary message
  std::string detail;      // may hold values of the row: do not show to API callers
  std::string constraint;  // the violated constraint's name, for class 23; else ""

  bool in_class(std::string_view two) const { return std::string_view(state).substr(0, 2) == two; }
  // An empty constraint matches any.
  bool is_unique_violation(std::string_view constraint = {}) const { return is("23505", constraint); }
  bool is_foreign_key_violation(std::string_view constraint = {}) const { return is("23503", constraint); }
  bool is_check_violation(std::string_view constraint = {}) const { return is("23514", constraint); }
  // Serialization failure or deadlock: the whole transaction may be retried.
  bool is_retryable() const { return state == "40001" || state == "40P01"; }
  // The server cannot store a value: bad text, out of range, too long, malformed. The caller's fault.
  bool is_bad_value() const;
  // The server lacks resources or the statement timed out: 53xxx, 55P03, 57014, 57P0x, 40001, 40P01.
  bool is_temporary() const;

 private:
  bool is(std::string_view wanted, std::string_view wanted_constraint) const {
    return state == wanted && (wanted_constraint.empty() || constraint == wanted_constraint);
  }
};

// Programming error: a name or type differs from the database's, a NULL has no std::optional, or a lane is wrong.
struct MappingError : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace parley::pg

#include "common/pg/error.hpp"

#include <utility>

namespace parley::pg {

SqlError::SqlError(std::string statement, std::string state, std::string message, std::string detail,
                   std::string constraint)
    : std::runtime_error(statement + ": " + state + ": " + message),
      statement(std::move(statement)),
      state(std::move(state)),
      message(std::move(message)),
      detail(std::move(detail)),
      constraint(std::move(constraint)) {}

bool SqlError::is_bad_value() const {
  for (std::string_view bad : {"22021", "22P05", "22001", "22003", "22P02", "22007", "22008", "22P03", "22030"})
    if (state == bad) return true;
  return false;
}

bool SqlError::is_temporary() const {
  return is_retryable() || in_class("53") || state == "55P03" || state == "57014" || state.starts_with("57P0") ||
         state == "25006";
}

}  // namespace parley::pg

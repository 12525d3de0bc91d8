#pragma once
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

#include "common/async/loop.hpp"
#include "common/model/json.hpp"

namespace parley::chassis {

enum class Level { debug, info, warn, error };
BOOST_DESCRIBE_ENUM(Level, debug, info, warn, error)

class Log;

// One log line: a JSON object that the destructor writes. Names are constants and need no escaping.
class Line {
 public:
  Line(Log& log, Level level, std::string_view message);
  ~Line();
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  template <class T>
  Line& with(std::string_view name, const T& value) {
    text_->append(",\"").append(name).append("\":");
    model::write(*text_, value);
    return *this;
  }
  // Omits the field if `value` is empty.
  Line& with_text(std::string_view name, std::string_view value) { return value.empty() ? *this : with(name, value); }

 private:
  Log& log_;
  std::string* text_;
};

using async::words_of;  // for the log only

// Writes JSON lines to standard output: ts, level, service, role, msg and further fields. Lines are buffered for at
// most one tick (100 ms); warnings and errors are written at once. Never logged: bodies, keys, tokens, whole phone
// numbers.
class Log {
 public:
  Log(std::string_view service, Level least, std::string_view role = {});
  ~Log() { flush(); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  bool writes(Level level) const { return level >= least_; }
  // Only for levels that are written; check writes() first where building the line is expensive.
  Line line(Level level, std::string_view message) { return Line(*this, level, message); }
  Line info(std::string_view message) { return line(Level::info, message); }
  Line warn(std::string_view message) { return line(Level::warn, message); }
  Line error(std::string_view message) { return line(Level::error, message); }
  void flush();

 private:
  friend class Line;
  std::string head_;  // ,"service":"contacts"
  Level least_;
  std::string gathered_;
  std::string unwritten_;  // lines below the minimum level, discarded
  bool urgent_ = false;
};

}  // namespace parley::chassis

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

// One line in the making: a JSON object, written when this goes. Names are ours and need no escaping.
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
  // Passed over when empty.
  Line& with_text(std::string_view name, std::string_view value) { return value.empty() ? *this : with(name, value); }

 private:
  Log& log_;
  std::string* text_;
};

using async::words_of;  // for the log alone

// JSON lines on standard output: ts, level, service, role, msg and what else is known. Lines gather and leave together,
// at most a tick (100 ms) later; warnings and errors leave at once. Never in them: bodies, keys, tokens, whole phone
// numbers.
class Log {
 public:
  Log(std::string_view service, Level least, std::string_view role = {});
  ~Log() { flush(); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  bool writes(Level level) const { return level >= least_; }
  // Only for levels that are written: ask writes() first where making the line costs.
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
  std::string unwritten_;  // of lines below the least level
  bool urgent_ = false;
};

}  // namespace parley::chassis

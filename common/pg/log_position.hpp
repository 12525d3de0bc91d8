#pragma once
// The primary's flushed log position, which covers every commit confirmed to any client. Internal to common/pg. The
// primary must not run with synchronous_commit = off, which confirms commits before they are in the log.

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/async/event.hpp"
#include "common/pg/core.hpp"

namespace parley::pg {

// One run of a server as the primary.
struct Incarnation {
  std::string timeline;  // eight hexadecimal digits, as in names of log files
  model::Timestamp started;
  bool operator==(const Incarnation&) const = default;
};

// The end of the primary's flushed log.
struct Mark {
  std::int64_t position = 0;
  Incarnation of;
};

class LogPosition : public std::enable_shared_from_this<LogPosition> {
 public:
  explicit LogPosition(std::shared_ptr<Core> primary) : primary_(std::move(primary)) {}

  // Returns a position that the primary reported after this call; nullopt when the primary is unreachable or hangs.
  static awaitable<std::optional<Mark>> ask_primary(std::shared_ptr<LogPosition> self);
  void shut();

 private:
  // One query, shared by all callers that came before it was sent.
  struct Question {
    std::optional<Mark> mark;
    async::Event over;
  };

  void send_next();
  static awaitable<void> send(std::shared_ptr<LogPosition> self, std::shared_ptr<Question> question);

  std::shared_ptr<Core> primary_;
  std::shared_ptr<Question> next_;   // not sent yet
  std::shared_ptr<Question> asked_;  // in flight
};

}  // namespace parley::pg

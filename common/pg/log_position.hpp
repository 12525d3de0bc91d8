#pragma once
// How far the primary's log is flushed, which covers every commit that anybody has been told of, by whichever process
// it was made. Internal to common/pg.
//
// The primary must not run with synchronous_commit = off, which tells of commits before they are in the log.

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/async/event.hpp"
#include "common/pg/core.hpp"

namespace parley::pg {

// A server's life as a primary.
struct Incarnation {
  std::string timeline;  // eight hexadecimal digits, as log files are named
  model::Timestamp started;
  bool operator==(const Incarnation&) const = default;
};

// Where the primary's log ends.
struct Mark {
  std::int64_t position = 0;
  Incarnation of;
};

class LogPosition : public std::enable_shared_from_this<LogPosition> {
 public:
  explicit LogPosition(std::shared_ptr<Core> primary) : primary_(std::move(primary)) {}

  // Asked after this was called. None: the primary could not be asked, or hangs.
  static awaitable<std::optional<Mark>> ask_primary(std::shared_ptr<LogPosition> self);
  // Nobody waits any more.
  void shut();

 private:
  // One question for it, of all who came before it was sent.
  struct Question {
    std::optional<Mark> mark;
    async::Event over;
  };

  void send_next();
  static awaitable<void> send(std::shared_ptr<LogPosition> self, std::shared_ptr<Question> question);

  std::shared_ptr<Core> primary_;
  std::shared_ptr<Question> next_;   // not sent yet
  std::shared_ptr<Question> asked_;  // under way
};

}  // namespace parley::pg

#pragma once
// Reads on streaming replicas that see all that was committed before they began. Internal to common/pg.
//
// The primary is asked how far its log is flushed, which covers every commit that anybody has been told of, by
// whichever process it was made. A replica that has replayed that much shows all of them to a snapshot taken after it
// said so. If it has not, it is asked once more a little later; then the primary reads. Nothing is remembered anywhere
// but here, and nothing is waited for that the primary could answer.
//
// Positions compare only within one history, so a connection to a replica counts for nothing until a look has shown
// that
//  - it leads to PostgreSQL itself (to the backend whose number it was given at connect; poolers give their own);
//  - the server is in recovery, of the same system and database as the primary, and on the primary's timeline: after a
//    failover, a replica of the old primary may have replayed what the new one never had;
//  - it has not replayed more than the primary, asked after it, has flushed: else that was set back (a snapshot of its
//    disk, say).
// The look is taken for one incarnation of the primary (its timeline, and when it started) and repeated when the
// primary tells of another, when the connection was made anew, and every second: a replica may be led elsewhere while
// it runs. A promoted one says itself that it is no replica any more, with every read.
//
// And the primary must not run with synchronous_commit = off, which tells of commits before they are in the log.
//
// What this cannot see: with synchronous replication a commit is on the replica before its client, or anyone on the
// primary, sees it; and of two servers that both take writes, no reader can tell which one will have been right.

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "common/pg/core.hpp"

namespace parley::pg {

class Replica : public std::enable_shared_from_this<Replica> {
 public:
  // `primary` is the pool's own, of the same settings.
  Replica(asio::io_context& context, std::shared_ptr<Core> primary, const Settings& settings);

  void start() { replica_->start(); }
  void shut();
  awaitable<void> close() { return replica_->close(); }

  // Statements as Core::prepare took them for the primary's read or slow lane.
  static awaitable<Results> read(std::shared_ptr<Replica> self, ExchangePtr exchange);
  static awaitable<Results> slow(std::shared_ptr<Replica> self, ExchangePtr exchange);

  const ReplicaReads& reads() const { return reads_; }
  LaneStats stats() const;
  void observe(Observer observer);
  void observe_waits(WaitObserver observer);

 private:
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
  // One question for it, of all who came before it was sent.
  struct Question {
    std::list<Waiter> askers;  // a list, as its elements cannot be assigned
    std::optional<Mark> mark;  // none: it could not be asked
    bool over = false;
  };
  // What is known of a connection.
  struct Standing {
    unsigned epoch = 0;
    std::optional<Incarnation> trusted_by;
    bool looking = false;
    bool refused = false;
    bool up_to_date = true;  // the last time it was asked
    Clock::time_point next_look{};
    Clock::time_point rests_until{};  // it was behind, or did not answer
  };
  enum class Outcome : unsigned char { answered, behind, away };

  static awaitable<Outcome> try_read(std::shared_ptr<Replica> self, ExchangePtr exchange, Mark mark,
                                     ExchangePtr& answered);
  static awaitable<Outcome> try_slow(std::shared_ptr<Replica> self, ExchangePtr exchange, Mark mark,
                                     ExchangePtr& answered);
  ExchangePtr ask_position(Connection& connection) const;
  Outcome judge(const ExchangePtr& question, Connection& connection, unsigned epoch, const Mark& mark, bool second);
  void count(Outcome outcome);

  static awaitable<std::optional<Mark>> mark(std::shared_ptr<Replica> self);
  void ask();
  void on_asked(const ExchangePtr& exchange);
  void answer_all(Question& question);

  Standing& standing(const Connection& connection);
  bool trusted(const Connection& connection, const Mark& mark);
  Outcome prospect(Lane lane);
  std::shared_ptr<Connection> pick(const Mark& mark);
  static awaitable<void> look(std::shared_ptr<Replica> self, std::shared_ptr<Connection> connection, unsigned epoch,
                              Lane lane);
  void refuse(Connection& connection, const char* why);

  awaitable<void> within(ExchangePtr exchange, Clock::duration time);
  awaitable<void> pause(Clock::duration time);

  asio::io_context& context_;
  std::shared_ptr<Core> primary_;
  std::shared_ptr<Core> replica_;
  std::shared_ptr<Question> next_;   // not sent yet
  std::shared_ptr<Question> asked_;  // under way
  std::unordered_map<const Connection*, Standing> standings_;
  std::string refusal_;  // why one is not used; "" when all looked at are
  ReplicaReads reads_;
};

}  // namespace parley::pg

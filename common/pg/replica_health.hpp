#pragma once
// Which connections to replicas may be read on, and which of them at best. Internal to common/pg.
//
// Positions compare only within one history, so a connection to a replica counts for nothing until a look has shown
// that
//  - it leads to PostgreSQL itself (to the backend whose number it was given at connect; poolers give their own);
//  - the server is in recovery, of the same system and database as the primary, and on the primary's timeline: after a
//    failover, a replica of the old primary may have replayed what the new one never had;
//  - it has not replayed more than the primary, asked after it, has flushed: else that was set back (a snapshot of its
//    disk, say).
// The look is taken for one incarnation of the primary (its timeline, and when it started) and repeated when the
// primary tells of another, when the connection was made anew, and every second, as a replica may be led elsewhere
// while it runs: on the read lane whether or not anybody reads, on the slow lane before the next batch. A look that is
// three seconds old counts for nothing. A promoted replica says itself that it is none any more, with every read.

#include <boost/asio/awaitable.hpp>
#include <boost/describe.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "common/pg/log_position.hpp"

namespace parley::pg {

struct PrimaryRow {
  std::int64_t system = 0, database = 0;
  std::string schema;
  std::int64_t position = 0;
  std::string timeline;
  model::Timestamp started;
  bool durable = false;
};
BOOST_DESCRIBE_STRUCT(PrimaryRow, (), (system, database, schema, position, timeline, started, durable))

struct ReplicaRow {
  std::int64_t system = 0, database = 0;
  std::string schema;
  std::int64_t backend = 0;
  std::optional<std::int64_t> position;  // none: it is not in recovery
  std::string timeline;
};
BOOST_DESCRIBE_STRUCT(ReplicaRow, (), (system, database, schema, backend, position, timeline))

// Why a replica must not be read, or nullptr; `backend` is the connection's, and the primary was asked last.
const char* fault_of(const ReplicaRow& replica, const PrimaryRow& primary, int backend);

// What is to be had from a replica, or why nothing is.
enum class Prospect : unsigned char { likely, behind, none };

class ReplicaHealth : public std::enable_shared_from_this<ReplicaHealth> {
 public:
  ReplicaHealth(std::shared_ptr<Core> primary, std::shared_ptr<Core> replica);
  void shut();

  // Whether it is worth asking; looks where a look is due.
  Prospect prospect(Lane lane);
  // The connection to read on, of the read lane and of the idle ones of the slow lane; none: there is none to be used.
  // One of the slow lane may still be due.
  std::shared_ptr<Connection> pick(const Mark& mark);
  std::shared_ptr<Connection> pick_idle(const Mark& mark);

  bool due(const Connection& connection);
  static awaitable<void> look(std::shared_ptr<ReplicaHealth> self, std::shared_ptr<Connection> connection);
  bool usable(const Connection& connection, const Mark& mark);

  // What became of the question how far it is: it told, not for the first time for this read if `second`; or nothing
  // came.
  Prospect told(Connection& connection, std::optional<std::int64_t> position, const Mark& mark, bool second);
  void silent(const Connection& connection);
  // It was, the last time it was asked.
  bool up_to_date(const Connection& connection) { return standing(connection).told == Told::current; }

  // Why a connection is not used; "" when none was refused, or all have been found right since.
  const std::string& refusal() const { return refusal_; }

 private:
  enum class Told : unsigned char { current, behind, nothing };
  // What is known of a connection.
  struct Standing {
    unsigned epoch = 0;
    std::optional<Incarnation> trusted_by;
    Clock::time_point looked_at{};
    bool looking = false;
    bool refused = false;
    Told told = Told::current;
    Clock::time_point next_look{};
    Clock::time_point rests_until{};  // it was behind, or did not answer
  };

  Standing& standing(const Connection& connection);
  static bool trusted(const Standing& standing);
  template <class Suits>
  std::shared_ptr<Connection> best(Lane lane, Suits suits);
  void look_where_due();
  void keep_looking();
  void refuse(Connection& connection, const char* why);
  void accept(const Connection& connection, Incarnation primary, Clock::time_point looked_at);

  std::shared_ptr<Core> primary_;
  std::shared_ptr<Core> replica_;
  std::unordered_map<const Connection*, Standing> standings_;
  std::string refusal_;
  Timer timer_;
  bool keeps_looking_ = false;
  bool shut_ = false;
};

}  // namespace parley::pg

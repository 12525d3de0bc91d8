#pragma once
// Decides which connections to replicas may be read on, and which is best. Internal to common/pg.

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
  std::optional<std::int64_t> position;  // nullopt: the server is not in recovery
  std::string timeline;
};
BOOST_DESCRIBE_STRUCT(ReplicaRow, (), (system, database, schema, backend, position, timeline))

// Returns why a replica must not be read, or nullptr. `primary` must have been asked after the replica.
const char* fault_of(const ReplicaRow& replica, const PrimaryRow& primary, int backend);

// Whether a replica is likely to answer a read, or why it cannot.
enum class Prospect : unsigned char { likely, behind, none };

// Log positions compare only within one history, so a connection is not trusted until a check ("look") has shown that
//  - it leads to PostgreSQL itself: the backend's process id equals the one given at connect (poolers give their own);
//  - the server is in recovery, has the system id and database of the primary, and is on its timeline: after a failover
//    a replica of the old primary may have replayed what the new one never had;
//  - it has not replayed more than the primary, asked later, has flushed: else the primary was set back to a snapshot.
// A look holds for three seconds and one incarnation of the primary. It is repeated after a reconnect and every second,
// as a replica's upstream may change while it runs: always on the read lane, before the next batch on the slow lane.
class ReplicaHealth : public std::enable_shared_from_this<ReplicaHealth> {
 public:
  ReplicaHealth(std::shared_ptr<Core> primary, std::shared_ptr<Core> replica);
  void shut();

  // Returns whether a replica is worth asking; starts the looks that are due.
  Prospect prospect(Lane lane);
  // Return a connection to read on, or null: of the read lane; idle, of the slow lane, and perhaps due for a look.
  std::shared_ptr<Connection> pick(const Mark& mark);
  std::shared_ptr<Connection> pick_idle(const Mark& mark);

  bool due(const Connection& connection);
  static awaitable<void> look(std::shared_ptr<ReplicaHealth> self, std::shared_ptr<Connection> connection);
  bool usable(const Connection& connection, const Mark& mark);

  // Record that a replica told its position (`second`: for the second time in this read), or did not answer.
  Prospect told(Connection& connection, std::optional<std::int64_t> position, const Mark& mark, bool second);
  void silent(const Connection& connection);
  bool up_to_date(const Connection& connection) { return standing(connection).told == Told::current; }

  // Why a connection is not used; "" when none was refused or all have passed a look since.
  const std::string& refusal() const { return refusal_; }

 private:
  enum class Told : unsigned char { current, behind, nothing };
  struct Standing {
    unsigned epoch = 0;
    std::optional<Incarnation> trusted_by;
    Clock::time_point looked_at{};
    bool looking = false;
    bool refused = false;
    Told told = Told::current;
    Clock::time_point next_look{};
    Clock::time_point rests_until{};  // set when the replica was behind or silent
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

#pragma once
// One PostgreSQL connection, in libpq's pipeline mode for life. Internal to common/pg.
//
// Facts of libpq 15 that this rests on: for each query come its result and a NULL, then PGRES_PIPELINE_SYNC without
// one; after an error everything up to the sync is PGRES_PIPELINE_ABORTED; PQgetResult does not block when PQisBusy
// said no. A full send buffer makes libpq read too, so that what it read must be looked for without waiting for the
// socket.

#include <libpq-fe.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/pg/address.hpp"
#include "common/pg/pipelined_batch.hpp"

namespace parley::pg {

namespace asio = boost::asio;
using boost::asio::awaitable;
using boost::system::error_code;
using Executor = asio::io_context::executor_type;
using Timer = asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, Executor>;

struct Finish {
  void operator()(PGconn* connection) const noexcept { ::PQfinish(connection); }
};

struct ConnectionSettings {
  std::string url;
  Lane lane = Lane::read;
  bool prepared = true;
  // Many batches under way at once. Otherwise one, the rest waiting here: where a failed batch needs a ROLLBACK of its
  // own before the next may follow (explicit BEGIN, without a session default).
  bool pipelined = true;
  // To a server in recovery; of several hosts, to any, so that connections spread over them.
  bool to_replica = false;
  std::chrono::milliseconds connect_timeout{};
  std::chrono::milliseconds deadline{};
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // None of these is called with a libpq call on the stack.
  struct Events {
    std::function<bool()> may_connect;                                 // asked before each attempt; false: later
    std::function<void(Connection&)> ready;                            // connected and prepared
    std::function<void(Connection&, const std::string& why)> lost;     // was ready
    std::function<void(Connection&, const std::string& why)> refused;  // could not be made
    std::function<void(Connection&)> idle;                             // nothing under way, no transaction, not taken
    std::function<void()> given_back;                                  // what was taken, of a connection lost meanwhile
    std::function<void(const PipelinedBatch&)> sent;                   // by send()
    std::function<void(const PipelinedBatch&)> finished;  // of those and its own; before its waiter resumes
    std::function<void()> overdue;
  };

  Connection(asio::io_context& context, ConnectionSettings settings, Events events);
  ~Connection();

  // Connects, serves, and connects again until close().
  void start();
  void close();
  // Tries to connect now if it is waiting to try again.
  void hurry();

  bool ready() const { return ready_ && !retiring_; }
  // An attempt to connect is under way.
  bool connecting() const { return connecting_; }
  // Batches sent and not answered.
  std::size_t load() const { return in_flight_.size() + unsent_.size(); }
  // The backend's process, as the server gave it at connect; a pooler gives a number of its own. Needs ready().
  int backend() const { return ::PQbackendPID(connection_.get()); }
  // Which connect this is; what was taken in another one is void.
  unsigned epoch() const { return epoch_; }

  // Needs ready(). The connection may be lost at the return, and then so is the exchange.
  void send(PipelinedBatchPtr exchange);

  // Takes nothing new, and connects anew when what is under way is done.
  void retire();

  // retire(), and then to the next host if there are several.
  void move_on();

  // For one user alone, until release(); what that leaves open is rolled back first.
  bool taken() const { return taken_; }
  void take() { taken_ = true; }
  bool idle() const { return ready() && !taken_ && load() == 0; }
  void release(unsigned epoch);

 private:
  enum class Preparation : unsigned char { none, under_way, done };

  // connect.cpp
  static awaitable<void> run(std::shared_ptr<Connection> self);
  awaitable<void> connect();
  awaitable<void> poll_until_connected(unsigned epoch);
  void begin_session();

  // Sending.
  void transmit(PipelinedBatchPtr exchange);
  bool write(const PipelinedBatch& exchange);
  bool write(const Statement& statement, const PipelinedBatch* exchange, const Parameter* parameters);
  bool write_prepare(const Statement& statement);
  void flush();
  void drain_soon();

  // Receiving.
  void wait_readable();
  void on_readable(error_code error);
  void drain();
  void collect(PipelinedBatchQueue& done);
  void take_result(PipelinedBatch& exchange, Result result);
  void take_error(PipelinedBatch& exchange, const PGresult* result);

  // After an exchange.
  void finish(PipelinedBatchPtr exchange);
  void look_at_failure(const PipelinedBatch& exchange);
  void prepare_what_ran(const PipelinedBatch& exchange);
  void settle();
  void drop(const std::string& why);
  void watch();
  void on_watch();

  Preparation& preparation(const Statement& statement);

  asio::io_context& context_;
  ConnectionSettings settings_;
  Events events_;
  asio::posix::basic_stream_descriptor<Executor> descriptor_;
  Timer watchdog_;
  Timer pause_;
  std::unique_ptr<PGconn, Finish> connection_;

  PipelinedBatchQueue in_flight_;
  PipelinedBatchQueue unsent_;
  std::vector<Preparation> preparations_;     // by Statement::id
  std::vector<const Statement*> to_prepare_;  // ran with their text; prepared when no transaction is open
  std::size_t session_steps_ = 0;             // exchanges that must come back before it is ready
  std::string fatal_;                         // the server's last words
  std::string failure_;                       // why it could not connect
  Address address_;
  unsigned failures_ = 0;  // attempts in a row
  unsigned first_host_;    // where attempts begin

  unsigned epoch_ = 0;  // a wait that began in another epoch is stale
  bool started_ = false;
  bool closed_ = false;
  bool connecting_ = false;  // from an attempt's beginning until ready_ or dropped
  bool connected_ = false;
  bool ready_ = false;
  bool was_ready_ = false;  // since the last connect
  bool retiring_ = false;   // takes nothing new, and is dropped when empty
  bool taken_ = false;
  bool flushing_ = false;
  bool watching_ = false;
  bool draining_soon_ = false;
  bool pausing_ = false;

  std::vector<const char*> values_;  // for libpq's calls, kept for their memory
  std::vector<int> lengths_;
  std::vector<int> formats_;
};

}  // namespace parley::pg

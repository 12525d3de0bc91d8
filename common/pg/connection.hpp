#pragma once
// One PostgreSQL connection, always in libpq's pipeline mode. Internal to common/pg. When its send buffer is full,
// libpq reads too, so results must be looked for without waiting for the socket.

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
  // False: one batch at a time, as a failed one needs a ROLLBACK before the next (explicit BEGIN, no session default).
  bool pipelined = true;
  // Connects to a server in recovery; with several hosts it starts at a random one, so that connections spread.
  bool to_replica = false;
  std::chrono::milliseconds connect_timeout{};
  std::chrono::milliseconds deadline{};
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // No event is called with a libpq call on the stack.
  struct Events {
    std::function<bool()> may_connect;                                 // asked before each attempt; false: try later
    std::function<void(Connection&)> ready;                            // connected, and its session set
    std::function<void(Connection&, const std::string& why)> lost;     // the connection was ready
    std::function<void(Connection&, const std::string& why)> refused;  // the attempt to connect failed
    std::function<void(Connection&)> idle;                             // nothing in flight, no transaction, not taken
    std::function<void()> given_back;                                  // released after the connection was lost
    std::function<void(const PipelinedBatch&)> sent;                   // from send()
    std::function<void(const PipelinedBatch&)> finished;  // sent batches and own rollbacks; before the waiter resumes
    std::function<void()> overdue;
  };

  Connection(asio::io_context& context, ConnectionSettings settings, Events events);
  ~Connection();

  // Connects, and reconnects after each loss, until close().
  void start();
  void close();
  // Ends the pause before the next attempt to connect.
  void hurry();

  bool ready() const { return ready_ && !retiring_; }
  bool connecting() const { return connecting_; }
  std::size_t load() const { return in_flight_.size() + unsent_.size(); }
  // The backend's process id as told at connect; a pooler returns a number of its own. Requires ready().
  int backend() const { return ::PQbackendPID(connection_.get()); }
  // Counts connects; a lease taken in an earlier epoch is void.
  unsigned epoch() const { return epoch_; }

  // Requires ready(). The connection, and with it the exchange, may already be lost when this returns.
  void send(PipelinedBatchPtr exchange);

  // Accepts no more batches, and reconnects once those in flight are done.
  void retire();

  // Calls retire() and reconnects to the next host, if there are several.
  void move_on();

  // Gives exclusive use until release(), which rolls back a transaction left open.
  bool taken() const { return taken_; }
  void take() { taken_ = true; }
  bool idle() const { return ready() && !taken_ && load() == 0; }
  void release(unsigned epoch);

 private:
  enum class Preparation : unsigned char { none, under_way, done };

  static awaitable<void> run(std::shared_ptr<Connection> self);
  awaitable<void> connect();
  awaitable<void> poll_until_connected(unsigned epoch);
  void begin_session();

  void transmit(PipelinedBatchPtr exchange);
  bool write(const PipelinedBatch& exchange);
  bool write(const Statement& statement, const PipelinedBatch* exchange, const Parameter* parameters);
  bool write_prepare(const Statement& statement);
  void flush();
  void drain_soon();

  void wait_readable();
  void on_readable(error_code error);
  void drain();
  void collect(PipelinedBatchQueue& done);
  void take_result(PipelinedBatch& exchange, Result result);
  void take_error(PipelinedBatch& exchange, const PGresult* result);

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
  std::vector<const Statement*> to_prepare_;  // ran unprepared; prepared once no transaction is open
  std::string fatal_;                         // the server's FATAL message
  std::string failure_;                       // why the last attempt to connect failed
  Address address_;
  unsigned failures_ = 0;  // failed attempts in a row
  unsigned first_host_;    // the first host to try

  unsigned epoch_ = 0;  // a handler that began in another epoch is stale
  bool started_ = false;
  bool closed_ = false;
  bool connecting_ = false;  // from the start of an attempt until ready_ or drop()
  bool connected_ = false;
  bool ready_ = false;
  bool was_ready_ = false;  // was ready since the last connect
  bool retiring_ = false;   // accepts no batches, and is dropped when empty
  bool taken_ = false;
  bool flushing_ = false;
  bool watching_ = false;
  bool draining_soon_ = false;
  bool pausing_ = false;

  std::vector<const char*> values_;  // arguments of libpq calls; members to reuse their memory
  std::vector<int> lengths_;
  std::vector<int> formats_;
};

}  // namespace parley::pg

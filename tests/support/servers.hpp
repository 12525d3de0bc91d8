#pragma once
// Private PostgreSQL and Redis servers for tests that kill, stop or hang them. Each lives in a directory of its own
// below the build tree, listens on a free loopback port that it keeps for its whole life, and is gone with its object
// (or with the test process, whichever ends first). Or the servers of a system that the tests did not start.

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::support {

// Tells a server that others started: kill, stop, pause, resume, start; gives what was printed.
using Control = std::function<std::string(const std::string& action)>;

// One child process and its directory; what PostgresServer and RedisServer have in common.
class Process {
 public:
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

 protected:
  explicit Process(std::string_view kind);
  explicit Process(Control control) : control_(std::move(control)) {}
  ~Process();

  // Forks and executes; as the directory's owner, should this be root. Output goes to `<directory>/log`.
  void spawn(const std::vector<std::string>& arguments, int signal_when_orphaned);
  // Runs a command to its end; throws with its output when it fails.
  void run(const std::vector<std::string>& arguments);
  void signal_all(int signal);
  void signal_first(int signal);
  void wait_for_exit();
  bool running() const { return process_ > 0; }
  bool exited();
  std::string log() const;

  std::filesystem::path directory_;
  int port_ = 0;
  Control control_;  // empty: it is our own

 private:
  pid_t fork_and_execute(const std::vector<std::string>& arguments, int signal_when_orphaned);

  pid_t process_ = -1;
  uid_t owner_ = 0;
  gid_t group_ = 0;
};

class PostgresServer;

// Asks for a streaming standby, which begins with a base backup of it. It copies the primary's settings too.
struct StandbyOf {
  const PostgresServer& primary;
};

class PostgresServer : private Process {
 public:
  // initdb and start. `settings` are lines of postgresql.conf, such as "max_connections = 20".
  explicit PostgresServer(const std::vector<std::string>& settings = {});
  explicit PostgresServer(StandbyOf standby, const std::vector<std::string>& settings = {});
  // One that others started; the URL is a superuser's, whatever user and database url() is asked for.
  PostgresServer(std::string url, Control control) : Process(std::move(control)), url_(std::move(url)) {}
  ~PostgresServer();

  // postgresql://postgres@127.0.0.1:PORT/postgres, a superuser's, without a password.
  std::string url(std::string_view user = "postgres", std::string_view database = "postgres") const;
  std::string host() const { return "127.0.0.1"; }
  int port() const { return port_; }

  void start();   // returns once it takes connections; throws after 30 s with the server's log
  void stop();    // an orderly "fast" shutdown: sessions are ended with 57P01
  void kill();    // SIGKILL to the server and every backend at once, as a power cut
  void pause();   // SIGSTOP to the server and every backend: connections stay open, nothing answers
  void resume();  // undoes pause()

  void promote();                                      // of a standby: returns once it takes writes
  void follow(const PostgresServer& primary);          // of a standby: streams from another one, without a restart
  void wait_for(const PostgresServer& standby) const;  // until that has replayed all that is here
  std::filesystem::path data() const { return directory_ / "data"; }

  using Process::log;

  // Runs SQL over a connection of its own; gives the first column of the first row, or "". Throws with the message.
  std::string execute(const std::string& sql) const;

 private:
  bool answers() const;

  std::string url_;  // of one that others started
};

class RedisServer : private Process {
 public:
  explicit RedisServer(const std::vector<std::string>& arguments = {});
  // One that others started; "run COMMAND" is redis-cli's.
  explicit RedisServer(Control control) : Process(std::move(control)) {}
  ~RedisServer();

  std::string host() const { return "127.0.0.1"; }
  int port() const { return port_; }
  std::string url() const { return "redis://127.0.0.1:" + std::to_string(port_) + "/0"; }

  void start();   // returns once it answers PING; throws after 30 s with the server's log
  void stop();    // SIGTERM
  void kill();    // SIGKILL
  void pause();   // SIGSTOP
  void resume();  // SIGCONT
  void flush() { command("FLUSHALL"); }

  using Process::log;

  // Sends one inline command and gives the raw first reply bytes; throws when there is none within 5 s.
  std::string command(std::string_view line) const;

 private:
  std::vector<std::string> arguments_;
};

}  // namespace parley::support

#pragma once
// Private PostgreSQL and Redis servers, or those of an attached system, that tests kill, stop or hang. Each has a
// directory below the build tree, keeps its loopback port, and ends with its object or the test process.

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::support {

// Controls an attached server: kill, stop, pause, resume, start; returns the output.
using Control = std::function<std::string(const std::string& action)>;

class Process {
 public:
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

 protected:
  explicit Process(std::string_view kind);
  explicit Process(Control control) : control_(std::move(control)) {}
  ~Process();

  // Starts a process, under root as the directory's owner. Output goes to `<directory>/log`.
  void spawn(const std::vector<std::string>& arguments, int signal_when_orphaned);
  // Runs a command to its end; throws with its output if it fails.
  void run(const std::vector<std::string>& arguments);
  void signal_all(int signal);
  void signal_first(int signal);
  void wait_for_exit();
  bool running() const { return process_ > 0; }
  bool exited();
  std::string log() const;

  std::filesystem::path directory_;
  int port_ = 0;
  Control control_;  // empty: started by the tests

 private:
  pid_t fork_and_execute(const std::vector<std::string>& arguments, int signal_when_orphaned);

  pid_t process_ = -1;
  uid_t owner_ = 0;
  gid_t group_ = 0;
};

class PostgresServer;

// A streaming standby from a base backup, with the primary's settings.
struct StandbyOf {
  const PostgresServer& primary;
};

class PostgresServer : private Process {
 public:
  // initdb and start. `settings` are lines of postgresql.conf, such as "max_connections = 20".
  explicit PostgresServer(const std::vector<std::string>& settings = {});
  explicit PostgresServer(StandbyOf standby, const std::vector<std::string>& settings = {});
  // An attached server; `url` is a superuser's, and url() always returns it.
  PostgresServer(std::string url, Control control) : Process(std::move(control)), url_(std::move(url)) {}
  ~PostgresServer();

  // postgresql://postgres@127.0.0.1:PORT/postgres: a superuser's, without a password.
  std::string url(std::string_view user = "postgres", std::string_view database = "postgres") const;
  std::string host() const { return "127.0.0.1"; }
  int port() const { return port_; }

  void start();   // waits until it accepts connections; throws after 30 s with the log
  void stop();    // "fast" shutdown: sessions end with 57P01
  void kill();    // SIGKILL to the server and all backends at once, like a power cut
  void pause();   // SIGSTOP to the server and all backends: connections stay open, nothing responds
  void resume();  // undoes pause()

  void promote();                                      // a standby; waits until it accepts writes
  void follow(const PostgresServer& primary);          // a standby; streams from another primary without a restart
  void wait_for(const PostgresServer& standby) const;  // until the standby has replayed everything of this server
  std::filesystem::path data() const { return directory_ / "data"; }

  using Process::log;

  // Runs SQL on a connection of its own; returns the first column of the first row, or "". Throws with the message.
  std::string execute(const std::string& sql) const;

 private:
  bool answers() const;

  std::string url_;  // of an attached server
};

class RedisServer : private Process {
 public:
  explicit RedisServer(const std::vector<std::string>& arguments = {});
  // An attached server; "run COMMAND" runs redis-cli.
  explicit RedisServer(Control control) : Process(std::move(control)) {}
  ~RedisServer();

  std::string host() const { return "127.0.0.1"; }
  int port() const { return port_; }
  std::string url() const { return "redis://127.0.0.1:" + std::to_string(port_) + "/0"; }

  void start();   // waits until it answers PING; throws after 30 s with the log
  void stop();    // SIGTERM
  void kill();    // SIGKILL
  void pause();   // SIGSTOP
  void resume();  // SIGCONT
  void flush() { command("FLUSHALL"); }

  using Process::log;

  // Sends one inline command and returns the first bytes of the reply; throws if there is none within 5 s.
  std::string command(std::string_view line) const;

 private:
  std::vector<std::string> arguments_;
};

}  // namespace parley::support

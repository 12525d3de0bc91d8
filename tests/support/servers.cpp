#include "tests/support/servers.hpp"

#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tests/support/loopback.hpp"

namespace parley::support {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr auto ready_deadline = 30s;

std::string postgres_binary(const char* name) {
  const char* folder = std::getenv("PARLEY_TEST_POSTGRES_BIN");
  return std::string(folder ? folder : "/usr/lib/postgresql/15/bin") + "/" + name;
}

fs::path base_directory() {
  if (const char* given = std::getenv("PARLEY_TEST_DIRECTORY")) return given;
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "test-servers";
}

// PostgreSQL's server and initdb refuse to run as root.
const passwd* unprivileged_user() {
  for (const char* name : {"postgres", "nobody"})
    if (const passwd* found = ::getpwnam(name)) return found;
  throw std::runtime_error("neither user postgres nor nobody exists");
}

struct ProcessState {
  char state = 0;  // as in /proc/PID/stat; 0 if there is no such process
  pid_t parent = 0;
};

ProcessState state_of(const std::string& process) {
  std::ifstream stat("/proc/" + process + "/stat");
  std::string text;
  std::getline(stat, text, '\0');     // unlike stream iterators, does not throw if the process ends meanwhile
  auto after_name = text.rfind(')');  // the command may contain blanks and parentheses
  if (after_name == std::string::npos) return {};
  std::istringstream fields(text.substr(after_name + 1));
  ProcessState result;
  fields >> result.state >> result.parent;
  return result;
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    auto name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (state_of(name).parent == parent) children.push_back(std::stoi(name));
  }
  return children;
}

// Zombies count as gone: the machine decides when orphans are reaped.
bool gone(pid_t process) {
  char state = state_of(std::to_string(process)).state;
  return state == 0 || state == 'Z' || state == 'X';
}

void wait_until(const char* what, const std::function<bool()>& condition, const std::function<std::string()>& log) {
  auto deadline = std::chrono::steady_clock::now() + ready_deadline;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error(std::string(what) + ":\n" + log());
    std::this_thread::sleep_for(5ms);
  }
}

}  // namespace

Process::Process(std::string_view kind) : port_(free_port()) {
  static std::atomic<int> count = 0;
  directory_ =
      base_directory() / (std::string(kind) + "-" + std::to_string(::getpid()) + "-" + std::to_string(++count));
  fs::remove_all(directory_);
  fs::create_directories(directory_);
  if (::geteuid() != 0) return;
  const passwd* user = unprivileged_user();
  owner_ = user->pw_uid;
  group_ = user->pw_gid;
  if (::chown(directory_.c_str(), owner_, group_) != 0)
    throw std::runtime_error("cannot give away " + directory_.string());
}

Process::~Process() {
  if (control_) return;
  if (running()) {
    signal_all(SIGKILL);
    wait_for_exit();
  }
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

pid_t Process::fork_and_execute(const std::vector<std::string>& arguments, int signal_when_orphaned) {
  std::vector<char*> argv;
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  auto log_path = (directory_ / "log").string();
  auto parent = ::getpid();
  pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child > 0) return child;
  // Between fork and exec: system calls only.
  bool dropped = owner_ == 0 || (::setgroups(0, nullptr) == 0 && ::setgid(group_) == 0 && ::setuid(owner_) == 0);
  int log = ::open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  int null = ::open("/dev/null", O_RDONLY);
  if (!dropped || log < 0 || null < 0 || ::chdir(directory_.c_str()) != 0) ::_exit(126);
  ::dup2(null, 0);
  ::dup2(log, 1);
  ::dup2(log, 2);
  ::close_range(3, ~0U, 0);
  ::prctl(PR_SET_PDEATHSIG, signal_when_orphaned);  // after setuid, which clears it
  if (::getppid() != parent) ::_exit(125);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

void Process::spawn(const std::vector<std::string>& arguments, int signal_when_orphaned) {
  if (running()) throw std::logic_error("the server runs already");
  process_ = fork_and_execute(arguments, signal_when_orphaned);
}

void Process::run(const std::vector<std::string>& arguments) {
  pid_t child = fork_and_execute(arguments, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error(arguments[0] + " failed:\n" + log());
}

void Process::signal_first(int signal) {
  if (running()) ::kill(process_, signal);
}

void Process::signal_all(int signal) {
  if (!running()) return;
  if (signal == SIGKILL || signal == SIGSTOP) {  // prevents new children while they are counted
    ::kill(process_, SIGSTOP);
    const auto stopped = [this] { return gone(process_) || state_of(std::to_string(process_)).state == 'T'; };
    wait_until("a process does not stop", stopped, [] { return std::string(); });
  }
  auto children = children_of(process_);
  ::kill(process_, signal);
  for (pid_t child : children) ::kill(child, signal);
  if (signal != SIGKILL) return;
  for (pid_t child : children)  // a surviving backend keeps the shared memory: wait for its end
    wait_until("a killed process stays", [child] { return gone(child); }, [] { return std::string(); });
}

void Process::wait_for_exit() {
  if (!running()) return;
  wait_until("the server does not end", [this] { return exited(); }, [this] { return log(); });
}

bool Process::exited() {
  if (process_ <= 0) return true;
  int status = 0;
  if (::waitpid(process_, &status, WNOHANG) == 0) return false;
  process_ = -1;
  return true;
}

std::string Process::log() const {
  std::ifstream file(directory_ / "log");
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

PostgresServer::PostgresServer(const std::vector<std::string>& settings) : Process("postgres") {
  auto data = directory_ / "data";
  run({postgres_binary("initdb"), "-D", data.string(), "-U", "postgres", "-A", "trust", "-E", "UTF8",
       "--locale=C.UTF-8", "--no-sync", "--no-instructions"});
  std::ofstream configuration(data / "postgresql.conf", std::ios::app);
  // A shutdown waits up to authentication_timeout for silent clients, which may be in the thread that stops the server:
  // it must be shorter than the wait for the end.
  configuration << "\nlisten_addresses = '127.0.0.1'\nport = " << port_
                << "\nunix_socket_directories = ''\nfsync = off\nshared_buffers = 32MB\nmax_connections = 60\n"
                   "logging_collector = off\nautovacuum = off\nauthentication_timeout = 5s\n";
  for (const auto& line : settings) configuration << line << '\n';
  configuration.close();
  start();
}

PostgresServer::PostgresServer(StandbyOf standby, const std::vector<std::string>& settings) : Process("standby") {
  const auto data = directory_ / "data";
  run({postgres_binary("pg_basebackup"), "-D", data.string(), "-h", "127.0.0.1", "-p",
       std::to_string(standby.primary.port()), "-U", "postgres", "-R", "-c", "fast", "-X", "stream", "--no-sync"});
  std::ofstream configuration(data / "postgresql.conf", std::ios::app);
  configuration << "\nport = " << port_ << '\n';
  for (const auto& line : settings) configuration << line << '\n';
  configuration.close();
  start();
}

void PostgresServer::promote() {
  execute("SELECT pg_promote(true, 30)");
  wait_until(
      "the standby stays one", [this] { return execute("SELECT pg_is_in_recovery()") == "f"; },
      [this] { return log(); });
}

void PostgresServer::follow(const PostgresServer& primary) {
  execute("ALTER SYSTEM SET primary_conninfo = 'host=127.0.0.1 user=postgres port=" + std::to_string(primary.port()) +
          "'");
  execute("SELECT pg_reload_conf()");
}

void PostgresServer::wait_for(const PostgresServer& standby) const {
  const auto position = execute("SELECT pg_current_wal_flush_lsn()");
  wait_until(
      "the standby does not catch up",
      [&] { return standby.execute("SELECT pg_last_wal_replay_lsn() >= '" + position + "'") == "t"; },
      [&] { return standby.log(); });
}

// Not by SIGKILL, which would leave a segment of shared memory in the system: it has room for 4,096.
PostgresServer::~PostgresServer() {
  if (control_ || !running()) return;
  signal_all(SIGCONT);
  signal_first(SIGQUIT);
  wait_for_exit();
}

std::string PostgresServer::url(std::string_view user, std::string_view database) const {
  if (control_) return url_;
  return "postgresql://" + std::string(user) + "@127.0.0.1:" + std::to_string(port_) + "/" + std::string(database);
}

bool PostgresServer::answers() const {
  const auto separator = url().find('?') == std::string::npos ? "?" : "&";
  return ::PQping((url() + separator + "connect_timeout=2").c_str()) == PQPING_OK;
}

void PostgresServer::start() {
  if (control_) {
    control_("start");
    return wait_until("PostgreSQL is not ready", [this] { return answers(); }, [] { return std::string(); });
  }
  spawn({postgres_binary("postgres"), "-D", (directory_ / "data").string()}, SIGQUIT);
  auto ready = [&] {
    if (exited()) throw std::runtime_error("PostgreSQL ended while starting:\n" + log());
    return answers();
  };
  wait_until("PostgreSQL is not ready", ready, [this] { return log(); });
}

void PostgresServer::stop() {
  if (control_) return void(control_("stop"));
  signal_first(SIGINT);
  wait_for_exit();
}

void PostgresServer::kill() {
  if (control_) return void(control_("kill"));
  signal_all(SIGKILL);
  wait_for_exit();
}

void PostgresServer::pause() { control_ ? void(control_("pause")) : signal_all(SIGSTOP); }
void PostgresServer::resume() { control_ ? void(control_("resume")) : signal_all(SIGCONT); }

std::string PostgresServer::execute(const std::string& sql) const {
  std::unique_ptr<PGconn, void (*)(PGconn*)> connection(::PQconnectdb((url() + "?connect_timeout=5").c_str()),
                                                        ::PQfinish);
  if (::PQstatus(connection.get()) != CONNECTION_OK) throw std::runtime_error(::PQerrorMessage(connection.get()));
  ::PQsetNoticeReceiver(connection.get(), [](void*, const PGresult*) {}, nullptr);
  std::unique_ptr<PGresult, void (*)(PGresult*)> result(::PQexec(connection.get(), sql.c_str()), ::PQclear);
  auto status = ::PQresultStatus(result.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
    throw std::runtime_error(::PQerrorMessage(connection.get()));
  if (::PQntuples(result.get()) == 0 || ::PQnfields(result.get()) == 0) return {};
  return ::PQgetvalue(result.get(), 0, 0);
}

RedisServer::RedisServer(const std::vector<std::string>& arguments) : Process("redis"), arguments_(arguments) {
  start();
}

RedisServer::~RedisServer() = default;

void RedisServer::start() {
  if (control_) {
    control_("start");
    const auto ready = [this] {
      try {
        return command("PING").starts_with("PONG");
      } catch (const std::runtime_error&) {
        return false;
      }
    };
    return wait_until("Redis is not ready", ready, [] { return std::string(); });
  }
  const char* binary = std::getenv("PARLEY_TEST_REDIS_SERVER");
  std::vector<std::string> command_line{binary ? binary : "/usr/bin/redis-server",
                                        "--port",
                                        std::to_string(port_),
                                        "--bind",
                                        "127.0.0.1",
                                        "--save",
                                        "",
                                        "--appendonly",
                                        "no",
                                        "--dir",
                                        directory_.string()};
  command_line.insert(command_line.end(), arguments_.begin(), arguments_.end());
  spawn(command_line, SIGKILL);
  auto ready = [this] {
    if (exited()) throw std::runtime_error("Redis ended while starting:\n" + log());
    try {
      return command("PING").starts_with("+PONG");
    } catch (const std::runtime_error&) {
      return false;
    }
  };
  wait_until("Redis is not ready", ready, [this] { return log(); });
}

void RedisServer::stop() {
  if (control_) return void(control_("stop"));
  signal_first(SIGTERM);
  wait_for_exit();
}

void RedisServer::kill() {
  if (control_) return void(control_("kill"));
  signal_all(SIGKILL);
  wait_for_exit();
}

void RedisServer::pause() { control_ ? void(control_("pause")) : signal_first(SIGSTOP); }
void RedisServer::resume() { control_ ? void(control_("resume")) : signal_first(SIGCONT); }

std::string RedisServer::command(std::string_view line) const {
  if (control_) return control_("run " + std::string(line));
  int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  timeval timeout{5, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
  auto address = loopback(port_);
  auto request = std::string(line) + "\r\n";
  char reply[4096];
  ssize_t got = -1;
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
      ::send(socket, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size()))
    got = ::recv(socket, reply, sizeof reply, 0);
  ::close(socket);
  if (got <= 0) throw std::runtime_error("Redis does not answer");
  return std::string(reply, static_cast<std::size_t>(got));
}

}  // namespace parley::support

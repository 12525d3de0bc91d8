#include "tests/support/sentinels.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>
#include <thread>

#include "tests/support/loopback.hpp"

namespace parley::support {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

const std::string kNoDelay = "--repl-diskless-sync-delay";

void wait_until(const std::string& what, const std::function<bool()>& condition,
                const std::function<std::string()>& log) {
  const auto limit = std::chrono::steady_clock::now() + 60s;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > limit) throw std::runtime_error(what + " in vain:\n" + log());
    std::this_thread::sleep_for(20ms);
  }
}

// The reply of a loopback server to inline commands; "" if there is none within a second.
std::string ask(int port, const std::string& commands) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval timeout{1, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  const auto address = loopback(port);
  std::string out;
  char reply[16384];
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::send(socket, commands.data(), commands.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(commands.size())) {
    ::shutdown(socket, SHUT_WR);
    for (ssize_t got = 0; (got = ::recv(socket, reply, sizeof reply, 0)) > 0;)
      out.append(reply, static_cast<std::size_t>(got));
  }
  ::close(socket);
  return out;
}

}  // namespace

SentinelServer::SentinelServer(int master_port, int quorum, const std::vector<std::string>& settings)
    : Process("sentinel") {
  const auto path = directory_ / "sentinel.conf";
  std::ofstream file(path);
  file << "port " << port_ << "\nbind 127.0.0.1\nprotected-mode no\ndir " << directory_.string()
       << "\nsentinel monitor main 127.0.0.1 " << master_port << " " << quorum
       << "\nsentinel down-after-milliseconds main 500\nsentinel failover-timeout main 3000\n";
  for (const auto& line : settings) file << line << "\n";
  file.close();
  fs::permissions(path, fs::perms::all);  // it stores its state there
  start();
}

SentinelServer::~SentinelServer() = default;

void SentinelServer::start() {
  const char* binary = std::getenv("PARLEY_TEST_REDIS_SERVER");
  spawn({binary ? binary : "/usr/bin/redis-server", (directory_ / "sentinel.conf").string(), "--sentinel"}, SIGKILL);
  wait_until("waiting for a sentinel", [this] { return !ask(port_, "PING\r\n").empty(); }, [this] { return log(); });
}

void SentinelServer::kill() {
  signal_all(SIGKILL);
  wait_for_exit();
}

void SentinelServer::pause() { signal_first(SIGSTOP); }
void SentinelServer::resume() { signal_first(SIGCONT); }

int SentinelServer::master_port() const {
  const auto reply = ask(port_, "SENTINEL GET-MASTER-ADDR-BY-NAME main\r\n");
  const auto end = reply.rfind("\r\n");
  if (!reply.starts_with("*2") || end == reply.npos) return 0;
  return std::atoi(reply.c_str() + reply.rfind('\n', end) + 1);
}

Sentinels::Sentinels(const std::string& password)
    : password_(password), first_(std::make_unique<RedisServer>(std::vector<std::string>{kNoDelay, "0"})) {
  second_ = std::make_unique<RedisServer>(std::vector<std::string>{kNoDelay, "0"});
  // Before replication: a replica whose password changes during the handshake misreads a reply and stalls for a minute.
  if (!password.empty()) {
    for (auto* server : {first_.get(), second_.get()}) server->command("CONFIG SET masterauth " + password);
    first_->command("CONFIG SET requirepass " + password);
  }
  second_->command("REPLICAOF 127.0.0.1 " + std::to_string(first_->port()));
  if (!password.empty()) second_->command("CONFIG SET requirepass " + password);
  wait_for_replica(second_->port());
  std::vector<std::string> settings;
  if (!password.empty()) settings = {"sentinel auth-pass main " + password, "requirepass " + password};
  for (int i = 0; i < 3; ++i) sentinels_.push_back(std::make_unique<SentinelServer>(first_->port(), 2, settings));
  const auto know_each_other = [this] {
    for (const auto& sentinel : sentinels_) {
      const auto auth = password_.empty() ? "" : "AUTH " + password_ + "\r\n";
      const auto reply = ask(sentinel->port(), auth + "INFO sentinel\r\n");
      if (reply.find("slaves=1,sentinels=3") == reply.npos) return false;
    }
    return true;
  };
  if (password.empty())
    wait_until("waiting for the sentinels to know each other", know_each_other,
               [this] { return sentinels_[0]->log(); });
}

std::string Sentinels::url() const {
  std::string out = "redis+sentinel://" + (password_.empty() ? "" : ":" + password_ + "@");
  for (const auto& sentinel : sentinels_)
    out += (out.back() == '/' || out.back() == '@' ? "127.0.0.1:" : ",127.0.0.1:") + std::to_string(sentinel->port());
  return out + "/main/0";
}

RedisServer& Sentinels::server(int port) { return port == first_->port() ? *first_ : *second_; }
RedisServer& Sentinels::master() { return server(master_port()); }

int Sentinels::master_port() const {
  std::map<int, int> votes;
  for (const auto& sentinel : sentinels_) ++votes[sentinel->master_port()];
  for (const auto& [port, count] : votes)
    if (port != 0 && count >= 2) return port;
  return first_->port();
}

void Sentinels::wait_for_master(int port) {
  const auto agree = [&] {
    for (const auto& sentinel : sentinels_) {
      const int said = sentinel->master_port();
      if (said != 0 && said != port) return false;
    }
    return true;
  };
  wait_until("waiting for another master", agree, [this] { return sentinels_[0]->log(); });
}

void Sentinels::wait_for_replica(int port) {
  const auto auth = password_.empty() ? "" : "AUTH " + password_ + "\r\n";
  const auto in_step = [&] {
    const auto reply = ask(port, auth + "INFO replication\r\n");
    return reply.find("role:slave") != reply.npos && reply.find("master_link_status:up") != reply.npos;
  };
  wait_until("waiting for a replica", in_step, [&] { return server(port).log(); });
}

}  // namespace parley::support

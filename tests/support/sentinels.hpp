#pragma once
// A Redis that sentinels keep: a master, a replica, and three sentinels that put the one in the other's place.
#include <memory>
#include <string>
#include <vector>

#include "tests/support/servers.hpp"

namespace parley::support {

// One sentinel: Debian's redis-server with --sentinel.
class SentinelServer : private Process {
 public:
  // `settings` are further lines of its configuration.
  SentinelServer(int master_port, int quorum, const std::vector<std::string>& settings = {});
  ~SentinelServer();

  int port() const { return port_; }
  void start();
  void kill();
  void pause();  // SIGSTOP
  void resume();
  // Which port it says that the master has; 0 when it does not say.
  int master_port() const;
  using Process::log;
};

class Sentinels {
 public:
  // With a password it is asked for by all of them.
  explicit Sentinels(const std::string& password = {});

  // redis+sentinel://...
  std::string url() const;
  RedisServer& server(int port);  // 0 and 1, by their ports
  RedisServer& master();          // as most sentinels say
  SentinelServer& sentinel(std::size_t number) { return *sentinels_.at(number); }
  int master_port() const;
  // Until all sentinels that answer say that this one is the master; throws after a minute.
  void wait_for_master(int port);
  // Until the server at a port says that it is another's replica and in step with it.
  void wait_for_replica(int port);
  int other(int port) const { return port == first_->port() ? second_->port() : first_->port(); }

 private:
  std::string password_;
  std::unique_ptr<RedisServer> first_, second_;
  std::vector<std::unique_ptr<SentinelServer>> sentinels_;
};

}  // namespace parley::support

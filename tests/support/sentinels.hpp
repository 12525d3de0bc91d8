#pragma once
// Redis with Sentinel: a master, a replica, and three sentinels that fail over between them.
#include <memory>
#include <string>
#include <vector>

#include "tests/support/servers.hpp"

namespace parley::support {

class SentinelServer : private Process {
 public:
  SentinelServer(int master_port, int quorum, const std::vector<std::string>& settings = {});
  ~SentinelServer();

  int port() const { return port_; }
  void start();
  void kill();
  void pause();  // SIGSTOP
  void resume();
  // The port of the master according to this sentinel; 0 if unknown.
  int master_port() const;
  using Process::log;
};

class Sentinels {
 public:
  // With a password, all servers and sentinels require it.
  explicit Sentinels(const std::string& password = {});

  std::string url() const;
  RedisServer& server(int port);  // by port
  RedisServer& master();          // according to most sentinels
  SentinelServer& sentinel(std::size_t number) { return *sentinels_.at(number); }
  int master_port() const;
  // Waits until all responding sentinels agree on this master; throws after a minute.
  void wait_for_master(int port);
  void wait_for_replica(int port);
  int other(int port) const { return port == first_->port() ? second_->port() : first_->port(); }

 private:
  std::string password_;
  std::unique_ptr<RedisServer> first_, second_;
  std::vector<std::unique_ptr<SentinelServer>> sentinels_;
};

}  // namespace parley::support

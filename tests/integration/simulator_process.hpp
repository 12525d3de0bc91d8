#pragma once
// A channel simulator in a process of its own, which ends with the test.
#include <string>
#include <vector>

namespace parley::simulator_tests {

class SimulatorProcess {
 public:
  // On a port that is free.
  explicit SimulatorProcess(std::vector<std::string> options);
  ~SimulatorProcess();
  SimulatorProcess(const SimulatorProcess&) = delete;
  SimulatorProcess& operator=(const SimulatorProcess&) = delete;

  int port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  int process_ = -1;
  int port_ = 0;
};

}  // namespace parley::simulator_tests

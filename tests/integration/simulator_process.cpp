#include "tests/integration/simulator_process.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <stdexcept>

namespace parley::simulator_tests {

SimulatorProcess::SimulatorProcess(std::vector<std::string> options) {
  options.insert(options.begin(), {"parley-simulator", "--listen", "127.0.0.1:0"});
  std::vector<char*> arguments;
  for (auto& option : options) arguments.push_back(option.data());
  arguments.push_back(nullptr);
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) throw std::runtime_error("no pipe");
  process_ = ::fork();
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(pipe[1], 1);
    ::close_range(3, ~0U, 0);
    ::execv(PARLEY_BIN_DIR "/parley-simulator", arguments.data());
    ::_exit(127);
  }
  ::close(pipe[1]);
  std::FILE* const out = ::fdopen(pipe[0], "r");
  const bool listening = std::fscanf(out, "{\"listening\":%d}", &port_) == 1;
  std::fclose(out);
  if (!listening) throw std::runtime_error("parley-simulator does not start: was it built?");
}

SimulatorProcess::~SimulatorProcess() {
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

}  // namespace parley::simulator_tests

#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/attached.hpp"

namespace parley::support {

using Environment = std::vector<std::pair<std::string, std::string>>;

// A role of conversations without a request port: another command of the same executable.
inline constexpr std::string_view kDispatcher = "dispatcher";
std::string program_of(const std::string& component);
std::string binary(const std::string& program);
// Runs a program with only this environment and those of the sanitizers and the locale; output goes to files.
pid_t spawn(const std::vector<std::string>& command, const Environment& environment,
            const std::filesystem::path& output, const std::filesystem::path& errors);
std::string text_of(const std::filesystem::path& path);

// One of the product's processes, which keeps its ports across restarts.
class Component {
 public:
  Component(std::filesystem::path directory, std::string name, int number);
  Component(const AttachedSystem& system, std::string name, int number, AttachedSystem::Ports ports);
  ~Component();
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  int port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  int admin_port() const { return admin_port_; }
  const std::string& name() const { return name_; }
  pid_t process() const { return process_; }  // -1 while it is not running, or if attached
  bool running();

  void start();   // waits until ready; throws with the log
  void launch();  // start() without waiting
  void wait_until_ready();
  void kill();              // SIGKILL
  void pause();             // SIGSTOP
  void resume();            // SIGCONT
  void ask_to_end();        // SIGTERM
  int wait_for_end();       // the exit status, or 128 + N for signal N; throws after 60 s
  std::string log() const;  // all output
  // A counter or gauge of /metrics: the sum over the label sets that contain `labels`.
  double metric(std::string_view name, std::string_view labels = {}) const;

  Environment environment;
  std::string binaries;  // folder of the executable from the next start on; "": the default

 private:
  bool ready() const;
  std::string control(const std::string& action) const;

  const AttachedSystem* attached_ = nullptr;  // null: started by the tests
  std::string name_;
  int number_;
  std::filesystem::path log_;
  int port_, admin_port_;
  bool disturbed_ = false;  // attached, killed or paused, and not yet restored
  pid_t process_ = -1;
  int status_ = 0;
};

}  // namespace parley::support

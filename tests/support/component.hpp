#pragma once
// The product's programs as processes.
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/attached.hpp"

namespace parley::support {

using Environment = std::vector<std::pair<std::string, std::string>>;

// A role of conversations that serves no requests: another command of the same executable.
inline constexpr std::string_view kDispatcher = "dispatcher";
std::string program_of(const std::string& component);
// The executable that the tests run.
std::string binary(const std::string& program);
// Runs a program with nothing but this environment (and the sanitizers' and the locale's); its output goes to a file.
pid_t spawn(const std::vector<std::string>& command, const Environment& environment,
            const std::filesystem::path& output, const std::filesystem::path& errors);
std::string text_of(const std::filesystem::path& path);

// One of the product's processes. It keeps its ports when it is started again.
class Component {
 public:
  Component(std::filesystem::path directory, std::string name, int number);
  // One that others started.
  Component(const AttachedSystem& system, std::string name, int number, AttachedSystem::Ports ports);
  ~Component();
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  int port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  int admin_port() const { return admin_port_; }
  const std::string& name() const { return name_; }
  pid_t process() const { return process_; }  // -1 when it does not run; not of one that others started
  bool running();

  void start();   // returns once it says that it is ready; throws with its log
  void launch();  // start() without the wait
  void wait_until_ready();
  void kill();              // SIGKILL
  void pause();             // SIGSTOP
  void resume();            // SIGCONT
  void ask_to_end();        // SIGTERM
  int wait_for_end();       // its exit status; 128 + N when signal N ended it. Throws after 60 s
  std::string log() const;  // all that it wrote
  // A counter or gauge of /metrics: the sum over its label sets that contain `labels`.
  double metric(std::string_view name, std::string_view labels = {}) const;

  Environment environment;
  std::string binaries;  // the folder of its executable from its next start on; "": the tests' own

 private:
  bool ready() const;
  std::string control(const std::string& action) const;

  const AttachedSystem* attached_ = nullptr;  // null: it is our own
  std::string name_;
  int number_;
  std::filesystem::path log_;
  int port_, admin_port_;
  bool disturbed_ = false;  // killed or paused, and not yet started or resumed; of one that others started
  pid_t process_ = -1;
  int status_ = 0;
};

}  // namespace parley::support

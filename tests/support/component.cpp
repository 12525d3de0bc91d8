#include "tests/support/component.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "tests/support/loopback.hpp"
#include "tests/support/wire.hpp"

namespace parley::support {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

// Runs the components in PARLEY_TEST_OLD (with commas) from PARLEY_TEST_OLD_BIN_DIR, to test versions side by side.
std::string folder_of(const std::string& component) {
  const char* const folder = std::getenv("PARLEY_TEST_OLD_BIN_DIR");
  const char* const names = std::getenv("PARLEY_TEST_OLD");
  const bool is_old =
      folder && names && ("," + std::string(names) + ",").find("," + component + ",") != std::string::npos;
  return is_old ? folder : "";
}

}  // namespace

std::string program_of(const std::string& component) { return component == kDispatcher ? "conversations" : component; }

std::string binary(const std::string& program) {
  const char* const given = std::getenv("PARLEY_TEST_BIN_DIR");
  return std::string(given ? given : PARLEY_BIN_DIR) + "/parley-" + program;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

pid_t spawn(const std::vector<std::string>& command, const Environment& environment, const fs::path& output,
            const fs::path& errors) {
  std::vector<std::string> variables;
  for (const char* inherited : {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "ASAN_SYMBOLIZER_PATH", "LD_LIBRARY_PATH"})
    if (const char* value = std::getenv(inherited)) variables.push_back(std::string(inherited) + "=" + value);
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  std::vector<char*> argv, envp;
  for (const auto& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
  for (const auto& variable : variables) envp.push_back(const_cast<char*>(variable.c_str()));
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  const auto parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child > 0) return child;
  // Between fork and exec: system calls only.
  const int in = ::open("/dev/null", O_RDONLY);
  const int out = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  const int err = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (in < 0 || out < 0 || err < 0) ::_exit(126);
  ::dup2(in, 0);
  ::dup2(out, 1);
  ::dup2(err, 2);
  ::close_range(3, ~0U, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(125);
  ::execve(argv[0], argv.data(), envp.data());
  ::_exit(127);
}

Component::Component(fs::path directory, std::string name, int number)
    : name_(std::move(name)),
      number_(number),
      log_(directory / (name_ + "-" + std::to_string(number) + ".log")),
      port_(free_port()),
      admin_port_(free_port()) {
  binaries = folder_of(name_);
}

Component::Component(const AttachedSystem& system, std::string name, int number, AttachedSystem::Ports ports)
    : attached_(&system), name_(std::move(name)), number_(number), port_(ports.service), admin_port_(ports.admin) {}

// An attached component is restored to its former state.
Component::~Component() {
  if (!attached_) {
    if (running()) kill();
  } else if (disturbed_) {
    try {
      control("resume");
    } catch (const std::exception&) {  // it was not paused
    }
    try {
      start();
    } catch (const std::exception&) {  // the next test reports it
    }
  }
}

std::string Component::control(const std::string& action) const {
  return attached_->control({action, name_, std::to_string(number_)});
}

bool Component::running() {
  if (attached_) return attached_->ask({"running", name_, std::to_string(number_)});
  if (process_ <= 0) return false;
  int status = 0;
  if (::waitpid(process_, &status, WNOHANG) == 0) return true;
  process_ = -1;
  status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return false;
}

void Component::launch() {
  if (attached_) {
    control("start");
    if (environment.empty()) return;
    const auto setting = environment.front().first;
    environment.clear();
    wait_until_ready();  // restored for the tests that follow
    throw NeedsItsOwnSystem(name_ + " with another " + setting);
  }
  if (running()) throw std::logic_error(name_ + " runs already");
  auto all = environment;
  const bool is_dispatcher = name_ == kDispatcher;
  if (!is_dispatcher) all.emplace_back("PARLEY_LISTEN", "127.0.0.1:" + std::to_string(port_));
  if (name_ != "simulator") all.emplace_back("PARLEY_ADMIN_LISTEN", "127.0.0.1:" + std::to_string(admin_port_));
  const auto program = program_of(name_);
  process_ = spawn(
      {binaries.empty() ? binary(program) : binaries + "/parley-" + program, is_dispatcher ? "dispatch" : "serve"}, all,
      log_, log_);
}

bool Component::ready() const {
  try {
    const bool has_admin_port = name_ != "simulator";
    Wire wire(has_admin_port ? admin_port_ : port_);
    wire.send(request_text("GET", "/readyz", {{"Connection", "close"}}));
    const auto answer = wire.read();
    return answer && (answer->status == 200 || !has_admin_port);
  } catch (const std::exception&) {
    return false;
  }
}

void Component::wait_until_ready() {
  const auto limit = std::chrono::steady_clock::now() + 60s;
  while (!ready()) {
    if (!running()) throw std::runtime_error(name_ + " ended while starting:\n" + log());
    if (std::chrono::steady_clock::now() > limit) throw std::runtime_error(name_ + " is not ready:\n" + log());
    std::this_thread::sleep_for(attached_ ? 50ms : 5ms);
  }
  disturbed_ = false;
}

void Component::start() {
  launch();
  wait_until_ready();
}

void Component::kill() {
  if (attached_) {
    disturbed_ = true;
    control("kill");
    return;
  }
  if (process_ > 0) ::kill(process_, SIGKILL);
  wait_for_end();
}

void Component::pause() {
  disturbed_ = true;
  attached_ ? void(control("pause")) : void(::kill(process_, SIGSTOP));
}

void Component::resume() {
  attached_ ? void(control("resume")) : void(::kill(process_, SIGCONT));
  disturbed_ = false;
}

void Component::ask_to_end() {
  disturbed_ = true;
  attached_ ? void(control("end")) : void(::kill(process_, SIGTERM));
}

int Component::wait_for_end() {
  const auto limit = std::chrono::steady_clock::now() + 60s;
  while (running()) {
    if (std::chrono::steady_clock::now() > limit) throw std::runtime_error(name_ + " does not end:\n" + log());
    std::this_thread::sleep_for(2ms);
  }
  return attached_ ? std::stoi(control("status")) : status_;
}

std::string Component::log() const { return attached_ ? control("log") : text_of(log_); }

double Component::metric(std::string_view name, std::string_view labels) const {
  Wire wire(admin_port_);
  wire.send(request_text("GET", "/metrics", {{"Connection", "close"}}));
  const auto answer = wire.read();
  double sum = 0;
  std::string_view rest = answer ? std::string_view(answer->body) : std::string_view{};
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (!line.starts_with(name) || line.size() == name.size()) continue;
    if (line[name.size()] != '{' && line[name.size()] != ' ') continue;
    if (line.find(labels) == line.npos) continue;
    sum += std::stod(std::string(line.substr(line.rfind(' ') + 1)));
  }
  return sum;
}

}  // namespace parley::support

#include "tests/support/attached.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <memory>

namespace parley::support {

namespace {

constexpr int kCannot = 3;  // CONTROL's exit status

std::string& why() {
  static std::string text;
  return text;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}

std::vector<int> ports_of(const std::string& name, std::string_view urls) {
  std::vector<int> out;
  while (!urls.empty()) {
    const auto url = urls.substr(0, urls.find(','));
    urls.remove_prefix(std::min(urls.size(), url.size() + 1));
    constexpr std::string_view before = "http://127.0.0.1:";
    int port = 0;
    const auto digits = url.starts_with(before) ? url.substr(before.size()) : std::string_view{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc{} || end != digits.data() + digits.size())
      throw std::runtime_error(name + ": " + std::string(url) + " is not " + std::string(before) + "PORT");
    out.push_back(port);
  }
  return out;
}

}  // namespace

NeedsItsOwnSystem::NeedsItsOwnSystem(const std::string& reason) : std::runtime_error(reason) { why() = reason; }
const std::string& NeedsItsOwnSystem::reason() { return why(); }
void NeedsItsOwnSystem::forget() { why().clear(); }

const AttachedSystem* AttachedSystem::given() {
  static const std::unique_ptr<AttachedSystem> system([] {
    const char* const path = std::getenv("PARLEY_TEST_SYSTEM");
    return path ? new AttachedSystem(path) : nullptr;
  }());
  return system.get();
}

AttachedSystem::AttachedSystem(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const auto equals = line.find('=');
    if (equals == line.npos) throw std::runtime_error(path + ": not NAME=VALUE: " + line);
    values_[line.substr(0, equals)] = line.substr(equals + 1);
  }
}

const std::string& AttachedSystem::value(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::runtime_error("the description of the system has no " + name);
  return found->second;
}

std::string AttachedSystem::value_or(const std::string& name, const std::string& otherwise) const {
  const auto found = values_.find(name);
  return found == values_.end() ? otherwise : found->second;
}

std::vector<AttachedSystem::Ports> AttachedSystem::replicas(const std::string& name) const {
  const auto service = ports_of(name, value_or(upper(name) + "_URL", ""));
  const auto admin = ports_of(name, value_or(upper(name) + "_ADMIN_URL", ""));
  std::vector<Ports> out(std::max(service.size(), admin.size()));
  for (std::size_t i = 0; i < service.size(); ++i) out[i].service = service[i];
  for (std::size_t i = 0; i < admin.size(); ++i) out[i].admin = admin[i];
  return out;
}

int AttachedSystem::run(const std::vector<std::string>& arguments, std::string& output) const {
  std::vector<char*> argv{const_cast<char*>(value("CONTROL").c_str())};
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {  // system calls only
    const int null = ::open("/dev/null", O_RDONLY);
    ::dup2(null, 0);
    ::dup2(ends[1], 1);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  char buffer[65'536];
  for (ssize_t got = 1; got > 0 || (got < 0 && errno == EINTR);) {
    got = ::read(ends[0], buffer, sizeof buffer);
    if (got > 0) output.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const int exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  if (exit_status == kCannot) {
    std::string all;
    for (const auto& argument : arguments) all += " " + argument;
    throw NeedsItsOwnSystem("the attached one cannot be told:" + all);
  }
  return exit_status;
}

std::string AttachedSystem::control(const std::vector<std::string>& arguments) const {
  std::string output;
  if (const int status = run(arguments, output); status != 0)
    throw std::runtime_error("CONTROL " + arguments.at(0) + " " + (arguments.size() > 1 ? arguments[1] : "") +
                             ": exit status " + std::to_string(status) + "\n" + output);
  return output;
}

bool AttachedSystem::ask(const std::vector<std::string>& arguments) const {
  std::string output;
  const int status = run(arguments, output);
  if (status > 1) throw std::runtime_error("CONTROL " + arguments.at(0) + ": exit status " + std::to_string(status));
  return status == 0;
}

}  // namespace parley::support

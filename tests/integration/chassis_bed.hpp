#pragma once
// A small program made of the chassis, as a process of its own, and those who call it.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "common/identity/token.hpp"
#include "tests/integration/http_bed.hpp"

namespace parley::chassis_tests {

using namespace parley::http_tests;

// The seeds of the program and of those whom it trusts.
struct Keys {
  identity::Seed own = identity::new_seed(), gateway = identity::new_seed(), contacts = identity::new_seed(),
                 analytics = identity::new_seed();
};
const Keys& keys();
std::string public_text(const identity::Seed& seed);

// A process of the program, and what it writes. Killed when this goes.
class Running {
 public:
  explicit Running(const std::map<std::string, std::string>& environment = {}, std::vector<std::string> arguments = {});
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  // Reads its output until there is such a piece of it; false when it ends without, or after 30 s.
  bool says(const std::string& text);
  void signal(int number);
  // Its exit status, -1 if a signal ended it.
  int wait();
  unsigned short port(const std::string& name = "port");
  Wire wire() { return Wire(port()); }
  Wire admin() { return Wire(port("admin_port")); }
  const std::string& written() const { return written_; }

 private:
  pid_t process_ = -1;
  int output_ = -1;
  std::string written_;
};

// The header field of a member's request, and of a service's.
std::string member(identity::PermissionSet permissions = identity::PermissionSet::all());
std::string service(const std::string& name, const identity::Seed& seed);

// Until one request is under way.
void wait_until_serving(Wire& admin);

// A member of an answer's JSON.
std::string text_of(const Answer& answer, const char* key);

}  // namespace parley::chassis_tests

#pragma once
// A system that the tests did not start. The file that PARLEY_TEST_SYSTEM names has lines NAME=VALUE:
//
// GATEWAY_URL=http://127.0.0.1:18080       also CONTACTS_URL .. of each service, and SIMULATOR_URL; replicas
// GATEWAY_ADMIN_URL=http://127.0.0.1:19090 are separated by commas. Likewise admin ports, also DISPATCHER_ADMIN_URL
// DATABASE_URL=postgresql://..             a superuser's URL of the database of all services; tests empty its tables
// APP_SECRET=..                            the application secret that signs webhooks
// LOCAL_ADDRESS=10.88.0.1                  this machine's address for the system's processes (127.0.0.1)
// CONTROL=/path                            an executable; exit status 3: the test needs a system of its own
//
//   CONTROL ACTION NAME NUMBER   NAME: gateway, contacts, conversations, organizations, analytics, dispatcher,
//       simulator, postgres or redis; NUMBER: its replica, from 0; ACTION:
//       kill      SIGKILL; stays dead until `start`
//       stop      graceful; waits
//       end       SIGTERM; does not wait
//       pause, resume, start (need not wait for readiness)
//       running   exit status 0 or 1
//       status    prints its exit status, or 128 + N for signal N
//       log       prints its whole log
//   CONTROL run PROGRAM ARGUMENT..   runs a command of a service's or the gateway's executable with its settings, even
//       while it is down, and prints only the command's stdout; for `redis`, runs redis-cli
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace parley::support {

// Thrown if a test needs settings or replicas that an attached system lacks: counted apart (doctest_main.cpp).
class NeedsItsOwnSystem : public std::runtime_error {
 public:
  explicit NeedsItsOwnSystem(const std::string& why);
  // The reason of the last one since forget(); "" if none.
  static const std::string& reason();
  static void forget();
};

class AttachedSystem {
 public:
  // The system that PARLEY_TEST_SYSTEM describes; null if unset. Throws if the file is invalid.
  static const AttachedSystem* given();

  struct Ports {
    int service = 0, admin = 0;  // 0: none
  };
  std::vector<Ports> replicas(const std::string& name) const;
  const std::string& value(const std::string& name) const;  // throws if missing
  std::string value_or(const std::string& name, const std::string& otherwise) const;

  // Runs CONTROL and returns its output; throws on failure.
  std::string control(const std::vector<std::string>& arguments) const;
  bool ask(const std::vector<std::string>& arguments) const;

 private:
  explicit AttachedSystem(const std::string& path);
  int run(const std::vector<std::string>& arguments, std::string& output) const;

  std::map<std::string, std::string> values_;
};

}  // namespace parley::support

#pragma once
// A system that the tests did not start, such as the composed one: where it is, and how its parts are killed, stopped
// and started, and commands run in them. A file that PARLEY_TEST_SYSTEM names describes it, in lines NAME=VALUE:
//
// GATEWAY_URL=http://127.0.0.1:18080       of the gateway, CONTACTS_URL .. of each service, SIMULATOR_URL; where there
// GATEWAY_ADMIN_URL=http://127.0.0.1:19090 are several replicas with commas between them. The same of their admin
//                                          ports, DISPATCHER_ADMIN_URL too. All on loopback.
// DATABASE_URL=postgresql://..             a superuser's, of the database that all services use
// APP_SECRET=..                            the application's, with which webhooks are signed
// LOCAL_ADDRESS=10.88.0.1                  of this machine, as the system's processes reach it (127.0.0.1)
// CONTROL=/path                            an executable:
//
//   CONTROL ACTION NAME NUMBER   NAME is gateway, contacts, conversations, organizations, analytics, dispatcher,
//       simulator, postgres or redis, NUMBER its replica from 0 on. ACTION is
//       kill      SIGKILL; it stays dead until it is started
//       stop      in good order, and waited for
//       end       SIGTERM, not waited for
//       pause, resume, start (need not wait until it is ready)
//       running   exit status 0 or 1
//       status    prints what it ended with: its exit status, or 128 + N for signal N
//       log       prints all that it wrote
//   CONTROL run PROGRAM ARGUMENT..   runs a command of a service's or the gateway's executable with its settings,
//   whether
//       that runs or not, and prints what it printed to stdout, and nothing else; of `redis`, redis-cli
//
// Its exit status 3 says that it cannot do so: the test needs a system of its own.
//
// The tests empty its tables.
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace parley::support {

// Thrown where a test wants of an attached system what it has not: settings or replicas of the test's own. Such a test
// is neither passed nor failed, but counted (tests/support/doctest_main.cpp).
class NeedsItsOwnSystem : public std::runtime_error {
 public:
  explicit NeedsItsOwnSystem(const std::string& why);
  // Why one was thrown since forget(): "" if none was.
  static const std::string& reason();
  static void forget();
};

class AttachedSystem {
 public:
  // What the environment names; null when the tests start their systems themselves. Throws for a file that is no such
  // description.
  static const AttachedSystem* given();

  struct Ports {
    int service = 0, admin = 0;  // 0: it has none
  };
  // Of each replica.
  std::vector<Ports> replicas(const std::string& name) const;
  const std::string& value(const std::string& name) const;  // throws when the file has it not
  std::string value_or(const std::string& name, const std::string& otherwise) const;

  // Runs CONTROL and gives what it printed; throws when it fails.
  std::string control(const std::vector<std::string>& arguments) const;
  // The same for a question: whether its exit status is 0 rather than 1.
  bool ask(const std::vector<std::string>& arguments) const;

 private:
  explicit AttachedSystem(const std::string& path);
  int run(const std::vector<std::string>& arguments, std::string& output) const;

  std::map<std::string, std::string> values_;
};

}  // namespace parley::support

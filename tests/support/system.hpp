#pragma once
// The whole product as it runs in earnest: its processes, each from its own executable, with a private PostgreSQL, a
// private Redis and the simulator in the channel's place, on free ports. All of it ends with the test process. Or,
// where PARLEY_TEST_SYSTEM says so, a system that others started: see attached.hpp.
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/attached.hpp"
#include "tests/support/component.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/servers.hpp"
#include "tests/support/sql.hpp"
#include "tests/support/wire.hpp"

namespace parley::support {

struct SystemSettings {
  int replicas = 1;         // of the gateway, of each service and of the dispatcher
  Environment environment;  // for every process
  int dispatchers = 0;      // 0: as many as replicas
  DatabaseKind databases = Databases::chosen();
};

// A member and the key that acts as them.
struct Caller {
  std::string organization_id, member_id, api_key;
};

class System {
 public:
  // The application's, with which webhooks are signed.
  static std::string app_secret();
  // By which the system's processes reach what a test listens on.
  static std::string local_address();

  explicit System(SystemSettings settings = {});
  ~System();
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  Component& gateway(std::size_t number = 0) { return component("gateway", number); }
  Component& contacts(std::size_t number = 0) { return component("contacts", number); }
  Component& conversations(std::size_t number = 0) { return component("conversations", number); }
  Component& organizations(std::size_t number = 0) { return component("organizations", number); }
  Component& analytics(std::size_t number = 0) { return component("analytics", number); }
  Component& dispatcher(std::size_t number = 0) { return component("dispatcher", number); }
  Component& simulator() { return component("simulator", 0); }
  Component& component(const std::string& name, std::size_t number);
  std::size_t count(const std::string& name) const { return components_.at(name).size(); }
  // Ends the test, as one for a system of its own, when there are fewer of something: asked before threads begin, which
  // an exception would end with the program.
  void need_replicas(std::size_t number);
  std::vector<Component*> all();

  PostgresServer& postgres() { return postgres_; }
  Databases* databases() { return databases_.get(); }  // null of a system that others started
  RedisServer& redis() { return redis_; }
  // A superuser's connection that sees the tables of one service first.
  Sql& sql(const std::string& service);
  void reconnect() { sql_.clear(); }  // those connections, once the database was killed
  // "contacts.contact 12 contacts.list 3 ...": every table, so that a test can tell that nothing was done. What notes
  // the use of keys, and what events do on their way and where they come to, is left out.
  std::string row_counts();

  // parley-organizations create-owner, and add-member with a role of its own that holds these permissions (a mask of
  // identity::PermissionSet).
  Caller create_owner(const std::string& email, const std::string& organization);
  Caller add_member(const std::string& organization_id, const std::string& email, std::uint64_t permissions,
                    const std::string& access_level = "Member");

  // Runs a command of a program to its end and gives what it printed; throws with its errors when it fails.
  std::string run(const std::string& program, const std::vector<std::string>& arguments,
                  const Environment& environment = {});

  // The ends of all logs, for a test that failed.
  std::string logs(std::size_t characters = 4'000);
  // All systems that run now, the newest last.
  static const std::vector<System*>& running();

 private:
  void make_roles();
  void make_schemas();
  std::string superuser_url(const std::string& service) const;
  void add(const std::string& name, int count);
  void configure();
  void attach();
  void start();
  std::string urls(const std::string& name);

  const AttachedSystem* const attached_;  // null: all of it is our own
  SystemSettings settings_;
  std::filesystem::path directory_;
  PostgresServer postgres_;
  std::unique_ptr<Databases> databases_;
  RedisServer redis_;
  std::map<std::string, std::vector<std::unique_ptr<Component>>> components_;
  std::map<std::string, std::unique_ptr<Sql>> sql_;
  int roles_ = 0;
};

}  // namespace parley::support

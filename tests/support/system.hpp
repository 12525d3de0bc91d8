#pragma once
// The whole product: all processes from their own executables, with private PostgreSQL and Redis servers and the
// simulator, on free ports. Ends with the test process. With PARLEY_TEST_SYSTEM, an attached system: see attached.hpp.
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
  int replicas = 1;         // of the gateway, each service and the dispatcher
  Environment environment;  // for every process
  int dispatchers = 0;      // 0: as many as replicas
  DatabaseKind databases = Databases::chosen();
};

struct Caller {
  std::string organization_id, member_id, api_key;
};

class System {
 public:
  static std::string app_secret();
  // The address at which the system's processes reach a test's own servers.
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
  // Throws NeedsItsOwnSystem for fewer replicas. Call it before starting threads, where the exception would terminate.
  void need_replicas(std::size_t number);
  std::vector<Component*> all();

  PostgresServer& postgres() { return postgres_; }
  Databases* databases() { return databases_.get(); }  // null if attached
  RedisServer& redis() { return redis_; }
  // A superuser's connection with the service's schema in front.
  Sql& sql(const std::string& service);
  void reconnect() { sql_.clear(); }  // after the database was killed
  // "contacts.contact 12 contacts.list 3 ...", to check that nothing was written. Without feeds and rollups.
  std::string row_counts();

  // parley-organizations create-owner, and add-member with a new role of these permissions (a PermissionSet's mask).
  Caller create_owner(const std::string& email, const std::string& organization);
  Caller add_member(const std::string& organization_id, const std::string& email, std::uint64_t permissions,
                    const std::string& access_level = "Member");

  // Runs a command of a program and returns its output; throws with its errors if it fails.
  std::string run(const std::string& program, const std::vector<std::string>& arguments,
                  const Environment& environment = {});

  std::string logs(std::size_t characters = 4'000);
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

  const AttachedSystem* const attached_;  // null: started by the tests
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

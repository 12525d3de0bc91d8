#include "tests/support/system.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/json/parse.hpp>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace parley::support {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

const std::vector<std::string> kServices{"contacts", "conversations", "organizations", "analytics"};

fs::path base_directory() {
  if (const char* given = std::getenv("PARLEY_TEST_DIRECTORY")) return given;
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "test-servers";
}

std::vector<System*>& systems() {
  static std::vector<System*> all;
  return all;
}

// Controls an attached server. An action is one word, or words separated by blanks for `run`.
Control control_of(const AttachedSystem& system, const std::string& server) {
  return [&system, server](const std::string& action) {
    if (!action.starts_with("run ")) return system.control({action, server, "0"});
    std::vector<std::string> arguments{"run", server};
    std::istringstream words(action.substr(4));
    for (std::string word; words >> word;) arguments.push_back(word);
    return system.control(arguments);
  };
}

}  // namespace

System::System(SystemSettings settings)
    : attached_(AttachedSystem::given()),
      settings_(std::move(settings)),
      directory_([] {
        static std::atomic<int> count = 0;
        const auto path = base_directory() / ("system-" + std::to_string(::getpid()) + "-" + std::to_string(++count));
        fs::remove_all(path);
        fs::create_directories(path);
        return path;
      }()),
      postgres_(attached_ ? PostgresServer(attached_->value("DATABASE_URL"), control_of(*attached_, "postgres"))
                          : PostgresServer({"max_connections = 200"})),
      redis_(attached_ ? RedisServer(control_of(*attached_, "redis")) : RedisServer()) {
  if (attached_ && !settings_.environment.empty())
    throw NeedsItsOwnSystem("settings of its own, such as " + settings_.environment.front().first);
  for (const auto& service : kServices) add(service, settings_.replicas);
  add(std::string(kDispatcher), settings_.dispatchers > 0 ? settings_.dispatchers : settings_.replicas);
  add("gateway", settings_.replicas);
  add("simulator", 1);
  if (!attached_) {
    databases_ = std::make_unique<Databases>(settings_.databases, postgres_, kServices);
    make_roles();
    databases_->prepare();
    make_schemas();
    configure();
    start();
  } else if (systems().empty()) {
    attach();
  } else {  // shares another test's system; restarts what a failed test left dead
    for (auto* each : all())
      if (!each->running()) each->start();
  }
  systems().push_back(this);
}

void System::start() {
  for (const auto& service : kServices) run(service, {"migrate"}, component(service, 0).environment);
  for (auto* each : all()) each->launch();
  for (auto* each : all()) each->wait_until_ready();
}

// Resets the system to its first start.
void System::attach() {
  for (const std::string server : {"postgres", "redis"}) {
    if (attached_->ask({"running", server, "0"})) continue;
    server == "redis" ? redis_.start() : postgres_.start();
  }
  for (auto* each : all())
    if (each->running()) each->kill();
  redis_.flush();
  make_schemas();
  start();
}

System::~System() {
  std::erase(systems(), this);
  sql_.clear();
  if (!attached_)
    for (auto* each : all())
      if (each->running()) each->kill();
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

const std::vector<System*>& System::running() { return systems(); }

// As in deploy/local: a role and a schema of the same name for each service.
void System::make_roles() {
  for (const auto& [server, services] : databases_->servers()) {
    server->execute("CREATE DATABASE parley TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'");
    Sql sql(server->url("postgres", "parley"));
    for (const auto& service : services)
      sql.rows("CREATE ROLE " + service + " LOGIN; ALTER ROLE " + service + " SET search_path = " + service +
               "; ALTER ROLE " + service + " SET statement_timeout = '5s'; ALTER ROLE " + service +
               " SET lock_timeout = '2s'; ALTER ROLE " + service +
               " SET idle_in_transaction_session_timeout = '10s'; GRANT CONNECT, CREATE ON DATABASE parley TO " +
               service);
  }
}

void System::make_schemas() {
  for (const auto& service : kServices) {
    Sql sql(superuser_url(service));
    sql.rows("DROP SCHEMA IF EXISTS e2e CASCADE");  // of earlier tests
    sql.rows("DROP SCHEMA IF EXISTS " + service + " CASCADE; CREATE SCHEMA " + service + " AUTHORIZATION " + service);
  }
}

std::string System::superuser_url(const std::string& service) const {
  return databases_ ? databases_->direct(service) : postgres_.url("postgres", "parley");
}

void System::add(const std::string& name, int count) {
  auto& replicas = components_[name];
  if (!attached_) {
    for (int number = 0; number < count; ++number)
      replicas.push_back(std::make_unique<Component>(directory_, name, number));
    return;
  }
  int number = 0;
  for (const auto ports : attached_->replicas(name))
    replicas.push_back(std::make_unique<Component>(*attached_, name, number++, ports));
  if (replicas.empty()) throw std::runtime_error("the description of the system has no URL of " + name);
}

Component& System::component(const std::string& name, std::size_t number) {
  const auto& replicas = components_.at(name);
  if (attached_ && number >= replicas.size())
    throw NeedsItsOwnSystem(name + "'s replica number " + std::to_string(number + 1));
  return *replicas.at(number);
}

void System::need_replicas(std::size_t number) {
  for (const auto& [name, replicas] : components_)
    if (name != "simulator") component(name, number - 1);
}

std::string System::urls(const std::string& name) {
  std::string out;
  for (const auto& component : components_.at(name)) out += (out.empty() ? "" : ",") + component->url();
  return out;
}

void System::configure() {
  std::map<std::string, std::string> privately;
  std::string trusted;
  auto processes = kServices;
  processes.push_back("gateway");
  for (const auto& name : processes) {
    const auto key = boost::json::parse(run("gateway", {"generate-key"}));
    privately[name] = key.at("private").as_string().c_str();
    trusted += (trusted.empty() ? "" : ",") + name + "=" + key.at("public").as_string().c_str();
  }
  const std::string app_id = "300000000000001", app_secret = System::app_secret();
  for (auto& [name, replicas] : components_)
    for (auto& component : replicas) {
      Environment& out = component->environment;
      if (name == "simulator") {
        out = {{"PARLEY_CHANNEL_APP_ID", app_id},
               {"PARLEY_CHANNEL_APP_SECRET", app_secret},
               {"PARLEY_WEBHOOK_URL", gateway().url() + "/webhooks/messaging"},
               // Tests also post inbound messages to the gateway directly, so the simulator does not know who wrote.
               {"PARLEY_SIMULATOR_OPEN_WINDOW", "true"}};
        continue;
      }
      out = {{"PARLEY_IDENTITY_KEY", privately[program_of(name)]},
             {"PARLEY_IDENTITY_TRUSTED", trusted},
             // The previous release signs tokens without an audience: see tests/faults/versions.
             {"PARLEY_IDENTITY_UNADDRESSED", std::getenv("PARLEY_TEST_OLD_BIN_DIR") ? "on" : "off"},
             {"PARLEY_REDIS_URL", redis_.url()},
             {"PARLEY_ENCRYPTION_KEYS", "test:" + std::string(43, 'A') + "="},
             {"PARLEY_CHANNEL_URL", urls("simulator") + "/v20.0"},
             {"PARLEY_CHANNEL_MEDIA_URLS", urls("simulator")},
             {"PARLEY_CHANNEL_APP_ID", app_id},
             {"PARLEY_CHANNEL_APP_SECRET", app_secret},
             {"PARLEY_CHANNEL_VERIFY_TOKEN", "EXAMPLE-VERIFY-TOKEN"},  // as in the document
             {"PARLEY_CONTACTS_URL", urls("contacts")},
             {"PARLEY_CONVERSATIONS_URL", urls("conversations")},
             {"PARLEY_ORGANIZATIONS_URL", urls("organizations")},
             {"PARLEY_ANALYTICS_URL", urls("analytics")},
             {"PARLEY_RATE_LIMIT", "1000000"},
             {"PARLEY_RATE_FAILURES", "1000000"},
             {"PARLEY_SIGN_UP", "open"},
             {"PARLEY_WEBHOOKS_ALLOW_PRIVATE", "on"},
             {"PARLEY_SIGN_UP_ATTEMPTS", "1000000"},
             {"PARLEY_SIGN_IN_ATTEMPTS_ADDRESS", "1000000"},
             // Mail is on, and nobody takes it: see e2e/mail.cpp.
             {"PARLEY_SMTP_URL", "smtp://127.0.0.1:9"},
             {"PARLEY_MAIL_FROM", "no-reply@parley.example"},
             {"PARLEY_MAIL_PAGES_URL", gateway().url()},
             {"PARLEY_LOG_LEVEL", "info"}};
      if (program_of(name) == "conversations") out.emplace_back("PARLEY_PUBLIC_URL", gateway().url());
      const auto database = databases_->environment(program_of(name));
      out.insert(out.begin(), database.begin(), database.end());
      out.insert(out.begin(), settings_.environment.begin(), settings_.environment.end());  // the first one counts
    }
}

std::vector<Component*> System::all() {
  std::vector<Component*> out;
  for (auto& [name, replicas] : components_)
    for (auto& component : replicas) out.push_back(component.get());
  return out;
}

Sql& System::sql(const std::string& service) {
  auto& sql = sql_[service];
  if (sql && (attached_ || settings_.databases == DatabaseKind::pair)) {  // a test may have killed the database
    try {
      sql->rows("SELECT");
    } catch (const std::runtime_error&) {
      sql.reset();
    }
  }
  if (!sql) {
    const auto url = superuser_url(service);
    sql = std::make_unique<Sql>(url + (url.find('?') == url.npos ? '?' : '&') + "options=-csearch_path%3D" + service);
  }
  return *sql;
}

std::string System::app_secret() {
  const auto* const attached = AttachedSystem::given();
  return attached ? attached->value("APP_SECRET") : "an-app-secret-of-the-tests-0001";
}

std::string System::local_address() {
  const auto* const attached = AttachedSystem::given();
  return attached ? attached->value_or("LOCAL_ADDRESS", "127.0.0.1") : "127.0.0.1";
}

std::string System::row_counts() {
  std::string out;
  for (const auto& service : kServices)
    for (const auto& table :
         sql(service).column("SELECT tablename FROM pg_tables WHERE schemaname = $1 AND tablename NOT "
                             "IN ('feed_cursor', 'feed_coverage', 'feed', 'feed_consumer', 'outbox', "
                             "'contact_rollup', 'message_rollup', 'mail') ORDER BY 1",
                             {service}))
      out += service + "." + table + " " + sql(service).value("SELECT count(*) FROM " + table) + " ";
  return out;
}

std::string System::run(const std::string& program, const std::vector<std::string>& arguments,
                        const Environment& environment) {
  if (attached_) {
    std::vector<std::string> all{"run", program};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return attached_->control(all);
  }
  static int count = 0;
  const auto output = directory_ / ("run-" + std::to_string(++count)), errors = directory_ / "run.errors";
  std::vector<std::string> command{binary(program)};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const pid_t child = spawn(command, environment, output, errors);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("parley-" + program + " " + (arguments.empty() ? "" : arguments[0]) + " failed:\n" +
                             text_of(output) + text_of(errors));
  return text_of(output);
}

namespace {

Caller read_caller(const std::string& line) {
  const auto json = boost::json::parse(line);
  return {json.at("organizationId").as_string().c_str(), json.at("memberId").as_string().c_str(),
          json.at("apiKey").as_string().c_str()};
}

}  // namespace

Caller System::create_owner(const std::string& email, const std::string& organization) {
  return read_caller(run("organizations",
                         {"create-owner", "--name", "Olive Owner", "--email", email, "--organization", organization},
                         organizations().environment));
}

Caller System::add_member(const std::string& organization_id, const std::string& email, std::uint64_t permissions,
                          const std::string& access_level) {
  std::vector<std::string> arguments{"add-member",     "--name",        "Mia Member",     "--email",   email,
                                     "--organization", organization_id, "--access-level", access_level};
  if (permissions != 0) {
    const auto role = "role " + std::to_string(++roles_);
    sql("organizations")
        .rows("INSERT INTO role (organization_id, id, name, permissions) VALUES ($1, gen_random_uuid(), $2, $3)",
              {organization_id, role, std::to_string(permissions)});
    arguments.insert(arguments.end(), {"--role", role});
  }
  return read_caller(run("organizations", arguments, organizations().environment));
}

std::string System::logs(std::size_t characters) {
  std::string out;
  for (auto* each : all()) {
    const auto text = each->log();
    if (text.empty()) continue;
    out += "---- " + each->name() + " on port " + std::to_string(each->port()) + "\n" +
           text.substr(text.size() - std::min(text.size(), characters)) + "\n";
  }
  return out;
}

}  // namespace parley::support

#include "tests/support/system.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/json/parse.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace parley::support {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

const std::vector<std::string> kServices{"contacts", "conversations", "organizations", "analytics"};

// A role of conversations that serves no requests: another command of the same executable.
constexpr std::string_view kDispatcher = "dispatcher";

std::string program_of(const std::string& component) { return component == kDispatcher ? "conversations" : component; }

// PARLEY_TEST_OLD_BIN_DIR and PARLEY_TEST_OLD: components, with commas between them, that run from another folder, so
// that whole tests run on two versions side by side.
std::string folder_of(const std::string& component) {
  const char* const folder = std::getenv("PARLEY_TEST_OLD_BIN_DIR");
  const char* const names = std::getenv("PARLEY_TEST_OLD");
  const bool is_old =
      folder && names && ("," + std::string(names) + ",").find("," + component + ",") != std::string::npos;
  return is_old ? folder : "";
}

std::string binary(const std::string& program) {
  const char* const given = std::getenv("PARLEY_TEST_BIN_DIR");
  return std::string(given ? given : PARLEY_BIN_DIR) + "/parley-" + program;
}

fs::path base_directory() {
  if (const char* given = std::getenv("PARLEY_TEST_DIRECTORY")) return given;
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "test-servers";
}

// Outside the range that the kernel gives to outgoing connections: one of those could take the port of a process that
// is down for a moment.
int free_port() {
  static std::mt19937 random{std::random_device{}()};
  static std::set<int> given;
  for (int tries = 0; tries < 1000; ++tries) {
    const int port = 20000 + static_cast<int>(random() % 12000);
    if (!given.insert(port).second) continue;  // whoever has it may not listen yet
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<in_port_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool bound = ::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(listener);
    if (bound) return port;
  }
  throw std::runtime_error("no free port");
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Runs a program with nothing but this environment (and the sanitizers' and the locale's); its output goes to a file.
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

std::vector<System*>& systems() {
  static std::vector<System*> all;
  return all;
}

// Of a server that others started. An action is one word, or words with blanks between them for `run`.
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

// One that others started is left as it was found.
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
    } catch (const std::exception&) {  // the next test says so
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
    wait_until_ready();  // as it was: others go on with it
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
  } else {  // another test's is there, and both share it; what a test that failed left dead is started
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

// As if it had just been started for the first time.
void System::attach() {
  // A test that could not go on may have left them as they were then.
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

// As deploy/local does it: a role and a schema of its name for each service.
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
    sql.rows("DROP SCHEMA IF EXISTS e2e CASCADE");  // of the tests before
    sql.rows("DROP SCHEMA IF EXISTS " + service + " CASCADE; CREATE SCHEMA " + service + " AUTHORIZATION " + service);
  }
}

// Of the database that has the service's tables.
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
               // Tests post inbound messages to the gateway too: who wrote so is not known to the simulator.
               {"PARLEY_SIMULATOR_OPEN_WINDOW", "true"}};
        continue;
      }
      out = {{"PARLEY_IDENTITY_KEY", privately[program_of(name)]},
             {"PARLEY_IDENTITY_TRUSTED", trusted},
             {"PARLEY_REDIS_URL", redis_.url()},
             {"PARLEY_ENCRYPTION_KEYS", "test:" + std::string(43, 'A') + "="},
             {"PARLEY_CHANNEL_URL", urls("simulator") + "/v20.0"},
             {"PARLEY_CHANNEL_MEDIA_URLS", urls("simulator")},
             {"PARLEY_CHANNEL_APP_ID", app_id},
             {"PARLEY_CHANNEL_APP_SECRET", app_secret},
             {"PARLEY_CHANNEL_VERIFY_TOKEN", "EXAMPLE-VERIFY-TOKEN"},  // as the document has it
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
                             "'contact_rollup', 'message_rollup') ORDER BY 1",
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

#include "tests/integration/chassis_bed.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/describe/class.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "common/chassis/program.hpp"

namespace sample {

struct Thing {
  std::string name;
};
BOOST_DESCRIBE_STRUCT(Thing, (), (name))

}  // namespace sample

namespace parley::chassis_tests {

using identity::Permission;

namespace {

class Api {
 public:
  explicit Api(chassis::Process& process) {
    auto routes = process.pipeline().mount(*this);
    routes.get("/api/things/{id}", Permission::get_contact, &Api::find);
    routes.post("/api/things", Permission::create_contact, &Api::create);
    routes.get("/api/slow", chassis::AnyMember{}, &Api::slow);
    routes.get("/api/broken", chassis::AnyMember{}, &Api::broken);
    routes.get("/api/degraded", chassis::AnyMember{}, &Api::degraded);
    routes.get("/internal/things", chassis::Services{{"contacts", "gateway"}}, &Api::internal);
  }

 private:
  awaitable<http::Response> find(chassis::Call& call) {
    co_return http::json_response(sample::Thing{call.id().text() + " of " + call.organization().text()});
  }
  awaitable<http::Response> create(chassis::Call& call) {
    const auto thing = co_await call.body<sample::Thing>();
    http::Faults faults;
    faults.check_text("/name", thing.name, 1, 255);
    faults.throw_if_any();
    co_return http::json_response(thing, 201);
  }
  awaitable<http::Response> slow(chassis::Call&) {
    co_await pause_for(3s);
    co_return http::json_response(sample::Thing{"slow"});
  }
  awaitable<http::Response> broken(chassis::Call&) {
    throw std::runtime_error("the inside of it");
    co_return http::Response{};
  }
  awaitable<http::Response> degraded(chassis::Call& call) {
    call.degraded("conversations");
    call.degraded("organizations");
    co_return http::json_response(sample::Thing{"partly"});
  }
  awaitable<http::Response> internal(chassis::Call& call) {
    co_return http::json_response(sample::Thing{call.identity.service});
  }
};

class Application final : public chassis::Application {
 public:
  explicit Application(chassis::Process& process) : process_(process), api_(process) {}
  void start() override {
    process_.spawn("forever", forever());
    if (std::getenv("TEST_WORK_FAILS")) process_.spawn("broken", broken());
  }
  std::string not_ready() const override { return std::getenv("TEST_NOT_READY") ? "the database is away" : ""; }
  awaitable<void> stop() override {
    const auto* const fails = std::getenv("TEST_STOP_FAILS");
    if (fails && fails == std::string_view("problem")) throw http::Problem({.detail = "cannot stop"});
    if (fails) throw std::runtime_error("cannot stop");
    co_return;
  }

 private:
  awaitable<void> forever() {  // still waits when the loop ends, and refers to this when it does
    struct Farewell {
      Application& application;
      ~Farewell() { application.process_.log().info("farewell"); }
    };
    const Farewell farewell{*this};
    for (;;) co_await pause_for(1h);
  }
  awaitable<void> broken() {
    throw http::Problem({.detail = "cannot work"});
    co_return;
  }
  chassis::Process& process_;
  Api api_;
};

[[noreturn]] void become(const std::map<std::string, std::string>& environment, std::vector<std::string> arguments) {
  const auto& k = keys();
  ::setenv("PARLEY_LISTEN", "127.0.0.1:0", 1);
  ::setenv("PARLEY_ADMIN_LISTEN", "127.0.0.1:0", 1);
  ::setenv("PARLEY_IDENTITY_KEY", identity::to_base64(k.own.data(), k.own.size()).c_str(), 1);
  const auto trusted = "gateway=" + public_text(k.gateway) + ",contacts=" + public_text(k.contacts) +
                       ",analytics=" + public_text(k.analytics);
  ::setenv("PARLEY_IDENTITY_TRUSTED", trusted.c_str(), 1);
  ::setenv("PARLEY_DRAIN_NOTICE_MS", "1500", 1);
  ::setenv("PARLEY_DRAIN_TIME_MS", "20000", 1);
  ::setenv("PARLEY_LOG_LEVEL", "debug", 1);
  const auto role_listens = environment.find("TEST_ROLE_LISTENS");
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  arguments.insert(arguments.begin(), "parley-sample");
  std::vector<char*> words;
  for (auto& argument : arguments) words.push_back(argument.data());
  const auto status = chassis::run(
      static_cast<int>(words.size()), words.data(),
      {.name = "sample",
       .description = "A sample",
       .listen = "127.0.0.1:0",
       .admin_listen = "127.0.0.1:0",
       .configure = [](chassis::Environment& e) -> chassis::Factory {
         e.number("PARLEY_SAMPLE_NUMBER", 1, 1, 10);
         return [](chassis::Process& process) { return std::make_unique<Application>(process); };
       },
       .roles = {{.name = "work",
                  .description = "Work",
                  .admin_listen = role_listens == environment.end() ? "127.0.0.1:0" : role_listens->second,
                  .configure = [](chassis::Environment& e) -> chassis::Factory {
                    e.number("PARLEY_WORK_NUMBER", 1, 1, 10);
                    return [](chassis::Process& process) { return std::make_unique<Application>(process); };
                  }}}});
  std::fflush(nullptr);
  std::_Exit(status);
}

std::string identity_field(const std::string& token) { return "Parley-Identity: " + token + "\r\n"; }

}  // namespace

const Keys& keys() {
  identity::start_cryptography();
  static const Keys keys;
  return keys;
}

std::string public_text(const identity::Seed& seed) {
  const auto key = identity::public_key_of(seed);
  return identity::to_base64(key.data(), key.size());
}

Running::Running(const std::map<std::string, std::string>& environment, std::vector<std::string> arguments) {
  keys();  // made before there are two processes, so that both have the same
  int output[2];
  REQUIRE(::pipe2(output, O_CLOEXEC) == 0);
  std::fflush(nullptr);
  process_ = ::fork();
  if (process_ == 0) {
    ::dup2(output[1], STDOUT_FILENO);
    ::dup2(output[1], STDERR_FILENO);
    become(environment, std::move(arguments));
  }
  ::close(output[1]);
  output_ = output[0];
}

Running::~Running() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  ::close(output_);
}

bool Running::says(const std::string& text) {
  char octets[4096];
  for (;;) {
    if (written_.find(text) != std::string::npos) return true;
    pollfd readable{output_, POLLIN, 0};
    if (::poll(&readable, 1, 30'000) != 1) return false;
    const auto got = ::read(output_, octets, sizeof octets);
    if (got <= 0) return false;
    written_.append(octets, static_cast<std::size_t>(got));
  }
}

void Running::signal(int number) { ::kill(process_, number); }

int Running::wait() {
  says("there is no such line");
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

unsigned short Running::port(const std::string& name) {
  REQUIRE(says("\"admin_port\":"));
  const auto at = written_.find("\"" + name + "\":");
  REQUIRE(at != std::string::npos);
  return static_cast<unsigned short>(std::stoi(written_.substr(at + name.size() + 3)));
}

std::string member(identity::PermissionSet permissions) {
  static const identity::Signer gateway("gateway", keys().gateway);
  static const auto organization = model::new_uuid();
  return identity_field(gateway.sign({.service = "",
                                      .organization_id = organization,
                                      .member_id = organization,
                                      .permissions = permissions,
                                      .credential_id = "key-1"},
                                     "sample"));
}

std::string service(const std::string& name, const identity::Seed& seed) {
  identity::Signer signer(name, seed);
  return identity_field(signer.own_token("sample"));
}

void wait_until_serving(Wire& admin) {
  for (int i = 0; i < 3000; ++i) {
    const auto answer = admin.ask(get("/metrics"));
    REQUIRE(answer);
    if (answer->body.find("http_requests_in_flight 1\n") != std::string::npos) return;
    std::this_thread::sleep_for(1ms);
  }
  FAIL("no request is under way");
}

std::string text_of(const Answer& answer, const char* key) {
  model::Fault fault;
  const auto json = model::parse(answer.body, fault);
  REQUIRE(json);
  return std::string(json->as_object().at(key).as_string());
}

}  // namespace parley::chassis_tests

#include "common/chassis/program.hpp"

#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "common/chassis/build.hpp"
#include "common/http/probe.hpp"

namespace parley::chassis {

namespace {

// Prints all faults, one per line.
bool report(const Environment& environment, const std::string& name) {
  for (const auto& fault : environment.faults()) std::fprintf(stderr, "parley-%s: %s\n", name.c_str(), fault.c_str());
  return !environment.faults().empty();
}

// Request buffers of tens of kilobytes come and go: memory that the allocator returned to the system would be paged in
// again for the next request.
void keep_freed_memory() {
  // NOLINTBEGIN(concurrency-mt-unsafe): there is one thread
  ::mallopt(M_TRIM_THRESHOLD, 16 << 20);
  ::mallopt(M_TOP_PAD, 1 << 20);
  ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
  // NOLINTEND(concurrency-mt-unsafe)
}

// Runs the service, or the role if given.
int serve(const Program& program, const Role* role, bool only_check) {
  Environment environment;
  auto settings = ProcessSettings::read(environment, program.name, program.listen,
                                        role ? role->admin_listen : program.admin_listen, role ? role->name : "");
  const auto make = (role ? role->configure : program.configure)(environment);
  // Not a fault, as several programs may share one environment; told beside faults, one of which may be its cause.
  if (only_check)
    for (const auto& name : environment.unread()) std::printf("%s is not read by this program\n", name.c_str());
  if (report(environment, program.name)) return 2;
  if (only_check) {
    std::puts("the configuration is good");
    return 0;
  }
  keep_freed_memory();
  Process process(std::move(settings));
  const auto application = make(process);
  return process.run(*application);
}

int migrate(const Program& program) {
  Environment environment;
  const auto url = environment.secret("PARLEY_DATABASE_URL");
  if (report(environment, program.name)) return 2;
  const auto done = pg::migrate(url, program.schema);
  for (const auto& name : done.applied) std::printf("applied %s\n", name.c_str());
  std::printf("%s: schema version %d\n", program.name.c_str(), done.after);
  return 0;
}

// Health check for containers and service managers: whether the process started with this environment is ready. Reads
// only the listen address, so that a check reports the process's fault and not another setting's.
int ask_health(const Program& program, const std::string& role) {
  Environment environment;
  const auto played = std::find_if(program.roles.begin(), program.roles.end(), [&](auto& r) { return r.name == role; });
  const auto listens = environment.listen_address(
      "PARLEY_ADMIN_LISTEN", played == program.roles.end() ? program.admin_listen : played->admin_listen);
  if (report(environment, program.name)) return 1;  // 2 is reserved in a container's check
  const auto answer = http::probe(listens, "/readyz", std::chrono::seconds(1));
  if (answer.status == 200) return 0;
  std::fprintf(stderr, "parley-%s: not ready: %s", program.name.c_str(), answer.body.c_str());
  return 1;
}

// Generates a key pair: the private half for one process's PARLEY_IDENTITY_KEY, the public half for
// PARLEY_IDENTITY_TRUSTED of the processes that it calls.
int generate_key() {
  const auto seed = identity::new_seed();
  const auto key = identity::public_key_of(seed);
  std::printf("{\"private\":\"%s\",\"public\":\"%s\"}\n", identity::to_base64(seed.data(), seed.size()).c_str(),
              identity::to_base64(key.data(), key.size()).c_str());
  return 0;
}

}  // namespace

int run(int argc, char** argv, const Program& program) {
  try {
    identity::start_cryptography();
    CLI::App app(program.description, "parley-" + program.name);
    app.set_version_flag("--version", kVersion);
    bool only_check = false;
    app.add_flag("--check-config", only_check,
                 "Read the configuration from the environment, report all mistakes, exit");
    app.require_subcommand(0, 1);
    // --check-config may stand before or after a role.
    app.add_subcommand("serve", "Serve until SIGTERM (the default)")->fallthrough();
    std::vector<const CLI::App*> roles;
    for (const auto& role : program.roles)
      roles.push_back(app.add_subcommand(role.name, role.description)->fallthrough());
    auto* const health = app.add_subcommand(
        "health", "Ask the process that listens at PARLEY_ADMIN_LISTEN whether it is ready; the exit status tells");
    std::string role_asked;
    std::vector<std::string> role_names;
    for (const auto& role : program.roles) role_names.push_back(role.name);
    if (!role_names.empty())
      health->add_option("role", role_asked, "The role that it plays (none: it serves)")
          ->check(CLI::IsMember(role_names));
    auto* const key = app.add_subcommand("generate-key", "Print a new identity key pair as JSON");
    CLI::App* migration = nullptr;
    if (!program.schema.migrations.empty())
      migration = app.add_subcommand("migrate", "Bring the database's schema up to date");
    if (program.add_commands) program.add_commands(app);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return app.exit(error);
    }
    if (health->parsed()) return ask_health(program, role_asked);
    if (key->parsed()) return generate_key();
    if (migration && migration->parsed()) return migrate(program);
    const auto played = std::find_if(roles.begin(), roles.end(), [](const auto* each) { return each->parsed(); });
    return serve(program, played == roles.end() ? nullptr : &program.roles.at(std::size_t(played - roles.begin())),
                 only_check);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "parley-%s: %s\n", program.name.c_str(), error.what());
    return 1;
  }
}

}  // namespace parley::chassis

#include "organizations/commands.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>

#include "common/chassis/settings.hpp"
#include "common/http/problem.hpp"
#include "organizations/members/store.hpp"

namespace parley::organizations {

namespace {

using boost::asio::awaitable;
using Work = std::function<awaitable<members::Enrolled>(members::Store&)>;

struct Options {
  members::NewMember member;
  std::string access_level = "Member";
  std::string organization;  // its name, or its id
  bool if_missing = false;
};

// Runs one use case over a connection of its own; what it throws becomes the command's one line of error.
members::Enrolled run(const Work& work) {
  chassis::Environment environment;
  auto settings = chassis::read_database(environment);
  if (!environment.faults().empty()) throw std::runtime_error(environment.faults().front());
  settings.read_connections = settings.write_connections = settings.slow_connections = 1;
  boost::asio::io_context context{1};
  pg::Pool pool(context, settings);
  members::Store store(pool);
  pool.start();
  members::Enrolled enrolled;
  std::exception_ptr broken;
  const auto whole = [](const Work& work, members::Store& store, pg::Pool& pool,
                        members::Enrolled& enrolled) -> awaitable<void> {
    enrolled = co_await work(store);
    co_await pool.close();
  };
  boost::asio::co_spawn(context, whole(work, store, pool, enrolled), [&](std::exception_ptr thrown) {
    broken = thrown;
    context.stop();
  });
  context.run();
  try {
    if (broken) std::rethrow_exception(broken);
  } catch (const http::Problem& problem) {
    throw std::runtime_error(problem.detail);
  }
  return enrolled;
}

[[noreturn]] void finish(const members::Enrolled& enrolled) {
  std::printf("%s\n", model::to_json(enrolled).c_str());
  throw CLI::RuntimeError(0);  // how a command says that it is done
}

void check_text(const members::NewMember& member, const std::string& organization) {
  http::Faults faults;
  faults.check_text("--name", member.name, 1, 255);
  faults.check_text("--email", member.email, 3, 254);
  if (member.email.find('@') == member.email.npos) faults.add("--email", "must be an e-mail address");
  faults.check_text("--organization", organization, 1, 255);
  try {
    faults.throw_if_any();
  } catch (const http::Problem& problem) {
    throw std::runtime_error(problem.detail);
  }
}

void create_owner(const Options& options) {
  check_text(options.member, options.organization);
  const auto enrolled =
      run([&](members::Store& store) { return store.create_owner(options.member, options.organization); });
  if (!enrolled.apiKey && !options.if_missing)
    throw std::runtime_error(options.member.email + " owns an organization named " + options.organization +
                             " already (" + enrolled.organizationId.text() + "); --if-missing accepts that");
  finish(enrolled);
}

void add_member(Options options) {
  check_text(options.member, options.organization);
  const auto organization = model::Uuid::parse(options.organization);
  if (!organization) throw std::runtime_error("--organization must be an organization's id");
  boost::describe::enum_from_string(options.access_level.c_str(), options.member.access_level);
  finish(run([&](members::Store& store) { return store.add(*organization, options.member); }));
}

CLI::App* add_command(CLI::App& app, const char* name, const char* description, Options& options) {
  auto* const command = app.add_subcommand(name, description);
  command->add_option("--name", options.member.name, "Of the person, if there is none with this address yet")
      ->required();
  command->add_option("--email", options.member.email, "Of the person")->required();
  return command;
}

}  // namespace

void add_commands(CLI::App& app) {
  const auto owner = std::make_shared<Options>();
  auto* const create =
      add_command(app, "create-owner", "Make an organization and its Owner, and print the Owner's key", *owner);
  create->add_option("--organization", owner->organization, "The organization's name")->required();
  create->add_flag("--if-missing", owner->if_missing,
                   "Succeed, without a key, where the person owns an organization of that name already");
  create->callback([owner] { create_owner(*owner); });

  const auto member = std::make_shared<Options>();
  auto* const add =
      add_command(app, "add-member", "Make a member of an organization, and print the member's key", *member);
  add->add_option("--organization", member->organization, "The organization's id")->required();
  add->add_option("--access-level", member->access_level, "Owner, Admin or Member")
      ->check(CLI::IsMember({"Owner", "Admin", "Member"}));
  add->add_option("--role", member->member.roles, "A role's name; may be repeated");
  add->callback([member] { add_member(*member); });
}

}  // namespace parley::organizations

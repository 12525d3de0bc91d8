#include "organizations/commands.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>

#include "common/chassis/command.hpp"
#include "common/chassis/parked.hpp"
#include "common/chassis/quotas.hpp"
#include "common/chassis/reseal.hpp"
#include "common/events/inbox/sql.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"
#include "organizations/accounts/sql.hpp"
#include "organizations/credentials/revocations.hpp"
#include "organizations/credentials/store.hpp"
#include "organizations/mail/sql.hpp"
#include "organizations/mail/store.hpp"
#include "organizations/members/store.hpp"
#include "organizations/organizations/quotas.hpp"
#include "organizations/second_factor/store.hpp"
#include "organizations/sessions/sql.hpp"
#include "organizations/users/ownership.hpp"

namespace parley::organizations {

namespace {

using boost::asio::awaitable;
using Work = std::function<awaitable<members::Enrolled>(members::Store&)>;

awaitable<void> enrol(const Work& work, pg::Pool& pool, members::Enrolled& enrolled) {
  members::Store store(pool);
  enrolled = co_await work(store);
}

struct Options {
  members::NewMember member;
  std::string access_level = "Member";
  std::string organization;  // name for create-owner, id for add-member
  bool if_missing = false;
};

members::Enrolled run(const Work& work) {
  members::Enrolled enrolled;
  chassis::run_on_database([&](pg::Pool& pool) { return enrol(work, pool, enrolled); });
  return enrolled;
}

[[noreturn]] void finish(const members::Enrolled& enrolled) {
  std::printf("%s\n", model::to_json(enrolled).c_str());
  chassis::end_command();
}

void check_text(const members::NewMember& member, const std::string& organization) {
  http::Faults faults;
  faults.check_text("--name", member.name, 1, 255);
  faults.check_text("--email", member.email, 3, 254);
  if (member.email.find('@') == member.email.npos) faults.add("--email", "must be an e-mail address");
  faults.check_text("--organization", organization, 1, 255);
  faults.throw_if_any();
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

struct KeyOptions {
  std::string organization, member, name;
};

awaitable<void> create_key(pg::Pool& pool, const KeyOptions& options, members::Enrolled& enrolled) {
  const auto organization = model::Uuid::parse(options.organization).value();
  const auto member = model::Uuid::parse(options.member).value();
  credentials::Store store(pool);
  auto transaction = co_await pool.begin();
  const auto made = co_await store.create(transaction, {organization, {}, {}, {}, "create-key"}, member,
                                          {.name = options.name, .expiresAt = {}}, std::nullopt);
  co_await transaction.commit();
  enrolled = {organization, member, made.key};
}

struct TokenOptions {
  std::string email;
  std::int64_t hours = users::kTokenSeconds / 3600;
};

awaitable<void> issue(pg::Pool& pool, const TokenOptions& options, users::IssuedToken& issued) {
  issued = co_await users::issue_token(pool, options.email, options.hours * 3600);
}

void add_password_token(CLI::App& app) {
  const auto options = std::make_shared<TokenOptions>();
  auto* const command = app.add_subcommand(
      "password-token", "Print a token that sets a person's password once, by POST /api/auth/password; others end");
  command->add_option("--email", options->email, "Of the person")->required();
  command->add_option("--hours", options->hours, "How long it is good")->check(CLI::Range(1, 720));
  command->callback([options] {
    users::IssuedToken issued;
    chassis::run_on_database([&](pg::Pool& pool) { return issue(pool, *options, issued); });
    std::printf("%s\n", model::to_json(issued).c_str());
    chassis::end_command();
  });
}

void add_second_factor_off(CLI::App& app) {
  const auto email = std::make_shared<std::string>();
  auto* const command =
      app.add_subcommand("second-factor-off",
                         "Switch off the second factor of a person who has lost it; the password alone signs in then");
  command->add_option("--email", *email, "Of the person")->required();
  command->callback([email] {
    chassis::run_on_database([&](pg::Pool& pool) { return second_factor::switch_off(pool, *email); });
    chassis::end_command();
  });
}

struct OwnerOptions {
  std::string person;
  std::int64_t limit = -1;
  bool usual = false;
};

awaitable<void> set_owned(pg::Pool& pool, const OwnerOptions& options, bool& found) {
  const organizations::Ownership ownership(pool, 0);
  found = co_await ownership.set(model::Uuid::parse(options.person).value(),
                                 options.usual ? std::nullopt : std::optional(options.limit));
}

struct RevokeOptions {
  std::string id, organization, member;
};

std::string is_uuid(const std::string& text) { return model::Uuid::parse(text) ? "" : "must be an id"; }

[[noreturn]] void finish(const std::vector<credentials::RevokedKey>& revoked) {
  std::printf("%s\n", model::to_json(revoked).c_str());
  if (revoked.empty()) throw std::runtime_error("there is no such key that was not revoked before");
  chassis::end_command();
}

awaitable<void> revoke(pg::Pool& pool, const RevokeOptions& options, std::vector<credentials::RevokedKey>& revoked) {
  if (const auto id = model::Uuid::parse(options.id)) {
    revoked = co_await credentials::revoke(pool, *id);
  } else {
    revoked = co_await credentials::revoke_all(pool, model::Uuid::parse(options.organization).value(),
                                               model::Uuid::parse(options.member));
  }
}

void add_create_key(CLI::App& app) {
  const auto options = std::make_shared<KeyOptions>();
  auto* const create = app.add_subcommand("create-key", "Make another API key for a member, and print it");
  create->add_option("--organization", options->organization, "The organization's id")->required()->check(is_uuid);
  create->add_option("--member", options->member, "The member's id")->required()->check(is_uuid);
  create->add_option("--name", options->name, "What it is called among the member's keys")->required();
  create->callback([options] {
    http::Faults faults;
    faults.check_text("--name", options->name, 1, 255);
    faults.throw_if_any();
    members::Enrolled enrolled;
    chassis::run_on_database([&](pg::Pool& pool) { return create_key(pool, *options, enrolled); });
    finish(enrolled);
  });
}

void add_quotas(CLI::App& app) {
  using organizations::kApiKeys, organizations::kInvitations, organizations::kMembers, organizations::kRoles;
  chassis::add_set_quota(
      app, {std::string(kMembers), std::string(kInvitations), std::string(kRoles), std::string(kApiKeys)});
  const auto options = std::make_shared<OwnerOptions>();
  auto* const owner = app.add_subcommand("set-owner-quota", "Say how many organizations a person may own");
  owner->add_option("--person", options->person, "The person's id, as GET /api/user has it")
      ->required()
      ->check(is_uuid);
  auto* const limit = owner->add_option("--limit", options->limit, "How many")->check(CLI::NonNegativeNumber);
  owner->add_flag("--usual", options->usual, "As many as all others again")->excludes(limit);
  owner->callback([options] {
    if (options->limit < 0 && !options->usual) throw CLI::RequiredError("--limit or --usual");
    bool found = false;
    chassis::run_on_database([&](pg::Pool& pool) { return set_owned(pool, *options, found); });
    if (!found) throw std::runtime_error("there is no such person");
    chassis::end_command();
  });
}

void add_revocations(CLI::App& app) {
  const auto options = std::make_shared<RevokeOptions>();
  const auto run = [options] {
    std::vector<credentials::RevokedKey> revoked;
    chassis::run_on_database([&](pg::Pool& pool) { return revoke(pool, *options, revoked); });
    finish(revoked);
  };
  auto* const one = app.add_subcommand("revoke-key", "End an API key at once, whoever's it is");
  one->add_option("--id", options->id, "The key's id, as logs and audits have it")->required()->check(is_uuid);
  one->callback(run);
  auto* const all = app.add_subcommand("revoke-keys", "End all API keys of an organization, or of one of its members");
  all->add_option("--organization", options->organization, "The organization's id")->required()->check(is_uuid);
  all->add_option("--member", options->member, "Only this member's")->check(is_uuid);
  all->callback(run);
}

// Ends sessions, password tokens and recovery codes, which may have been ended or used since the backup, and mails,
// which may have been sent.
pg::Batch settle_restored() {
  pg::Batch out(sessions::sql::remove_all);
  out.add(mail::sql::remove_all);
  out.add(events::outbox::begin_epoch);
  out.add(events::inbox::let_go, "organizations");
  return out;
}

constexpr auto kRestored =
    "all sessions, tokens for passwords and recovery codes were ended: people sign in again, and make new codes\n"
    "mails that waited are not sent: invitations go on, and whoever asked for a link to set a password asks again\n"
    "the feed has a new epoch: who follows it forgets what it knew of credentials\n"
    "API keys, members and roles are as they were at the backup: revoke what was revoked since (revoke-key)";

std::vector<chassis::SealedTable> sealed_tables() {
  return {{"account", accounts::sql::sealed_accounts, accounts::sql::reseal_account,
           [](const model::Uuid&) { return std::vector<std::string>{"access_token", "webhook_secret"}; }},
          {"account_setup", accounts::sql::sealed_setups, accounts::sql::reseal_setup,
           [](const model::Uuid&) { return std::vector<std::string>{"access_token", "webhook_secret", "pin"}; }},
          second_factor::sealed_table(),
          mail::sealed_table()};
}

}  // namespace

void add_commands(CLI::App& app) {
  const auto owner = std::make_shared<Options>();
  auto* const create = add_command(
      app, "create-owner",
      "Make an organization and its Owner, and print the Owner's key, and a token for their first password", *owner);
  create->add_option("--organization", owner->organization, "The organization's name")->required();
  create->add_flag("--if-missing", owner->if_missing,
                   "Succeed, without a key, where the person owns an organization of that name already");
  create->callback([owner] { create_owner(*owner); });

  const auto member = std::make_shared<Options>();
  auto* const add = add_command(
      app, "add-member",
      "Make a member of an organization, and print the member's key, and a token for their first password", *member);
  add->add_option("--organization", member->organization, "The organization's id")->required();
  add->add_option("--access-level", member->access_level, "Owner, Admin or Member")
      ->check(CLI::IsMember({"Owner", "Admin", "Member"}));
  add->add_option("--role", member->member.roles, "A role's name; may be repeated");
  add->callback([member] { add_member(*member); });

  add_password_token(app);
  add_second_factor_off(app);
  add_create_key(app);
  add_revocations(app);
  add_quotas(app);
  chassis::add_reseal(app, sealed_tables());
  chassis::add_parked_commands(
      app, {{"events", "events of other services", events::inbox::list_parked, events::inbox::replay_parked}});
  chassis::add_after_restore(app, settle_restored, kRestored);
}

}  // namespace parley::organizations

#include "common/chassis/quotas.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>

#include "common/chassis/command.hpp"
#include "common/chassis/metrics.hpp"
#include "common/chassis/quotas/sql.hpp"
#include "common/chassis/quotas_told.hpp"
#include "common/events/event.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/events/quota_changes.hpp"

namespace parley::chassis {

namespace {

constexpr std::int64_t kMax = 1'000'000'000'000;

struct LookRow {
  std::int64_t limit = 0, used = 0;
  std::int64_t told = 0;  // the last level
};
BOOST_DESCRIBE_STRUCT(LookRow, (), (limit, used, told))

std::int64_t level_of(std::int64_t used, std::int64_t limit) {
  if (limit <= 0) return 0;  // nothing may be had: nothing was reached
  return used >= limit ? 100 : used >= limit - limit / 5 ? 80 : 0;
}

// The level that `more` reaches; 0 if it is told already. What was told before the use fell below does not count.
std::int64_t new_level(const LookRow& row, std::int64_t more) {
  const auto level = level_of(row.used + more, row.limit);
  return level > std::min(row.told, level_of(row.used, row.limit)) ? level : 0;
}

// A separate statement, whose snapshot includes what previous lock holders took, and told.
awaitable<LookRow> look_in_turn(pg::Transaction& transaction, const model::Uuid& organization, const Quota& quota) {
  pg::Batch batch(quotas::sql::take_turn, organization, quota.name);
  batch.add(quotas::sql::look, organization, quota.name, quota.most);
  const auto taken = co_await transaction.run(std::move(batch));
  co_return taken.one<LookRow>(1);
}

awaitable<void> tell(pg::Transaction& transaction, const model::Uuid& organization, const Quota& quota,
                     std::int64_t level, std::int64_t limit, std::int64_t used) {
  events::Changes changes;
  changes.add(events::QuotaReached{organization, quota.name, level, limit, used, model::Timestamp::now()});
  pg::Batch batch(quotas::sql::note_level, organization, quota.name, level);
  batch.add(events::outbox::append, changes.json());
  co_await transaction.run(std::move(batch));
}

awaitable<void> tell_new_level(pg::Transaction& transaction, const model::Uuid& organization, const Quota& quota,
                               const LookRow& now, std::int64_t more) {
  const auto level = new_level(now, more);
  if (level > 0) co_await tell(transaction, organization, quota, level, now.limit, now.used + more);
}

std::string setting_of(const std::string& name) {
  std::string out = "PARLEY_QUOTA_";
  for (const auto c : name) out += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return out;
}

struct Options {
  std::string organization, name;
  std::int64_t limit = -1;
  bool usual = false;
};

awaitable<void> set(pg::Pool& database, const Options& options) {
  const auto organization = model::Uuid::parse(options.organization).value();
  pg::Batch batch;
  if (options.usual)
    batch.add(quotas::sql::unset, organization, options.name);
  else
    batch.add(quotas::sql::set, organization, options.name, options.limit);
  co_await database.write(std::move(batch));
}

}  // namespace

http::Problem beyond_quota(std::string_view name, std::int64_t limit) {
  return http::Problem({.status = 403,
                        .detail = "this is beyond the quota " + std::string(name) + ", whose limit is " +
                                  std::to_string(limit) + ": remove some, or ask the operator for more"});
}

const Quotas& Quotas::none() {
  static const Quotas without;
  return without;
}

Quotas Quotas::read(Environment& environment, std::vector<Quota> usual) {
  for (auto& quota : usual) quota.most = environment.number(setting_of(quota.name), quota.most, 0, kMax);
  return Quotas(std::move(usual));
}

std::int64_t Quotas::usual(std::string_view name) const {
  const auto found = std::ranges::find(usual_, name, &Quota::name);
  return found == usual_.end() ? std::numeric_limits<std::int64_t>::max() : found->most;
}

awaitable<void> Quotas::require(pg::Transaction& transaction, model::Uuid organization, std::string_view name,
                                std::int64_t more) const {
  pg::Batch batch;
  const auto asked = ask(batch, organization, name);
  if (!asked.quota) co_return;
  const auto results = co_await transaction.run(std::move(batch));
  co_await settle(transaction, organization, asked, results, more);
}

Quotas::Asked Quotas::ask(pg::Batch& batch, const model::Uuid& organization, std::string_view name) const {
  const auto quota = std::ranges::find(usual_, name, &Quota::name);
  if (quota == usual_.end()) return {};
  const auto at = batch.size();
  batch.add(quotas::sql::look, organization, name, quota->most);
  return {&*quota, at};
}

awaitable<void> Quotas::settle(pg::Transaction& transaction, model::Uuid organization, Asked asked,
                               const pg::Results& results, std::int64_t more) const {
  if (!asked.quota || more <= 0) co_return;
  const auto& quota = *asked.quota;
  const auto before = results.one<LookRow>(asked.at);
  const bool has_room = quota.crowd > 0 && before.used + more <= before.limit - quota.crowd;
  if (has_room && new_level(before, more) == 0) co_return;
  const auto now = co_await look_in_turn(transaction, organization, quota);
  if (now.used + more > now.limit) {
    count_refusal(quota.name);
    throw beyond_quota(quota.name, now.limit);
  }
  co_await tell_new_level(transaction, organization, quota, now, more);
}

awaitable<void> settle_beyond(pg::Transaction& transaction, model::Uuid organization, Quotas::Asked asked,
                              const pg::Results& results, std::int64_t more) {
  if (!asked.quota || more <= 0 || new_level(results.one<LookRow>(asked.at), more) == 0) co_return;
  const auto now = co_await look_in_turn(transaction, organization, *asked.quota);
  co_await tell_new_level(transaction, organization, *asked.quota, now, more);
}

awaitable<void> settle_taken(pg::Transaction& transaction, model::Uuid organization, Quotas::Asked asked,
                             const pg::Results& results, std::int64_t more) {
  if (!asked.quota) co_return;
  const auto seen = results.one<LookRow>(asked.at);
  if (level_of(seen.used, seen.limit) == seen.told) co_return;
  const auto now = co_await look_in_turn(transaction, organization, *asked.quota);
  const auto level = level_of(now.used, now.limit);
  const bool is_reached = level > now.told || (level < now.told && level > level_of(now.used - more, now.limit));
  if (is_reached)
    co_await tell(transaction, organization, *asked.quota, level, now.limit, now.used);
  else if (level < now.told)
    co_await transaction.run(pg::Batch(quotas::sql::note_level, organization, asked.quota->name, level));
}

awaitable<std::vector<QuotaUse>> Quotas::uses(pg::Pool& database, model::Uuid organization) const {
  std::vector<std::string> names;
  std::vector<std::int64_t> usual;
  for (const auto& quota : usual_) {
    names.push_back(quota.name);
    usual.push_back(quota.most);
  }
  const auto results = co_await database.read(pg::Batch(quotas::sql::all, organization, names, usual));
  co_return results.rows<QuotaUse>();
}

void Quotas::show(Metrics& metrics) const {
  for (const auto& quota : usual_)
    metrics.counter_from("quota_refusals_total", "Requests refused as an organization has all that it may have",
                         {{"quota", quota.name}}, [&count = refused_[quota.name]] { return double(count); });
}

CLI::App* add_set_quota(CLI::App& app, std::vector<std::string> names) {
  const auto options = std::make_shared<Options>();
  auto* const command = app.add_subcommand("set-quota", "Give an organization a limit of its own");
  command->add_option("--organization", options->organization, "The organization's id")
      ->required()
      ->check([](const std::string& text) { return model::Uuid::parse(text) ? "" : "must be an id"; });
  command->add_option("--name", options->name, "Of what")->required()->check(CLI::IsMember(std::move(names)));
  auto* const limit = command->add_option("--limit", options->limit, "How many it may have");
  limit->check(CLI::Range(std::int64_t{0}, kMax));
  command->add_flag("--usual", options->usual, "As many as all others again")->excludes(limit);
  command->callback([options] {
    if (options->limit < 0 && !options->usual) throw CLI::RequiredError("--limit or --usual");
    run_on_database([&](pg::Pool& database) { return set(database, *options); });
    std::printf("it holds from the next request on\n");
    end_command();
  });
  return command;
}

}  // namespace parley::chassis

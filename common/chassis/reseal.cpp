#include "common/chassis/reseal.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <optional>

#include "common/chassis/command.hpp"
#include "common/chassis/settings.hpp"

namespace parley::chassis {

namespace {

using boost::asio::awaitable;
using Sealed = std::vector<std::optional<std::string>>;

constexpr std::int64_t kRows = 100;  // per transaction
constexpr int kPasses = 5;           // several, as the service seals concurrently

struct SealedRow {
  model::Uuid organization_id, id;
  Sealed sealed;
};
BOOST_DESCRIBE_STRUCT(SealedRow, (), (organization_id, id, sealed))

// The progress of one table.
struct Standing {
  std::map<std::string, std::int64_t, std::less<>> by_key;  // secrets per key, as last found
  std::int64_t resealed = 0, unreadable = 0;
  std::string fault;  // the last failure to open a secret

  std::int64_t left(std::string_view key) const {
    std::int64_t out = 0;
    for (const auto& [id, count] : by_key) out += id == key ? 0 : count;
    return out;
  }
};

// The row's resealed secrets, nullopt if none needs it.
std::optional<Sealed> seal_anew(const SealedTable& table, const secrets::KeyRing& keys, const SealedRow& row,
                                Standing& standing) {
  auto out = row.sealed;
  bool differs = false;
  const auto fields = table.fields(row.id);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out[i] || secrets::KeyRing::key_of(*out[i]) == keys.sealing_key()) continue;
    try {
      out[i] = keys.seal(row.organization_id, fields.at(i), keys.open(row.organization_id, fields.at(i), *out[i]));
      differs = true;
    } catch (const std::runtime_error& error) {
      ++standing.unreadable;
      standing.fault = error.what();
    }
  }
  return differs ? std::optional(std::move(out)) : std::nullopt;
}

awaitable<void> pass(pg::Pool& database, const SealedTable& table, const secrets::KeyRing& keys, bool changes,
                     Standing& standing) {
  standing.by_key.clear();
  standing.unreadable = 0;
  SealedRow last;
  for (bool more = true; more;) {
    const auto results = co_await database.read(pg::Batch(table.page, last.organization_id, last.id, kRows));
    const auto rows = results.rows<SealedRow>();
    more = std::ssize(rows) == kRows;
    if (rows.empty()) break;
    last = rows.back();
    pg::Batch batch;
    for (const auto& row : rows) {
      for (const auto& sealed : row.sealed)
        if (sealed) ++standing.by_key[std::string(secrets::KeyRing::key_of(*sealed))];
      if (!changes) continue;
      if (const auto anew = seal_anew(table, keys, row, standing))
        batch.add(table.save, row.organization_id, row.id, row.sealed, *anew);
    }
    if (batch.empty()) continue;
    const auto count = batch.size();
    const auto saved = co_await database.write(std::move(batch));
    for (std::size_t i = 0; i < count; ++i) standing.resealed += static_cast<std::int64_t>(saved.affected(i));
  }
}

void print(const SealedTable& table, const Standing& standing) {
  std::string keys;
  for (const auto& [id, count] : standing.by_key)
    keys += (keys.empty() ? "\"" : ",\"") + id + "\":" + std::to_string(count);
  std::printf("{\"table\":\"%s\",\"sealedWith\":{%s},\"rowsResealed\":%lld,\"unreadable\":%lld}\n",
              std::string(table.name).c_str(), keys.c_str(), static_cast<long long>(standing.resealed),
              static_cast<long long>(standing.unreadable));
  if (!standing.fault.empty())
    std::fprintf(stderr, "%s: %s\n", std::string(table.name).c_str(), standing.fault.c_str());
}

awaitable<void> reseal(pg::Pool& database, const std::vector<SealedTable>& tables, const secrets::KeyRing& keys,
                       bool only_check, std::int64_t& left) {
  left = 0;
  for (const auto& table : tables) {
    Standing standing;
    co_await pass(database, table, keys, false, standing);
    for (int n = 0; !only_check && n < kPasses && standing.left(keys.sealing_key()) > 0; ++n) {
      co_await pass(database, table, keys, true, standing);
      const auto unreadable = standing.unreadable;
      co_await pass(database, table, keys, false, standing);
      standing.unreadable = unreadable;
      if (unreadable > 0 && standing.left(keys.sealing_key()) <= unreadable)
        break;  // another pass cannot open them either
    }
    print(table, standing);
    left += standing.left(keys.sealing_key());
  }
}

[[noreturn]] void run(const std::vector<SealedTable>& tables, bool only_check) {
  Environment environment;
  const auto keys = read_keys(environment);
  if (!environment.faults().empty()) throw std::runtime_error(environment.faults().front());
  std::int64_t left = 0;
  run_on_database([&](pg::Pool& database) { return reseal(database, tables, *keys, only_check, left); });
  if (left == 0)
    std::printf("all secrets are sealed with %s: other keys may go once every process seals with it\n",
                keys->sealing_key().c_str());
  else
    std::printf("%lld secrets are not sealed with %s: their keys must stay\n", static_cast<long long>(left),
                keys->sealing_key().c_str());
  end_command(left == 0 ? 0 : 1);
}

}  // namespace

void add_reseal(CLI::App& app, std::vector<SealedTable> tables) {
  auto* const command =
      app.add_subcommand("reseal", "Seal all secrets in the database with the first of PARLEY_ENCRYPTION_KEYS");
  const auto only_check = std::make_shared<bool>(false);
  command->add_flag("--check", *only_check, "Only count what is sealed with which key");
  command->callback([only_check, tables = std::move(tables)] { run(tables, *only_check); });
}

}  // namespace parley::chassis

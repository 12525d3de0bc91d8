#include "common/chassis/parked.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>

#include "common/chassis/command.hpp"
#include "common/model/json.hpp"

namespace parley::chassis {

namespace {

using boost::asio::awaitable;

constexpr std::int64_t kReplayed = 1'000;  // per transaction

struct EntryRow {
  std::string id, about, error;
  model::Timestamp at;
  std::int64_t total = 0;
};
BOOST_DESCRIBE_STRUCT(EntryRow, (), (id, about, error, at, total))

struct Entry {
  std::string id, about, error;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(Entry, (), (id, about, error, at))

struct Listing {
  std::string kind;
  std::int64_t count = 0;
  std::vector<Entry> entries;  // the first ones
};
BOOST_DESCRIBE_STRUCT(Listing, (), (kind, count, entries))

struct Options {
  std::string kind, id;
  std::int64_t most = 100;
};

awaitable<void> list(pg::Pool& database, const std::vector<ParkedKind>& kinds, const Options& options) {
  for (const auto& kind : kinds) {
    if (!options.kind.empty() && options.kind != kind.name) continue;
    const auto results = co_await database.slow(pg::Batch(kind.list, options.most));
    Listing listing{std::string(kind.name), 0, {}};
    for (auto& row : results.rows<EntryRow>()) {
      listing.count = row.total;
      listing.entries.push_back({std::move(row.id), std::move(row.about), std::move(row.error), row.at});
    }
    std::printf("%s\n", model::to_json(listing).c_str());
  }
}

awaitable<std::uint64_t> replay_kind(pg::Pool& database, const ParkedKind& kind, const std::optional<std::string>& id) {
  std::uint64_t all = 0;
  for (bool more = true; more;) {
    const auto results = co_await database.write(pg::Batch(kind.replay, id, kReplayed));
    all += results.affected();
    more = results.affected() == kReplayed;
  }
  co_return all;
}

awaitable<void> replay(pg::Pool& database, const std::vector<ParkedKind>& kinds, const Options& options) {
  const auto id = options.id.empty() ? std::nullopt : std::optional(options.id);
  std::uint64_t all = 0;
  for (const auto& kind : kinds) {
    if (!options.kind.empty() && options.kind != kind.name) continue;
    const auto replayed = co_await replay_kind(database, kind, id);
    all += replayed;
    std::printf("%s: %llu to be tried again\n", std::string(kind.name).c_str(),
                static_cast<unsigned long long>(replayed));
  }
  if (!options.id.empty() && all == 0) throw std::runtime_error("nothing with this id is parked");
}

}  // namespace

void add_parked_commands(CLI::App& app, std::vector<ParkedKind> kinds) {
  std::string list_text = "List what was set aside because it could not be applied, as JSON:";
  std::vector<std::string> known;
  for (const auto& kind : kinds) {
    known.emplace_back(kind.name);
    list_text.append(known.size() == 1 ? " " : ", ").append(kind.description);
  }
  const auto options = std::make_shared<Options>();
  const auto shared = std::make_shared<const std::vector<ParkedKind>>(std::move(kinds));
  const auto add = [&](const char* name, const std::string& text, auto* work, bool of_all) {
    auto* const command = app.add_subcommand(name, text);
    command->add_option("--kind", options->kind, "Only these")->check(CLI::IsMember(known));
    command->callback([=] {
      if (!of_all && options->kind.empty() && options->id.empty()) throw CLI::RequiredError("--kind or --id");
      run_on_database([&](pg::Pool& database) { return work(database, *shared, *options); });
      end_command();
    });
    return command;
  };
  add("parked", list_text, list, true)
      ->add_option("--most", options->most, "Of each kind")
      ->check(CLI::Range(1, 10'000));
  add("replay-parked", "Have the running processes try again what was set aside", replay, known.size() == 1)
      ->add_option("--id", options->id, "Only this one");
}

}  // namespace parley::chassis

#include "conversations/campaigns/experiments/store.hpp"

#include "conversations/campaigns/audience/store.hpp"
#include "conversations/campaigns/experiments/sql.hpp"
#include "conversations/campaigns/rendering/message.hpp"

namespace parley::conversations::experiments {

namespace {

struct Row {
  model::CampaignStatus status = model::CampaignStatus::Draft;
  std::string version, name;
  model::RawJson variants;
  std::optional<model::RawJson> experiment;
  std::optional<model::Timestamp> tested_at, due_at;
  std::optional<std::int64_t> winner;
  std::optional<DecidedBy> decided_by;
  std::optional<model::Timestamp> decided_at;
  bool has_begun = false;
};
BOOST_DESCRIBE_STRUCT(Row, (),
                      (status, version, name, variants, experiment, tested_at, due_at, winner, decided_by, decided_at,
                       has_begun))

struct DueRow {
  model::Uuid organization_id, id;
  model::RawJson experiment;
};
BOOST_DESCRIBE_STRUCT(DueRow, (), (organization_id, id, experiment))

Plan read_plan(const model::RawJson& json) {
  auto out = model::from_json<Plan>(json.text);
  if (!out) throw std::logic_error("the experiment of a campaign is none");
  return std::move(*out);
}

Experiment experiment_of(const Row& row) {
  Experiment out{read_plan(*row.experiment),
                 State::Testing,
                 row.tested_at,
                 row.due_at,
                 row.decided_at,
                 row.winner,
                 row.decided_by};
  if (!row.has_begun) out.state = State::Planned;
  if (row.tested_at) out.state = State::Waiting;
  if (row.winner) out.state = State::Decided;
  return out;
}

std::optional<Found> found_of(const std::optional<Row>& row) {
  if (!row) return std::nullopt;
  Found out{row->status, row->version, row->name, std::ssize(rendering::read_variants(row->variants)), std::nullopt};
  if (row->experiment) out.experiment = experiment_of(*row);
  return out;
}

}  // namespace

awaitable<std::optional<Found>> Store::find(model::Uuid organization, model::Uuid campaign) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization, campaign));
  co_return found_of(results.optional<Row>());
}

awaitable<std::optional<Found>> Store::lock(pg::Transaction& transaction, model::Uuid organization,
                                            model::Uuid campaign) {
  const auto results = co_await transaction.run(pg::Batch(sql::lock, organization, campaign));
  co_return found_of(results.optional<Row>());
}

awaitable<void> Store::set(pg::Transaction& transaction, model::Uuid organization, model::Uuid campaign,
                           std::optional<Plan> plan) {
  std::optional<model::RawJson> json;
  if (plan) json = model::RawJson{model::to_json(*plan)};
  co_await transaction.run(pg::Batch(sql::set, organization, campaign, json));
}

awaitable<void> Store::copy(pg::Transaction& transaction, model::Uuid organization, model::Uuid from, model::Uuid to) {
  co_await transaction.run(pg::Batch(sql::copy, organization, from, to));
}

awaitable<bool> Store::decide(pg::Transaction& transaction, model::Uuid organization, model::Uuid campaign,
                              std::int64_t winner, DecidedBy by) {
  const auto results =
      co_await transaction.run(pg::Batch(sql::decide, organization, campaign, winner, by, audience::kTargetsOfChunk));
  co_return results.row_count() == 1;
}

awaitable<std::int64_t> Store::note_tested(std::int64_t most) {
  const auto results = co_await database_.write(pg::Batch(sql::note_tested, most));
  co_return static_cast<std::int64_t>(results.affected());
}

awaitable<std::int64_t> Store::decide_due(std::int64_t most) {
  auto transaction = co_await database_.begin();
  const auto taken = co_await transaction.run(pg::Batch(sql::take_due, most));
  const auto due = taken.rows<DueRow>();
  for (const auto& row : due) {
    const auto results = co_await transaction.run(pg::Batch(sql::results, row.organization_id, row.id));
    const auto winner = winner_of(read_plan(row.experiment), results.rows<Result>());
    co_await decide(transaction, row.organization_id, row.id, winner, DecidedBy::Rule);
  }
  co_await transaction.commit();
  co_return std::ssize(due);
}

}  // namespace parley::conversations::experiments

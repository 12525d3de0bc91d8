// Walks over all contacts that match, step by step, and who of them matches still.
#include "contacts/contacts/matching.hpp"
#include "contacts/contacts/rows.hpp"
#include "contacts/contacts/sql.hpp"
#include "contacts/contacts/store.hpp"

namespace parley::contacts::contacts {

namespace {

constexpr int kPatience = 10;  // for a place: a walk has begun and cannot be repeated
constexpr std::int64_t kMaxExportOctets = 1 << 20;

}  // namespace

// `arguments` are those of the statement behind `after` and `most`. Of the batch's results the last two count: the
// rows, and the last contact that was walked.
template <class Parts, class... Arguments>
awaitable<pg::Results> Store::step(const pg::Variants<Parts>& statement, const model::Uuid& organization,
                                   const Filter& filter, std::optional<model::Uuid> after, std::int64_t most,
                                   Arguments... arguments) {
  const Matching matching(filter);
  const auto made = co_await enter(organization, filter, kPatience);
  pg::Batch batch;
  matching.limit_time(batch);
  matching.add(batch, statement, {.after = after.has_value()}, organization, after, most, arguments...);
  matching.add_unmarked(batch, sql::export_end, {.after = after.has_value()}, organization, after, most);
  co_return co_await database_.slow_anywhere(std::move(batch));
}

awaitable<ExportStep> Store::export_step(model::Uuid organization, Filter filter, std::optional<model::Uuid> after,
                                         std::int64_t most) {
  const auto results = co_await step(sql::export_rows, organization, filter, after, most, kMaxExportOctets);
  const auto end = results.size() - 1;
  ExportStep step{results.rows<ExportRow>(end - 1), results.optional<model::Uuid>(end)};
  step.cut = !step.rows.empty() && step.rows.back().matching > std::ssize(step.rows);
  if (step.cut) step.end = step.rows.back().uniqueId;
  co_return step;
}

awaitable<WalkStep> Store::walk(model::Uuid organization, const Filter& filter, std::optional<model::Uuid> after,
                                std::int64_t most) {
  const auto results = co_await step(sql::walk_matching, organization, filter, after, most);
  const auto end = results.size() - 1;
  co_return WalkStep{results.rows<model::Uuid>(end - 1), results.optional<model::Uuid>(end)};
}

awaitable<std::vector<model::Uuid>> Store::still_matching(pg::Transaction& transaction, model::Uuid organization,
                                                          const Filter& filter, std::vector<model::Uuid> ids) {
  pg::Batch batch;
  Matching(filter).add(batch, sql::still_matching, {}, organization, ids);
  const auto results = co_await transaction.run(std::move(batch));
  co_return results.rows<model::Uuid>();
}

}  // namespace parley::contacts::contacts

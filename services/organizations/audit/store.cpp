#include "organizations/audit/store.hpp"

#include "common/events/audit_recorded.hpp"
#include "common/events/changes.hpp"
#include "organizations/audit/sql.hpp"

namespace parley::organizations::audit {

namespace {

void add_page(pg::Batch& batch, const model::Uuid& organization, const Filter& filter) {
  const auto after = filter.after.value_or(After{});
  batch.add(sql::page[{.after = filter.after.has_value(),
                       .by_action = filter.action.has_value(),
                       .by_member = filter.member_id.has_value(),
                       .by_search = !filter.search.empty(),
                       .descending = filter.descending,
                       .from = filter.from.has_value(),
                       .to = filter.to.has_value()}],
            organization, filter.search, filter.action, filter.member_id, filter.from, filter.to, after.created_at,
            after.id, filter.paging.per_page, filter.paging.skip + after.skip);
}

void add_total(pg::Batch& batch, const model::Uuid& organization, const Filter& filter) {
  const bool by_search = !filter.search.empty();
  if (!by_search && !filter.member_id && !filter.from && !filter.to)
    batch.add(sql::tally[{.by_action = filter.action.has_value()}], organization, filter.action);
  else
    batch.add(sql::count[{.by_action = filter.action.has_value(),
                          .by_member = filter.member_id.has_value(),
                          .by_search = by_search,
                          .descending = filter.descending,
                          .from = filter.from.has_value(),
                          .to = filter.to.has_value()}],
              organization, filter.search, filter.action, filter.member_id, filter.from, filter.to);
}

}  // namespace

awaitable<Page> Store::list(model::Uuid organization, Filter filter) {
  pg::Batch batch;
  add_page(batch, organization, filter);
  add_total(batch, organization, filter);
  // On the slow lane: counting years of entries must not delay other reads.
  const auto results = co_await database_.slow(std::move(batch));
  auto rows = results.rows<WalkedEntry>(0);
  Page page{.total = results.one<std::int64_t>(1)};
  if (!rows.empty() && rows.back().ends) {
    page.walked_to = After{rows.back().createdAt, rows.back().uniqueId, rows.back().skip_left};
    if (!rows.back().matches) rows.pop_back();
  }
  page.entries.assign(std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
  co_return page;
}

awaitable<void> apply(pg::Transaction& transaction, std::span<const events::Event> events) {
  pg::Batch batch;
  for (const auto& event : events)
    for (const auto& change : events::changes_of(event))
      if (const auto told = change.as<events::AuditRecorded>())
        batch.add(sql::insert_told, told->organizationId, told->id, told->at, told->action, told->memberId,
                  told->credentialId, told->subjectId, told->subject, told->address, told->requestId, told->details);
  if (!batch.empty()) co_await transaction.run(std::move(batch));
}

awaitable<void> forget(pg::Transaction&) { co_return; }

}  // namespace parley::organizations::audit

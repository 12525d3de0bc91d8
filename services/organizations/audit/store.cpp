#include "organizations/audit/store.hpp"

#include "common/events/audit_recorded.hpp"
#include "common/events/changes.hpp"
#include "organizations/audit/sql.hpp"

namespace parley::organizations::audit {

awaitable<Page> Store::list(model::Uuid organization, Filter filter) {
  const bool by_search = !filter.search.empty();
  const bool by_action = filter.action.has_value();
  const bool by_member = filter.member_id.has_value();
  const auto after = filter.after.value_or(After{});
  pg::Batch batch;
  batch.add(sql::page[{.after = filter.after.has_value(),
                       .by_action = by_action,
                       .by_member = by_member,
                       .by_search = by_search,
                       .descending = filter.descending,
                       .from = filter.from.has_value(),
                       .to = filter.to.has_value()}],
            organization, filter.search, filter.action, filter.member_id, filter.from, filter.to, after.created_at,
            after.id, filter.paging.per_page, filter.after ? 0 : filter.paging.skip);
  batch.add(sql::count[{.by_action = by_action,
                        .by_member = by_member,
                        .by_search = by_search,
                        .from = filter.from.has_value(),
                        .to = filter.to.has_value()}],
            organization, filter.search, filter.action, filter.member_id, filter.from, filter.to);
  // On the slow lane: counting years of entries must not delay other reads.
  const auto results = co_await database_.slow(std::move(batch));
  co_return Page{results.rows<model::AuditEntry>(0), results.one<std::int64_t>(1)};
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

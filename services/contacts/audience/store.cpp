#include "contacts/audience/store.hpp"

#include <algorithm>
#include <span>

#include "contacts/audience/sql.hpp"
#include "contacts/segments/use.hpp"

namespace parley::contacts::audience {

namespace {

constexpr std::int64_t kFewestOfList = 50;
constexpr std::size_t kPeopleOfStep = 500;  // other reads share the connection
constexpr std::size_t kMaxOctets = 1 << 20;
constexpr std::int64_t kContactsOfStep = 5'000;  // that a segment is asked about
constexpr int kMaxSteps = 8;                     // of a page, each about 20 ms
constexpr auto kMaxCountTime = "6000";           // milliseconds
constexpr std::size_t kCounts = 2, kCountsWaiting = 32;
constexpr std::chrono::seconds kCountWait{2};
constexpr int kMostCounts = 3;  // of one question, while its lists are deleted

using Ids = std::vector<model::Uuid>;

struct WalkRow {
  std::int64_t walked = 0;
  std::optional<model::Uuid> edge;
  std::vector<model::Uuid> contact_ids;
};
BOOST_DESCRIBE_STRUCT(WalkRow, (), (walked, edge, contact_ids))

struct GroupRow {
  model::ContactStatus status = model::ContactStatus::Active;
  bool hasAddress = false;
  std::int64_t draw = 0, kinds = 0, contacts = 0;
};
BOOST_DESCRIBE_STRUCT(GroupRow, (), (status, hasAddress, draw, kinds, contacts))

std::size_t octets_of(std::span<const RecipientRow> people) {
  std::size_t octets = 0;
  for (const auto& person : people)
    for (const auto& value : person.values) octets += value ? value->size() : 0;
  return octets;
}

struct Walked {
  std::vector<model::Uuid> ids;
  std::optional<model::Uuid> edge;
};

pg::Batch counting(const AudienceCountQuestion& asked, const Ids& lists, const Ids& excluded, const Ids& all,
                   const segments::PredicatePtr& segment) {
  const auto& statement = sql::count[{.by_segments = segment != nullptr,
                                      .drawn = asked.draws.has_value(),
                                      .excluding = !excluded.empty(),
                                      .valued = !asked.variables.empty()}];
  const auto draws = asked.draws.value_or(contracts::contacts::Draws{});
  pg::Batch batch(sql::prepare_count, kMaxCountTime);
  batch.add(sql::known, asked.organizationId, all);
  const auto& narrowed = segment ? batch.keep(segment->in(statement)) : statement;
  batch.add(narrowed, asked.organizationId, lists, asked.variables, contracts::contacts::kMaxGroups + 1, excluded,
            asked.wholeOctets, draws.multiplier, draws.addend, asked.bounds,
            segment ? segment->values() : std::vector<std::string>{});
  return batch;
}

AudienceCount count_of(const std::vector<GroupRow>& rows, std::size_t variables) {
  AudienceCount out;
  out.isWhole = std::ssize(rows) <= contracts::contacts::kMaxGroups;
  for (const auto& row : rows) {
    auto& group = out.groups.emplace_back(AudienceGroup{row.status, row.hasAddress, row.draw, {}, row.contacts});
    for (std::size_t i = 0; i < variables; ++i) group.values.push_back(row.kinds >> 2 * i & 3);
  }
  return out;
}

http::Problem too_much(std::string detail) {
  return http::Problem({.status = 503, .detail = std::move(detail), .head = "Retry-After: 2\r\n"});
}

Ids those_in(const Ids& ids, const Ids& known) {
  Ids out;
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(out),
               [&](const auto& id) { return std::binary_search(known.begin(), known.end(), id); });
  return out;
}

// Reads few members of each list, and twice as many per round while the page is too short.
awaitable<Walked> walk(pg::Pool& database, const AudienceQuestion& asked) {
  const auto excluded = asked.excludedListIds.value_or(std::vector<model::Uuid>{});
  const auto& statement = sql::walk[{.excluding = !excluded.empty()}];
  const auto limit = asked.limit.value_or(0);
  auto most = std::clamp<std::int64_t>(limit / std::max<std::int64_t>(std::ssize(asked.listIds), 1),
                                       std::min(kFewestOfList, limit), limit);
  Walked out;
  out.edge = asked.after.value_or(model::Uuid{});
  for (std::int64_t walked = 0; out.edge && walked < limit; most = std::min(2 * most, limit)) {
    const auto results =
        co_await database.read(pg::Batch(statement, asked.organizationId, asked.listIds, *out.edge, most, excluded));
    const auto row = results.one<WalkRow>();
    walked += row.walked;
    out.edge = row.edge;
    out.ids.insert(out.ids.end(), row.contact_ids.begin(), row.contact_ids.end());
  }
  co_return out;
}

bool has_segments(const std::optional<Ids>& segments) { return segments && !segments->empty(); }

// The same for an audience with segments, which have no members that could be walked: all contacts are. Those of the
// lists are found on the way.
awaitable<Walked> walk_all(pg::Pool& database, segments::Room& room, const AudienceQuestion& asked) {
  const auto place = co_await room.enter(asked.organizationId);
  const auto segment = co_await segments::use(database, asked.organizationId, *asked.segmentIds, asked.listIds);
  const auto excluded = asked.excludedListIds.value_or(Ids{});
  const auto statement = segment->in(sql::walk_all[{.excluding = !excluded.empty()}]);
  Walked out;
  out.edge = asked.after.value_or(model::Uuid{});
  std::int64_t walked = 0;
  for (int steps = 0; out.edge && walked < asked.limit.value_or(0) && steps < kMaxSteps; ++steps) {
    pg::Batch batch;
    batch.limit_time(segments::kLongestMade);
    batch.add(batch.keep(statement), asked.organizationId, *out.edge, kContactsOfStep, excluded, segment->values());
    const auto results = co_await database.slow(std::move(batch));
    const auto row = results.one<WalkRow>(1);
    walked += row.walked;
    out.edge = row.edge;
    out.ids.insert(out.ids.end(), row.contact_ids.begin(), row.contact_ids.end());
  }
  co_return out;
}

}  // namespace

Store::Store(pg::Pool& database, std::shared_ptr<segments::Room> room)
    : database_(database),
      counts_(std::make_shared<http::Admission>(database.context(), kCounts, kCountsWaiting, kCountWait)),
      room_(room ? std::move(room) : std::make_shared<segments::Room>(database)) {}

awaitable<Page> Store::page(AudienceQuestion asked) {
  Walked walked;
  if (has_segments(asked.segmentIds))
    walked = co_await walk_all(database_, *room_, asked);
  else
    walked = co_await walk(database_, asked);
  Page page;
  page.next = walked.edge;
  std::size_t octets = 0;
  for (std::size_t first = 0; first < walked.ids.size(); first += kPeopleOfStep) {
    const auto step = std::span(walked.ids).subspan(first, std::min(kPeopleOfStep, walked.ids.size() - first));
    const auto results = co_await database_.read(pg::Batch(sql::people, asked.organizationId, step, asked.variables));
    auto people = results.rows<RecipientRow>();
    octets += octets_of(people);
    std::move(people.begin(), people.end(), std::back_inserter(page.people));
    if (octets < kMaxOctets || first + step.size() == walked.ids.size()) continue;
    page.next = step.back();
    break;
  }
  co_return page;
}

awaitable<std::vector<RecipientRow>> Store::people(model::Uuid organization, std::vector<model::Uuid> ids,
                                                   std::vector<std::string> variables) {
  const auto results = co_await database_.read(pg::Batch(sql::people, organization, ids, variables));
  co_return results.rows<RecipientRow>();
}

// The count names only lists that exist, so that it is planned for their size: deleted ones may still have members.
// That they exist is seen by its own snapshot.
awaitable<AudienceCount> Store::count(AudienceCountQuestion asked) {
  // First, so that nobody waits for it who has a place among all counts.
  std::unique_ptr<segments::Room::Place> made;
  if (has_segments(asked.segmentIds)) made = co_await room_->enter(asked.organizationId);
  const auto owner = std::hash<model::Uuid>{}(asked.organizationId);
  const bool is_in = co_await counts_->enter(owner);
  if (!is_in) throw too_much("too many audiences are counted at once: try again");
  const http::Admitted place(counts_, owner);
  Ids all = asked.listIds;
  all.insert(all.end(), asked.excludedListIds.begin(), asked.excludedListIds.end());
  segments::PredicatePtr segment;
  if (has_segments(asked.segmentIds))
    segment = co_await segments::use(database_, asked.organizationId, *asked.segmentIds, asked.listIds);
  auto known = (co_await database_.read(pg::Batch(sql::known, asked.organizationId, all))).rows<model::Uuid>();
  for (int tries = 0; tries < kMostCounts; ++tries) {
    const auto results = co_await database_.slow_anywhere(
        counting(asked, those_in(asked.listIds, known), those_in(asked.excludedListIds, known), all, segment));
    auto seen = results.rows<model::Uuid>(1);
    if (seen == known) co_return count_of(results.rows<GroupRow>(2), asked.variables.size());
    known = std::move(seen);
  }
  throw too_much("lists of the audience are being deleted: try again");
}

}  // namespace parley::contacts::audience

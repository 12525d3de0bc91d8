#include "contacts/audience/store.hpp"

#include <algorithm>
#include <span>

#include "contacts/audience/sql.hpp"

namespace parley::contacts::audience {

namespace {

constexpr std::int64_t kFewestOfList = 50;
constexpr std::size_t kPeopleOfStep = 500;  // other reads share the connection
constexpr std::size_t kMaxOctets = 1 << 20;

struct WalkRow {
  std::int64_t walked = 0;
  std::optional<model::Uuid> edge;
  std::vector<model::Uuid> contact_ids;
};
BOOST_DESCRIBE_STRUCT(WalkRow, (), (walked, edge, contact_ids))

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

}  // namespace

awaitable<Page> Store::page(AudienceQuestion asked) {
  const auto walked = co_await walk(database_, asked);
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

}  // namespace parley::contacts::audience

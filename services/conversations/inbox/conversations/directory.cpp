#include "conversations/inbox/conversations/directory.hpp"

#include <algorithm>
#include <iterator>

#include "common/http/answer.hpp"
#include "common/http/body.hpp"

namespace parley::conversations::conversations {

namespace {

namespace contract = contracts::contacts;
using Ids = std::vector<model::Uuid>;

constexpr std::size_t kMaxOfList = 100'000;
struct FaultResponse {
  std::string pointer, detail;
};
BOOST_DESCRIBE_STRUCT(FaultResponse, (), (pointer, detail))
struct ProblemResponse {
  std::string detail;
  std::vector<FaultResponse> errors;
};
BOOST_DESCRIBE_STRUCT(ProblemResponse, (), (detail, errors))

// Passes on the problems that contacts finds: they are the caller's.
template <class Answer>
awaitable<Answer> pass_on(awaitable<Answer> asked) {
  try {
    co_return co_await std::move(asked);
  } catch (const chassis::Refusal& refusal) {
    if (refusal.status != 400 && refusal.status != 403) throw;
    auto problem = http::read_answer<ProblemResponse>(std::string_view(refusal.body), "contacts");
    if (refusal.status == 403) throw http::Problem({.status = 403, .detail = std::move(problem.detail)});
    http::Faults faults;
    for (const auto& error : problem.errors) faults.add(error.pointer, error.detail);
    faults.throw_if_any();
    throw;
  }
}

Ids in_both(const Ids& a, const Ids& b) {
  Ids out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

}  // namespace

awaitable<std::optional<Ids>> Directory::contacts_of(chassis::Call& call, const Filter& filter) {
  std::optional<Ids> out;
  const auto narrow = [&out](Ids by) { out = out ? in_both(*out, by) : std::move(by); };
  if (filter.contact_id) narrow({*filter.contact_id});
  if (!filter.search.empty()) narrow(co_await ids(call, {.search = filter.search}, contract::kMaxFound));
  if (filter.list_id) {
    auto of_list = co_await ids(call, {.list_id = filter.list_id}, kMaxOfList);
    if (of_list.size() > kMaxOfList) {
      http::Faults faults;
      faults.add("?list_id", "has more than 100000 contacts: conversations cannot be filtered by so many");
      faults.throw_if_any();
    }
    narrow(std::move(of_list));
  }
  co_return out;
}

// Returns all ids sorted; stops once there are more than `most`.
awaitable<Ids> Directory::ids(chassis::Call& call, contract::IdsQuery query, std::size_t most) {
  query.organization_id = call.organization();
  Ids out;
  for (bool more = true; more && out.size() <= most;) {
    const auto page = co_await pass_on(contacts_.ask(contract::ids, query, call.scope));
    out.insert(out.end(), page.contactIds.begin(), page.contactIds.end());
    more = page.more && !page.contactIds.empty() && query.list_id;
    if (more) query.after = page.contactIds.back();
  }
  std::sort(out.begin(), out.end());
  co_return out;
}

awaitable<std::vector<model::Tag>> Directory::named_tags(chassis::Call& call, const std::vector<std::string>& names) {
  auto answer = co_await pass_on(contacts_.ask(contract::resolve_tags, {call.organization(), names}, call.scope));
  auto tags = std::move(answer.tags);
  std::sort(tags.begin(), tags.end(), [](const auto& a, const auto& b) { return a.uniqueId < b.uniqueId; });
  const auto same = [](const auto& a, const auto& b) { return a.uniqueId == b.uniqueId; };
  tags.erase(std::unique(tags.begin(), tags.end(), same), tags.end());
  co_return tags;
}

awaitable<Ids> Directory::tags_of(chassis::Call& call, const std::vector<std::string>& names) {
  Ids ids;
  const auto tags = co_await named_tags(call, names);
  for (const auto& tag : tags) ids.push_back(tag.uniqueId);
  co_return ids;
}

awaitable<Ids> Directory::known_lists(chassis::Call& call, const Ids& ids) {
  auto known = co_await pass_on(contacts_.ask(contract::known_lists, {call.organization(), ids}, call.scope));
  co_return std::move(known.listIds);
}

awaitable<Ids> Directory::known_segments(chassis::Call& call, const Ids& ids) {
  auto known = co_await pass_on(contacts_.ask(contract::known_segments, {call.organization(), ids}, call.scope));
  co_return std::move(known.segmentIds);
}

}  // namespace parley::conversations::conversations

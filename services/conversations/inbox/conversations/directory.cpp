#include "conversations/inbox/conversations/directory.hpp"

#include <algorithm>
#include <iterator>

#include "common/http/answer.hpp"
#include "common/http/body.hpp"

namespace parley::conversations::conversations {

namespace {

using Ids = std::vector<model::Uuid>;

constexpr std::size_t kMaxOfList = 100'000;
constexpr std::size_t kMaxFound = 1'000;

struct IdsResponse {
  Ids contactIds;
  bool more = false;
};
BOOST_DESCRIBE_STRUCT(IdsResponse, (), (contactIds, more))

struct TagsQuestion {
  model::Uuid organizationId;
  std::vector<std::string> tags;
};
BOOST_DESCRIBE_STRUCT(TagsQuestion, (), (organizationId, tags))

struct TagsResponse {
  std::vector<model::Tag> tags;
};
BOOST_DESCRIBE_STRUCT(TagsResponse, (), (tags))

// What is asked, and what is answered.
struct Lists {
  model::Uuid organizationId;
  Ids listIds;
};
BOOST_DESCRIBE_STRUCT(Lists, (), (organizationId, listIds))

struct FaultResponse {
  std::string pointer, detail;
};
BOOST_DESCRIBE_STRUCT(FaultResponse, (), (pointer, detail))
struct ProblemResponse {
  std::string detail;
  std::vector<FaultResponse> errors;
};
BOOST_DESCRIBE_STRUCT(ProblemResponse, (), (detail, errors))

// What contacts refuses is passed on: the caller wrote it.
void throw_faults(const chassis::ServiceClient& peer, const http::ClientResponse& response) {
  if (response.status != 400 && response.status != 403) return;
  auto problem = http::read_answer<ProblemResponse>(std::string_view(response.body), peer.context());
  if (response.status == 403) throw http::Problem({.status = 403, .detail = std::move(problem.detail)});
  http::Faults faults;
  for (const auto& error : problem.errors) faults.add(error.pointer, error.detail);
  faults.throw_if_any();
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
  if (!filter.search.empty()) {
    std::string parameter = "&search=";
    http::append_encoded(parameter, filter.search);
    narrow(co_await ids(call, std::move(parameter), kMaxFound));
  }
  if (filter.list_id) {
    auto of_list = co_await ids(call, "&list_id=" + filter.list_id->text(), kMaxOfList);
    if (of_list.size() > kMaxOfList) {
      http::Faults faults;
      faults.add("?list_id", "has more than 100000 contacts: conversations cannot be filtered by so many");
      faults.throw_if_any();
    }
    narrow(std::move(of_list));
  }
  co_return out;
}

// All of them, sorted; or more than `most`.
awaitable<Ids> Directory::ids(chassis::Call& call, std::string filter, std::size_t most) {
  const bool is_search = filter.starts_with("&search=");
  Ids out;
  std::string after;
  for (bool more = true; more && out.size() <= most;) {
    http::ClientRequest request{.target = "/internal/contacts/ids?organization_id=" + call.organization().text() +
                                          filter + after};
    const auto response = co_await contacts_.send(std::move(request), call.scope);
    throw_faults(contacts_, response);
    const auto page = http::read_answer<IdsResponse>(response, contacts_.context());
    out.insert(out.end(), page.contactIds.begin(), page.contactIds.end());
    more = page.more && !page.contactIds.empty() && !is_search;
    if (more) after = "&after=" + page.contactIds.back().text();
  }
  std::sort(out.begin(), out.end());
  co_return out;
}

awaitable<http::ClientResponse> Directory::post(chassis::Call& call, std::string target, std::string body) {
  http::ClientRequest request{.method = http::Method::post,
                              .target = std::move(target),
                              .head = "Content-Type: application/json\r\n",
                              .body = std::move(body),
                              .replayable = true};
  auto response = co_await contacts_.send(std::move(request), call.scope);
  throw_faults(contacts_, response);
  co_return response;
}

awaitable<std::vector<model::Tag>> Directory::named_tags(chassis::Call& call, const std::vector<std::string>& names) {
  const auto answer =
      co_await post(call, "/internal/tags/resolve", model::to_json(TagsQuestion{call.organization(), names}));
  auto tags = http::read_answer<TagsResponse>(answer, contacts_.context()).tags;
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
  const auto answer = co_await post(call, "/internal/lists/known", model::to_json(Lists{call.organization(), ids}));
  co_return http::read_answer<Lists>(answer, contacts_.context()).listIds;
}

}  // namespace parley::conversations::conversations

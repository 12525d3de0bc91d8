#include "organizations/members/api.hpp"

#include "common/chassis/peer.hpp"

namespace parley::organizations::members {

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/internal/members/summaries", chassis::Services{{"conversations"}}, &Api::summaries);
}

namespace {

std::vector<model::Uuid> read_ids(std::string_view text) {
  std::vector<model::Uuid> ids;
  while (!text.empty()) {
    const auto comma = text.find(',');
    if (const auto id = model::Uuid::parse(text.substr(0, comma))) ids.push_back(*id);
    text = comma == text.npos ? std::string_view{} : text.substr(comma + 1);
  }
  return ids;
}

}  // namespace

// What conversations embed as assignedTo: a line a member.
awaitable<http::Response> Api::summaries(chassis::Call& call) {
  const auto query = call.query<SummariesQuery>();
  const auto members =
      co_await store_.summaries(query.organization_id.value_or(model::Uuid{}), read_ids(query.member_ids.value_or("")));
  http::Response response;
  response.content_type = "text/plain";
  for (const auto& member : members) chassis::Parts::append(response.body, member.uniqueId, member);
  co_return response;
}

}  // namespace parley::organizations::members

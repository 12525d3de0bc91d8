#include "conversations/campaigns/audience_lists/api.hpp"

#include "common/chassis/change.hpp"
#include "conversations/campaigns/audience_lists/requests.hpp"

namespace parley::conversations::audience_lists {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store, chassis::ServiceClient& contacts) : store_(store), lists_(contacts) {
  auto routes = process.pipeline().mount(*this);
  routes.post("/api/campaigns/{id}/retarget", chassis::AllOf{{Permission::create_list, Permission::get_campaign}},
              &Api::create);
  routes.get("/api/campaigns/{id}/retargets/{retargetId}", Permission::get_campaign, &Api::find);
}

namespace {

http::Response accepted(const RetargetResponse& answer) {
  const auto& retarget = answer.retarget;
  auto response = http::json_response(answer, 202);
  response.add("Location", "/api/campaigns/" + retarget.campaignId.text() + "/retargets/" + retarget.uniqueId.text());
  return response;
}

}  // namespace

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  const auto campaign = call.id();
  auto criteria = check(co_await call.body<RetargetBody>());
  const auto job = co_await store_.create(change, call.organization(), campaign, std::move(criteria));
  if (!job) throw chassis::not_found("there is no campaign with this id");
  const RetargetResponse answer{co_await store_.see(change, *job)};
  auto response = accepted(answer);
  co_await change.commit(response);
  // The list exists before the response is sent. If contacts is unavailable, the worker makes it before filling it.
  const bool made = co_await lists_.try_to_make(*job, call.scope);
  if (!made) call.degraded("contacts");
  co_return response;
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  const auto campaign = call.id();
  const auto id = model::Uuid::parse(call.parameters.values[1]);
  auto retarget = id ? co_await store_.find(call.organization(), campaign, *id) : std::nullopt;
  if (!retarget) throw chassis::not_found("there is no retarget with this id");
  co_return http::json_response(RetargetResponse{std::move(*retarget)});
}

}  // namespace parley::conversations::audience_lists

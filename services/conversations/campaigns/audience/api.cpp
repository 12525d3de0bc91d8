#include "conversations/campaigns/audience/api.hpp"

#include "conversations/campaigns/audience/count.hpp"

namespace parley::conversations::audience {

Api::Api(chassis::Process& process, campaigns::Store& campaigns, chassis::ServiceClient& contacts)
    : campaigns_(campaigns), contacts_(contacts) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/campaigns/{id}/audience", identity::Permission::get_campaign, &Api::count);
}

namespace {

struct CountResponse {
  Count audience;
};
BOOST_DESCRIBE_STRUCT(CountResponse, (), (audience))

http::Problem conflict(std::string detail) { return http::Problem({.status = 409, .detail = std::move(detail)}); }

void require_not_begun(const model::Campaign& campaign) {
  const auto status = campaign.status;
  const bool is_over = status == model::CampaignStatus::Cancelled || status == model::CampaignStatus::Finished;
  if (!is_over && status != model::CampaignStatus::Running && !campaign.startedAt) return;
  throw conflict("the campaign is " + std::string(model::name_of(status)) +
                 ": its recipients are counted in its progress");
}

}  // namespace

awaitable<http::Response> Api::count(chassis::Call& call) {
  const auto found = co_await campaigns_.find(call.organization(), call.id());
  if (!found) throw chassis::not_found("there is no campaign with this id");
  const auto& campaign = found->campaign;
  require_not_begun(campaign);
  if (campaign.listIds.empty() && campaign.segmentIds.empty()) co_return http::json_response(CountResponse{});
  const rendering::Composition composition(campaign.message, campaign.variants);
  const auto question = question_of(call.organization(), campaign, composition, found->has_experiment);
  if (question.variables.size() > contracts::contacts::kMaxCountedVariables)
    throw conflict(
        "the message and its variants want values of more than 16 variables, too many to be counted: give "
        "some of them a fallback, such as {{name|there}}");
  const auto answer = co_await contacts_.ask(contracts::contacts::count_audience, question, call.scope);
  if (!answer.isWhole)
    throw conflict(
        "the contacts lack values of the message's variables in more ways than can be counted: give some of "
        "them a fallback, such as {{name|there}}");
  co_return http::json_response(CountResponse{count_of(answer, composition, found->has_experiment)});
}

}  // namespace parley::conversations::audience

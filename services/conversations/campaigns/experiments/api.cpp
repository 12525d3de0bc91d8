#include "conversations/campaigns/experiments/api.hpp"

#include "common/chassis/change.hpp"

namespace parley::conversations::experiments {

using identity::Permission;
using model::AuditAction;
using model::CampaignStatus;

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/campaigns/{id}/experiment", Permission::get_campaign, &Api::find);
  routes.post("/api/campaigns/{id}/experiment", Permission::update_campaign, &Api::set);
  routes.del("/api/campaigns/{id}/experiment", Permission::update_campaign, &Api::remove);
  routes.post("/api/campaigns/{id}/experiment/winner", Permission::update_campaign, &Api::pick);
}

namespace {

constexpr std::int64_t kMaxShare = 99;
constexpr std::int64_t kMaxMinimum = 1'000'000;
constexpr std::int64_t kMaxSeconds = 30 * 86'400;

http::Problem conflict(std::string detail, std::vector<model::Fault> errors = {}) {
  return http::Problem({.status = 409, .detail = std::move(detail), .errors = std::move(errors)});
}

http::Problem no_campaign() { return chassis::not_found("there is no campaign with this id"); }

Experiment of(const Found& found) {
  if (!found.experiment) throw chassis::not_found("the campaign has no experiment");
  return *found.experiment;
}

Plan read(const PlanBody& body) {
  http::Faults faults;
  const auto check = [&](const char* pointer, std::int64_t number, std::int64_t least, std::int64_t most) {
    if (number < least || number > most)
      faults.add(pointer, "must be between " + std::to_string(least) + " and " + std::to_string(most));
  };
  Plan out{body.share, body.rule, body.minimum.value_or(1), body.decideAfterSeconds, std::nullopt};
  check("/share", out.share, 1, kMaxShare);
  check("/minimum", out.minimum, 0, kMaxMinimum);
  if (out.decideAfterSeconds) check("/decideAfterSeconds", *out.decideAfterSeconds, 0, kMaxSeconds);
  if (body.decideAt) out.decideAt = model::Timestamp::parse(*body.decideAt);
  if (body.decideAt && !out.decideAt)
    faults.add("/decideAt", "must be a date-time with its offset, such as 2030-03-01T09:00:00Z");
  else if (out.decideAt && *out.decideAt <= model::Timestamp::now())
    faults.add("/decideAt", "must be ahead");
  if (body.decideAt && body.decideAfterSeconds)
    faults.add("/decideAt", "is not for an experiment that has decideAfterSeconds");
  faults.throw_if_any();
  return out;
}

void require_not_begun(const Found& found) {
  if (found.status == CampaignStatus::Draft || found.status == CampaignStatus::Scheduled) return;
  throw conflict("the campaign is " + std::string(model::name_of(found.status)) +
                 ": only the experiment of a Draft or Scheduled one can be changed");
}

void require_undecided(const Found& found) {
  if (found.experiment->winner)
    throw conflict("the winner was decided: it is variant " + std::to_string(*found.experiment->winner));
  if (found.status != CampaignStatus::Running && found.status != CampaignStatus::Paused)
    throw conflict("the campaign is " + std::string(model::name_of(found.status)) +
                   ": only of a Running or Paused one a winner can be picked");
  if (found.experiment->state == State::Planned)
    throw conflict("the campaign has not begun: there is nothing to decide by");
}

}  // namespace

awaitable<Found> Api::locked(chassis::Call& call, chassis::Change& change) {
  auto found = co_await store_.lock(change, call.organization(), call.id());
  if (!found) throw no_campaign();
  if (call.request.method == http::Method::del) of(*found);  // the version is the campaign's, which is still there
  call.require_version(found->version);
  co_return std::move(*found);
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  const auto found = co_await store_.find(call.organization(), call.id());
  if (!found) throw no_campaign();
  call.show_version(found->version);
  co_return http::json_response(ExperimentResponse{of(*found)});
}

awaitable<http::Response> Api::set(chassis::Call& call, chassis::Change& change) {
  const auto plan = read(co_await call.body<PlanBody>());
  const auto found = co_await locked(call, change);
  require_not_begun(found);
  if (found.variants == 0)
    throw conflict("the campaign has one message: an experiment needs a variant at least",
                   {{"/share", "there is nothing to compare: give the campaign variants"}});
  co_await store_.set(change, call.organization(), call.id(), plan);
  change.audit(AuditAction::CampaignUpdated, call.id(), found.name);
  co_return http::json_response(ExperimentResponse{Experiment{plan, State::Planned, {}, {}, {}, {}, {}}});
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  const auto found = co_await locked(call, change);
  require_not_begun(found);
  co_await store_.set(change, call.organization(), call.id(), std::nullopt);
  change.audit(AuditAction::CampaignUpdated, call.id(), found.name);
  co_return http::no_content();
}

awaitable<http::Response> Api::pick(chassis::Call& call, chassis::Change& change) {
  const auto body = co_await call.body<PickBody>();
  const auto found = co_await locked(call, change);
  of(found);
  if (body.variant < 0 || body.variant > found.variants)
    throw http::Problem({.status = 400,
                         .detail = "the campaign has no such variant",
                         .errors = {{"/variant", "must be between 0 and " + std::to_string(found.variants)}}});
  require_undecided(found);
  co_await Store::decide(change, call.organization(), call.id(), body.variant, DecidedBy::Member);
  change.audit(AuditAction::CampaignWinnerPicked, call.id(), found.name,
               model::RawJson{"{\"variant\":" + std::to_string(body.variant) + "}"});
  const auto decided = co_await store_.lock(change, call.organization(), call.id());
  co_return http::json_response(ExperimentResponse{of(*decided)});
}

}  // namespace parley::conversations::experiments

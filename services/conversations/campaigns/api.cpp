#include "conversations/campaigns/api.hpp"

#include <algorithm>

#include "common/chassis/change.hpp"
#include "conversations/campaigns/experiments/store.hpp"
#include "conversations/campaigns/rendering/composition.hpp"
#include "conversations/campaigns/requests.hpp"
#include "conversations/campaigns/tag_names.hpp"

namespace parley::conversations::campaigns {

using identity::Permission;
using model::AuditAction;
using model::CampaignStatus;

Api::Api(chassis::Process& process, Store& store, channel::Accounts& accounts, rendering::TemplateCheck& templates,
         chassis::ServiceClient& contacts)
    : store_(store), accounts_(accounts), templates_(templates), contacts_(contacts), directory_(contacts) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/campaigns", Permission::get_campaign, &Api::list);
  routes.post("/api/campaigns", Permission::create_campaign, &Api::create);
  routes.get("/api/campaigns/{id}", Permission::get_campaign, &Api::find);
  routes.post("/api/campaigns/{id}", Permission::update_campaign, &Api::update);
  routes.del("/api/campaigns/{id}", Permission::delete_campaign, &Api::remove);
  routes.post("/api/campaigns/{id}/start", Permission::update_campaign, &Api::start);
  routes.post("/api/campaigns/{id}/unschedule", Permission::update_campaign, &Api::unschedule);
  routes.post("/api/campaigns/{id}/pause", Permission::update_campaign, &Api::pause);
  routes.post("/api/campaigns/{id}/resume", Permission::update_campaign, &Api::resume);
  routes.post("/api/campaigns/{id}/cancel", Permission::update_campaign, &Api::cancel);
  routes.post("/api/campaigns/{id}/duplicate", chassis::AllOf{{Permission::create_campaign, Permission::get_campaign}},
              &Api::duplicate);
}

namespace {

constexpr std::int64_t kUsualLateness = 3'600;  // seconds; the default of allowedLatenessSeconds

http::Problem no_campaign() { return chassis::not_found("there is no campaign with this id"); }

http::Problem conflict(std::string detail, std::vector<model::Fault> errors = {}) {
  return http::Problem({.status = 409, .detail = std::move(detail), .errors = std::move(errors)});
}

http::Problem changed_meanwhile() {
  return conflict("the campaign was changed by somebody else in this moment: look at it and try again");
}

bool is_one_of(CampaignStatus status, const std::vector<CampaignStatus>& statuses) {
  return std::find(statuses.begin(), statuses.end(), status) != statuses.end();
}

http::Problem wrong_status(CampaignStatus status, const std::vector<CampaignStatus>& needed, std::string_view done) {
  std::string names;
  for (const auto each : needed) names.append(names.empty() ? "" : " or ").append(model::name_of(each));
  return conflict("the campaign is " + std::string(model::name_of(status)) + ": only a " + names + " one can be " +
                  std::string(done));
}

struct Moved {
  CampaignStatus from = CampaignStatus::Draft, to = CampaignStatus::Draft;
};
BOOST_DESCRIBE_STRUCT(Moved, (), (from, to))

model::RawJson moved(CampaignStatus from, CampaignStatus to) { return {model::to_json(Moved{from, to})}; }

bool is_open(CampaignStatus status) { return status == CampaignStatus::Draft || status == CampaignStatus::Scheduled; }

// Recipients and message are fixed once the campaign has begun.
void refuse_settled(const model::Campaign& is, const model::Campaign& wanted) {
  if (is_open(is.status)) return;
  std::vector<model::Fault> errors;
  for (const auto& name : settled_that_differ(is, wanted))
    errors.push_back({"/" + name, "cannot be changed while the campaign is " + std::string(model::name_of(is.status))});
  if (errors.empty()) return;
  throw conflict("the campaign is " + std::string(model::name_of(is.status)) +
                     ": only its name, description, tags and messagesPerSecond can be changed",
                 std::move(errors));
}

// What an experiment compares cannot be taken away from it.
void require_compared(const Found& found, const model::Campaign& now) {
  if (found.has_experiment && now.variants.empty())
    throw conflict("the campaign has an experiment: remove that before its variants");
}

void add_unknown(const std::string& pointer, const std::optional<std::vector<model::Uuid>>& ids,
                 const std::vector<model::Uuid>& known, const std::string& what, http::Faults& faults) {
  for (std::size_t i = 0; ids && i < ids->size(); ++i)
    if (std::find(known.begin(), known.end(), (*ids)[i]) == known.end())
      faults.add(pointer + "/" + std::to_string(i), "there is no " + what + " " + (*ids)[i].text());
}

}  // namespace

// The statuses that a command accepts, and the one that it sets.
struct Api::Command {
  model::AuditAction action;
  std::string_view done;
  std::vector<CampaignStatus> from;
  std::optional<CampaignStatus> to;  // nullopt: Scheduled or Running, by the campaign's time
  std::string_view reason{};
  std::chrono::seconds delay{0};  // at least so long it is Scheduled
};

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = read_filter(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter,
                                   [&call](std::size_t octets) { call.request.expect_answer(octets); });
  const auto names = co_await TagNames::ask(call, contacts_, page.campaigns);
  for (auto& campaign : page.campaigns) names.apply(campaign);
  const auto sorted_by = [&](const model::Campaign& last) { return filter.sort_by == SortBy::name ? last.name : ""; };
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.campaigns), page.total, sorted_by,
                                              page.cut);
}

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  auto changes = co_await read_changes(call.request, true);
  model::Campaign made;
  made.uniqueId = model::new_uuid();
  made.timezone = "UTC";
  made.allowedLatenessSeconds = kUsualLateness;
  co_await read_schedule(changes, made.timezone);
  co_await check_lists(call, changes.body);
  co_await check_templates(call, made, changed(made, changes));
  co_await read_tags(call, changes);
  made = changed(std::move(made), changes);
  co_await store_.create(change, call.organization(), made);
  change.audit(AuditAction::CampaignCreated, made.uniqueId, made.name);
  auto found = co_await store_.see(change, call.organization(), made.uniqueId);
  co_return http::created(CampaignResponse{std::move(found.campaign)}, "/api/campaigns/" + made.uniqueId.text());
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto found = co_await known(call);
  call.show_version(std::move(found.version));
  const auto names = co_await TagNames::ask(call, contacts_, {&found.campaign, 1});
  names.apply(found.campaign);
  co_return http::json_response(CampaignResponse{std::move(found.campaign)});
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  auto changes = co_await read_changes(call.request, false);
  const auto seen = co_await known(call);
  const auto& expected = seen.campaign;
  co_await read_schedule(changes, expected.timezone);
  refuse_settled(expected, changed(expected, changes));
  require_compared(seen, changed(expected, changes));
  // Resolving tags may create labels: a request that will be refused must not do so.
  call.require_version(seen.version);
  co_await check_lists(call, changes.body);
  if (expected.status == CampaignStatus::Draft) co_await check_templates(call, expected, changed(expected, changes));
  co_await read_tags(call, changes);
  const auto wanted = changed(expected, changes);
  const bool will_start = expected.status == CampaignStatus::Scheduled;
  if (will_start && !wanted.scheduledAt) throw conflict("a Scheduled campaign has its time: pause it first");
  Ready prepared;
  if (will_start) prepared = co_await ready(call, wanted);
  const auto names = co_await TagNames::ask(call, contacts_, {&wanted, 1});

  const auto old = co_await store_.lock(change, call.organization(), id);
  if (!old) throw no_campaign();
  call.require_version(old->version);
  const auto now = changed(old->campaign, changes);
  refuse_settled(old->campaign, now);
  require_compared(*old, now);
  if (will_start != (old->campaign.status == CampaignStatus::Scheduled)) throw changed_meanwhile();
  if (will_start && !settled_that_differ(now, wanted).empty()) throw changed_meanwhile();
  co_await store_.update(change, call.organization(), now);
  if (will_start) co_await store_.prepare(change, call.organization(), id, prepared.phone_number_id, prepared.urls);
  auto found = co_await store_.see(change, call.organization(), id);
  if (will_start && changes.body.scheduledAt && !found.ahead)
    throw http::Problem({.status = 400,
                         .detail = "the campaign is Scheduled: its time must be ahead",
                         .errors = {{"/scheduledAt", "must be in the future"}}});
  change.audit(AuditAction::CampaignUpdated, id, now.name);
  names.apply(found.campaign);
  co_return http::json_response(CampaignResponse{std::move(found.campaign)});
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  static const std::vector<CampaignStatus> removable{CampaignStatus::Draft, CampaignStatus::Cancelled,
                                                     CampaignStatus::Finished};
  const auto id = call.id();
  const auto old = co_await store_.lock(change, call.organization(), id);
  if (!old) throw no_campaign();
  call.require_version(old->version);
  if (!is_one_of(old->campaign.status, removable)) throw wrong_status(old->campaign.status, removable, "deleted");
  co_await store_.remove(change, call.organization(), id);
  change.audit(AuditAction::CampaignDeleted, id, old->campaign.name);
  co_return http::no_content();
}

awaitable<http::Response> Api::start(chassis::Call& call, chassis::Change& change) {
  const auto body = co_await call.optional_body<StartBody>();
  const Command command{
      AuditAction::CampaignStarted, "started", {CampaignStatus::Draft}, std::nullopt, "", read_delay(body)};
  co_return co_await carry_out(call, change, command);
}

awaitable<http::Response> Api::unschedule(chassis::Call& call, chassis::Change& change) {
  static const Command command{
      AuditAction::CampaignUnscheduled, "unscheduled", {CampaignStatus::Scheduled}, CampaignStatus::Draft};
  co_return co_await carry_out(call, change, command);
}

awaitable<http::Response> Api::pause(chassis::Call& call, chassis::Change& change) {
  static const Command command{AuditAction::CampaignPaused,
                               "paused",
                               {CampaignStatus::Scheduled, CampaignStatus::Running},
                               CampaignStatus::Paused,
                               "a member paused it"};
  co_return co_await carry_out(call, change, command);
}

awaitable<http::Response> Api::resume(chassis::Call& call, chassis::Change& change) {
  static const Command command{AuditAction::CampaignResumed, "resumed", {CampaignStatus::Paused}, std::nullopt};
  co_return co_await carry_out(call, change, command);
}

awaitable<http::Response> Api::cancel(chassis::Call& call, chassis::Change& change) {
  static const Command command{AuditAction::CampaignCancelled,
                               "cancelled",
                               {CampaignStatus::Scheduled, CampaignStatus::Running, CampaignStatus::Paused},
                               CampaignStatus::Cancelled};
  co_return co_await carry_out(call, change, command);
}

// Lists and segments that are gone have no contacts, and tags that are gone no name: the copy is without them. A
// template that is gone stays in the message, which is to be changed: starting refuses it.
awaitable<http::Response> Api::duplicate(chassis::Call& call, chassis::Change& change) {
  const auto body = co_await call.optional_body<DuplicateBody>();
  auto seen = co_await known(call);
  const auto& is = seen.campaign;
  model::Campaign made;
  made.uniqueId = model::new_uuid();
  made.name = read_name(body, is.name);
  made.description = is.description;
  made.message = is.message;
  made.variants = is.variants;
  made.listIds = is.listIds;
  made.excludedListIds = is.excludedListIds;
  made.segmentIds = is.segmentIds;
  made.tags = is.tags;
  if (!seen.number_by_start) made.phoneNumberId = is.phoneNumberId;
  made.timezone = is.timezone;
  made.allowedLatenessSeconds = is.allowedLatenessSeconds;
  made.messagesPerSecond = is.messagesPerSecond;
  co_await drop_gone_lists(call, made);
  const auto names = co_await TagNames::ask(call, contacts_, {&made, 1});
  names.apply(made);
  co_await store_.create(change, call.organization(), made);
  change.audit(AuditAction::CampaignCreated, made.uniqueId, made.name);
  co_await experiments::Store::copy(change, call.organization(), is.uniqueId, made.uniqueId);
  auto copy = co_await store_.see(change, call.organization(), made.uniqueId);
  co_return http::created(CampaignResponse{std::move(copy.campaign)}, "/api/campaigns/" + made.uniqueId.text());
}

// Calls other services before the transaction begins, so that no lock is held meanwhile.
awaitable<http::Response> Api::carry_out(chassis::Call& call, chassis::Change& change, const Command& command) {
  const auto id = call.id();
  const auto seen = co_await known(call);
  const auto& expected = seen.campaign;
  call.require_version(seen.version);
  if (!is_one_of(expected.status, command.from)) throw wrong_status(expected.status, command.from, command.done);
  Ready prepared;
  if (!command.to) prepared = co_await ready(call, expected);
  const auto names = co_await TagNames::ask(call, contacts_, {&expected, 1});

  const auto old = co_await store_.lock(change, call.organization(), id);
  if (!old) throw no_campaign();
  call.require_version(old->version);
  const auto from = old->campaign.status;
  if (!is_one_of(from, command.from)) throw wrong_status(from, command.from, command.done);
  if (!command.to && old->held) throw conflict(old->campaign.statusReason);
  if (!command.to) {
    if (!settled_that_differ(old->campaign, expected).empty()) throw changed_meanwhile();
    co_await store_.prepare(change, call.organization(), id, prepared.phone_number_id, prepared.urls);
  }
  const bool is_delayed = command.delay.count() > 0;
  if (is_delayed) co_await store_.delay(change, call.organization(), id, command.delay);
  const bool must_wait = is_delayed || old->ahead;
  const auto to = command.to.value_or(must_wait ? CampaignStatus::Scheduled : CampaignStatus::Running);
  if (to == CampaignStatus::Draft) co_await store_.take_back(change, call.organization(), id);
  co_await store_.move(change, call.organization(), id, from, to, std::string(command.reason));
  change.audit(command.action, id, old->campaign.name, moved(from, to));
  auto found = co_await store_.see(change, call.organization(), id);
  names.apply(found.campaign);
  co_return http::json_response(CampaignResponse{std::move(found.campaign)});
}

awaitable<Found> Api::known(chassis::Call& call) {
  auto found = co_await store_.find(call.organization(), call.id());
  if (!found) throw no_campaign();
  co_return std::move(*found);
}

awaitable<void> Api::read_schedule(Changes& changes, std::string zone) {
  const auto& body = changes.body;
  if (body.timezone) {
    zone = *body.timezone;
    http::Faults faults;
    if (!co_await store_.is_zone(zone))
      faults.add("/timezone", "must be a name of the IANA time zone database, such as Europe/Berlin");
    faults.throw_if_any();
  }
  if (!body.scheduledAt) co_return;
  const auto schedule = campaigns::read_schedule(*body.scheduledAt);
  changes.scheduled_at = schedule->moment;
  if (!changes.scheduled_at) changes.scheduled_at = co_await store_.moment(schedule->local, std::move(zone));
}

awaitable<void> Api::check_lists(chassis::Call& call, const CampaignBody& body) {
  std::vector<model::Uuid> ids = body.listIds.value_or(std::vector<model::Uuid>{});
  if (body.excludedListIds) ids.insert(ids.end(), body.excludedListIds->begin(), body.excludedListIds->end());
  http::Faults faults;
  if (!ids.empty()) {
    const auto known = co_await directory_.known_lists(call, ids);
    add_unknown("/listIds", body.listIds, known, "list", faults);
    add_unknown("/excludedListIds", body.excludedListIds, known, "list", faults);
  }
  if (body.segmentIds && !body.segmentIds->empty()) {
    const auto known = co_await directory_.known_segments(call, *body.segmentIds);
    add_unknown("/segmentIds", body.segmentIds, known, "segment", faults);
  }
  faults.throw_if_any();
}

awaitable<void> Api::drop_gone_lists(chassis::Call& call, model::Campaign& campaign) {
  auto ids = campaign.listIds;
  ids.insert(ids.end(), campaign.excludedListIds.begin(), campaign.excludedListIds.end());
  std::vector<model::Uuid> known;
  const auto is_gone = [&](const model::Uuid& id) { return std::find(known.begin(), known.end(), id) == known.end(); };
  if (!ids.empty()) known = co_await directory_.known_lists(call, ids);
  std::erase_if(campaign.listIds, is_gone);
  std::erase_if(campaign.excludedListIds, is_gone);
  if (!campaign.segmentIds.empty()) known = co_await directory_.known_segments(call, campaign.segmentIds);
  std::erase_if(campaign.segmentIds, is_gone);
}

awaitable<void> Api::check_templates(chassis::Call& call, const model::Campaign& is, const model::Campaign& wanted) {
  std::optional<model::RawJson> message;
  std::vector<model::CampaignVariant> variants;
  for (const auto& name : settled_that_differ(is, wanted)) {
    if (name == "message") message = wanted.message;
    if (name == "variants") variants = wanted.variants;
  }
  const auto away = co_await templates_.check_names(call.organization(), std::move(message), std::move(variants));
  if (!away.empty()) call.degraded(away);
}

awaitable<void> Api::read_tags(chassis::Call& call, Changes& changes) {
  if (changes.body.tags && !changes.body.tags->empty())
    changes.tags = co_await directory_.named_tags(call, *changes.body.tags);
}

awaitable<Api::Ready> Api::ready(chassis::Call& call, const model::Campaign& campaign) {
  if (campaign.listIds.empty() && campaign.segmentIds.empty())
    throw conflict("the campaign is for nobody yet: it needs a list or a segment",
                   {{"/listIds", "must name a list at least, unless segmentIds names a segment"}});
  const auto account = co_await accounts_.of_organization(call.organization());
  if (!account) throw conflict("nothing can be sent yet: connect a messaging business account first");
  if (campaign.phoneNumberId && *campaign.phoneNumberId != account->phoneNumberId)
    throw conflict(
        "the campaign's phone number is not that of the connected account, which is " + account->phoneNumberId,
        {{"/phoneNumberId", "is not the account's"}});
  co_await templates_.check(call.organization(), campaign.message, campaign.variants);
  const rendering::Composition composition(campaign.message, campaign.variants);
  co_return Ready{account->phoneNumberId, composition.urls()};
}

}  // namespace parley::conversations::campaigns

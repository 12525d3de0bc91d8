#include "conversations/events/subscriptions/api.hpp"

#include <algorithm>

#include "common/chassis/change.hpp"
#include "common/http/page.hpp"
#include "common/model/text.hpp"
#include "conversations/events/public_events/notices.hpp"
#include "conversations/events/subscriptions/authorization.hpp"
#include "conversations/events/subscriptions/target.hpp"

namespace parley::conversations::subscriptions {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store, bool allow_private) : store_(store), allow_private_(allow_private) {
  constexpr auto permission = Permission::update_integration_settings;
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/webhooks", permission, &Api::list);
  routes.post("/api/webhooks", permission, &Api::create);
  routes.get("/api/webhooks/{id}", permission, &Api::find);
  routes.post("/api/webhooks/{id}", permission, &Api::update);
  routes.del("/api/webhooks/{id}", permission, &Api::remove);
  routes.post("/api/webhooks/{id}/test", permission, &Api::test);
  routes.post("/api/webhooks/{id}/rotate-secret", permission, &Api::rotate);
  routes.get("/api/webhooks/{id}/deliveries", permission, &Api::deliveries);
  routes.post("/api/webhooks/{id}/deliveries/{deliveryId}/replay", permission, &Api::replay);
}

namespace {

constexpr std::size_t kMaxDescription = 2'000;  // characters
constexpr std::string_view kOrder = "newest deliveries";

http::Problem no_webhook() { return chassis::not_found("there is no webhook with this id"); }
http::Problem no_delivery() { return chassis::not_found("there is no delivery with this id"); }

void require_hearing(const chassis::Call& call, const std::vector<std::string>& events) {
  http::Problem problem({.status = 403, .detail = "what this hears you may not see; it needs the permissions "});
  identity::PermissionSet needed;
  for (const auto i : unheard(events, call.identity.permissions)) {
    const identity::PermissionSet lacking(public_events::permissions_of(events[i]).mask() &
                                          ~call.identity.permissions.mask());
    needed = identity::PermissionSet(needed.mask() | lacking.mask());
    for (const auto& name : lacking.names())
      problem.errors.push_back({"/events/" + std::to_string(i), "needs " + name});
  }
  if (problem.errors.empty()) return;
  for (const auto& name : needed.names()) problem.detail.append(problem.detail.ends_with(' ') ? "" : ", ").append(name);
  throw problem;
}

// Whether a change sends more, or elsewhere: then its author becomes answerable for the webhook.
bool tells_more(const Webhook& before, const Webhook& after) {
  return before.url != after.url || before.events != after.events || (after.active && !before.active);
}

void check_events(std::vector<std::string>& events, http::Faults& faults) {
  if (events.empty()) faults.add("/events", "must name an event at least");
  std::vector<std::string> once;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (std::ranges::find(public_events::kWebhookTypes, events[i]) == public_events::kWebhookTypes.end()) {
      std::string must = "must be one of ";
      for (const auto type : public_events::kWebhookTypes)
        must.append(type == public_events::kWebhookTypes.front() ? "" : ", ").append(type);
      faults.add("/events/" + std::to_string(i), std::move(must));
    } else if (std::find(once.begin(), once.end(), events[i]) == once.end()) {
      once.push_back(events[i]);
    }
  }
  events = std::move(once);
}

// For the audit: what it hears and whether it does. Of its URL the audit has the origin alone, as paths hold secrets.
void audit(chassis::Change& change, model::AuditAction action, const Webhook& webhook) {
  const auto target = split(webhook.url);
  change.audit(action, webhook.uniqueId, model::repaired(target ? target->origin : ""),
               model::RawJson{model::to_json(Audited{webhook.events, webhook.active})});
}

http::Response secret(http::Response response) {
  response.add("Cache-Control", "no-store");
  return response;
}

// The notice and the endpoint's response, which may echo it.
void hide_unheard(Delivery& delivery, const chassis::Call& call) {
  if (unheard({delivery.eventType}, call.identity.permissions).empty()) return;
  delivery.payload.reset();
  delivery.payloadOctets.reset();
  delivery.responseBody.clear();
}

DeliveriesFilter filter_of(const DeliveriesQuery& query) {
  http::Faults faults;
  DeliveriesFilter filter;
  filter.state = query.state;
  filter.most = http::read_paging(std::nullopt, std::nullopt, query.per_page, query.limit, faults).per_page;
  if (query.cursor)
    if (const auto cursor = http::read_cursor(kOrder, *query.cursor, faults)) filter.after = cursor->id;
  faults.throw_if_any();
  return filter;
}

}  // namespace

CreateWebhook Api::check(CreateWebhook body) const {
  http::Faults faults;
  check_target("/url", body.url, allow_private_, faults);
  faults.check_text("/description", body.description.value_or(""), 0, kMaxDescription);
  check_events(body.events, faults);
  faults.throw_if_any();
  return body;
}

// Checks the URL only if it changes, so that a webhook whose URL is no longer allowed can still be switched off.
Webhook Api::changed(Webhook webhook, UpdateWebhook body) const {
  http::Faults faults;
  if (body.url && *body.url != webhook.url) check_target("/url", *body.url, allow_private_, faults);
  if (body.description) faults.check_text("/description", *body.description, 0, kMaxDescription);
  if (body.events) check_events(*body.events, faults);
  faults.throw_if_any();
  webhook.url = std::move(body.url).value_or(std::move(webhook.url));
  webhook.description = std::move(body.description).value_or(std::move(webhook.description));
  webhook.events = std::move(body.events).value_or(std::move(webhook.events));
  webhook.active = body.active.value_or(webhook.active);
  return webhook;
}

awaitable<http::Response> Api::list(chassis::Call& call) {
  co_return http::json_response(WebhooksResponse{co_await store_.list(call.organization())});
}

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  auto body = check(co_await call.body<CreateWebhook>());
  require_hearing(call, body.events);
  change.answer_is_secret();
  const auto made = co_await store_.create(change, call.organization(), call.identity.member_id, std::move(body));
  audit(change, model::AuditAction::WebhookCreated, made.webhook);
  co_return secret(http::created(made, "/api/webhooks/" + made.webhook.uniqueId.text()));
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto webhook = co_await store_.find(call.organization(), call.id());
  if (!webhook) throw no_webhook();
  call.show_version(webhook->version);
  co_return http::json_response(WebhookResponse{std::move(*webhook)});
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  auto body = co_await call.body<UpdateWebhook>();
  auto webhook = co_await store_.lock(change, call.organization(), call.id());
  if (!webhook) throw no_webhook();
  call.require_version(webhook->version);
  auto wanted = changed(*webhook, std::move(body));
  std::optional<model::Uuid> answerable;
  if (tells_more(*webhook, wanted)) {
    require_hearing(call, wanted.events);
    answerable = call.identity.member_id;
  }
  const WebhookResponse answer{co_await store_.update(change, call.organization(), std::move(wanted), answerable)};
  audit(change, model::AuditAction::WebhookUpdated, answer.webhook);
  co_return http::json_response(answer);
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  const auto webhook = co_await store_.lock_to_delete(change, call.organization(), call.id());
  if (!webhook) throw no_webhook();
  call.require_version(webhook->version);
  co_await store_.remove(change, call.organization(), webhook->uniqueId);
  audit(change, model::AuditAction::WebhookDeleted, *webhook);
  co_return http::no_content();
}

awaitable<http::Response> Api::test(chassis::Call& call, chassis::Change& change) {
  const auto webhook = co_await store_.lock(change, call.organization(), call.id());
  if (!webhook) throw no_webhook();
  const DeliveryResponse answer{co_await store_.test(change, call.organization(), webhook->uniqueId)};
  co_return http::json_response(answer, 202);
}

awaitable<http::Response> Api::rotate(chassis::Call& call, chassis::Change& change) {
  change.answer_is_secret();
  const auto webhook = co_await store_.lock(change, call.organization(), call.id());
  if (!webhook) throw no_webhook();
  const auto answer = co_await store_.rotate(change, call.organization(), webhook->uniqueId);
  audit(change, model::AuditAction::WebhookSecretRotated, *webhook);
  co_return secret(http::json_response(answer));
}

awaitable<http::Response> Api::deliveries(chassis::Call& call) {
  const auto filter = filter_of(call.query<DeliveriesQuery>());
  auto found = co_await store_.deliveries(call.organization(), call.id(), filter);
  if (!found) throw no_webhook();
  std::uint64_t octets = 0;
  for (auto& delivery : *found) {
    hide_unheard(delivery, call);
    octets += delivery.payload.value_or("").size() + delivery.responseBody.size();
  }
  call.request.expect_answer(octets);
  DeliveriesResponse answer{std::move(*found), {filter.most}};
  auto& next = answer.paginationMeta.nextCursor;
  if (std::ssize(answer.deliveries) == filter.most)
    next = http::write_cursor(kOrder, {answer.deliveries.back().uniqueId, ""});
  auto response = http::json_response(answer);
  if (next) response.add("Link", http::next_link(call.request, *next));
  co_return response;
}

awaitable<http::Response> Api::replay(chassis::Call& call, chassis::Change& change) {
  const auto id = model::Uuid::parse(call.parameters.values[1]);
  if (!id) throw no_delivery();
  const auto webhook = co_await store_.lock(change, call.organization(), call.id());
  if (!webhook) throw no_webhook();
  if (!webhook->active) throw http::Problem({.status = 409, .detail = "the webhook is not active: activate it first"});
  auto delivery = co_await store_.replay(change, call.organization(), webhook->uniqueId, *id);
  if (!delivery) throw no_delivery();
  require_hearing(call, {delivery->eventType});
  co_return http::json_response(DeliveryResponse{std::move(*delivery)}, 202);
}

}  // namespace parley::conversations::subscriptions

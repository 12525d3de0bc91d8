#include "conversations/inbox/webhooks/api.hpp"

#include "common/channel/signature.hpp"

namespace parley::conversations::webhooks {

Settings Settings::read(chassis::Environment& environment) {
  return {cloud_api::read_secrets(environment.secret("PARLEY_CHANNEL_APP_SECRET")),
          environment.text("PARLEY_CHANNEL_VERIFY_TOKEN", "")};
}

namespace {

prometheus::Counter& body_events(chassis::Process& process, const std::string& result) {
  return process.metrics()
      .counters("webhook_events_total", "What webhooks brought, by its kind and what became of it")
      .Add({{"kind", "body"}, {"result", result}});
}

}  // namespace

Api::Api(chassis::Process& process, Settings settings, Inbox& inbox, channel::Accounts& accounts)
    : settings_(std::move(settings)),
      inbox_(inbox),
      accounts_(accounts),
      accepted_(body_events(process, "accepted")),
      unsigned_(body_events(process, "bad_signature")) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/webhooks/messaging", chassis::everybody(), &Api::confirm);
  routes.post("/webhooks/messaging", chassis::everybody(), &Api::receive);
  routes.get("/webhooks/messaging/{organizationId}", chassis::everybody(), &Api::confirm_organization);
  routes.post("/webhooks/messaging/{organizationId}", chassis::everybody(), &Api::receive_for_organization);
  process.limits().streamed.emplace_back("/webhooks/messaging");
  process.limits().streamed.emplace_back("/webhooks/messaging/");
  auto& metrics = process.metrics();
  const auto& stats = inbox_.stats();
  metrics.counter_from("webhook_commits_total", "Transactions that committed webhooks", {},
                       [&stats] { return double(stats.batches); });
  metrics.counter_from("webhooks_rejected_total", "Webhooks that there was no room for", {},
                       [&stats] { return double(stats.rejected); });
  metrics.gauge_from("webhook_pending_bytes", "Octets of webhooks that are not committed yet", {},
                     [&stats] { return double(stats.octets); });
}

namespace {

http::Response challenge_of(const chassis::Call& call, std::string_view token) {
  std::string mode, given, challenge;
  for (auto& [name, value] : http::parse_query(call.request.query)) {
    if (name == "hub.mode") mode = value;
    if (name == "hub.verify_token") given = value;
    if (name == "hub.challenge") challenge = value;
  }
  if (mode != "subscribe" || token.empty() || !cloud_api::equal_secretly(given, token))
    throw http::Problem({.status = 403, .detail = "the verify token is not the one of this URL"});
  http::Response response{.content_type = "text/plain", .head{}, .body{}, .stream{}, .stream_length{}};
  response.add("Cache-Control", "no-store");
  response.body = std::move(challenge);
  return response;
}

}  // namespace

awaitable<http::Response> Api::confirm(chassis::Call& call) { co_return challenge_of(call, settings_.verify_token); }

awaitable<http::Response> Api::confirm_organization(chassis::Call& call) {
  co_return challenge_of(call, co_await accounts_.verify_token(call.id(), call.scope));
}

awaitable<http::Response> Api::receive(chassis::Call& call) { return take(call, std::nullopt); }

// The body names its owner: an unknown organization in the URL is no reason to refuse a signed body.
awaitable<http::Response> Api::receive_for_organization(chassis::Call& call) {
  return take(call, model::Uuid::parse(call.parameters.values[0]));
}

// A signed body is accepted whatever its content: after an error the channel would repeat it for a week.
awaitable<http::Response> Api::take(chassis::Call& call, std::optional<model::Uuid> organization) {
  inbox_.require_room();
  Inbox::Body body(inbox_, organization);
  cloud_api::SignatureCheck signature(settings_.secrets);
  for (;;) {
    const auto piece = co_await call.request.body_source->next();
    if (piece.empty()) break;
    signature.add(piece);
    body.add(piece);
  }
  if (!signature.matches(call.request.field("X-Hub-Signature-256"))) {
    unsigned_.Increment();
    throw http::Problem({.status = 401,
                         .detail = "X-Hub-Signature-256 is not the one of this body",
                         .head = "WWW-Authenticate: X-Hub-Signature-256\r\n"});
  }
  co_await inbox_.store(body);
  accepted_.Increment();
  co_return http::Response{.content_type = "text/plain", .head{}, .body = "ok\n", .stream{}, .stream_length{}};
}

}  // namespace parley::conversations::webhooks

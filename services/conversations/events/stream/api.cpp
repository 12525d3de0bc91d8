#include "conversations/events/stream/api.hpp"

#include "common/http/list.hpp"
#include "conversations/events/public_events/notices.hpp"
#include "conversations/events/stream/shapes.hpp"

namespace parley::conversations::stream {

Api::Api(chassis::Process& process, pg::Pool& database, chassis::EventFeed& feed, StreamSettings settings)
    : process_(process), hub_(process.context(), feed.feed(), database, settings, [&process](std::string_view what) {
        process.log().warn("event stream").with("error", what);
      }) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/events", chassis::AnyMember{}, &Api::listen);
  show();
}

void Api::start() {
  process_.spawn("event stream", hub_.follow());
  process_.spawn("event stream's laggards", hub_.catch_up());
}

void Api::show() {
  auto& metrics = process_.metrics();
  const auto& stats = hub_.stats();
  metrics.gauge_from("event_streams_open", "Clients that listen", {}, [this] { return double(hub_.size()); });
  metrics.counter_from("event_streams_told_total", "Events told, counted for each client", {},
                       [this] { return double(hub_.told()); });
  metrics.counter_from("event_streams_slow_total", "Streams ended because their client did not read", {},
                       [&] { return double(stats.slow); });
  metrics.counter_from("event_streams_resets_total", "Clients that had missed events that are gone", {},
                       [&] { return double(stats.resets); });
  metrics.counter_from("event_streams_refused_total", "Clients sent away as too many listened", {},
                       [&] { return double(stats.refused); });
  metrics.counter_from("event_streams_failures_total", "Attempts to read the events that failed", {},
                       [&] { return double(stats.failures); });
}

namespace {

void require_any(const chassis::Call& call) {
  std::string names;
  for (const auto permission : public_events::kPermissions) {
    if (call.may(permission)) return;
    names.append(names.empty() ? "" : ", ").append(identity::name_of(permission));
  }
  throw http::Problem({.status = 403, .detail = "this needs one of the permissions " + names});
}

Choice::Types read_types(std::string_view list, http::Faults& faults) {
  Choice::Types out;
  for (const auto name : http::split(list)) {
    const auto place = std::ranges::find(kTypes, name);
    if (place != kTypes.end()) out.set(static_cast<std::size_t>(place - kTypes.begin()));
    if (place != kTypes.end()) continue;
    std::string known;
    for (const auto type : kTypes) known.append(known.empty() ? "" : ", ").append(type);
    faults.add("?types", "has a type that is none of " + known);
    break;
  }
  return out;
}

Choice choice_of(const chassis::Call& call, const EventsQuery& query, http::Faults& faults) {
  Choice choice{.permissions = call.identity.permissions,
                .member_id = call.identity.member_id,
                .conversation_id = query.conversation_id,
                .campaign_id = query.campaign_id,
                .campaign_messages = query.campaign_messages.value_or(false),
                .imported_contacts = query.imported_contacts.value_or(false)};
  if (query.types) choice.types = read_types(*query.types, faults);
  return choice;
}

}  // namespace

// A reconnecting client's header overrides its original parameter. An unknown id in it leads to a reset, since browsers
// do not reconnect after an error.
awaitable<http::Response> Api::listen(chassis::Call& call) {
  require_any(call);
  const auto query = call.query<EventsQuery>();
  http::Faults faults;
  const auto given = query.last_event_id ? Position::parse(*query.last_event_id) : std::nullopt;
  if (query.last_event_id && !given) faults.add("?last_event_id", "is not an id of this stream");
  const auto wait = query.wait.value_or(kMaxWait);
  if (wait < 0 || wait > kMaxWait)
    faults.add("?wait", "must be between 0 and " + std::to_string(kMaxWait) + " seconds");
  const auto choice = choice_of(call, query, faults);
  faults.throw_if_any();
  const auto last = call.request.field("Last-Event-ID");
  const auto after = last.empty() ? given : Position::parse(last);
  http::Response response;
  response.content_type = "text/event-stream";
  response.add("Cache-Control", "no-store");
  response.add("X-Accel-Buffering", "no");  // for nginx
  response.stream =
      co_await hub_.listen(call.organization(), choice, after, !last.empty() && !after, std::chrono::seconds(wait));
  co_return response;
}

}  // namespace parley::conversations::stream

#include "conversations/events/presence/api.hpp"

#include "common/chassis/change.hpp"
#include "conversations/events/presence/sql.hpp"

namespace parley::conversations::presence {

using identity::Permission;

Api::Api(chassis::Process& process, pg::Pool& database, redis::Client& redis, stream::Hub& hub)
    : process_(process), database_(database), relay_(process.context(), redis, hub, [&process](std::string_view what) {
        process.log().warn("presence").with("error", what);
      }) {
  auto routes = process.pipeline().mount(*this);
  routes.post("/api/conversation/{id}/presence", Permission::get_conversation, &Api::tell);
}

void Api::start() { process_.spawn("presence", relay_.follow()); }

namespace {

// Clients tell it again before it ends: who closes a window without a word is forgotten soon.
std::int64_t ttl_of(State state) {
  switch (state) {
    case State::viewing:
      return 60;
    case State::typing:
      return 10;
    case State::left:
      break;
  }
  return 0;
}

}  // namespace

// Changes nothing that is kept, but for an Idempotency-Key.
awaitable<http::Response> Api::tell(chassis::Call& call, chassis::Change&) {
  const auto id = call.id();
  const auto body = co_await call.body<PresenceBody>();
  const auto found = co_await database_.read(pg::Batch(sql::find_conversation, call.organization(), id));
  if (!found.optional<model::Uuid>()) throw chassis::not_found("there is no conversation with this id");
  Presence presence;
  presence.conversationId = id;
  presence.memberId = call.identity.member_id;
  presence.state = body.state;
  presence.ttlSeconds = ttl_of(body.state);
  presence.organizationId = call.organization();
  presence.at = model::Timestamp::now();
  co_await relay_.tell(std::move(presence));
  co_return http::no_content();
}

}  // namespace parley::conversations::presence

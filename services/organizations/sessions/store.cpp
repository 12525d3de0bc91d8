#include "organizations/sessions/store.hpp"

#include "common/model/text.hpp"
#include "organizations/authorization/authorization.hpp"
#include "organizations/sessions/sql.hpp"

namespace parley::organizations::sessions {

namespace {
constexpr std::size_t kMaxAddress = 64, kMaxUserAgent = 256;  // characters, as the table has it
}

Origin origin_of(const chassis::Call& call) {
  const auto bounded = [](std::string_view text, std::size_t most) {
    return std::string(model::first_characters(model::repaired(text), most));
  };
  return {bounded(call.scope.client_address, kMaxAddress), bounded(call.request.field("User-Agent"), kMaxUserAgent)};
}

std::string Session::cookie() const {
  const auto milliseconds = expiresAt.milliseconds_since_epoch - model::Timestamp::now().milliseconds_since_epoch;
  return token + "; Max-Age=" + std::to_string(milliseconds / 1000);
}

awaitable<Page> Store::list(model::Uuid person, model::Uuid current, Filter filter) {
  const bool by_search = !filter.search.empty();
  const auto after = filter.after.value_or(http::Cursor{});
  pg::Batch batch;
  batch.add(sql::page[{.after = filter.after.has_value(), .by_search = by_search, .descending = filter.descending}],
            person, limits_.idle_seconds, filter.search, after.id, filter.paging.per_page, filter.paging.skip, current);
  batch.add(sql::count[{.by_search = by_search}], person, limits_.idle_seconds, filter.search);
  const auto results = co_await database_.read(std::move(batch));
  co_return Page{results.rows<ListedSession>(0), results.one<std::int64_t>(1)};
}

awaitable<std::optional<Session>> Store::open(pg::Transaction& transaction, model::Uuid person,
                                              std::string password_hash, Origin origin, bool has_code) {
  const auto token = identity::SessionToken::create(model::new_uuid());
  pg::Batch batch;
  batch.add(sql::insert, token.session_id, person, token.secret_hash(), password_hash, limits_.life_seconds,
            origin.address, origin.user_agent, has_code);
  batch.add(sql::prune, person, limits_.idle_seconds, limits_.most_of_a_person);
  const auto results = co_await transaction.run(std::move(batch));
  const auto expires_at = results.optional<model::Timestamp>(0);
  if (!expires_at) co_return std::nullopt;
  co_return Session{token.text(), *expires_at};
}

awaitable<void> Store::tell_opened(pg::Transaction& transaction, model::Uuid person, const Session& session,
                                   audit::Actor from) {
  from.credential_id = identity::SessionToken::parse(session.token).value().session_id.text();
  pg::Batch batch;
  audit::record_of_person(batch, person, audit::By::themselves, from, model::AuditAction::SignedIn);
  co_await transaction.run(std::move(batch));
}

awaitable<bool> Store::close(pg::Transaction& transaction, model::Uuid person, model::Uuid session) {
  pg::Batch batch(sql::remove, session, person);
  authorization::announce(batch, {{}, {}, {}, session});
  const auto results = co_await transaction.run(std::move(batch));
  co_return results.affected(0) == 1;
}

void Store::close_others(pg::Batch& batch, const model::Uuid& person, const std::optional<model::Uuid>& kept) {
  batch.add(sql::remove_others, person, kept);
  authorization::announce(batch, {{}, {}, person, {}});
}

awaitable<std::optional<SessionRow>> Store::find(model::Uuid session, std::optional<model::Uuid> organization) {
  const auto& statement = sql::find[{.chosen = organization.has_value()}];
  const auto results = co_await database_.read(pg::Batch(statement, session, limits_.idle_seconds, organization));
  co_return results.optional<SessionRow>();
}

awaitable<void> Store::note_use(model::Uuid session) { co_await database_.write(pg::Batch(sql::note_use, session)); }

}  // namespace parley::organizations::sessions

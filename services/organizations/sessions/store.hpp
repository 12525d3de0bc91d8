#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/identity/session_token.hpp"
#include "common/pg/pool.hpp"
#include "organizations/audit/record.hpp"
#include "organizations/sessions/rows.hpp"
#include "organizations/sessions/shapes.hpp"

namespace parley::organizations::sessions {

using boost::asio::awaitable;

class Store {
 public:
  Store(pg::Pool& database, Limits limits) : database_(database), limits_(limits) {}

  // A page of a person's sessions that have not ended; `current` is the request's own.
  awaitable<Page> list(model::Uuid person, model::Uuid current, Filter filter);
  // Removes expired and excess sessions, too. nullopt if the person's password hash is no longer `password_hash`, or a
  // second factor is on and `has_code`, that a code of it was verified, is false. Locks the person.
  awaitable<std::optional<Session>> open(pg::Transaction& transaction, model::Uuid person, std::string password_hash,
                                         Origin origin, bool has_code = false);
  // Tells the audit of each of the person's organizations that it was opened.
  awaitable<void> tell_opened(pg::Transaction& transaction, model::Uuid person, const Session& session,
                              audit::Actor from);
  // Ends a session of the person and announces it; false if it does not exist.
  awaitable<bool> close(pg::Transaction& transaction, model::Uuid person, model::Uuid session);
  // Adds statements that end and announce all the person's sessions but `kept`.
  static void close_others(pg::Batch& batch, const model::Uuid& person, const std::optional<model::Uuid>& kept);

  // A valid session, acting in `organization`, or else in the one that the person joined first.
  awaitable<std::optional<SessionRow>> find(model::Uuid session, std::optional<model::Uuid> organization);
  awaitable<void> note_use(model::Uuid session);

 private:
  pg::Pool& database_;
  Limits limits_;
};

}  // namespace parley::organizations::sessions

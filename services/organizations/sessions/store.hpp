#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/identity/session_token.hpp"
#include "common/pg/pool.hpp"
#include "organizations/sessions/rows.hpp"
#include "organizations/sessions/shapes.hpp"

namespace parley::organizations::sessions {

using boost::asio::awaitable;

class Store {
 public:
  Store(pg::Pool& database, Limits limits) : database_(database), limits_(limits) {}

  // A new session, and the end of those that were too many or too old. Nothing if the person's password is not any more
  // the one of this hash.
  awaitable<std::optional<Session>> open(pg::Transaction& transaction, model::Uuid person, std::string password_hash);
  // Ends a session of the person's and tells who remembers it; false if there is none of that id.
  awaitable<bool> close(pg::Transaction& transaction, model::Uuid person, model::Uuid session);
  // Adds the end of all the person's sessions but one, told likewise.
  static void close_others(pg::Batch& batch, const model::Uuid& person, const std::optional<model::Uuid>& kept);

  // A session that has not ended, acting in an organization or where its person came to first.
  awaitable<std::optional<SessionRow>> find(model::Uuid session, std::optional<model::Uuid> organization);
  awaitable<void> note_use(model::Uuid session);

 private:
  pg::Pool& database_;
  Limits limits_;
};

}  // namespace parley::organizations::sessions

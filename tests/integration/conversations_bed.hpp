#pragma once
// A database of the conversations service, and what its tests put into it.

#include <libpq-fe.h>

#include "common/pg/migrate.hpp"
#include "conversations/inbox/conversations/store.hpp"
#include "conversations/schema.hpp"
#include "tests/integration/pg_loop.hpp"

namespace parley::conversations_tests {

using boost::asio::awaitable;
using model::ConversationStatus;
using model::Uuid;

// A database of its own on the shared server, with the service's schema. It outlives its object: the server goes with
// the tests.
class Database {
 public:
  Database();
  // With the tables of an earlier version, and no functions but theirs.
  explicit Database(int version);

  const std::string& url() const { return url_; }
  pg::Settings settings() const {
    pg::Settings settings;
    settings.url = url();
    return settings;
  }
  // See support::execute.
  std::string execute(const std::string& sql) const;
  std::int64_t number(const std::string& sql) const { return std::stoll(execute(sql)); }

  Uuid add_conversation(const Uuid& organization, const Uuid& contact, std::string_view status = "Active") const;
  // `status` Unread or Read is inbound, any other outbound. Made `minutes` after a fixed moment.
  Uuid add_message(const Uuid& organization, const Uuid& conversation, std::string_view status, int minutes,
                   const std::string& data = R"({"text": "hello"})") const;
  Uuid add_note(const Uuid& organization, const Uuid& conversation, const std::string& text = "for members") const;
  Uuid add_tag(const Uuid& organization, const Uuid& conversation) const;

  // Conversations whose counters are not what counting their messages gives, and tallies that are not what counting
  // conversations gives.
  std::int64_t drifted() const;

 private:
  std::string url_;
};

// A connection that keeps its transaction open, so that a test says who is first.
class Session {
 public:
  explicit Session(const Database& database);
  // The first value. Throws with the server's message.
  std::string execute(const std::string& sql);
  // ... in two steps, with others between them.
  void start(const std::string& sql);
  std::string finish();
  // Until what was started waits for a lock.
  void wait_until_locked();

 private:
  const Database& database_;
  std::unique_ptr<PGconn, decltype(&::PQfinish)> connection_;
};

// Totals of lists, which nothing is kept of: there is no Redis.
struct Uncached {
  explicit Uncached(boost::asio::any_io_executor executor)
      : redis(std::move(executor), redis::Settings{.url = "redis://127.0.0.1"}) {}
  redis::Client redis;
  redis::CountCache counts{redis, ""};
};

inline std::string quoted(const Uuid& id) { return "'" + id.text() + "'"; }

}  // namespace parley::conversations_tests

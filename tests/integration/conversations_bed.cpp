#include "tests/integration/conversations_bed.hpp"

#include <libpq-fe.h>

#include <memory>

#include "tests/integration/new_database.hpp"
#include "tests/support/sql.hpp"

namespace parley::conversations_tests {

Database::Database() : url_(pg_tests::new_database("conversations")) {}

Database::Database(int version) {
  static int count = 0;
  const auto name = "conversations_" + std::to_string(++count);
  pg_tests::shared_server().execute("CREATE DATABASE " + name);
  url_ = pg_tests::shared_server().url("postgres", name);
  const auto all = conversations::schema.migrations;
  pg::migrate(url_, {all.first(static_cast<std::size_t>(version - all.front().version) + 1)});
}

std::string Database::execute(const std::string& sql) const { return support::execute(url(), sql); }

Uuid Database::add_conversation(const Uuid& organization, const Uuid& contact, std::string_view status) const {
  const auto id = model::new_uuid();
  execute("INSERT INTO conversation (organization_id, id, contact_id, initiated_by, status, created_at) VALUES (" +
          quoted(organization) + "," + quoted(id) + "," + quoted(contact) + ", 'Contact', '" + std::string(status) +
          "', '2026-01-31T12:00:00Z')");
  return id;
}

Uuid Database::add_message(const Uuid& organization, const Uuid& conversation, std::string_view status, int minutes,
                           const std::string& data) const {
  const auto id = model::new_uuid();
  const bool inbound = status == "Unread" || status == "Read";
  execute(
      "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, data, "
      "created_at) SELECT organization_id, " +
      quoted(id) + ", id, contact_id, '" + (inbound ? "InBound" : "OutBound") + "', '" + std::string(status) +
      "', 'Text', '" + data + "', timestamptz '2026-01-31T12:00:00Z' + interval '1 minute' * " +
      std::to_string(minutes) + " FROM conversation WHERE organization_id = " + quoted(organization) +
      " AND id = " + quoted(conversation));
  return id;
}

Uuid Database::add_note(const Uuid& organization, const Uuid& conversation, const std::string& text) const {
  const auto id = model::new_uuid();
  execute("INSERT INTO note (organization_id, id, conversation_id, text, written_by_member) VALUES (" +
          quoted(organization) + "," + quoted(id) + "," + quoted(conversation) + ",'" + text + "', gen_random_uuid())");
  return id;
}

Uuid Database::add_tag(const Uuid& organization, const Uuid& conversation) const {
  const auto id = model::new_uuid();
  execute("INSERT INTO conversation_tag VALUES (" + quoted(organization) + "," + quoted(conversation) + "," +
          quoted(id) + ")");
  return id;
}

std::int64_t Database::drifted() const {
  return number(
             "SELECT count(*) FROM conversation c CROSS JOIN LATERAL (SELECT count(*) AS total, count(*) FILTER (WHERE "
             "direction = 'InBound' AND status = 'Unread') AS unread FROM message m WHERE m.organization_id = "
             "c.organization_id AND m.conversation_id = c.id) m WHERE (m.total, m.unread) <> (c.total_messages, "
             "c.unread_messages)") +
         number(
             "SELECT count(*) FROM (SELECT k.organization_id, k.member_id, k.status, k.initiated_by, k.has_inbound, "
             "count(*) AS total, sum(k.unread) AS unread, sum(k.awaiting) AS awaiting, sum(k.unassigned) AS unassigned "
             "FROM conversation c CROSS JOIN LATERAL conversation_kinds(c.organization_id, c.status, c.tombstone, "
             "c.initiated_by, c.has_inbound, c.unread_messages, c.last_inbound_at, c.answered_at, "
             "c.assigned_member_id) k GROUP BY 1, 2, 3, 4, 5) counted FULL JOIN (SELECT organization_id, member_id, "
             "status, initiated_by, has_inbound, sum(total) AS total, sum(unread) AS unread, sum(awaiting) AS "
             "awaiting, "
             "sum(unassigned) AS unassigned FROM conversation_tally GROUP BY 1, 2, 3, 4, 5) kept USING "
             "(organization_id, member_id, status, initiated_by, has_inbound) WHERE (coalesce(counted.total, 0), "
             "coalesce(counted.unread, 0), coalesce(counted.awaiting, 0), coalesce(counted.unassigned, 0)) <> "
             "(coalesce(kept.total, 0), coalesce(kept.unread, 0), coalesce(kept.awaiting, 0), "
             "coalesce(kept.unassigned, 0))");
}

Session::Session(const Database& database)
    : database_(database), connection_(::PQconnectdb(database.url().c_str()), ::PQfinish) {
  ::PQclear(::PQexec(connection_.get(), "SET lock_timeout = '20s'"));
}

std::string Session::execute(const std::string& sql) {
  start(sql);
  return finish();
}

void Session::start(const std::string& sql) {
  if (::PQsendQuery(connection_.get(), sql.c_str()) != 1) throw std::runtime_error(::PQerrorMessage(connection_.get()));
}

std::string Session::finish() {
  std::string out, error;
  while (auto* result = ::PQgetResult(connection_.get())) {
    const auto status = ::PQresultStatus(result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) error = ::PQresultErrorMessage(result);
    if (::PQntuples(result) > 0 && ::PQnfields(result) > 0) out = ::PQgetvalue(result, 0, 0);
    ::PQclear(result);
  }
  if (!error.empty()) throw std::runtime_error(error);
  return out;
}

void Session::wait_until_locked() {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const auto waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid = " +
                       std::to_string(::PQbackendPID(connection_.get()));
  while (database_.number(waiting) == 0)
    if (std::chrono::steady_clock::now() > limit) throw std::runtime_error("it does not wait");
}

}  // namespace parley::conversations_tests

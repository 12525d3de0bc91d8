#include "tests/integration/contacts_bed.hpp"

#include "contacts/lists/sql.hpp"
#include "tests/integration/new_database.hpp"

namespace parley::contacts_tests {

namespace {

const std::string kNil = Uuid{}.text();

std::string date_time(const Uuid& id) { return model::Timestamp{id.milliseconds()}.text(); }

}  // namespace

Database::Database(const support::PostgresServer& server) {
  url_ = pg_tests::new_database("contacts", server);
  reconnect();
}

pg::Settings Database::settings() const {
  pg::Settings settings;
  settings.url = url_;
  return settings;
}

void Database::add_to_tally(const Uuid& organization, const Uuid& list, std::int64_t contacts) {
  static int turn = 0;
  sql_->rows(
      contacts::lists::sql::add_to_tally.sql,
      {organization.text(), list.text(), list.is_nil() ? std::to_string(++turn % 16) : "0", std::to_string(contacts)});
}

Uuid Database::add_contact(const Uuid& organization, const std::string& name, const std::string& phone,
                           const std::string& status, const std::string& attributes) {
  const auto id = model::new_uuid();
  sql_->rows("BEGIN");
  sql_->rows(
      "INSERT INTO contact (organization_id, id, name, phone, status, attributes, created_at) "
      "VALUES ($1, $2, $3, nullif($4, ''), $5, $6, $7)",
      {organization.text(), id.text(), name, phone, status, attributes, date_time(id)});
  add_to_tally(organization, {}, 1);
  sql_->rows("COMMIT");
  return id;
}

std::vector<Uuid> Database::add_contacts(const Uuid& organization, int count) {
  std::vector<Uuid> ids;
  for (int i = 0; i < count; ++i) ids.push_back(model::new_uuid());
  sql_->rows("BEGIN");
  sql_->rows(
      "INSERT INTO contact (organization_id, id, name) SELECT $1, id, 'contact ' || n "
      "FROM unnest($2::uuid[]) WITH ORDINALITY AS new(id, n)",
      {organization.text(), support::sql_array(texts(ids))});
  add_to_tally(organization, {}, count);
  sql_->rows("COMMIT");
  return ids;
}

Uuid Database::add_list(const Uuid& organization, const std::string& name, const std::vector<Uuid>& members) {
  const auto id = model::new_uuid();
  sql_->rows("BEGIN");
  sql_->rows("INSERT INTO list (organization_id, id, name) VALUES ($1, $2, $3)",
             {organization.text(), id.text(), name});
  sql_->rows("INSERT INTO membership SELECT $1, $2, unnest($3::uuid[])",
             {organization.text(), id.text(), support::sql_array(texts(members))});
  add_to_tally(organization, {}, 0);
  add_to_tally(organization, id, static_cast<std::int64_t>(members.size()));
  sql_->rows("COMMIT");
  return id;
}

Uuid Database::add_tag(const Uuid& organization, const std::string& label) {
  const auto id = model::new_uuid();
  sql_->rows("INSERT INTO tag (organization_id, id, label) VALUES ($1, $2, $3)",
             {organization.text(), id.text(), label});
  return id;
}

void Database::tag_contact(const Uuid& organization, const Uuid& contact, const Uuid& tag) {
  sql_->rows("INSERT INTO contact_tag VALUES ($1, $2, $3)", {organization.text(), contact.text(), tag.text()});
}

void Database::tag_list(const Uuid& organization, const Uuid& list, const Uuid& tag) {
  sql_->rows("INSERT INTO list_tag VALUES ($1, $2, $3)", {organization.text(), list.text(), tag.text()});
}

std::string Database::row_counts() {
  std::string out;
  for (const auto& table : sql_->column("SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' "
                                        "AND tablename <> 'schema_migration' ORDER BY 1"))
    out += table + " " + sql_->value("SELECT count(*) FROM " + table) + " ";
  return out + "changes " + sql_->value("SELECT coalesce(sum(changes), 0) FROM tally");
}

std::int64_t Database::drifted() {
  return sql_->number(
      "SELECT count(*) FROM (SELECT organization_id, list_id, sum(contacts) AS told FROM tally GROUP BY 1, 2) t "
      "WHERE told <> CASE WHEN list_id = '" +
      kNil +
      "' "
      "THEN (SELECT count(*) FROM contact c WHERE c.organization_id = t.organization_id) "
      "ELSE (SELECT count(*) FROM membership m WHERE (m.organization_id, m.list_id) = (t.organization_id, t.list_id)) "
      "END");
}

Replica::Replica(Loop& loop, const pg::Settings& database, const std::string& redis_url)
    : pool(loop.context(), database),
      redis(loop.context().get_executor(), redis::Settings{.url = redis_url}),
      counts(redis, ""),
      contacts(pool, counts),
      lists(pool, counts),
      tags(pool, counts) {
  pool.start();
  redis.open();
  loop.until([this] { return pg_tests::is_connected(pool); });
}

Replica::~Replica() { redis.close(); }

pg::Settings patient(pg::Settings settings) {
  settings.connect_timeout = settings.outage_grace = 20s;
  settings.read_deadline = settings.write_deadline = settings.slow_deadline = 60s;
  settings.write_wait = settings.slow_wait = 60s;
  settings.max_waiters = 1'000;
  return settings;
}

std::vector<std::string> texts(const std::vector<Uuid>& ids) {
  std::vector<std::string> out;
  for (const auto& id : ids) out.push_back(id.text());
  return out;
}

}  // namespace parley::contacts_tests

// What all services have stored, in a form that can be compared.
#include <chrono>
#include <thread>

#include "tests/e2e/requests.hpp"

namespace parley::e2e {

using namespace std::chrono_literals;

namespace {

// Tables that change although nobody asked for anything: the way of events, what is left of files to be imported, what
// is posted to webhooks and mailed, copies of files, and what is kept of the channel's lists.
const std::string kLeftOut =
    "'feed_cursor', 'feed_coverage', 'feed_consumer', 'feed', 'outbox', 'import_chunk', 'webhook_notice', "
    "'webhook_delivery', 'mail', 'media_file', 'media_chunk', 'media_use', 'media_garbage', "
    "'channel_list', 'template', 'phone_number'";
// Columns that say when a credential was used, that a webhook is out of reach, and who works for how long.
const std::string kUses = "'{last_used_at,failing_since,told_health,owner,lease_until,check_due_at}'";

// Events that have not reached all who follow them, imports and bulk changes that nobody works on, lists and indexes
// that are not filled, removals that have not come to their end: "" when there are none.
std::string under_way(System& system) {
  std::string out;
  for (const std::string service : {"contacts", "conversations", "organizations", "analytics"}) {
    auto& sql = system.sql(service);
    const auto look = [&](const std::string& table, const std::string& question) {
      if (sql.value("SELECT to_regclass('" + service + "." + table + "')").empty()) return;
      for (const auto& found : sql.column(question)) out += service + ": " + found + "; ";
    };
    look("outbox", "SELECT 'an event without a position' FROM outbox WHERE position IS NULL");
    look("import", "SELECT 'an import' FROM import WHERE status IN ('Queued', 'Running') AND lease_until <= now()");
    look("bulk_change",
         "SELECT 'a bulk change' FROM bulk_change WHERE status IN ('Queued', 'Running') AND lease_until <= now()");
    look("indexed_attribute",
         "SELECT 'an index of an attribute' FROM indexed_attribute WHERE stage <> 'Complete' AND "
         "unused_since IS NULL");
    look("retarget", "SELECT 'a list to be filled' FROM retarget WHERE finished_at IS NULL");
    look("outgoing", "SELECT 'a message to be sent' FROM outgoing WHERE state <> 'InDoubt' LIMIT 1");
    look("inbox", "SELECT 'a webhook' FROM inbox LIMIT 1");
    look("removal", "SELECT 'removal of ' || kind FROM removal WHERE finished_at IS NULL AND due_at <= now()");
  }
  // Where the consumers are is read from their own cursors: what they acknowledged is written much later.
  for (const std::string consumer : {"conversations", "organizations", "analytics", "contacts"}) {
    auto& sql = system.sql(consumer);
    if (sql.value("SELECT to_regclass('" + consumer + ".feed_cursor')").empty()) continue;
    for (const auto& cursor : sql.rows("SELECT producer, position FROM feed_cursor")) {
      const auto behind = system.sql(cursor[0]).value("SELECT head > $1::bigint FROM feed", {cursor[1]});
      if (behind == "t") out += consumer + ": events of " + cursor[0] + "; ";
    }
  }
  return out;
}

}  // namespace

std::map<std::string, std::string> digest(System& system, const std::string& organization) {
  std::map<std::string, std::string> out;
  for (const std::string service : {"contacts", "conversations", "organizations", "analytics"}) {
    auto& sql = system.sql(service);
    for (const auto& row : sql.rows("SELECT t.tablename, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = "
                                    "(t.schemaname || '.' || t.tablename)::regclass AND a.attname = 'organization_id') "
                                    "FROM pg_tables t WHERE t.schemaname = $1 AND t.tablename NOT IN (" +
                                        kLeftOut + ") ORDER BY 1",
                                    {service})) {
      if (!organization.empty() && row[1] != "t") continue;
      const auto text = "(to_jsonb(t) - " + kUses + "::text[])::text";
      std::string rows = organization.empty() ? "true" : "organization_id = '" + organization + "'";
      // An upload that was cut off, by a killed service too, comes to nothing and is swept away some time later.
      if (row[0] == "import") rows += " AND status <> 'Uploading'";
      out[service + "." + row[0]] =
          sql.value("SELECT count(*) || ' ' || coalesce(md5(string_agg(" + text + ", ' ' ORDER BY " + text +
                    ")), '') FROM " + service + "." + row[0] + " t WHERE " + rows);
    }
  }
  return out;
}

std::map<std::string, std::string> settled_digest(System& system, const std::string& organization) {
  const auto limit = std::chrono::steady_clock::now() + 60s;
  auto before = digest(system, organization);
  for (int same = 0; same < 2;) {
    std::this_thread::sleep_for(40ms);
    auto after = digest(system, organization);
    const auto rest = under_way(system);
    same = after == before && rest.empty() ? same + 1 : 0;
    if (std::chrono::steady_clock::now() > limit)
      throw std::runtime_error("the services do not come to rest: " + rest + differences(before, after));
    before = std::move(after);
  }
  return before;
}

std::string differences(const std::map<std::string, std::string>& before,
                        const std::map<std::string, std::string>& after) {
  std::string out;
  for (const auto& [table, content] : after)
    if (const auto was = before.find(table); was == before.end() || was->second != content)
      out += (out.empty() ? "" : ", ") + table;
  return out;
}

}  // namespace parley::e2e

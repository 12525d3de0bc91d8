#include "tests/integration/events_people_bed.hpp"

#include <map>

#include "common/chassis/service_client.hpp"
#include "common/events/contact_changes.hpp"
#include "common/events/conversation_changes.hpp"
#include "common/events/outbox/sql.hpp"
#include "contacts/contacts/requests.hpp"
#include "conversations/inbox/webhooks/sql.hpp"

namespace parley::events_tests {

awaitable<void> ContactsHalf::give(Uuid organization, Uuid id, ContactStatus status) {
  auto transaction = co_await loop.pool.begin();
  const auto there = co_await store.lock(transaction, organization, id);
  if (!there) co_return;
  contacts::contacts::Changes changes;
  changes.status = status;
  co_await store.update(transaction, organization, id, std::move(changes));
  co_await transaction.commit();
  feed.notify();
}

awaitable<void> ContactsHalf::remove(Uuid organization, Uuid id, bool told) {
  auto transaction = co_await loop.pool.begin();
  const auto there = co_await store.lock_to_delete(transaction, organization, id);
  if (!there) co_return;
  co_await store.remove(transaction, organization, id);
  events::Changes changes;
  changes.add(events::ContactsDeleted{organization, {id}});
  if (told) co_await transaction.run(pg::Batch(events::outbox::append, changes.json()));
  co_await transaction.commit();
  feed.notify();
}

namespace {

using Kind = pg::Statement::Kind;
const std::vector<Oid> who{pg::oid::uuid, pg::oid::uuid};
const pg::Statement open_conversation(
    "tests.people.open_conversation",
    "INSERT INTO conversation (organization_id, contact_id, id, initiated_by) VALUES ($1, $2, gen_random_uuid(), "
    "'Contact') ON CONFLICT (organization_id, contact_id) WHERE status = 'Active' DO UPDATE SET status = 'Active'",
    pg::Lane::write, who, Kind::unlisted);
const pg::Statement add_message(
    "tests.people.add_message",
    "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, data) "
    "SELECT organization_id, gen_random_uuid(), id, contact_id, 'InBound', 'Unread', 'Text', '{}' FROM conversation "
    "WHERE organization_id = $1 AND contact_id = $2 AND status = 'Active'",
    pg::Lane::write, who, Kind::unlisted);

}  // namespace

awaitable<void> speak(pg::Pool& pool, Uuid organization, Uuid contact, bool opted_out, std::int64_t at) {
  const std::vector<Uuid> contacts{contact};
  auto transaction = co_await pool.begin();
  pg::Batch batch(open_conversation, organization, contact);
  batch.add(add_message, organization, contact);
  batch.add(conversations::webhooks::sql::ensure_suppressions, organization, contacts);
  batch.add(conversations::webhooks::sql::set_opted_out, organization, contacts, std::vector<bool>{opted_out},
            std::vector<model::Timestamp>{{at}});
  const auto results = co_await transaction.run(std::move(batch));
  events::Changes changes;
  if (opted_out) changes.add(events::ContactOptedOut{organization, contact, {at}});
  if (!opted_out) changes.add(events::ContactOptedIn{organization, contact, {at}});
  if (results.row_count(3) > 0) co_await transaction.run(pg::Batch(events::outbox::append, changes.json()));
  co_await transaction.commit();
}

void hasten_removals(const std::string& url) {
  support::execute(
      url,
      "UPDATE removal SET started_at = now() - interval '3 minutes', due_at = now() WHERE ctid = ANY (ARRAY(SELECT "
      "ctid FROM removal WHERE due_at < now() + interval '1 day' FOR UPDATE SKIP LOCKED))");
}

awaitable<http::ClientResponse> answer_addresses(contacts::identities::Store& people, std::string target) {
  const auto query =
      http::read_query<contracts::contacts::AddressesQuery>(std::string_view(target).substr(target.find('?') + 1));
  chassis::Lines<contracts::contacts::Address> lines;
  for (const auto& row : co_await people.addresses(*query.organization_id, *query.contact_ids))
    lines.append<contracts::contacts::Address>(row.id, row);
  co_return http::ClientResponse{200, std::move(lines.text)};
}

std::string compare(const std::string& contacts_url, const std::string& conversations_url, bool differing) {
  const auto pairs = [](const std::string& url, const std::string& query) {
    std::map<std::string, std::string> out;
    support::Sql sql(url);
    for (const auto& line : sql.column(query)) out.emplace(line.substr(0, 36), line.substr(37));
    return out;
  };
  const auto contacts = pairs(contacts_url, "SELECT concat(id, ' ', status) FROM contact");
  auto here = pairs(conversations_url,
                    "SELECT concat(contact_id, ' ', CASE WHEN blocked THEN 'Blocked' WHEN opted_out THEN 'OptedOut' "
                    "ELSE 'Active' END) FROM suppression");
  std::string out;
  for (const auto& [id, status] : contacts) {
    const auto found = here.find(id);
    const auto known = found == here.end() ? "Active" : found->second;
    if (found != here.end()) here.erase(found);
    if (!differing || known != (status == "Inactive" ? "Active" : status))
      out += id + " " + status + " " + known + "\n";
  }
  for (const auto& [id, status] : here) out += id + " gone " + status + "\n";
  for (const auto& [id, status] :
       pairs(conversations_url,
             "SELECT DISTINCT concat(contact_id, ' ', tombstone) FROM conversation WHERE NOT tombstone"))
    if (!contacts.contains(id)) out += id + " is no contact any more\n";
  return out;
}

}  // namespace parley::events_tests

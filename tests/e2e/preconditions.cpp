// ETag, If-None-Match and If-Match on every single resource of the document.
#include <algorithm>
#include <boost/json/serialize.hpp>
#include <set>
#include <thread>

#include "tests/e2e/requests.hpp"

using namespace parley;
using namespace parley::e2e;

namespace {

Requests& requests() {
  static Organization organization = fill(world().system, "Preconditions", 12);
  static Requests the_requests(world().system, organization);
  return the_requests;
}
// An organization that is connected to the channel has secrets, which its Owner reads without a tag; some operations
// need one that is.
Requests& requests(const support::Operation& operation) {
  static Organization organization = fill(world().system, "Preconditions, unconnected", 12);
  static Requests unconnected(world().system, organization);
  return operation.path == "/api/organization/{id}" ? unconnected : requests();
}

// The reads of one resource each.
std::vector<const support::Operation*> singles() {
  std::vector<const support::Operation*> out;
  for (const auto& operation : contract_of(world().system).operations())
    if (operation.method == "GET" && operation.path.starts_with("/api/") && operation.path.ends_with("}"))
      out.push_back(&operation);
  return out;
}

// What may be made to depend on what the caller saw: of that method, with If-Match among its parameters.
std::vector<const support::Operation*> guarded(const std::string& method) {
  std::vector<const support::Operation*> out;
  for (const auto& operation : contract_of(world().system).operations())
    for (const auto* parameter : parameters_of(world().system, operation))
      if (operation.method == method && parameter->at("name") == boost::json::value("If-Match"))
        out.push_back(&operation);
  return out;
}

// What can be done once: the campaign is in another status then.
bool is_command(const support::Operation& change) {
  static const std::set<std::string> commands{"startCampaign",  "unscheduleCampaign", "pauseCampaign",
                                              "resumeCampaign", "cancelCampaign",     "pickCampaignWinner"};
  return commands.contains(change.id);
}

// A change of a single resource, /api/lists/{id} or /api/lists/{id}/contacts, has the read of that resource beside it.
const support::Operation& read_of(const support::Operation& change) {
  const auto* read = contract_of(world().system).find("GET", change.path.substr(0, change.path.find('}') + 1));
  REQUIRE_MESSAGE(read, change.id);
  return *read;
}

// A change that leaves the resource other than it was, and than any other such change does.
Prepared changing(const support::Operation& change) {
  auto prepared = requests(change).make(change);
  const auto body = body_of(world().system, change);
  if (!body || body->media_type != "application/json") return prepared;
  const auto* properties = resolved(world().system, *body->schema).as_object().if_contains("properties");
  auto json = boost::json::parse(prepared.body);
  if (properties && properties->as_object().contains("name"))
    json.as_object()["name"] = "Changed " + model::new_uuid().text();
  prepared.body = boost::json::serialize(json);
  return prepared;
}

// The id in its path.
std::string id_of(const Prepared& prepared) { return prepared.target.substr(prepared.operation->path.find('{'), 36); }

// What programs of another version may do to a resource behind this one's back. $1 is the organization, $2 the id.
struct Written {
  std::string removal, service;
  std::vector<std::string> changes;  // of what clients may change
  std::vector<std::string> others;   // of what they may not
};
const std::vector<Written>& written() {
  static const std::vector<Written> all{
      {"deleteContact",
       "contacts",
       {"UPDATE contact SET attributes = '{\"a\": \"b\"}' WHERE organization_id = $1 AND id = $2",
        "INSERT INTO contact_tag SELECT $1, $2, id FROM tag WHERE organization_id = $1 ON CONFLICT DO NOTHING",
        "WITH joined AS (INSERT INTO membership SELECT $1, id, $2 FROM list WHERE organization_id = $1 "
        "ON CONFLICT DO NOTHING RETURNING list_id) "
        "INSERT INTO tally AS t SELECT $1, list_id, 0, 1, 1 FROM joined ON CONFLICT (organization_id, list_id, slot) "
        "DO UPDATE SET contacts = t.contacts + 1, changes = t.changes + 1"},
       {"UPDATE contact SET status_at = now(), name = name WHERE organization_id = $1 AND id = $2",
        "UPDATE list SET description = 'another' WHERE organization_id = $1 AND id IN "
        "(SELECT list_id FROM membership WHERE organization_id = $1 AND contact_id = $2)"}},
      {"deleteList",
       "contacts",
       {"UPDATE list SET description = 'another' WHERE organization_id = $1 AND id = $2",
        "INSERT INTO list_tag SELECT $1, $2, id FROM tag WHERE organization_id = $1 ON CONFLICT DO NOTHING",
        "INSERT INTO tally AS t VALUES ($1, $2, 0, 1, 1) ON CONFLICT (organization_id, list_id, slot) "
        "DO UPDATE SET contacts = t.contacts + 1, changes = t.changes + 1"},
       {"UPDATE list SET campaigns_sent = campaigns_sent + 1 WHERE organization_id = $1 AND id = $2"}},
      {"deleteTag",
       "contacts",
       {"UPDATE tag SET label = label || '!' WHERE organization_id = $1 AND id = $2"},
       {"UPDATE tag SET label = label WHERE organization_id = $1 AND id = $2"}},
      {"deleteSegment",
       "contacts",
       {"UPDATE segment SET description = 'another' WHERE organization_id = $1 AND id = $2",
        "UPDATE segment SET filter = '{\"type\": \"present\", \"attribute\": \"a\"}' WHERE organization_id = $1 AND id "
        "= $2"},
       {"UPDATE segment SET name = name WHERE organization_id = $1 AND id = $2"}},
      {"deleteConversation",
       "conversations",
       {"UPDATE conversation SET assigned_member_id = NULL WHERE organization_id = $1 AND id = $2",
        "UPDATE conversation SET status = 'Closed' WHERE organization_id = $1 AND id = $2",
        "UPDATE message SET status = 'Read' WHERE organization_id = $1 AND conversation_id = $2 AND status = 'Unread'",
        "INSERT INTO conversation_tag VALUES ($1, $2, gen_random_uuid())"},
       {"INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, data) "
        "SELECT $1, gen_random_uuid(), id, contact_id, 'InBound', 'Unread', 'Text', '{\"text\": \"Again\"}' "
        "FROM conversation WHERE organization_id = $1 AND id = $2",
        "UPDATE conversation SET last_inbound_at = now() WHERE organization_id = $1 AND id = $2"}},
      {"deleteNote",
       "conversations",
       {"UPDATE note SET text = 'another' WHERE organization_id = $1 AND id = $2",
        "UPDATE note SET mentions = ARRAY[gen_random_uuid()] WHERE organization_id = $1 AND id = $2"},
       {"UPDATE note SET text = text, written_by_key = NULL WHERE organization_id = $1 AND id = $2",
        "UPDATE conversation SET assigned_member_id = NULL WHERE organization_id = $1 AND id = "
        "(SELECT conversation_id FROM note WHERE organization_id = $1 AND id = $2)"}},
      {"deleteQuickReply",
       "conversations",
       {"UPDATE quick_reply SET text = 'another' WHERE organization_id = $1 AND id = $2",
        "UPDATE quick_reply SET media = '{\"type\": \"Image\", \"link\": \"https://example.com/a.png\"}' "
        "WHERE organization_id = $1 AND id = $2"},
       {"UPDATE quick_reply SET updated_at = now(), text = text WHERE organization_id = $1 AND id = $2"}},
      {"deleteTemplate",
       "conversations",
       {"UPDATE template SET components = '[{\"type\": \"BODY\", \"text\": \"Hi\"}]' WHERE organization_id = $1 AND id "
        "= $2",
        "UPDATE template SET category = 'MARKETING' WHERE organization_id = $1 AND id = $2"},
       {"UPDATE template SET status_at = now(), status = status WHERE organization_id = $1 AND id = $2"}},
      {"deleteCampaign",
       "conversations",
       {"UPDATE campaign SET messages_per_second = 7 WHERE organization_id = $1 AND id = $2",
        "UPDATE campaign SET status = 'Cancelled' WHERE organization_id = $1 AND id = $2"},
       {"UPDATE campaign SET status_reason = 'x', audience_count = 1 WHERE organization_id = $1 AND id = $2"}},
      {"removeCampaignExperiment",
       "conversations",
       {"UPDATE campaign SET experiment = experiment || '{\"share\": 7}' WHERE organization_id = $1 AND id = $2",
        "UPDATE campaign SET messages_per_second = 7 WHERE organization_id = $1 AND id = $2"},
       {"UPDATE campaign SET status_reason = 'x', audience_count = 1 WHERE organization_id = $1 AND id = $2"}},
      {"deleteWebhook",
       "conversations",
       {"UPDATE webhook SET description = 'another' WHERE organization_id = $1 AND id = $2",
        "UPDATE webhook SET old_secret_until = now() + interval '1 day' WHERE organization_id = $1 AND id = $2"},
       {"UPDATE webhook SET failing_since = now() WHERE organization_id = $1 AND id = $2"}},
      {"deleteOrganization",
       "organizations",
       {"UPDATE organization SET description = 'another' WHERE organization_id = $2 AND $1 <> ''"},
       {"UPDATE organization SET name = name WHERE organization_id = $2 AND $1 <> ''"}},
      {"removeMember",
       "organizations",
       {"UPDATE member SET access_level = 'Admin' WHERE organization_id = $1 AND id = $2",
        "WITH made AS (INSERT INTO role (organization_id, id, name, permissions) "
        "VALUES ($1, gen_random_uuid(), gen_random_uuid()::text, 0) RETURNING id) "
        "INSERT INTO member_role SELECT $1, $2, id FROM made"},
       {"UPDATE person SET name = 'Another' WHERE id = "
        "(SELECT person_id FROM member WHERE organization_id = $1 AND id = $2)"}},
      {"deleteRole",
       "organizations",
       {"UPDATE role SET permissions = permissions # 1 WHERE organization_id = $1 AND id = $2"},
       {"UPDATE role SET name = name WHERE organization_id = $1 AND id = $2"}},
      {"revokeInvite",
       "organizations",
       {"UPDATE invite SET expires_at = expires_at + interval '1 day' WHERE organization_id = $1 AND id = $2",
        "DELETE FROM invite_role WHERE organization_id = $1 AND invite_id = $2"},
       {"UPDATE invite SET secret_hash = sha256('another') WHERE organization_id = $1 AND id = $2"}},
      {"deleteApiKey",
       "organizations",
       {"UPDATE credential SET name = 'another' WHERE organization_id = $1 AND id = $2"},
       {"UPDATE credential SET last_used_at = now() WHERE organization_id = $1 AND id = $2"}},
  };
  return all;
}

// The tag of what a change is prepared for.
std::string tag_of(const Prepared& change) {
  auto read = change;
  read.operation = &read_of(*change.operation);
  read.body.clear();
  std::erase_if(read.headers, [](const auto& header) { return header.first == "Content-Type"; });
  read.target = read.target.substr(0, change.operation->path.find('{') + 36);
  return requests(*change.operation).send(read).header("ETag");
}

}  // namespace

TEST_CASE("preconditions: a single resource has a tag, and is not sent again to who has it") {
  CHECK_GE(singles().size(), 2);
  for (const auto* operation : singles()) {
    const auto prepared = requests().make(*operation);
    settled_digest(world().system);  // an import that is worked off changes
    const auto answer = requests().send(prepared);
    INFO(prepared.target << " " << answer.status << " " << answer.body.substr(0, 200));
    REQUIRE_EQ(answer.status, 200);
    const auto tag = answer.header("ETag");
    if (answer.header("Cache-Control").find("no-store") != std::string::npos) {
      CHECK_EQ(tag, "");
      continue;
    }
    REQUIRE_GE(tag.size(), 4);
    CHECK_EQ(tag.front(), '"');
    CHECK_EQ(requests().send(prepared).header("ETag"), tag);
    for (const auto& known : {tag, "W/" + tag, "\"other\", " + tag, std::string("*")}) {
      const auto again = requests().send(prepared, {{"If-None-Match", known}});
      INFO("If-None-Match: " << known);
      CHECK_EQ(again.status, 304);
      CHECK_EQ(again.body, "");
      CHECK_EQ(again.header("ETag"), tag);
    }
    for (const std::string other : {"\"other\"", "W/\"other\"", "nonsense"}) {
      const auto again = requests().send(prepared, {{"If-None-Match", other}});
      INFO("If-None-Match: " << other);
      CHECK_EQ(again.status, 200);
      CHECK_EQ(again.body, answer.body);
    }
    auto unknown = prepared;
    unknown.target.replace(unknown.target.rfind('/') + 1, 36, model::new_uuid().text());
    CHECK_EQ(requests().send(unknown, {{"If-None-Match", "*"}}).status, 404);
  }
}

TEST_CASE("preconditions: every change of a single resource can be made to depend on what was seen") {
  std::set<std::string> documented;
  for (const std::string method : {"POST", "DELETE"})
    for (const auto* operation : guarded(method)) documented.insert(operation->id);
  for (const auto* read : singles())
    for (const auto& operation : contract_of(world().system).operations())
      if (operation.path == read->path && operation.method != "GET") {
        INFO(operation.id);
        CHECK(documented.contains(operation.id));
      }
}

TEST_CASE("preconditions: a change is made to the resource that was seen, and to no other state of it") {
  auto& system = world().system;
  for (const auto* change : guarded("POST")) {
    INFO(change->id);
    const auto prepared = changing(*change);
    const auto seen = tag_of(prepared);
    const auto before = settled_digest(system);
    for (const std::string other : {"\"other\"", "\"a\", \"b\""})
      CHECK_EQ(requests(*change).send(prepared, {{"If-Match", other}}).status, 412);
    CHECK_EQ(differences(before, settled_digest(system)), "");
    const auto done = requests(*change).send(prepared, {{"If-Match", "\"other\", " + seen}});
    CHECK_EQ(done.status, 200);
    const auto now = tag_of(prepared);
    CHECK_NE(now, seen);
    CHECK_EQ(requests(*change).send(prepared, {{"If-Match", seen}}).status, 412);
    CHECK_EQ(requests(*change).send(prepared, {{"If-Match", "*"}}).status, is_command(*change) ? 409 : 200);
    auto unknown = prepared;
    unknown.target.replace(change->path.find('{'), 36, model::new_uuid().text());
    CHECK_EQ(requests(*change).send(unknown, {{"If-Match", seen}}).status, 404);
  }
}

TEST_CASE("preconditions: of many who change what they saw at the same time one succeeds, and no update is lost") {
  auto& system = world().system;
  for (const auto* change : guarded("POST")) {
    INFO(change->id);
    const auto prepared = changing(*change);
    const auto seen = tag_of(prepared);
    std::vector<unsigned> statuses(8);
    std::vector<std::thread> crowd;
    for (auto& status : statuses) {
      // Each with texts of its own, for the same resource.
      auto mine = changing(*change);
      mine.target = prepared.target;
      crowd.emplace_back([&system, &status, &seen, mine] {
        Wire wire(system.gateway().port());
        auto headers = mine.headers;
        headers.emplace_back("Authorization", "Bearer " + mine.api_key);
        headers.emplace_back("If-Match", seen);
        wire.send(support::request_text("POST", mine.target, headers, mine.body));
        status = wire.read().value().status;
      });
    }
    for (auto& each : crowd) each.join();
    CHECK_EQ(std::count(statuses.begin(), statuses.end(), 200U), 1);
    CHECK_EQ(std::count(statuses.begin(), statuses.end(), 412U), 7);
  }
}

TEST_CASE("preconditions: what has changed since it was seen is not deleted") {
  auto& system = world().system;
  for (const auto* removal : guarded("DELETE")) {
    INFO(removal->id);
    const auto prepared = requests(*removal).make(*removal);
    const auto seen = tag_of(prepared);
    const auto before = settled_digest(system);
    CHECK_EQ(requests(*removal).send(prepared, {{"If-Match", "\"other\""}}).status, 412);
    CHECK_EQ(differences(before, settled_digest(system)), "");
    const auto done = requests(*removal).send(prepared, {{"If-Match", seen}});
    INFO(done.status << " " << done.body);
    CHECK_LT(done.status, 300);
    const auto gone = requests(*removal).send(prepared, {{"If-Match", seen}}).status;
    CHECK_EQ(gone, removal->id == "deleteOrganization" ? 403 : 404);  // nobody acts in what is not there
  }
}

TEST_CASE("preconditions: whichever program changes what clients may change, it has another version") {
  auto& system = world().system;
  for (const auto* removal : guarded("DELETE")) {
    INFO(removal->id);
    const auto found = std::ranges::find(written(), removal->id, &Written::removal);
    REQUIRE(found != written().end());
    auto& asking = requests(*removal);
    const auto prepared = asking.make(*removal);
    const std::vector<std::string> names{asking.organization().id, id_of(prepared)};
    for (const auto& change : found->changes) {
      INFO(change);
      const auto seen = tag_of(prepared);
      system.sql(found->service).rows(change, names);
      CHECK_NE(tag_of(prepared), seen);
      CHECK_EQ(asking.send(prepared, {{"If-Match", seen}}).status, 412);
    }
    const auto seen = tag_of(prepared);
    for (const auto& other : found->others) system.sql(found->service).rows(other, names);
    const auto done = asking.send(prepared, {{"If-Match", seen}});
    INFO(done.status << " " << done.body);
    CHECK_LT(done.status, 300);
  }
}

TEST_CASE(
    "preconditions: a contact who writes is shown with the message, and can be changed as they were seen before") {
  auto& system = world().system;
  const auto* change = contract_of(system).find("POST", "/api/contacts/{id}");
  const auto conversation = requests().fresh_id("conversation");
  auto& sql = system.sql("conversations");
  const auto contact = sql.value("SELECT contact_id FROM conversation WHERE id = $1", {conversation});
  auto prepared = changing(*change);
  prepared.target = "/api/contacts/" + contact;
  const auto seen = tag_of(prepared);
  sql.rows(
      "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, data) "
      "SELECT organization_id, gen_random_uuid(), id, contact_id, 'InBound', 'Unread', 'Text', '{\"text\": \"Again\"}' "
      "FROM conversation WHERE id = $1",
      {conversation});
  CHECK_NE(tag_of(prepared), seen);
  CHECK_EQ(requests().send(prepared, {{"If-Match", seen}}).status, 200);
  CHECK_EQ(requests().send(prepared, {{"If-Match", seen}}).status, 412);
}

// Bulk changes through the gateway: what they do, what they refuse, and what becomes of one whose processes are killed.
#include <thread>

#include "tests/e2e/requests.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;
namespace json = boost::json;

namespace {

// Twelve contacts with the attribute n from 0 to 11; lists[0] has all of them, lists[2] nobody.
Organization& home() {
  static Organization organization = fill(world().system, "Bulk changes", 12);
  return organization;
}

Client& client() {
  static Client the_client(world().system, home().owner.api_key);
  return the_client;
}

Answer start(Client& by, const std::string& contacts, int expected, const std::string& action) {
  return by.post("/api/contacts/bulk-changes", R"({"contacts":)" + contacts + R"(,"expected":)" +
                                                   std::to_string(expected) + R"(,"action":)" + action + "}");
}

json::value finished(Client& by, const std::string& target) {
  for (int i = 0; i < 6'000; ++i) {
    auto change = by.get(target).json().at("bulkChange");
    if (change.at("status") != "Queued" && change.at("status") != "Running") return change;
    std::this_thread::sleep_for(10ms);
  }
  throw std::runtime_error("the bulk change does not end");
}

// One that is taken, as it ended.
json::value done(const std::string& contacts, int expected, const std::string& action) {
  const auto answer = start(client(), contacts, expected, action);
  REQUIRE_MESSAGE(answer.status == 202, answer.body);
  return finished(client(), answer.header("Location"));
}

std::int64_t total(const std::string& query) {
  return client()
      .get("/api/contacts?per_page=1&" + query)
      .json()
      .at("paginationMeta")
      .at("total")
      .to_number<std::int64_t>();
}

std::vector<std::string> pointers(const Answer& answer) {
  std::vector<std::string> out;
  const auto problem = answer.json();
  for (const auto& error : problem.at("errors").as_array()) out.emplace_back(error.at("pointer").as_string());
  return out;
}

const std::string kFirstFour = R"({"filter":{"type":"number","attribute":"n","lessThan":4}})";

}  // namespace

TEST_CASE("bulk: contacts get a tag, a list, a status and an attribute, and are told of and deleted") {
  const auto tagged = done(kFirstFour, 4, R"({"type":"addTags","tags":["first four"]})");
  CHECK_EQ(tagged.at("status"), "Finished");
  CHECK_EQ(tagged.at("changed"), 4);
  CHECK_EQ(tagged.at("percent"), 100);
  CHECK_EQ(total("tag=first%20four"), 4);
  const auto again = done(R"({"tag":"FIRST four"})", 4, R"({"type":"addTags","tags":["first four"]})");
  CHECK_EQ(again.at("unchanged"), 4);

  const auto& list = home().lists[2];
  CHECK_EQ(done(R"({"tag":"first four"})", 4, R"({"type":"addToLists","listIds":[")" + list + "\"]}").at("changed"), 4);
  CHECK_EQ(total("list_id=" + list), 4);
  CHECK_EQ(done(R"({"listId":")" + list + R"(","attributes":{"n":"3"}})", 1,
                R"({"type":"removeFromLists","listIds":[")" + list + "\"]}")
               .at("changed"),
           1);
  CHECK_EQ(total("list_id=" + list), 3);
  done(R"({"listId":")" + list + "\"}", 3, R"({"type":"setAttribute","attribute":"plan","value":{"is":"gold"}})");
  CHECK_EQ(client().get("/api/contacts/" + home().contacts[0]).json().at("contact").at("attributes").at("plan"),
           json::value{{"is", "gold"}});
  done(R"({"search":"ada","listId":")" + list + "\"}", 1, R"({"type":"removeAttribute","attribute":"plan"})");
  CHECK(!client()
             .get("/api/contacts/" + home().contacts[0])
             .json()
             .at("contact")
             .at("attributes")
             .as_object()
             .contains("plan"));
  done(R"({"tag":"first four"})", 4, R"({"type":"setStatus","status":"Inactive"})");
  CHECK_EQ(total("status=Inactive&tag=first%20four"), 4);
  done(R"({"tag":"first four"})", 4, R"({"type":"removeTags","tags":["first four"]})");
  CHECK_EQ(total("tag=first%20four"), 0);

  const auto segment =
      client().post("/api/segments", R"({"name":"to go","filter":{"type":"number","attribute":"n","lessThan":2}})");
  const std::string id(segment.json().at("segment").at("uniqueId").as_string());
  const auto before = total("");
  const auto gone = done(R"({"segmentId":")" + id + "\"}", 2, R"({"type":"deleteContacts"})");
  CHECK_EQ(gone.at("contacts").at("segmentId"), json::value(id));
  CHECK(gone.at("contacts").at("filter").is_null());
  CHECK_EQ(total(""), before - 2);
  CHECK_EQ(client().get("/api/contacts/" + home().contacts[1]).status, 404);

  settled_digest(world().system);  // the audit has come
  const auto entries = client().get("/api/organization/audit?per_page=100").json();
  std::int64_t changes = 0, deletions = 0;
  for (const auto& entry : entries.at("entries").as_array()) {
    changes += entry.at("action") == "ContactsChanged";
    deletions += entry.at("action") == "ContactsDeleted" && entry.at("subject") == "2 contacts" &&
                 entry.at("subjectId") == gone.at("uniqueId");
  }
  CHECK_EQ(changes, 8);
  CHECK_EQ(deletions, 1);
  const auto page = client().get("/api/contacts/bulk-changes?status=Finished&per_page=1").json();
  CHECK_EQ(page.at("bulkChanges").at(0).at("uniqueId"), gone.at("uniqueId"));
  CHECK_EQ(page.at("paginationMeta").at("total"), 9);
}

TEST_CASE("bulk: a total that is not the expected one is refused with the one that is") {
  const auto answer =
      start(client(), R"({"listId":")" + home().lists[0] + "\"}", 1'000, R"({"type":"deleteContacts"})");
  CHECK_EQ(answer.status, 409);
  CHECK_EQ(pointers(answer), std::vector<std::string>{"/expected"});
  CHECK(answer.body.find(std::to_string(total("list_id=" + home().lists[0])) + " contacts match, not 1000") !=
        std::string::npos);
}

TEST_CASE("bulk: what does not exist, or cannot be, is told by its place") {
  const auto unknown = model::new_uuid().text();
  const auto refused = [&](const std::string& contacts, const std::string& action, std::vector<std::string> expected) {
    const auto answer = start(client(), contacts, 1, action);
    INFO(answer.body);
    CHECK_EQ(answer.status, 400);
    CHECK_EQ(pointers(answer), expected);
  };
  const std::string removal = R"({"type":"deleteContacts"})", id = "\"" + unknown + "\"";
  refused(R"({"listId":)" + id + "}", removal, {"/contacts/listId"});
  refused(R"({"tag":"nobody's","segmentId":)" + id + "}", R"({"type":"removeTags","tags":["customer","none"]})",
          {"/action/tags/1", "/contacts/tag", "/contacts/segmentId"});
  refused("{}", R"({"type":"addToLists","listIds":[)" + id + "]}", {"/action/listIds/0"});
  refused("{}", R"({"type":"addTags","tags":[)" + id + "]}", {"/action/tags/0"});
  refused(R"({"filter":{"type":"tag","tagIds":[)" + id + "]}}", removal, {"/contacts/filter/tagIds/0"});
  refused(R"({"filter":{"type":"number","attribute":"n"}})", removal, {"/contacts/filter"});
  refused(R"({"segmentId":)" + id + R"(,"filter":{"type":"present","attribute":"n"}})", removal, {"/contacts/filter"});
  refused(R"({"attributes":{"a/b":1},"search":"\n"})", R"({"type":"setStatus"})",
          {"/contacts/search", "/contacts/attributes/a~1b", "/action/status"});
}

TEST_CASE("bulk: an action takes the permission of the single change") {
  using identity::Permission;
  auto& system = world().system;
  const auto refused = [&](Permission permission, const std::string& action, const std::string& name) {
    auto permissions = all_but(permission);
    Client by(system, member_with(system, home().id, permissions).api_key);
    const auto answer = start(by, "{}", 1'000, action);
    CHECK_EQ(answer.status, 403);
    CHECK(answer.body.find(name) != std::string::npos);
  };
  refused(Permission::update_contact, R"({"type":"setStatus","status":"Active"})", "Update:Contact");
  refused(Permission::update_list, R"({"type":"addToLists","listIds":[")" + home().lists[0] + "\"]}", "Update:List");
  refused(Permission::delete_contact, R"({"type":"deleteContacts"})", "Delete:Contact");
}

TEST_CASE("bulk: the processes are killed again and again: each contact is changed once") {
  constexpr int kContacts = 4'000;
  System system({.environment = {}});
  Organization organization;
  organization.owner = system.create_owner("killed@example.com", "Killed");
  organization.id = organization.owner.organization_id;
  auto& sql = system.sql("contacts");
  sql.rows(
      "INSERT INTO contact (organization_id, id, name) SELECT $1, gen_random_uuid(), 'Some ' || n FROM "
      "generate_series(1, $2::int) n",
      {organization.id, std::to_string(kContacts)});
  sql.rows("INSERT INTO tally VALUES ($1, '00000000-0000-0000-0000-000000000000', 0, $2, 1)",
           {organization.id, std::to_string(kContacts)});
  Client by(system, organization.owner.api_key);
  by.may_fail = true;
  const auto started = start(by, "{}", kContacts, R"({"type":"setAttribute","attribute":"seen","value":1})");
  REQUIRE_MESSAGE(started.status == 202, started.body);
  const auto changed = [&] { return sql.number("SELECT changed FROM bulk_change"); };
  std::int64_t seen = 0;
  for (int kills = 0; kills < 5 && seen < kContacts; ++kills) {
    for (int i = 0; i < 6'000 && changed() == seen; ++i) std::this_thread::sleep_for(2ms);
    system.contacts(0).kill();
    seen = changed();
    // In one look: what the process had sent may be committed a moment later.
    CHECK_EQ(sql.number("SELECT changed - (SELECT count(*) FROM contact WHERE version > 0) FROM bulk_change"), 0);
    sql.rows("UPDATE bulk_change SET lease_until = now()");  // rather than wait for it to run out
    system.contacts(0).start();
  }
  const auto change = finished(by, started.header("Location"));
  CHECK_EQ(change.at("status"), "Finished");
  CHECK_EQ(change.at("changed"), kContacts);
  CHECK_EQ(change.at("unchanged"), 0);  // none was changed a second time after it had been done
  CHECK_EQ(sql.number("SELECT count(*) FROM contact WHERE version > 0"), kContacts);
}

// What follows a deletion, across the services, with two replicas of each: at once nothing shows any more what was
// deleted, and soon it is gone, also when processes are killed in between.
#include <chrono>
#include <functional>
#include <thread>

#include "tests/e2e/requests.hpp"
#include "tests/e2e/world.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/statements.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;
namespace json = boost::json;

namespace {

void until(const std::function<bool()>& condition) {
  support::wait_until(condition, [&] { std::this_thread::sleep_for(20ms); });
}

struct Bed {
  System system{{.replicas = 2, .environment = {}}};
  Organization organization = fill(system, "Deleting", 12);
  Client client{system, organization.owner.api_key};
  Client other_gateway{system, organization.owner.api_key, 1};

  json::value get(const std::string& target) {
    const auto answer = client.get(target);
    INFO(target << " " << answer.status << " " << answer.body);
    REQUIRE_EQ(answer.status, 200);
    return answer.json();
  }
  std::int64_t count(const std::string& service, const std::string& rows) {
    return system.sql(service).number("SELECT count(*) FROM " + rows);
  }
};

// The uniqueIds of an array.
std::vector<std::string> ids(const json::value& array) {
  std::vector<std::string> out;
  for (const auto& each : array.as_array()) out.emplace_back(each.at("uniqueId").as_string());
  return out;
}
bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

TEST_CASE("deletions: a contact's conversations become tombstones without a word of what was said") {
  Bed bed;
  const auto& o = bed.organization;
  const auto contact = "/api/contacts/" + o.contacts[0], conversation = "/api/conversation/" + o.conversations[1];
  const auto before = bed.get(conversation).at("conversation");
  REQUIRE_EQ(before.at("totalMessages").as_int64(), 27);
  const auto in_list = [&] { return bed.get("/api/lists/" + o.lists[0]).at("list").at("numberOfContacts").as_int64(); };
  CHECK_EQ(in_list(), 12);

  CHECK_EQ(bed.client("DELETE", contact).status, 204);
  CHECK_EQ(bed.client.get(contact).status, 404);
  CHECK_EQ(bed.other_gateway.get(contact).status, 404);
  CHECK_EQ(bed.client("DELETE", contact).status, 404);
  CHECK_EQ(in_list(), 11);
  CHECK_EQ(bed.get("/api/contacts?list_id=" + o.lists[0]).at("paginationMeta").at("total").as_int64(), 11);

  until([&] { return bed.get(conversation).at("conversation").at("status").as_string() == "Deleted"; });
  const auto left = bed.get(conversation).at("conversation");
  const auto& person = left.at("contact");
  CHECK_EQ(person.at("uniqueId").as_string(), o.contacts[0]);
  CHECK_EQ(person.at("name").as_string(), "");
  CHECK_EQ(person.at("phone").as_string(), "");
  CHECK(person.at("attributes").as_object().empty());
  CHECK_EQ(person.at("status").as_string(), "Inactive");
  CHECK_EQ(person.at("createdAt"), before.at("contact").at("createdAt"));
  for (const std::string kept : {"uniqueId", "contactId", "createdAt", "totalMessages", "numberOfUnreadMessages",
                                 "assignedTo", "tags", "initiatedBy"}) {
    CAPTURE(kept);
    CHECK_EQ(left.at(kept), before.at(kept));
  }
  REQUIRE_EQ(left.at("messages").as_array().size(), before.at("messages").as_array().size());
  for (const auto& message : left.at("messages").as_array()) {
    CHECK_EQ(message.at("messageData"), json::parse(R"({"text": ""})"));
    CHECK(message.at("messagingMessageId").is_null());
  }
  CHECK_EQ(bed.client.post(conversation, R"({"status":"Active"})").status, 409);
  // What a member had deleted before stays away.
  CHECK_EQ(bed.client("DELETE", "/api/contacts/" + o.contacts[2]).status, 204);

  const auto words = "message WHERE contact_id IN ('" + o.contacts[0] + "', '" + o.contacts[2] +
                     "') AND (data <> '{\"text\": \"\"}' OR channel_message_id IS NOT NULL)";
  until([&] { return bed.count("conversations", words) == 0; });
  // What may still be written for two minutes after the deletion is waited for.
  bed.system.sql("conversations").rows("UPDATE removal SET started_at = now() - interval '3 minutes', due_at = now()");
  until([&] { return bed.count("conversations", "removal") == 0; });
  CHECK(bed.count("conversations", "message WHERE contact_id = '" + o.contacts[3] + "' AND data ->> 'text' <> ''") > 0);
  CHECK_EQ(bed.get(conversation).at("conversation"), left);
  CHECK_EQ(bed.client.get("/api/conversation/" + o.deleted_conversation).status, 404);
}

TEST_CASE("deletions: a tag leaves contacts and lists at once, and conversations too") {
  Bed bed;
  const auto& o = bed.organization;
  const auto doomed = o.tags[2];
  const auto conversation = "/api/conversation/" + o.conversations[1];
  REQUIRE(has(ids(bed.get(conversation).at("conversation").at("tags")), doomed));
  REQUIRE(has(ids(bed.get("/api/lists/" + o.lists[1]).at("list").at("tags")), doomed));
  REQUIRE(bed.get("/api/contacts?tag=" + doomed).at("paginationMeta").at("total").as_int64() > 0);

  CHECK_EQ(bed.client("DELETE", "/api/tags/" + doomed).status, 204);
  CHECK_EQ(bed.client.get("/api/tags/" + doomed).status, 404);
  CHECK_FALSE(has(ids(bed.get(conversation).at("conversation").at("tags")), doomed));
  CHECK_FALSE(has(ids(bed.get("/api/lists/" + o.lists[1]).at("list").at("tags")), doomed));
  CHECK_EQ(bed.get("/api/contacts?tag=" + doomed).at("paginationMeta").at("total").as_int64(), 0);
  const auto page = bed.get("/api/contacts?per_page=100");
  for (const auto& contact : page.at("contacts").as_array()) CHECK_FALSE(has(ids(contact.at("tags")), doomed));
  CHECK_EQ(bed.client.post("/api/tags", R"({"label":"vip"})").status, 201);

  until([&] {
    return bed.count("contacts", "contact_tag WHERE tag_id = '" + doomed + "'") == 0 &&
           bed.count("conversations", "conversation_tag WHERE tag_id = '" + doomed + "'") == 0;
  });
  CHECK(has(ids(bed.get(conversation).at("conversation").at("tags")), o.tags[1]));
}

TEST_CASE("deletions: a list of many is gone with the answer, and its memberships though the replicas are killed") {
  Bed bed;
  const auto& o = bed.organization;
  auto& sql = bed.system.sql("contacts");
  constexpr int kMembers = 40'000;
  const auto list = model::new_uuid().text();
  sql.rows("BEGIN");
  sql.rows("INSERT INTO list (organization_id, id, name) VALUES ($1, $2, 'many')", {o.id, list});
  sql.rows("CREATE TEMP TABLE made AS SELECT gen_random_uuid() AS id FROM generate_series(1, $1::int)",
           {std::to_string(kMembers)});
  sql.rows("INSERT INTO contact (organization_id, id, name) SELECT $1, id, 'one of many' FROM made", {o.id});
  sql.rows("INSERT INTO membership SELECT $1, $2, id FROM made", {o.id, list});
  sql.rows("INSERT INTO membership SELECT $1, $2, $3", {o.id, list, o.contacts[0]});
  const auto tally = support::source_statements().at("services/contacts/lists/sql/add_to_tally");
  sql.rows(tally, {o.id, model::Uuid{}.text(), "0", std::to_string(kMembers)});
  sql.rows(tally, {o.id, list, "0", std::to_string(kMembers + 1)});
  sql.rows("COMMIT");
  REQUIRE(has(ids(bed.get("/api/contacts/" + o.contacts[0]).at("contact").at("lists")), list));
  const auto lists = bed.get("/api/lists").at("paginationMeta").at("total").as_int64();

  CHECK_EQ(bed.client("DELETE", "/api/lists/" + list).status, 204);
  const auto check_gone = [&] {
    CHECK_EQ(bed.client.get("/api/lists/" + list).status, 404);
    CHECK_EQ(bed.get("/api/lists").at("paginationMeta").at("total").as_int64(), lists - 1);
    CHECK_EQ(bed.get("/api/contacts?list_id=" + list).at("paginationMeta").at("total").as_int64(), 0);
    CHECK(bed.get("/api/contacts?list_id=" + list).at("contacts").as_array().empty());
    CHECK_FALSE(has(ids(bed.get("/api/contacts/" + o.contacts[0]).at("contact").at("lists")), list));
    CHECK_EQ(bed.client.post("/api/lists/" + list + "/contacts", R"({"add":[")" + o.contacts[1] + "\"]}").status, 404);
  };
  check_gone();
  const auto left = [&] { return bed.count("contacts", "membership WHERE list_id = '" + list + "'"); };
  for (int i = 0; i < 3 && left() > 0; ++i) {
    for (const std::size_t number : {0, 1}) bed.system.contacts(number).kill();
    MESSAGE(left() << " left when killed");
    for (const std::size_t number : {0, 1}) bed.system.contacts(number).start();
    bed.client.may_fail = support::AttachedSystem::given() != nullptr;  // there they have other addresses than before
    until([&] { return bed.client.get("/api/lists").status == 200; });
    bed.client.may_fail = false;
    check_gone();
  }
  until([&] { return left() == 0 && bed.count("contacts", "removal") == 0; });
  check_gone();
  CHECK_EQ(bed.count("contacts", "contact"), kMembers + 12);
  CHECK_EQ(bed.get("/api/contacts").at("paginationMeta").at("total").as_int64(), kMembers + 12);
  CHECK_EQ(bed.count("contacts", "tally WHERE list_id = '" + list + "'"), 0);
}

TEST_CASE("deletions: an organization's rows go from every service, though processes are killed, and no other's do") {
  Bed bed;
  const auto doomed = fill(bed.system, "Doomed", 45);
  const auto others = digest(bed.system, bed.organization.id);
  const std::vector<std::string> services{"contacts", "conversations", "analytics"};
  Client owner(bed.system, doomed.owner.api_key);
  CHECK_EQ(owner("DELETE", "/api/organization/" + doomed.id + "?name=Doomed").status, 204);
  until([&] { return owner.get("/api/contacts").status == 401; });

  const auto left = [&](const std::string& service) {
    std::int64_t rows = 0;
    for (const auto& table : bed.system.sql(service).column(
             "SELECT table_name FROM information_schema.columns WHERE table_schema = $1 AND column_name = "
             "'organization_id' AND table_name <> 'removal'",
             {service}))
      rows += bed.count(service, table + " WHERE organization_id = '" + doomed.id + "'");
    return rows;
  };
  for (const auto& service : services) {
    until([&] { return bed.count(service, "removal WHERE kind = 'organization'") == 1; });
    bed.system.component(service, 0).kill();
    bed.system.component(service, 1).kill();
    MESSAGE(service << ": " << left(service) << " rows left when killed");
    // What may still be written for a minute after the deletion is waited for.
    bed.system.sql(service).rows("UPDATE removal SET started_at = now() - interval '3 minutes', due_at = now()");
  }
  for (const auto& service : services)
    for (const std::size_t number : {0, 1}) bed.system.component(service, number).start();
  for (const auto& service : services) {
    CAPTURE(service);
    until([&] { return bed.count(service, "removal WHERE finished_at IS NULL") == 0; });
    CHECK_EQ(left(service), 0);
  }
  CHECK_EQ(differences(others, digest(bed.system, bed.organization.id)), "");
  CHECK_EQ(bed.get("/api/contacts").at("paginationMeta").at("total").as_int64(), 12);
}

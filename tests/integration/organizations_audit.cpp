// The audit: who reads it, in what order, what contacts tells for it, and that nobody changes it.
#include "common/events/audit_recorded.hpp"
#include "tests/integration/organizations_world.hpp"
#include "tests/integration/queue_bed.hpp"

using namespace parley;
using namespace parley::organizations_tests;
using model::AccessLevel;

namespace {

constexpr auto kAudit = "/api/organization/audit";

std::string actions(const Answer& answer) {
  std::string out;
  for (const auto& entry : answer.at("/entries").as_array()) out.append(entry.at("action").as_string()).append(" ");
  return out;
}

Caller make_some(World& world) {
  const auto owner = world.new_owner("Engines");
  world.post(owner, "/api/rbac/roles", R"({"name":"Reader","permissions":[]})");
  world.post(owner, "/api/organization/" + owner.organization.text(), R"({"description":"d"})");
  return owner;
}

events::Event told(const events::AuditRecorded& entry) {
  events::Changes changes;
  changes.add(entry);
  return {1, changes.json()};
}

awaitable<bool> apply(World& world, std::vector<events::Event> events) {
  auto transaction = co_await world.database.begin();
  co_await organizations::audit::apply(transaction, events);
  co_await transaction.commit();
  co_return true;
}

}  // namespace

TEST_CASE("The audit lists the newest first, filtered and page by page, for Owners and Admins") {
  World world;
  const auto owner = make_some(world);
  CHECK(actions(world.get(owner, kAudit)) == "OrganizationUpdated RoleCreated OrganizationCreated ");
  CHECK(actions(world.get(owner, std::string(kAudit) + "?order=asc&per_page=2")) == "OrganizationCreated RoleCreated ");
  CHECK(actions(world.get(owner, std::string(kAudit) + "?action=RoleCreated")) == "RoleCreated ");
  CHECK(actions(world.get(owner, std::string(kAudit) + "?search=READ")) == "RoleCreated ");
  CHECK(actions(world.get(owner, std::string(kAudit) + "?member_id=" + owner.member.text())) ==
        "OrganizationUpdated RoleCreated ");
  const auto entry = world.get(owner, std::string(kAudit) + "?action=RoleCreated").at("/entries/0");
  CHECK(entry.at("subject") == "Reader");
  CHECK(entry.at("memberId").as_string() == owner.member.text());
  CHECK(entry.at("address").as_string() == kClientAddress);
  CHECK(entry.at("before").is_null());
  CHECK(entry.at_pointer("/after/name") == "Reader");
  const std::string at(entry.at("createdAt").as_string());
  CHECK(actions(world.get(owner, std::string(kAudit) + "?to=" + at)).find("RoleCreated") == std::string::npos);
  CHECK(actions(world.get(owner, std::string(kAudit) + "?from=" + at)).find("RoleCreated") != std::string::npos);
  CHECK(world.get(owner, std::string(kAudit) + "?from=" + at + "&to=" + at).text_at("/errors/0/pointer") == "?to");
  CHECK(world.get(owner, std::string(kAudit) + "?action=Theft").text_at("/errors/0/pointer") == "?action");

  std::string walked, target = std::string(kAudit) + "?per_page=1";
  for (int i = 0; i < 5 && !target.empty(); ++i) {
    const auto answer = world.get(owner, target);
    walked += actions(answer);
    const auto from = answer.head.find("Link: <");
    target = from == answer.head.npos ? "" : answer.head.substr(from + 7, answer.head.find('>', from) - from - 7);
  }
  CHECK(walked == actions(world.get(owner, kAudit)));

  auto member = world.new_member(owner, AccessLevel::Member);
  member.permissions = PermissionSet::all();
  CHECK(world.get(member, kAudit).status == 403);
  CHECK(world.get(world.new_member(owner, AccessLevel::Admin), kAudit).status == 200);
  CHECK(world.get(world.new_owner(), kAudit).at("/paginationMeta/total").to_number<int>() == 1);
}

TEST_CASE("What contacts tells is kept once, with who did it, for organizations that are there") {
  World world;
  const auto owner = make_some(world);
  events::AuditRecorded entry;
  entry.id = model::new_uuid();
  entry.organizationId = owner.organization;
  entry.action = model::AuditAction::ContactsDeleted;
  entry.subject = "3 contacts";
  entry.memberId = owner.member;
  entry.at = *model::Timestamp::parse("2026-01-31T12:34:56.789Z");
  entry.details = model::RawJson{R"({"count":3})"};
  auto unknown = entry;
  unknown.id = model::new_uuid();
  unknown.organizationId = model::new_uuid();
  const events::Event other{3, {R"([{"type":"contact.deleted","contactIds":[]}])"}};
  world.run(apply(world, {told(entry), told(unknown), other}));
  world.run(apply(world, {told(entry)}));
  const auto kept = world.get(owner, std::string(kAudit) + "?action=ContactsDeleted");
  REQUIRE(kept.at("/entries").as_array().size() == 1);
  CHECK(kept.text_at("/entries/0/createdAt") == "2026-01-31T12:34:56.789Z");
  CHECK(kept.text_at("/entries/0/subject") == "3 contacts");
  CHECK(kept.text_at("/entries/0/memberEmail").find("@x.example") != std::string::npos);
  CHECK(kept.at("/entries/0/after/count").to_number<int>() == 3);
  CHECK_THROWS_AS(world.run(apply(world, {{4, {R"([{"type":"audit.recorded","action":"Theft"}])"}}})),
                  events::BadEvent);
}

TEST_CASE("Nobody changes the audit or takes entries out of it") {
  World world;
  const auto owner = make_some(world);
  const auto of_owner = " WHERE organization_id = '" + owner.organization.text() + "'";
  CHECK_THROWS(World::sql("UPDATE audit SET subject = 'x'" + of_owner));
  CHECK_THROWS(World::sql("DELETE FROM audit" + of_owner));
  CHECK_THROWS(World::sql("TRUNCATE audit"));
  CHECK(World::sql("SELECT count(*) FROM audit" + of_owner) == "3");
  World::sql("DELETE FROM organization" + of_owner);
  CHECK(World::sql("SELECT count(*) FROM audit" + of_owner) == "0");
}

TEST_CASE(
    "The audit's totals are what counting gives, for whoever writes at once, and what an action, a member or a time "
    "has") {
  World world;
  const auto owner = make_some(world);
  const auto organization = "'" + owner.organization.text() + "'";
  const auto adding = [&](const std::string& action, int count, const std::string& member = "NULL") {
    return "INSERT INTO audit (organization_id, id, created_at, action, member_id, member_email, credential_id, "
           "subject, "
           "address, request_id) SELECT " +
           organization +
           ", gen_random_uuid(), timestamptz '2026-01-01Z' + n * interval "
           "'1 second', '" +
           action + "', " + member +
           ", 'ada@example.com', '', 'subject ' || n, '', '' FROM "
           "generate_series(1, " +
           std::to_string(count) + ") n;";
  };
  queue_tests::Session slower(database_url()), undone(database_url());
  slower.execute("BEGIN; " + adding("ListDeleted", 3) + adding("TagDeleted", 2));
  undone.execute("BEGIN; " + adding("TagDeleted", 4));
  World::sql(adding("TagDeleted", 5, "'" + owner.member.text() + "'"));
  slower.execute("COMMIT");
  undone.execute("ROLLBACK");
  const auto total = [&](const std::string& query) {
    return world.get(owner, kAudit + query).at("/paginationMeta/total").to_number<int>();
  };
  CHECK(total("") == 13);
  CHECK(total("?action=TagDeleted") == 7);
  CHECK(total("?action=RoleDeleted") == 0);
  CHECK(total("?member_id=" + owner.member.text()) == 7);
  CHECK(total("?member_id=" + owner.member.text() + "&action=TagDeleted") == 5);
  CHECK(total("?from=2026-01-01T00:00:03Z&to=2026-01-01T00:00:04Z") == 2);
  CHECK(total("?search=SUBJECT%205") == 1);
  CHECK(World::sql("SELECT count(*) FROM (SELECT organization_id, action, sum(entries) FROM audit_tally GROUP BY 1, 2 "
                   "EXCEPT SELECT organization_id, action, count(*) FROM audit GROUP BY 1, 2) d") == "0");
}

TEST_CASE("Where a search of the audit finds few a page looks at 20,000 entries, and the next goes on behind them") {
  World world;
  const auto owner = make_some(world);
  World::sql(
      "INSERT INTO audit (organization_id, id, created_at, action, member_email, credential_id, subject, address, "
      "request_id) SELECT '" +
      owner.organization.text() +
      "', gen_random_uuid(), timestamptz '2026-01-01Z' + n * "
      "interval '1 second', 'ListDeleted', '', '', CASE WHEN n IN (7, 24998, 44000) THEN 'Rare ' || n ELSE 'list' "
      "END, '', '' FROM generate_series(1, 44997) n");
  const auto walk = [&](std::string target) {
    std::string found;
    while (!target.empty()) {
      const auto answer = world.get(owner, target);
      for (const auto& entry : answer.at("/entries").as_array())
        found.append(entry.at("subject").as_string()).append(" ");
      found += "| ";
      const auto from = answer.head.find("Link: <");
      target = from == answer.head.npos ? "" : answer.head.substr(from + 7, answer.head.find('>', from) - from - 7);
    }
    return found;
  };
  // With the three of the organization itself there are 45,000; the last one of the first 20,000 is rare, too.
  CHECK(walk(std::string(kAudit) + "?search=rare&action=ListDeleted") == "Rare 44000 Rare 24998 | | Rare 7 | ");
  // What a page has still to skip as it ends is skipped by the next ones.
  CHECK(walk(std::string(kAudit) + "?search=rare&action=ListDeleted&skip=1") == "Rare 24998 | | Rare 7 | ");
  CHECK(walk(std::string(kAudit) + "?search=rare&action=ListDeleted&skip=2") == "| | Rare 7 | ");
  CHECK(walk(std::string(kAudit) + "?search=rare&action=ListDeleted&skip=3") == "| | | ");
  const auto first = world.get(owner, std::string(kAudit) + "?search=rare&action=ListDeleted&per_page=1");
  CHECK(walk(std::string(kAudit) + "?search=rare&action=ListDeleted&skip=1&cursor=" +
             first.text_at("/paginationMeta/nextCursor")) == "| | Rare 7 | ");
  CHECK(walk(std::string(kAudit) + "?search=rare&action=ListDeleted&order=asc") ==
        "Rare 7 | Rare 24998 | Rare 44000 | ");
  CHECK(walk(std::string(kAudit) + "?search=rare&per_page=1") == "Rare 44000 | Rare 24998 | | Rare 7 | | ");
  CHECK(walk(std::string(kAudit) + "?search=rare&skip=1") == "| Rare 24998 | Rare 7 | ");
  CHECK(world.get(owner, std::string(kAudit) + "?search=rare").at("/paginationMeta/total").to_number<int>() == 1);
}

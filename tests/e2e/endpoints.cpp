// The eleven endpoints through the real gateway: every answer as documented, every figure as plain SQL counts it.
#include <boost/json/serialize.hpp>
#include <set>

#include "tests/e2e/world.hpp"

using namespace parley;
using namespace parley::e2e;
namespace json = boost::json;

namespace {

// Also says what differs, which two texts of 20 KB side by side do not.
void check_same(const json::value& got, const json::value& expected, const std::string& at = "") {
  if (got == expected) return;
  if (got.is_object() && expected.is_object()) {
    for (const auto& [name, value] : expected.as_object()) {
      const auto* other = got.as_object().if_contains(name);
      if (!other)
        FAIL_CHECK(at << "/" << std::string(name) << " is missing");
      else
        check_same(*other, value, at + "/" + std::string(name));
    }
    CHECK_EQ(got.as_object().size(), expected.as_object().size());
  } else if (got.is_array() && expected.is_array() && got.as_array().size() == expected.as_array().size()) {
    for (std::size_t i = 0; i < got.as_array().size(); ++i)
      check_same(got.as_array()[i], expected.as_array()[i], at + "/" + std::to_string(i));
  } else {
    FAIL_CHECK(at << " is " << json::serialize(got) << ", by SQL " << json::serialize(expected));
  }
}

std::vector<std::string> ids_of(const json::value& array) {
  std::vector<std::string> out;
  for (const auto& item : array.as_array()) out.emplace_back(item.at("uniqueId").as_string().c_str());
  return out;
}

std::int64_t number(const json::value& value) { return value.to_number<std::int64_t>(); }
std::string text(const json::value& value) { return value.as_string().c_str(); }

}  // namespace

TEST_CASE("endpoints: the document that the gateway serves is sound") {
  CHECK_EQ(contract_of(world().system).faults(), support::Faults{});
}

TEST_CASE("GET /api/contacts/{id}: every contact is what the tables of all services say") {
  auto& [system, a, b] = world();
  for (const auto* organization : {&a, &b}) {
    Client client(system, organization->owner.api_key);
    for (const auto& id : organization->contacts) {
      const auto answer = client.get("/api/contacts/" + id);
      REQUIRE_EQ(answer.status, 200);
      check_same(answer.json().at("contact"), contact_by_sql(system, *organization, id, 20), id);
      CHECK_EQ(client.get("/api/contacts/" + id).body, answer.body);  // byte for byte when asked twice
    }
  }
}

TEST_CASE("GET /api/contacts: pages, filters, order and totals are those of plain SQL") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  struct Question {
    std::string query, where, order;
  };
  const std::string newest = "c.id DESC";
  const std::vector<Question> questions{
      {"", "true", newest},
      {"order=asc", "true", "c.id"},
      {"sort_by=createdAt&order=desc", "true", newest},
      {"sort_by=name", "true", "lower(c.name), c.id"},
      {"sort_by=name&order=desc", "true", "lower(c.name) DESC, c.id DESC"},
      {"search=ADA", "c.name ILIKE '%ada%'", newest},
      {"search=%25", "strpos(c.name, '%') > 0", newest},
      {"search=_&order=asc", "strpos(c.name, '_') > 0", "c.id"},
      {"search=zoe", "c.name LIKE 'Zo%'", newest},
      {"search=%D0%B6%D0%B0%D0%BD", "c.name LIKE 'Жан%'", newest},
      {"search=%2B49161000000", "strpos(c.phone, '+49161000000') > 0", newest},
      {"search=nobody+at+all", "false", newest},
      {"status=Blocked", "c.status = 'Blocked'", newest},
      {"status=Active&sort_by=name&search=a", "c.status = 'Active' AND c.name ILIKE '%a%'", "lower(c.name), c.id"},
      {"list_id=" + a.lists[1], "c.id IN (SELECT contact_id FROM membership WHERE list_id = '" + a.lists[1] + "')",
       newest},
      {"list_id=" + a.lists[2], "false", newest},
      {"list_id=" + b.lists[0], "false", newest},
      {"list_id=00000000-0000-0000-0000-000000000000", "false", newest},
      {"list_id=" + a.lists[0] + "&status=Active&search=1&sort_by=name&order=desc",
       "c.status = 'Active' AND (c.name LIKE '%1%' OR c.phone LIKE '%1%')", "lower(c.name) DESC, c.id DESC"},
  };
  for (const auto& [query, where, order] : questions) {
    INFO(query);
    const auto expected =
        system.sql("contacts")
            .column("SELECT c.id FROM contact c WHERE c.organization_id = $1 AND (" + where + ") ORDER BY " + order,
                    {a.id});
    for (const auto& [skip, per_page] : {std::pair{0, 20}, {7, 10}, {0, 100}, {1000, 5}}) {
      const auto answer = client.get("/api/contacts?" + query + (query.empty() ? "" : "&") +
                                     "skip=" + std::to_string(skip) + "&per_page=" + std::to_string(per_page));
      REQUIRE_EQ(answer.status, 200);
      const auto page = answer.json();
      CHECK_EQ(number(page.at("paginationMeta").at("total")), static_cast<std::int64_t>(expected.size()));
      CHECK_EQ(number(page.at("paginationMeta").at("page")), skip / per_page + 1);
      CHECK_EQ(number(page.at("paginationMeta").at("per_page")), per_page);
      const auto begin = std::min(expected.size(), static_cast<std::size_t>(skip));
      const auto end = std::min(expected.size(), begin + static_cast<std::size_t>(per_page));
      CHECK_EQ(ids_of(page.at("contacts")), std::vector(expected.begin() + static_cast<std::ptrdiff_t>(begin),
                                                        expected.begin() + static_cast<std::ptrdiff_t>(end)));
      for (const auto& contact : page.at("contacts").as_array())
        check_same(contact, contact_by_sql(system, a, text(contact.at("uniqueId")), 1), query);
    }
  }
  const auto usual = client.get("/api/contacts").json();
  CHECK_EQ(number(usual.at("paginationMeta").at("per_page")), 20);
  CHECK_EQ(client.get("/api/contacts?page=2&limit=7").body, client.get("/api/contacts?skip=7&per_page=7").body);
}

TEST_CASE("GET /api/contacts: following Link sees every contact once, in the order of the pages") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  for (const std::string query :
       {"per_page=7", "per_page=7&order=asc", "per_page=4&sort_by=name", "per_page=9&sort_by=name&order=desc",
        "per_page=5&search=a", "per_page=3&status=Active&sort_by=name", "limit=10"}) {
    INFO(query);
    const auto rest = query.find('&') == query.npos ? "" : query.substr(query.find('&'));
    const auto whole = ids_of(client.get("/api/contacts?per_page=100" + rest).json().at("contacts"));
    std::vector<std::string> seen;
    std::string target = "/api/contacts?" + query;
    while (!target.empty() && seen.size() < 1000) {
      const auto answer = client.get(target);
      REQUIRE_EQ(answer.status, 200);
      for (auto& id : ids_of(answer.json().at("contacts"))) seen.push_back(id);
      const auto link = answer.header("Link");
      target = link.empty() ? "" : link.substr(1, link.find('>') - 1);
      if (!link.empty()) CHECK(link.ends_with("; rel=\"next\""));
    }
    CHECK_EQ(std::set(seen.begin(), seen.end()).size(), seen.size());
    CHECK_EQ(seen, whole);
  }
}

TEST_CASE(
    "GET /api/contacts and one contact: without Get:Conversation the conversations are empty, and that is no fault") {
  auto& [system, a, b] = world();
  Client client(system, member_with(system, a.id, all_but(identity::Permission::get_conversation)).api_key);
  const auto one = client.get("/api/contacts/" + a.contacts[0]);
  CHECK_EQ(one.status, 200);
  CHECK(one.json().at("contact").at("conversations").as_array().empty());
  const auto page = client.get("/api/contacts?per_page=100");
  const auto listed_1 = page.json().at("contacts");
  for (const auto& contact : listed_1.as_array()) CHECK(contact.at("conversations").as_array().empty());
  CHECK_FALSE(one.has("Parley-Degraded"));
  CHECK_FALSE(page.has("Parley-Degraded"));
}

TEST_CASE("GET /api/conversation/{id}: every conversation is what the tables say, its counts counted") {
  auto& [system, a, b] = world();
  for (const auto* organization : {&a, &b}) {
    Client client(system, organization->owner.api_key);
    for (const auto& id : organization->conversations) {
      const auto answer = client.get("/api/conversation/" + id);
      REQUIRE_EQ(answer.status, 200);
      check_same(answer.json().at("conversation"), conversation_by_sql(system, *organization, id), id);
      CHECK_EQ(client.get("/api/conversation/" + id).body, answer.body);
    }
    CHECK_EQ(client.get("/api/conversation/" + organization->deleted_conversation).status, 404);
  }
  Client client(system, a.owner.api_key);
  const auto rich = client.get("/api/conversation/" + a.conversations[1]).json().at("conversation");
  CHECK_EQ(rich.at("messages").as_array().size(), 20);
  CHECK_EQ(number(rich.at("totalMessages")), 27);
  CHECK_EQ(text(rich.at("assignedTo").at("uniqueId")), a.owner.member_id);
  CHECK_EQ(rich.at("tags").as_array().size(), 2);
}

TEST_CASE("POST /api/conversation/{id}: closes and opens, and refuses a second Active one of a contact") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  const auto &closed = a.conversations[0], &active = a.conversations[1];
  const auto refused = client.post("/api/conversation/" + closed, R"({"status":"Active"})");
  CHECK_EQ(refused.status, 409);
  for (const std::string status : {"Closed", "Active"}) {
    const auto answer = client.post("/api/conversation/" + active, R"({"status":")" + status + R"("})");
    REQUIRE_EQ(answer.status, 200);
    CHECK_EQ(text(answer.json().at("conversation").at("status")), status);
    check_same(answer.json().at("conversation"), conversation_by_sql(system, a, active));
    CHECK_EQ(client.get("/api/conversation/" + active).body, answer.body);
  }
  // What is already so is no change, and what the operation does not know is passed over.
  const auto same =
      client.post("/api/conversation/" + active, R"({"status":"Active","contactId":"x","unknown":{"a":[1]}})");
  CHECK_EQ(same.status, 200);
  CHECK_EQ(same.body, client.get("/api/conversation/" + active).body);
  CHECK_EQ(client.post("/api/conversation/" + active, "{}").status, 400);  // its one field is required
}

TEST_CASE("POST /api/lists: makes the list with its tags and members, all of it or nothing") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  auto& sql = system.sql("contacts");
  json::object body{{"name", "Spring customers"},
                    {"description", "Bought something"},
                    {"tags", {a.tags[0], "brand new", "Brand New", "CUSTOMER"}},
                    {"contactIds", {a.contacts[3], a.contacts[1], a.contacts[3]}}};
  const auto answer = client.post("/api/lists", json::serialize(body));
  REQUIRE_EQ(answer.status, 201);
  const auto list = answer.json().at("list");
  const auto id = text(list.at("uniqueId"));
  CHECK_EQ(answer.header("Location"), "/api/lists/" + id);
  check_same(list, json::parse(sql.value("SELECT e2e.list($1, $2)", {a.id, id})));
  CHECK_EQ(number(list.at("numberOfContacts")), 2);
  CHECK_EQ(list.at("tags").as_array().size(), 2);  // by id and by label it is one tag
  CHECK_EQ(number(client.get("/api/contacts?list_id=" + id).json().at("paginationMeta").at("total")), 2);

  const auto smallest = client.post("/api/lists", R"({"name":"n"})");
  REQUIRE_EQ(smallest.status, 201);
  CHECK_EQ(text(smallest.json().at("list").at("description")), "");
  CHECK(smallest.json().at("list").at("tags").as_array().empty());

  json::array everybody;
  for (const auto& contact : a.contacts) everybody.push_back(json::value(contact));
  while (everybody.size() < 10'000) everybody.push_back(json::value(a.contacts[everybody.size() % a.contacts.size()]));
  const auto large =
      client.post("/api/lists", json::serialize(json::object{{"name", "large"}, {"contactIds", everybody}}));
  REQUIRE_EQ(large.status, 201);
  CHECK_EQ(number(large.json().at("list").at("numberOfContacts")), static_cast<std::int64_t>(a.contacts.size()));
  everybody.push_back(json::value(a.contacts[0]));
  const auto before = system.row_counts();
  CHECK_EQ(
      client.post("/api/lists", json::serialize(json::object{{"name", "too large"}, {"contactIds", everybody}})).status,
      400);
  for (const auto& wrong : {b.contacts[0], model::new_uuid().text()}) {
    const auto refused = client.post(
        "/api/lists",
        json::serialize(json::object{{"name", "x"}, {"tags", {"never made"}}, {"contactIds", {a.contacts[0], wrong}}}));
    CHECK_EQ(refused.status, 400);
    CHECK(refused.body.find(wrong) != std::string::npos);
  }
  CHECK_EQ(system.row_counts(), before);
}

TEST_CASE("POST /api/rbac/roles: makes a role of known permissions, in their order, its name once") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  const auto answer = client.post(
      "/api/rbac/roles",
      R"({"name":"Support","description":"d","permissions":["Get:Contact","Update:Conversation","Get:Contact","Get:OrganizationMember"]})");
  REQUIRE_EQ(answer.status, 201);
  const auto role = answer.json().at("role");
  CHECK_EQ(role.at("permissions"), json::array{"Get:OrganizationMember", "Update:Conversation", "Get:Contact"});
  CHECK_EQ(answer.header("Location"), "/api/rbac/roles/" + text(role.at("uniqueId")));
  CHECK_EQ(
      system.sql("organizations")
          .value("SELECT name FROM role WHERE organization_id = $1 AND id = $2", {a.id, text(role.at("uniqueId"))}),
      "Support");
  const auto before = system.row_counts();
  CHECK_EQ(client.post("/api/rbac/roles", R"({"name":"sUPPORT","permissions":[]})").status, 409);
  CHECK_EQ(system.row_counts(), before);
  CHECK_EQ(client.post("/api/rbac/roles", R"({"name":"Nothing"})").status, 400);
  CHECK_EQ(client.post("/api/rbac/roles", R"({"name":"Nothing","permissions":[]})").status, 201);
  Client other(system, b.owner.api_key);
  CHECK_EQ(other.post("/api/rbac/roles", R"({"name":"Support","permissions":[]})").status,
           201);  // another organization's affair
}

TEST_CASE("organizations: made, listed with their totals, acted in by X-Organization-Id, and nobody else's") {
  auto& [system, a, b] = world();
  const auto owner = system.create_owner("serial.founder@example.com", "First");
  Client client(system, owner.api_key);
  std::vector<std::string> ids{owner.organization_id};
  for (int i = 0; i < 5; ++i) {
    const auto answer =
        client.post("/api/organization", R"({"name":"Org )" + std::to_string(i) +
                                             R"(","description":"d","websiteUrl":"https://example.com/)" +
                                             std::to_string(i) + R"("})");
    REQUIRE_EQ(answer.status, 201);
    const auto made = answer.json().at("organization");
    ids.push_back(text(made.at("uniqueId")));
    CHECK_EQ(text(made.at("websiteUrl")), "https://example.com/" + std::to_string(i));
    CHECK_EQ(made.at("messagingBusinessAccountDetails"), json::value(nullptr));
    CHECK_EQ(made.at("IsAutoHandlingConversationsEnabled"), json::value(false));
  }
  for (const std::string order : {"asc", "desc"}) {
    auto expected = ids;
    if (order == "desc") std::reverse(expected.begin(), expected.end());
    for (const auto& [skip, per_page] : {std::pair{0, 20}, {2, 2}, {5, 5}, {100, 1}}) {
      const auto page = client
                            .get("/api/organization?order=" + order + "&skip=" + std::to_string(skip) +
                                 "&per_page=" + std::to_string(per_page))
                            .json();
      CHECK_EQ(number(page.at("paginationMeta").at("total")), 6);
      const auto begin = std::min(expected.size(), static_cast<std::size_t>(skip));
      const auto end = std::min(expected.size(), begin + static_cast<std::size_t>(per_page));
      CHECK_EQ(ids_of(page.at("organizations")), std::vector(expected.begin() + static_cast<std::ptrdiff_t>(begin),
                                                             expected.begin() + static_cast<std::ptrdiff_t>(end)));
    }
  }
  // Acting in another one of hers: a list made there is there.
  const auto there = client.post("/api/lists", R"({"name":"there"})", {{"X-Organization-Id", ids[3]}});
  REQUIRE_EQ(there.status, 201);
  CHECK_EQ(system.sql("contacts")
               .value("SELECT organization_id FROM list WHERE id = $1", {text(there.json().at("list").at("uniqueId"))}),
           ids[3]);
  // In others' she cannot, nor in one that does not exist: she cannot tell which.
  const auto foreign = client.get("/api/contacts", {{"X-Organization-Id", b.id}, {"X-Request-Id", "same"}});
  const auto unknown =
      client.get("/api/contacts", {{"X-Organization-Id", model::new_uuid().text()}, {"X-Request-Id", "same"}});
  CHECK_EQ(foreign.status, 403);
  CHECK_EQ(foreign.body, unknown.body);
  CHECK_EQ(client.get("/api/contacts", {{"X-Organization-Id", "nonsense"}}).status, 400);
}

TEST_CASE(
    "POST /api/organization/messagingBusinessAccount: connects, answers with the secrets once, masks them in lists") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  const auto answer =
      client.post("/api/organization/messagingBusinessAccount",
                  R"({"businessAccountId":"100000000000001","code":"code-e2e-1","phoneNumberId":"200000000000001"})");
  REQUIRE_EQ(answer.status, 200);
  const auto details = answer.json();
  CHECK_EQ(text(details.at("businessAccountId")), "100000000000001");
  CHECK_EQ(text(details.at("verificationStatus")), "Verified");
  const auto token = text(details.at("accessToken")), secret = text(details.at("webhookSecret"));
  CHECK(token.size() > 4);
  const auto listed = client.get("/api/organization");
  CHECK(listed.body.find(token) == std::string::npos);
  CHECK(listed.body.find(secret) == std::string::npos);
  const auto own = listed.json().at("organizations").as_array().at(0);
  CHECK_EQ(text(own.at("businessAccountId")), "100000000000001");
  CHECK(text(own.at("messagingBusinessAccountDetails").at("accessToken")).ends_with(token.substr(token.size() - 4)));
  CHECK_EQ(own.at("isOnboardingCompleted"), json::value(true));
  for (const auto& table : {"account", "account_setup"})
    CHECK_EQ(system.sql("organizations")
                 .number(std::string("SELECT count(*) FROM ") + table + " t WHERE strpos(t::text, $1) > 0", {token}),
             0);
  for (auto* component : system.all()) {
    CHECK(component->log().find(token) == std::string::npos);
    CHECK(component->log().find(secret) == std::string::npos);
  }
  // A spent code, and a number that is another organization's.
  CHECK_EQ(
      client
          .post(
              "/api/organization/messagingBusinessAccount",
              R"({"businessAccountId":"100000000000001","code":"not a code of the channel","phoneNumberId":"200000000000001"})")
          .status,
      400);
  Client other(system, b.owner.api_key);
  CHECK_EQ(other
               .post("/api/organization/messagingBusinessAccount",
                     R"({"businessAccountId":"100000000000001","code":"code-e2e-2","phoneNumberId":"200000000000001"})")
               .status,
           409);
}

TEST_CASE("GET /api/analytics/campaigns: the figures are the sums of plain SQL, and the series add up to them") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  for (const std::string query :
       {"from=2026-01-01&to=2026-01-31", "from=2026-01-05T06:00:00Z&to=2026-01-06T06:00:00Z",
        "from=2026-01-10&to=2026-01-20&timezone=Asia/Kathmandu", "from=2025-06-01&to=2025-06-30", ""}) {
    INFO(query);
    const auto answer = client.get("/api/analytics/campaigns?" + query);
    REQUIRE_EQ(answer.status, 200);
    const auto figures = answer.json().at("analytics");
    std::int64_t sent = 0, delivered = 0, clicks = 0;
    for (const auto& day : figures.at("messageAnalytics").as_array()) {
      sent += number(day.at("sent"));
      delivered += number(day.at("delivered"));
    }
    for (const auto& day : figures.at("linkClicksData").as_array()) clicks += number(day.at("count"));
    CHECK_EQ(number(figures.at("messagesSent")), sent);
    CHECK_EQ(number(figures.at("messagesDelivered")), delivered);
    CHECK_EQ(number(figures.at("totalLinkClicks")), clicks);
  }
  const auto figures =
      client.get("/api/analytics/campaigns?from=2026-01-05T06:00:00Z&to=2026-01-09T06:00:00Z").json().at("analytics");
  const auto sums = system.sql("analytics")
                        .rows(
                            "SELECT sum(recipients), sum(sent), sum(failed), sum(delivered), sum(undelivered), "
                            "sum(read), sum(recipients) + sum(replies), sum(conversations), "
                            "sum(clicks_at) FROM organization_rollup WHERE organization_id = $1 AND bucket >= "
                            "'2026-01-05T06:00:00Z' AND bucket < '2026-01-09T06:00:00Z'",
                            {a.id})[0];
  const std::vector<std::string> names{"totalRecipients",   "messagesSent",          "messagesFailed",
                                       "messagesDelivered", "messagesUndelivered",   "messagesRead",
                                       "totalMessages",     "conversationInitiated", "totalLinkClicks"};
  for (std::size_t i = 0; i < names.size(); ++i) CHECK_EQ(std::to_string(number(figures.at(names[i]))), sums[i]);
}

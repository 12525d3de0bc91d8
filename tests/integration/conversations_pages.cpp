// GET /api/conversations: pages, filters, orders and totals, held against plain SQL.
#include "tests/integration/conversations_service.hpp"

using namespace parley;
using namespace parley::conversations_tests;

namespace {

constexpr auto kPath = "/api/conversations";

std::vector<std::string> ids_in(const http::Response& response) {
  std::vector<std::string> out;
  const auto json = json_of(response);
  for (const auto& conversation : json.at("conversations").as_array())
    out.emplace_back(conversation.at("uniqueId").as_string());
  return out;
}

std::int64_t total_in(const http::Response& response) {
  return json_of(response).at("paginationMeta").at("total").as_int64();
}

// Conversations of every kind, many with equal times, and those of another organization.
struct Crowd {
  explicit Crowd(Service& service_) : service(service_) {
    auto& database = service.database;
    const auto foreign = database.add_conversation(model::new_uuid(), service.contact);
    database.execute(
        "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, "
        "message_type, data) SELECT organization_id, gen_random_uuid(), id, contact_id, 'InBound', "
        "'Unread', 'Text', '{\"text\": \"theirs\"}' FROM conversation WHERE id = " +
        quoted(foreign));
    for (int i = 0; i < 4; ++i) contacts.push_back(model::new_uuid());
    for (int i = 0; i < 40; ++i) add(i);
  }
  void add(int i) {
    const char* statuses[] = {"Closed", "Closed", "Deleted", "Closed", "Closed"};
    const auto id = service.database.add_conversation(service.organization, contacts[static_cast<std::size_t>(i) % 4],
                                                      i < 4 ? "Active" : statuses[i % 5]);
    if (i % 10 == 7)
      service.database.execute("UPDATE conversation SET status = 'Deleted', tombstone = true WHERE id = " + quoted(id));
    if (i % 3 == 0) set(id, "assigned_member_id", member);
    if (i % 4 == 1) set(id, "campaign_id", campaign);
    for (int m = 0; m < i % 4; ++m)
      service.database.add_message(service.organization, id, i % 8 == 2 ? "Unread" : "Read", i / 7 * 10 + m);
  }
  void set(const Uuid& id, const std::string& column, const Uuid& value) {
    service.database.execute("UPDATE conversation SET " + column + " = " + quoted(value) + " WHERE id = " + quoted(id));
  }
  // By plain SQL.
  std::vector<std::string> expected(const std::string& condition, const std::string& order) {
    const auto text = service.database.execute(
        "SELECT coalesce(string_agg(id::text, ',' ORDER BY " + order +
        "), '') FROM conversation WHERE organization_id = " + quoted(service.organization) + " AND " + condition);
    std::vector<std::string> out;
    for (std::size_t at = 0; at < text.size(); at += 37) out.push_back(text.substr(at, 36));
    return out;
  }

  Service& service;
  std::vector<Uuid> contacts;
  Uuid member = model::new_uuid(), campaign = model::new_uuid();
};

const std::string kShown = "(status <> 'Deleted')";

}  // namespace

TEST_SUITE("integration: conversations pages") {
  TEST_CASE("every filter, alone and with another, in every order, is what plain SQL says, page by page") {
    Service service;
    Crowd crowd(service);
    service.contacts.answers["/internal/contacts/ids"] = {
        200,
        R"({"contactIds":[")" + crowd.contacts[1].text() + "\",\"" + crowd.contacts[3].text() + R"("],"more":false})"};
    const auto of_both = "contact_id IN (" + quoted(crowd.contacts[1]) + "," + quoted(crowd.contacts[3]) + ")";
    const std::vector<std::pair<std::string, std::string>> filters{
        {"", kShown},
        {"status=Active", "status = 'Active'"},
        {"status=Closed", "status = 'Closed'"},
        {"status=Deleted", "tombstone"},
        {"contact_id=" + crowd.contacts[2].text(), kShown + " AND contact_id = " + quoted(crowd.contacts[2])},
        {"campaign_id=" + crowd.campaign.text(), kShown + " AND campaign_id = " + quoted(crowd.campaign)},
        {"assigned_to=" + crowd.member.text(), kShown + " AND assigned_member_id = " + quoted(crowd.member)},
        {"assigned_to=none", kShown + " AND assigned_member_id IS NULL"},
        {"unread=true", kShown + " AND unread_messages > 0"},
        {"unread=false", kShown},
        {"search=ada", kShown + " AND " + of_both},
        {"list_id=" + crowd.contacts[0].text(), kShown + " AND " + of_both},
        {"search=ada&contact_id=" + crowd.contacts[3].text(),
         kShown + " AND contact_id = " + quoted(crowd.contacts[3])},
        {"search=ada&contact_id=" + crowd.contacts[0].text(), "false"},
        {"assigned_to=none&unread=true", kShown + " AND assigned_member_id IS NULL AND unread_messages > 0"},
        {"contact_id=" + model::new_uuid().text(), "false"},
        {"assigned_to=" + Uuid{}.text(), "false"},  // the key of all conversations in their tallies
    };
    const std::vector<std::pair<std::string, std::string>> orders{
        {"", "coalesce(last_message_at, created_at) DESC, id DESC"},
        {"sort_by=lastMessageAt&order=asc", "coalesce(last_message_at, created_at), id"},
        {"sort_by=createdAt", "id DESC"},
        {"sort_by=createdAt&order=asc", "id"},
    };
    for (const auto& [filter, condition] : filters)
      for (const auto& [order, sorting] : orders) {
        const auto expected = crowd.expected(condition, sorting);
        const auto target = kPath + ("?per_page=7&" + filter) + (filter.empty() || order.empty() ? "" : "&") + order;
        const auto asked = target.ends_with('&') ? target.substr(0, target.size() - 1) : target;
        INFO(asked);
        CHECK(follow(service, ids_in, asked) == expected);
        const auto size = std::ssize(expected);
        CHECK(total_in(service.get(asked)) == size);
        CHECK(total_in(service.get(asked + "&skip=3")) == size);
        CHECK(total_in(service.get(asked + "&skip=1000")) == size);
        const auto behind = next_of(service.get(asked));
        if (size > 10) CHECK(ids_in(service.get(behind + "&skip=3")).at(0) == expected[10]);
        const auto second = ids_in(service.get(asked + "&page=2"));
        CHECK(second == std::vector<std::string>(expected.begin() + std::min<std::ptrdiff_t>(7, size),
                                                 expected.begin() + std::min<std::ptrdiff_t>(14, size)));
      }
  }

  TEST_CASE("each is answered as by itself, with its newest message, after one question to each neighbour") {
    Service service;
    const auto id = service.database.add_conversation(service.organization, service.contact);
    service.database.add_message(service.organization, id, "Unread", 1);
    const auto newest = service.database.add_message(service.organization, id, "Failed", 2);
    service.database.execute("UPDATE message SET error_code = 131026, error_text = 'undeliverable' WHERE id = " +
                             quoted(newest));
    service.open_window(id, 5);
    const auto tag = service.database.add_tag(service.organization, id), member = model::new_uuid();
    service.database.execute("UPDATE conversation SET assigned_member_id = " + quoted(member));
    const auto other = service.database.add_conversation(service.organization, model::new_uuid());
    service.contacts.body = service.contact.text() + " " + kContact + "\n" + tag.text() + " {\"label\":\"one\"}\n";
    service.organizations.body = member.text() + " " + kMember + "\n";

    const auto page = service.get(kPath);
    REQUIRE_MESSAGE(page.status == 200, page.body);
    CHECK_FALSE(has(page, "Parley-Degraded"));
    CHECK_FALSE(has(page, "Link"));
    CHECK(service.contacts.targets.size() == 1);
    CHECK(service.organizations.targets.size() == 1);
    CHECK(keys_of(json_of(page)) == std::vector<std::string>{"conversations", "paginationMeta"});
    CHECK(page.body.ends_with(R"("paginationMeta":{"page":1,"per_page":20,"total":2,"nextCursor":null}})"));
    auto single = json_of(service.get(path_of(id))).at("conversation");
    REQUIRE(single.at("messages").as_array().size() == 2);
    single.at("messages").as_array().pop_back();
    CHECK(json_of(page).at("conversations").at(0) == single);
    CHECK(single.at("messages").at(0).at("errorCode").as_int64() == 131026);
    CHECK(single.at("messages").at(0).at("errorText").as_string() == "undeliverable");
    CHECK(single.at("serviceWindowEndsAt").is_string());
    // It is of the contact: each of their conversations tells it.
    const auto later = service.database.add_conversation(service.organization, service.contact, "Closed");
    CHECK(json_of(service.get(path_of(later))).at("conversation").at("serviceWindowEndsAt") ==
          single.at("serviceWindowEndsAt"));
    CHECK(json_of(service.get(path_of(other))).at("conversation").at("serviceWindowEndsAt").is_null());
  }

  TEST_CASE("neighbours out of reach: the page comes without their parts; what needs contacts is a 503") {
    Service service;
    const auto id = service.database.add_conversation(service.organization, service.contact);
    service.database.execute("UPDATE conversation SET assigned_member_id = gen_random_uuid()");
    service.contacts.stop();
    service.organizations.stop();
    const auto page = service.get(kPath);
    CHECK(page.status == 200);
    CHECK(has(page, "Parley-Degraded: contacts, organizations\r\n"));
    CHECK(ids_in(page) == std::vector<std::string>{id.text()});
    CHECK(json_of(page).at("conversations").at(0).at("contact").is_null());
    CHECK(service.get(kPath + std::string("?search=ada")).status == 503);
    CHECK(service.get(kPath + std::string("?list_id=") + id.text()).status == 503);
    CHECK(service.get(kPath + std::string("?contact_id=") + service.contact.text()).status == 200);
  }

  TEST_CASE("a list of very many is refused, a search that contacts refuse is too") {
    Service service;
    auto& answer = service.contacts.answers["/internal/contacts/ids"];
    answer.body = R"({"contactIds":[)";
    for (int i = 0; i < 10'000; ++i) answer.body += (i ? ",\"" : "\"") + model::new_uuid().text() + "\"";
    answer.body += R"(],"more":true})";
    const auto refused = service.get(kPath + std::string("?list_id=") + service.contact.text());
    CHECK(refused.status == 400);
    CHECK(pointer_of(refused) == "?list_id");
    CHECK(service.contacts.asked("/internal/contacts/ids").size() == 11);
    answer = {400, R"({"detail":"?search is blank","errors":[{"pointer":"?search","detail":"is blank"}]})"};
    const auto blank = service.get(kPath + std::string("?search=%20"));
    CHECK(blank.status == 400);
    CHECK(pointer_of(blank) == "?search");
  }

  TEST_CASE("more tags than one question takes are asked for in two") {
    Service service;
    const auto id = service.database.add_conversation(service.organization, service.contact);
    service.database.execute(
        "INSERT INTO conversation_tag SELECT organization_id, id, gen_random_uuid() FROM "
        "conversation, generate_series(1, 250)");
    CHECK(service.get(path_of(id)).status == 200);
    REQUIRE(service.contacts.targets.size() == 2);
    for (const auto& target : service.contacts.targets) CHECK(target.size() < 8'192);
  }

  TEST_CASE("what is not as documented is a 400 that names the parameter") {
    Service service;
    for (int i = 0; i < 3; ++i) service.database.add_conversation(service.organization, model::new_uuid());
    const auto link = next_of(service.get(kPath + std::string("?per_page=2")));
    const auto cursor = link.substr(link.find("cursor=") + 7);
    CHECK(service.get(kPath + ("?cursor=" + cursor)).status == 200);
    const auto created = next_of(service.get(kPath + std::string("?per_page=2&sort_by=createdAt")));
    for (const auto& [query, pointer] : std::vector<std::pair<std::string, std::string>>{
             {"status=Open", "?status"},
             {"status=Active&status=Closed", "?status"},
             {"contact_id=7", "?contact_id"},
             {"campaign_id=", "?campaign_id"},
             {"list_id=x", "?list_id"},
             {"assigned_to=me", "?assigned_to"},
             {"assigned_to=", "?assigned_to"},
             {"unread=1", "?unread"},
             {"sort_by=name", "?sort_by"},
             {"order=up", "?order"},
             {"per_page=0", "?per_page"},
             {"per_page=101", "?per_page"},
             {"skip=-1", "?skip"},
             {"page=0", "?page"},
             {"search=" + std::string(101, 'a'), "?search"},
             {"cursor=x", "?cursor"},
             {"cursor=" + cursor + "&order=asc", "?cursor"},
             {"cursor=" + cursor + "&sort_by=createdAt", "?cursor"},
             {"cursor=" + created.substr(created.find("cursor=") + 7), "?cursor"},
             {"cursor=" + cursor + "&page=2", "?cursor"},
             {"tag=x", "?tag"}}) {
      const auto response = service.get(kPath + ("?" + query));
      INFO(query);
      CHECK(response.status == 400);
      CHECK(pointer_of(response) == pointer);
    }
  }
}

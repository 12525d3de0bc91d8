// GET /api/campaigns/{id}/recipients.
#include <algorithm>

#include "tests/integration/recipients_bed.hpp"

using namespace parley;
using namespace parley::recipients_tests;
using Ordinals = std::vector<int>;

namespace {

// One of each kind.
constexpr auto kStatuses =
    "CASE n WHEN 3 THEN 'Queued' WHEN 4 THEN 'Queued' WHEN 5 THEN 'Sent' WHEN 6 THEN 'Delivered' WHEN 7 THEN 'Read' "
    "WHEN "
    "8 THEN 'Failed' WHEN 9 THEN 'UnDelivered' WHEN 10 THEN 'Failed' WHEN 11 THEN 'Failed' END";
constexpr auto kErrors =
    "CASE n WHEN 8 THEN 131026 WHEN 9 THEN 131049 END, CASE n WHEN 8 THEN 'Not, \"deliverable\"' WHEN 9 THEN 'Healthy "
    "ecosystem' WHEN 10 THEN 'unknown' WHEN 11 THEN 'the campaign was cancelled' END";
constexpr auto kSkipped = "CASE n WHEN 1 THEN 'OptedOut' WHEN 12 THEN 'Invalid' END";

Uuid one_of_each(Bed& bed, const std::string& status = "Paused") {
  const auto campaign = bed.add_campaign(12, kStatuses, kErrors, status, kSkipped);
  bed.database.execute(
      "INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, state, "
      "campaign_id, expires_at) SELECT organization_id, message_id, 'Message', '1', contact_id, recipient, 'InDoubt', "
      "campaign_id, now() FROM target WHERE ordinal = 4");
  bed.database.execute(
      "INSERT INTO engagement (organization_id, campaign_id, message_id, replied_at, clicked_at) SELECT "
      "organization_id, campaign_id, message_id, '2026-01-31T13:00:00Z', '2026-01-31T14:00:00Z' FROM target WHERE "
      "ordinal = 7");
  return campaign;
}

std::string text(const boost::json::value& value, const char* name) {
  const auto& found = value.at(name);
  return found.is_null() ? "null" : std::string(found.as_string());
}

}  // namespace

TEST_SUITE("integration: recipients") {
  TEST_CASE("each is in one state, with its reason, its message and what it did") {
    Bed bed;
    const auto campaign = one_of_each(bed);
    const auto all = bed.all(campaign);
    REQUIRE(all.size() == 12);
    const std::vector<std::string> states{"Skipped", "Pending", "Pending",     "InDoubt", "Sent",   "Delivered",
                                          "Read",    "Failed",  "UnDelivered", "Failed",  "Failed", "Skipped"};
    const std::vector<std::string> reasons{"OptedOut", "null",   "null",   "null",    "null",    "null",
                                           "null",     "131026", "131049", "unknown", "NotSent", "Invalid"};
    for (std::size_t i = 0; i < all.size(); ++i) {
      INFO(all[i]);
      CHECK_EQ(text(all[i], "state"), states[i]);
      CHECK_EQ(text(all[i], "reason"), reasons[i]);
      CHECK_EQ(text(all[i], "contactId"), bed.contact(campaign, static_cast<int>(i) + 1).text());
      CHECK_EQ(text(all[i], "variant"), (i + 1) % 5 == 0 ? "B" : "null");
      const bool has_message = i > 1 && i < 11;
      CHECK_EQ(all[i].at("messageId").is_null(), !has_message);
      CHECK_EQ(all[i].at("conversationId").is_null(), !has_message);
      CHECK_EQ(all[i].at("statusAt").is_null(), !has_message);
      CHECK_EQ(all[i].at("sentAt").is_null(), !has_message || i == 2);
      CHECK_EQ(all[i].at("repliedAt").is_null(), i != 6);
    }
    CHECK_EQ(text(all[7], "reasonText"), "Not, \"deliverable\"");
    CHECK_EQ(text(all[9], "reasonText"), "null");
    CHECK_EQ(text(all[10], "reasonText"), "the campaign was cancelled");
    CHECK_EQ(text(all[6], "clickedAt"), "2026-01-31T14:00:00.000Z");

    // By state: the same ones, and the figure.
    for (const auto* state : {"Pending", "Skipped", "Sent", "Delivered", "Read", "Failed", "UnDelivered", "InDoubt"}) {
      CAPTURE(state);
      Ordinals expected;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (states[i] == state) expected.push_back(static_cast<int>(i) + 1);
      const auto query = std::string("state=") + state;
      CHECK_EQ(bed.ordinals(campaign, query), expected);
      const auto page = bed.get(bed.recipients_path(campaign, query)).json();
      CHECK_EQ(page.at("paginationMeta").at("total").as_int64(), std::ssize(expected));
    }
    const auto total = [&](const std::string& query) {
      return bed.get(bed.recipients_path(campaign, query)).json().at("paginationMeta").at("total").as_int64();
    };
    CHECK_EQ(total("per_page=2"), 12);
    CHECK_EQ(bed.ordinals(campaign, "reason=131026"), Ordinals{8});
    CHECK_EQ(bed.ordinals(campaign, "reason=unknown&state=Failed"), Ordinals{10});
    CHECK_EQ(bed.ordinals(campaign, "reason=OptedOut"), Ordinals{1});
    CHECK_EQ(bed.ordinals(campaign, "reason=OptedOut&state=Failed"), Ordinals{});
    CHECK_EQ(bed.ordinals(campaign, "reason=131049&state=UnDelivered"), Ordinals{9});
    CHECK_EQ(bed.ordinals(campaign, "reason=131049&state=Failed"), Ordinals{});
    CHECK_EQ(total("reason=131049&state=UnDelivered"), 1);
    CHECK_EQ(total("reason=131049&state=Failed"), 0);
    CHECK_EQ(total("reason=131049"), 1);
    CHECK_EQ(bed.ordinals(campaign, "variant=B"), Ordinals{5, 10});
    CHECK_EQ(bed.ordinals(campaign, "variant=B&state=Failed"), Ordinals{10});
    CHECK_EQ(bed.ordinals(campaign, "variant="), Ordinals{1, 2, 3, 4, 6, 7, 8, 9, 11, 12});
    CHECK_EQ(total("variant=B"), 2);
  }

  TEST_CASE("whom a Cancelled campaign did not come to was left out") {
    Bed bed;
    const auto campaign = one_of_each(bed, "Cancelled");
    CHECK_EQ(bed.ordinals(campaign, "state=Skipped"), Ordinals{1, 2, 12});
    CHECK_EQ(bed.ordinals(campaign, "reason=Cancelled"), Ordinals{2});
    CHECK_EQ(bed.ordinals(campaign, "state=Pending"), Ordinals{3});
    const auto total = [&](const std::string& query) {
      return bed.get(bed.recipients_path(campaign, query)).json().at("paginationMeta").at("total").as_int64();
    };
    CHECK_EQ(total("state=Skipped"), 3);
    CHECK_EQ(total("state=Read&reason=Cancelled"), 0);
  }

  TEST_CASE("who has no number, or was deleted, is told without one") {
    Bed bed;
    const auto campaign = bed.add_campaign(4, "'Sent'");
    bed.database.execute("UPDATE target SET recipient = 'DE.1' WHERE ordinal = 1");
    bed.database.execute(
        "INSERT INTO removal (organization_id, kind, id) SELECT organization_id, 'contact', contact_id "
        "FROM target WHERE ordinal = 2; INSERT INTO merged_contact (organization_id, contact_id, into_id) SELECT "
        "f.organization_id, f.contact_id, t.contact_id FROM target f, target t WHERE f.ordinal = 4 AND t.ordinal = 2");
    std::vector<std::string> phones;
    for (const auto& each : bed.all(campaign)) phones.push_back(text(each, "phone"));
    CHECK_EQ(phones, std::vector<std::string>{"", "", "+493", ""});
  }

  TEST_CASE("pages by number and by cursor have everybody once") {
    Bed bed;
    const auto campaign = bed.add_campaign(25, "CASE WHEN n % 3 = 0 THEN 'Read' ELSE 'Sent' END");
    Ordinals everybody, third;
    for (int n = 1; n <= 25; ++n) {
      everybody.push_back(n);
      if (n % 3 == 0) third.push_back(n);
    }
    CHECK_EQ(bed.ordinals(campaign, "per_page=10"), everybody);
    CHECK_EQ(bed.ordinals(campaign, "per_page=3&state=Read"), third);
    CHECK_EQ(bed.ordinals(campaign, "skip=20"), Ordinals{21, 22, 23, 24, 25});
    CHECK_EQ(bed.ordinals(campaign, "skip=5&state=Read"), Ordinals{18, 21, 24});
    CHECK_EQ(bed.ordinals(campaign, "skip=10000&state=Read"), Ordinals{});
    CHECK_EQ(bed.ordinals(campaign, "skip=10000"), Ordinals{});
    const auto page = bed.get(bed.recipients_path(campaign, "page=3&per_page=10")).json();
    CHECK_EQ(page.at("recipients").as_array().size(), 5);
    CHECK_EQ(page.at("paginationMeta").at("page").as_int64(), 3);
    CHECK_EQ(page.at("paginationMeta").at("total").as_int64(), 25);

    const auto next = bed.get(bed.recipients_path(campaign, "per_page=2&state=Read")).next();
    REQUIRE_FALSE(next.empty());
    const auto other_filter = std::string(next).replace(next.find("Read"), 4, "Sent");
    CHECK_EQ(bed.get(other_filter).pointer(), "?cursor");
    const auto other = bed.add_campaign(3, "'Sent'");
    CHECK_EQ(bed.get(bed.recipients_path(other) + next.substr(next.find('?'))).pointer(), "?cursor");
    CHECK_EQ(bed.get(next + "&page=2").pointer(), "?cursor");
    const auto all = bed.get(bed.recipients_path(campaign, "per_page=25&state=Read")).json().at("recipients");
    const auto behind = bed.get(next + "&skip=1").json().at("recipients");
    CHECK_EQ(behind.at(0), all.at(3));
  }

  TEST_CASE("where those that match are rare a page looks at so many recipients, and the next goes on behind them") {
    Bed bed(10);
    const auto campaign = bed.add_campaign(45, "CASE WHEN n IN (2, 3, 31, 44) THEN 'Failed' ELSE 'Sent' END",
                                           "CASE WHEN n = 31 THEN 1 ELSE 131026 END, 'x'");
    const auto first = bed.get(bed.recipients_path(campaign, "state=Failed"));
    CHECK_EQ(first.json().at("recipients").as_array().size(), 2);
    CHECK_EQ(first.json().at("paginationMeta").at("total").as_int64(), 4);
    CHECK_FALSE(first.next().empty());
    CHECK_EQ(bed.ordinals(campaign, "state=Failed"), Ordinals{2, 3, 31, 44});
    CHECK_EQ(bed.ordinals(campaign, "state=Failed&per_page=1"), Ordinals{2, 3, 31, 44});
    CHECK_EQ(bed.ordinals(campaign, "state=Failed&skip=1"), Ordinals{3, 31, 44});
    CHECK_EQ(bed.ordinals(campaign, "state=Failed&skip=3"), Ordinals{44});
    CHECK_EQ(bed.ordinals(campaign, "reason=131026&skip=2"), Ordinals{44});
    // Counted once for all pages; where no index counts them, among the first ones only.
    const auto counted = bed.get(bed.recipients_path(campaign, "reason=131026&per_page=1"));
    CHECK_EQ(counted.json().at("paginationMeta").at("total").as_int64(), 3);
    const auto some = bed.get(bed.recipients_path(campaign, "reason=131026&variant="));
    CHECK_EQ(some.json().at("paginationMeta").at("total").as_int64(), 2);
    bed.database.execute("UPDATE message SET error_code = 1");
    CHECK_EQ(bed.get(counted.next()).json().at("paginationMeta").at("total").as_int64(), 3);
  }

  TEST_CASE("where few of many messages failed, or are in doubt, their recipients are found at once") {
    Bed bed(10);
    const auto campaign = bed.add_campaign(500,
                                           "CASE n WHEN 31 THEN 'Failed' WHEN 45 THEN 'UnDelivered' WHEN 300 THEN "
                                           "'Failed' WHEN 400 THEN 'Queued' ELSE 'Sent' END",
                                           "CASE n WHEN 31 THEN 131026 WHEN 45 THEN 131049 END, NULL");
    bed.database.execute(
        "INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, state, "
        "campaign_id, expires_at) SELECT organization_id, message_id, 'Message', '1', contact_id, recipient, "
        "'InDoubt', "
        "campaign_id, now() FROM target WHERE ordinal = 400");
    const auto size = [&](const std::string& query) {
      return bed.get(bed.recipients_path(campaign, query)).json().at("recipients").as_array().size();
    };
    CHECK_EQ(size("state=Failed"), 2);
    CHECK_EQ(size("state=UnDelivered"), 1);
    CHECK_EQ(size("reason=131049"), 1);
    CHECK_EQ(size("reason=unknown&state=Failed"), 1);
    CHECK_EQ(size("state=InDoubt"), 1);
    CHECK_EQ(bed.ordinals(campaign, "state=Failed&per_page=1"), Ordinals{31, 300});
    CHECK_EQ(bed.ordinals(campaign, "state=Failed&skip=1"), Ordinals{300});
    CHECK_EQ(bed.ordinals(campaign, "variant=B&reason=131049"), Ordinals{45});
    CHECK_EQ(bed.ordinals(campaign, "variant=B&reason=131026"), Ordinals{});
    CHECK_EQ(bed.ordinals(campaign, "reason=NotSent"), Ordinals{});
  }

  TEST_CASE("who was left out for a reason is found at once, and counted") {
    Bed bed(10);
    const auto campaign =
        bed.add_campaign(45, "CASE WHEN n NOT IN (31, 40, 45) THEN 'Sent' END", "NULL::int, NULL::text", "Paused",
                         "CASE WHEN n = 40 THEN 'Invalid' WHEN n IN (31, 45) THEN 'Blocked' END");
    const auto page = [&](const std::string& query) { return bed.get(bed.recipients_path(campaign, query)); };
    const auto total = [&](const std::string& query) {
      return page(query).json().at("paginationMeta").at("total").as_int64();
    };
    CHECK_EQ(page("reason=Invalid").json().at("recipients").as_array().size(), 1);
    CHECK(page("reason=Invalid").next().empty());
    CHECK_EQ(page("state=Skipped").json().at("recipients").as_array().size(), 3);
    CHECK_EQ(bed.ordinals(campaign, "reason=Blocked&per_page=1"), Ordinals{31, 45});
    CHECK_EQ(bed.ordinals(campaign, "reason=Blocked&skip=1&state=Skipped"), Ordinals{45});
    CHECK_EQ(bed.ordinals(campaign, "reason=Blocked&variant=B"), Ordinals{45});
    CHECK_EQ(total("reason=Blocked"), 2);
    CHECK_EQ(total("reason=Blocked&variant=B"), 1);
    CHECK_EQ(total("variant=B"), 9);
    CHECK_EQ(total("variant="), 36);
    // What nobody can have needs no search.
    for (const auto* query : {"reason=Blocked&state=Failed", "reason=131026&state=Skipped", "reason=Cancelled",
                              "reason=0131026", "reason=13102600000", "reason=Gone"}) {
      CAPTURE(query);
      CHECK_EQ(total(query), 0);
      CHECK(page(query).next().empty());
    }
  }

  TEST_CASE(
      "who waits for a message is looked for behind the chunks that are done, and before them if one is tried again") {
    Bed bed(10);
    const auto campaign = bed.add_campaign(45, "CASE WHEN n = 5 THEN 'Queued' WHEN n <= 35 THEN 'Sent' END",
                                           "NULL::int, NULL::text", "Running");
    bed.database.execute(
        "INSERT INTO chunk (organization_id, campaign_id, first, last, done) SELECT organization_id, id, f, f + 9, f < "
        "31 FROM campaign, generate_series(1, 41, 10) f");
    const Ordinals rest{36, 37, 38, 39, 40, 41, 42, 43, 44, 45};
    const auto first = bed.get(bed.recipients_path(campaign, "state=Pending"));
    CHECK_EQ(first.json().at("recipients").as_array().size(), 5);
    CHECK_EQ(bed.ordinals(campaign, "state=Pending&per_page=4"), rest);
    CHECK_EQ(bed.ordinals(campaign, "state=Pending&skip=7"), Ordinals{43, 44, 45});
    bed.database.execute(
        "INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, state, "
        "campaign_id, expires_at) SELECT organization_id, message_id, 'Message', '1', contact_id, recipient, 'Due', "
        "campaign_id, now() FROM target WHERE ordinal = 5");
    auto all = rest;
    all.insert(all.begin(), 5);
    CHECK_EQ(bed.ordinals(campaign, "state=Pending"), all);
    bed.database.execute("UPDATE campaign SET status = 'Cancelled'");
    CHECK_EQ(bed.ordinals(campaign, "reason=Cancelled"), rest);
    const auto page = bed.get(bed.recipients_path(campaign, "reason=Cancelled"));
    CHECK_EQ(page.json().at("recipients").as_array().size(), 5);
    CHECK_EQ(page.json().at("paginationMeta").at("total").as_int64(), 10);
  }

  TEST_CASE("as CSV all who match come, quoted where that is needed") {
    Bed bed;
    const auto campaign = one_of_each(bed);
    const auto csv = bed.get(bed.recipients_path(campaign, "format=csv"));
    CHECK(csv.has("Content-Disposition: attachment; filename=\"recipients-"));
    CHECK_EQ(std::count(csv.body.begin(), csv.body.end(), '\n'), 13);
    CHECK(csv.body.starts_with("contactId,phone,variant,state,reason,reasonText,messageId,"));
    CHECK_NE(csv.body.find(",+498,,Failed,131026,\"Not, \"\"deliverable\"\"\","), csv.body.npos);
    CHECK_NE(csv.body.find(",2026-01-31T13:00:00.000Z,2026-01-31T14:00:00.000Z\r\n"), csv.body.npos);
    const auto nobody = bed.get(bed.recipients_path(campaign, "format=csv&state=Sent&reason=OptedOut")).body;
    CHECK_EQ(std::count(nobody.begin(), nobody.end(), '\n'), 1);
    const auto some = bed.get(bed.recipients_path(campaign, "format=csv&state=Skipped")).body;
    CHECK_EQ(std::count(some.begin(), some.end(), '\n'), 3);
    CHECK_EQ(bed.get(bed.recipients_path(campaign, "format=csv&per_page=5")).pointer(), "?format");

    const auto large = bed.add_campaign(6'500, "CASE WHEN n > 6000 THEN 'Read' ELSE 'Sent' END");
    const auto everybody = bed.get(bed.recipients_path(large, "format=csv")).body;
    CHECK_EQ(std::count(everybody.begin(), everybody.end(), '\n'), 6'501);
    const auto last = bed.get(bed.recipients_path(large, "format=csv&state=Read")).body;
    CHECK_EQ(std::count(last.begin(), last.end(), '\n'), 501);
  }

  TEST_CASE("exports that nobody reads on with leave places for other organizations'") {
    Bed bed;
    const auto one = bed.organization, other = model::new_uuid();
    const auto file = bed.recipients_path(bed.add_campaign(3, "'Sent'"), "format=csv");
    bed.organization = other;
    const auto others = bed.recipients_path(bed.add_campaign(3, "'Sent'"), "format=csv");
    bed.organization = one;
    for (unsigned status = 200; status == 200 && bed.unread.size() < 32;) status = bed.begin(file);
    CHECK_EQ(bed.unread.size(), 16);
    const auto refused = bed.get(file);
    CHECK_EQ(refused.status, 429);
    CHECK(refused.has("Retry-After: 10\r\n"));
    bed.organization = other;
    CHECK_EQ(bed.get(others).status, 200);
    bed.organization = one;
    bed.unread.pop_back();
    CHECK_EQ(bed.get(file).status, 200);
  }

  TEST_CASE("where all places are taken, who has no export gets that of one of those who have most, which breaks off") {
    Bed bed;
    const auto file = bed.recipients_path(bed.add_campaign(3, "'Sent'"), "format=csv");
    while (bed.unread.size() < 16) REQUIRE_EQ(bed.begin(file), 200);
    for (int i = 0; i < 17; ++i) {
      bed.organization = model::new_uuid();
      CHECK_EQ(bed.begin(bed.recipients_path(bed.add_campaign(1, "'Sent'"), "format=csv")), 200);
    }
    int broken_off = 0;
    for (const auto& each : bed.unread) {
      bed.run([](http::BodySource& source, int& broken) -> awaitable<void> {
        try {
          co_await source.next();
        } catch (const http::Problem& problem) {
          broken += problem.status == 503;
        }
      }(*each, broken_off));
      if (each == bed.unread.front()) CHECK_EQ(broken_off, 1);
    }
    CHECK_EQ(broken_off, 1);
  }

  TEST_CASE("what is not there, and what is wrong, is said") {
    Bed bed;
    const auto campaign = bed.add_campaign(3, "'Sent'");
    CHECK_EQ(bed.get(bed.recipients_path(model::new_uuid())).status, 404);
    CHECK_EQ(bed.get(bed.recipients_path(model::new_uuid(), "format=csv")).status, 404);
    CHECK_EQ(bed.get(bed.recipients_path(campaign, "state=Gone")).pointer(), "?state");
    CHECK_EQ(bed.get(bed.recipients_path(campaign, "variant=C")).pointer(), "?variant");
    CHECK_EQ(bed.get(bed.recipients_path(campaign, "variant=C&format=csv")).pointer(), "?variant");
    CHECK_EQ(bed.get(bed.recipients_path(campaign, "reason=")).pointer(), "?reason");
    CHECK_EQ(bed.get(bed.recipients_path(campaign, "cursor=AAAA")).pointer(), "?cursor");
    bed.organization = model::new_uuid();
    CHECK_EQ(bed.get(bed.recipients_path(campaign)).status, 404);
    bed.database.execute("UPDATE campaign SET deleted_at = now()");
    CHECK_EQ(bed.get(bed.recipients_path(campaign)).status, 404);
  }
}

// What streams are told of webhooks' health: little of a target that comes and goes, and nothing that a webhook hears.
#include "tests/integration/subscriptions_bed.hpp"

using namespace parley;
using namespace parley::subscriptions_tests;

namespace {

// Of all webhooks, in order: the state, and why it was switched off.
std::string told(Bed& bed) {
  return bed.database.execute(
      "SELECT coalesce(string_agg(concat_ws(' ', c ->> 'state', c ->> 'disabledReason'), ', ' ORDER BY o.id), '') "
      "FROM outbox o, jsonb_array_elements(o.changes) c WHERE c ->> 'type' = 'webhook.health'");
}

void deliver(Bed& bed, int times = 1) {
  bed.tell(std::vector(static_cast<std::size_t>(times), bed.organization));
  bed.until([&] { return bed.database.number("SELECT count(*) FROM webhook_delivery WHERE state = 'Pending'") == 0; });
}

void fail_since(Bed& bed, const std::string& interval) {
  bed.database.execute("UPDATE webhook SET failing_since = now() - interval '" + interval + "'");
}

}  // namespace

TEST_SUITE("integration: webhooks' health") {
  TEST_CASE("a target that comes and goes tells nothing; one that fails for a minute does, once, and when it is back") {
    Bed bed;
    Endpoint endpoint;
    const auto webhook = bed.make(endpoint.url());
    for (int i = 0; i < 5; ++i) {
      endpoint.answer({500, 204});
      deliver(bed);
    }
    endpoint.answer({500});
    deliver(bed);
    CHECK(told(bed) == "");
    fail_since(bed, "2 minutes");
    deliver(bed, 20);
    CHECK(told(bed) == "Failing");
    const auto since = [&] {
      return bed.database.execute(
          "SELECT c ->> 'failingSince' FROM outbox, jsonb_array_elements(changes) c WHERE c ->> 'type' = "
          "'webhook.health' AND c ->> 'state' = 'Failing'");
    };
    CHECK(json_of(bed.get(webhook.path)).at("webhook").at("failingSince").as_string() == since());

    endpoint.answer({204});
    deliver(bed, 20);
    CHECK(told(bed) == "Failing, Healthy");
    endpoint.answer({500});
    deliver(bed);
    CHECK(told(bed) == "Failing, Healthy");
  }

  TEST_CASE("that a webhook is switched off for its failures is told, and that a member makes it active again") {
    Bed bed;
    Endpoint endpoint;
    endpoint.answer({500});
    const auto webhook = bed.make(endpoint.url());
    fail_since(bed, "6 days");
    deliver(bed);
    CHECK(told(bed) == "Disabled Failing");
    endpoint.answer({204});
    CHECK(bed.post(webhook.path + "/test").status == 202);
    bed.until([&] { return bed.deliveries(webhook, "?state=Delivered").size() == 1; });
    CHECK(bed.post(webhook.path, R"({"description":"what it is for"})").status == 200);
    CHECK(told(bed) == "Disabled Failing");
    CHECK(bed.post(webhook.path, R"({"active":true})").status == 200);
    CHECK(told(bed) == "Disabled Failing, Healthy");
    CHECK(bed.post(webhook.path, R"({"active":false})").status == 200);  // of which the audit tells
    CHECK(bed.post(webhook.path, R"({"active":true})").status == 200);
    CHECK(told(bed) == "Disabled Failing, Healthy");
  }

  TEST_CASE("that a webhook is switched off as its member may not see what it tells is told, of that webhook alone") {
    Bed bed;
    Endpoint endpoint;
    bed.make(endpoint.url("/other"));
    bed.member = model::new_uuid();
    const auto webhook = bed.make(endpoint.url());
    bed.members[bed.member] = "";  // they left
    bed.database.execute("UPDATE webhook SET check_due_at = now()");
    bed.until([&] { return !json_of(bed.get(webhook.path)).at("webhook").at("active").as_bool(); });
    CHECK(told(bed) == "Disabled Permission");
    CHECK(bed.database.execute("SELECT c ->> 'webhookId' FROM outbox, jsonb_array_elements(changes) c WHERE c ->> "
                               "'type' = 'webhook.health'") == webhook.id);
  }

  TEST_CASE("no webhook hears of it, so that none is told of itself") {
    Bed bed;
    Endpoint endpoint;
    const auto refused =
        bed.post("/api/webhooks", R"({"url":")" + endpoint.url() + R"(","events":["webhook.health"]})");
    REQUIRE(refused.status == 400);
    CHECK(json_of(refused).at("errors").at(0).at("pointer").as_string() == "/events/0");
    CHECK(refused.body.find("webhook.health") == std::string::npos);  // among what it may be

    endpoint.answer({500});
    bed.make(endpoint.url());
    bed.database.execute("UPDATE webhook SET events = '{webhook.health,conversation.status}'");
    fail_since(bed, "2 minutes");
    deliver(bed);
    CHECK(told(bed) == "Failing");
    deliver(bed);  // behind it in the feed
    CHECK(bed.database.execute("SELECT string_agg(type, ',') FROM webhook_notice") ==
          "conversation.status,conversation.status");
  }
}

// What is posted to webhooks: signed, tried again, given up, switched off, replayed, and never to the inside.
#include "conversations/events/subscriptions/signature.hpp"
#include "tests/integration/subscriptions_bed.hpp"
#include "tests/support/loopback.hpp"

using namespace parley;
using namespace parley::subscriptions_tests;
using conversations::subscriptions::signature;

namespace {

std::string text_at(const boost::json::value& json, std::string_view name) {
  return json.at({name.data(), name.size()}).as_string().c_str();
}

bool is_settled(Bed& bed) {
  return bed.database.number("SELECT count(*) FROM webhook_delivery WHERE state = 'Pending'") == 0;
}

void check_signed(const Endpoint::Call& call, const std::vector<std::string>& secrets) {
  std::string expected;
  for (const auto& secret : secrets)
    expected += (expected.empty() ? "" : " ") + signature(secret, call.id, std::stoll(call.timestamp), call.body);
  CHECK(call.signature == expected);
}

}  // namespace

TEST_SUITE("integration: outgoing webhooks' deliveries") {
  TEST_CASE("what happens is posted, signed, to those of the organization that ask for it, and noted") {
    Bed bed;
    Endpoint endpoint, other;
    const auto webhook = bed.make(endpoint.url("/hook?x=1"));
    bed.make(other.url(), R"(["message.created"])");
    bed.tell({bed.organization, model::new_uuid()});
    bed.until([&] { return is_settled(bed); });
    const auto calls = endpoint.calls();
    REQUIRE(calls.size() == 1);
    CHECK(other.calls().empty());
    CHECK(calls[0].path == "/hook?x=1");
    check_signed(calls[0], {webhook.secret});
    model::Fault fault;
    const auto body = model::parse(calls[0].body, fault);
    REQUIRE(body);
    CHECK(text_at(*body, "type") == "conversation.status");
    CHECK(text_at(body->at("data"), "to") == "Closed");
    const auto log = bed.deliveries(webhook);
    REQUIRE(log.size() == 1);
    CHECK(text_at(log[0], "state") == "Delivered");
    CHECK(text_at(log[0], "eventId") == calls[0].id);
    CHECK(text_at(log[0], "eventType") == "conversation.status");
    CHECK(log[0].at("attempts").as_int64() == 1);
    CHECK(log[0].at("responseStatus").as_int64() == 204);
    CHECK(log[0].at("nextAttemptAt").is_null());
    CHECK(bed.database.number("SELECT count(*) FROM webhook_notice") == 1);  // nothing for who did not ask
    CHECK(bed.database.number("SELECT count(*) FROM webhook WHERE secret LIKE '%whsec%'") == 0);
  }

  TEST_CASE("a failure is tried again, with the same id and body, until it succeeds") {
    Bed bed;
    Endpoint endpoint;
    endpoint.answer({500, 302, 200});
    const auto webhook = bed.make(endpoint.url());
    bed.tell({bed.organization});
    bed.until([&] { return is_settled(bed); });
    const auto calls = endpoint.calls();
    REQUIRE(calls.size() == 3);  // and none to where the redirect leads
    for (const auto& call : calls) {
      CHECK(call.path == "/hook");
      CHECK(call.id == calls[0].id);
      CHECK(call.body == calls[0].body);
      check_signed(call, {webhook.secret});
    }
    const auto log = bed.deliveries(webhook, "?state=Delivered");
    REQUIRE(log.size() == 1);
    CHECK(log[0].at("attempts").as_int64() == 3);
    CHECK(text_at(log[0], "responseBody") == "thanks");
    CHECK(json_of(bed.get(webhook.path)).at("webhook").at("failingSince").is_null());
  }

  TEST_CASE("what fails each time is given up, shown with what was answered, and can be replayed") {
    Bed bed;
    Endpoint endpoint;
    endpoint.answer({500}, "broken " + std::string(3'000, 'x'));
    const auto webhook = bed.make(endpoint.url());
    bed.tell({bed.organization});
    bed.until([&] { return is_settled(bed); });
    CHECK(endpoint.calls().size() == 3);
    auto log = bed.deliveries(webhook, "?state=Failed");
    REQUIRE(log.size() == 1);
    CHECK(log[0].at("responseStatus").as_int64() == 500);
    CHECK(text_at(log[0], "responseBody").size() == 1'024);
    CHECK(text_at(log[0], "responseBody").starts_with("broken xxx"));
    CHECK_FALSE(json_of(bed.get(webhook.path)).at("webhook").at("failingSince").is_null());

    endpoint.answer({200});
    const auto replay = webhook.path + "/deliveries/" + text_at(log[0], "uniqueId") + "/replay";
    CHECK(bed.post(replay).status == 202);
    bed.until([&] { return is_settled(bed); });
    log = bed.deliveries(webhook);
    REQUIRE(log.size() == 1);
    CHECK(text_at(log[0], "state") == "Delivered");
    CHECK(log[0].at("attempts").as_int64() == 4);
    CHECK(endpoint.calls().back().id == endpoint.calls().front().id);
    CHECK(json_of(bed.get(webhook.path)).at("webhook").at("failingSince").is_null());
    CHECK(bed.post(webhook.path + "/deliveries/" + model::new_uuid().text() + "/replay").status == 404);
    CHECK(bed.post(webhook.path + "/deliveries/x/replay").status == 404);
    CHECK(bed.post("/api/webhooks/" + model::new_uuid().text() + replay.substr(webhook.path.size())).status == 404);
  }

  TEST_CASE("the pauses between attempts grow as promised, and an answer that does not come is a failure") {
    const DeliverySettings usual;
    CHECK(usual.pauses == std::vector<std::chrono::seconds>{5s, 5min, 30min, 2h, 5h, 10h, 10h});
    auto settings = quick_delivery();
    settings.pauses = {5min, 2h};
    Bed bed(settings);
    const auto closed = support::free_port();
    const auto webhook = bed.make("http://127.0.0.1:" + std::to_string(closed) + "/");
    bed.tell({bed.organization});
    for (const std::string pause : {"5 minutes", "2 hours"}) {
      bed.until([&] {
        return bed.database.number("SELECT count(*) FROM webhook_delivery WHERE due_at > now() + interval '" + pause +
                                   "' - interval '70 seconds'") == 1;
      });
      CHECK(bed.database.number("SELECT count(*) FROM webhook_delivery WHERE due_at <= now() + interval '" + pause +
                                "'") == 1);
      CHECK(text_at(bed.deliveries(webhook).at(0), "error").starts_with("connecting: "));
      CHECK(bed.deliveries(webhook).at(0).at("responseStatus").is_null());
      bed.database.execute("UPDATE webhook_delivery SET due_at = now()");
    }
    bed.until([&] { return is_settled(bed); });
    CHECK(text_at(bed.deliveries(webhook).at(0), "state") == "Failed");
  }

  TEST_CASE(
      "a webhook that has only failed for too long is switched off, and says so; switched on it is called again") {
    Bed bed;
    Endpoint endpoint;
    endpoint.answer({500});
    const auto webhook = bed.make(endpoint.url());
    bed.tell({bed.organization});
    bed.until([&] { return is_settled(bed); });
    CHECK(json_of(bed.get(webhook.path)).at("webhook").at("active").as_bool());
    bed.database.execute("UPDATE webhook SET failing_since = now() - interval '6 days'");
    bed.tell({bed.organization});
    bed.until([&] { return is_settled(bed); });
    auto shown = json_of(bed.get(webhook.path)).at("webhook");
    CHECK_FALSE(shown.at("active").as_bool());
    CHECK_FALSE(shown.at("disabledAt").is_null());
    const auto log = bed.deliveries(webhook, "?state=Failed");
    REQUIRE(log.size() == 2);
    CHECK(text_at(log[0], "error") == "the webhook is not active");
    CHECK(log[0].at("attempts").as_int64() == 1);
    const auto calls = endpoint.calls().size();
    bed.tell({bed.organization});
    CHECK(bed.deliveries(webhook).size() == 2);  // nothing is made for it
    CHECK(bed.post(webhook.path + "/deliveries/" + text_at(log[0], "uniqueId") + "/replay").status == 409);

    endpoint.answer({200});
    CHECK(bed.post(webhook.path + "/test").status == 202);  // which is how one sees that it is good again
    bed.until([&] { return is_settled(bed); });
    CHECK(endpoint.calls().size() == calls + 1);
    CHECK(endpoint.calls().back().body.find("webhook.test") != std::string::npos);
    shown = json_of(bed.post(webhook.path, R"({"active":true})")).at("webhook");
    CHECK(shown.at("active").as_bool());
    CHECK(shown.at("disabledAt").is_null());
    CHECK(shown.at("failingSince").is_null());
    CHECK(bed.post(webhook.path + "/deliveries/" + text_at(log[0], "uniqueId") + "/replay").status == 202);
    bed.tell({bed.organization});
    bed.until([&] { return is_settled(bed); });
    CHECK(endpoint.calls().size() == calls + 3);
  }

  TEST_CASE("an endpoint that hangs holds up no other, and only some of its own at once") {
    auto settings = quick_delivery();
    settings.most = 8;
    settings.reserved = 2;
    settings.max_of_one = 3;
    Bed bed(settings);
    Endpoint slow, quick;
    slow.answer({0});
    bed.make(slow.url());
    bed.tell(std::vector(20, bed.organization));  // its own come first
    const auto webhook = bed.make(quick.url());
    bed.tell(std::vector(20, bed.organization));
    bed.until([&] { return quick.calls().size() == 20; });
    bed.until([&] { return bed.deliveries(webhook, "?state=Delivered&per_page=100").size() == 20; });
    CHECK(slow.calls().size() == 3);
  }

  TEST_CASE("an organization whose endpoints all hang leaves places to others") {
    auto settings = quick_delivery();
    settings.most = 8;
    settings.reserved = 2;
    Bed bed(settings);
    Endpoint slow, quick;
    slow.answer({0});
    for (int i = 0; i < 8; ++i) bed.make(slow.url("/" + std::to_string(i)));
    bed.tell(std::vector(20, bed.organization));  // its own come first
    bed.organization = model::new_uuid();
    const auto webhook = bed.make(quick.url());
    bed.tell(std::vector(20, bed.organization));
    bed.until([&] { return bed.deliveries(webhook, "?state=Delivered&per_page=100").size() == 20; });
    CHECK(quick.calls().size() == 20);
    CHECK(slow.calls().size() == 4);  // as many as were still free
  }

  TEST_CASE("after a rotation both secrets sign for a day, and then the new one alone") {
    Bed bed;
    Endpoint endpoint;
    const auto webhook = bed.make(endpoint.url());
    const auto rotated = json_of(bed.post(webhook.path + "/rotate-secret"));
    const auto secret = text_at(rotated, "secret");
    CHECK(secret != webhook.secret);
    CHECK(text_at(json_of(bed.get(webhook.path)).at("webhook"), "previousSecretValidUntil") ==
          text_at(rotated, "previousSecretValidUntil"));
    bed.tell({bed.organization});
    bed.until([&] { return is_settled(bed); });
    check_signed(endpoint.calls().at(0), {secret, webhook.secret});
    bed.database.execute("UPDATE webhook SET old_secret_until = now()");
    bed.tell({bed.organization});
    bed.until([&] { return is_settled(bed); });
    check_signed(endpoint.calls().at(1), {secret});
    CHECK(json_of(bed.get(webhook.path)).at("webhook").at("previousSecretValidUntil").is_null());
  }

  TEST_CASE("addresses of the inside are never called, whatever name leads there") {
    auto settings = quick_delivery();
    settings.allow_private = false;
    settings.pauses = {};
    Bed bed(settings, false);
    Endpoint inside;
    const auto refused = [&](const std::string& url) {
      return bed.post("/api/webhooks", R"({"url":")" + url + R"(","events":["conversation.status"]})").status == 400;
    };
    CHECK(refused(inside.url()));  // http
    CHECK(refused("https://127.0.0.1:" + std::to_string(inside.port()) + "/"));
    CHECK(refused("https://[::ffff:10.0.0.1]/"));
    const auto port = std::to_string(inside.port());
    std::vector<std::string> urls{"https://localhost:" + port + "/", "https://2130706433:" + port + "/",
                                  "https://0x7f000001:" + port + "/", "https://127.1:" + port + "/"};
    for (const auto& url : urls) bed.make(url);
    // One that was allowed when it was given, or slipped in.
    bed.make("https://example.com/");
    bed.database.execute("UPDATE webhook SET url = 'https://127.0.0.1:" + port + "/' WHERE url LIKE '%example.com/'");
    bed.tell({bed.organization});
    bed.until([&] { return is_settled(bed); });
    CHECK(
        bed.database.number("SELECT count(*) FROM webhook_delivery WHERE state = 'Failed' AND response_status IS NULL "
                            "AND error = 'the address is not one that may be called'") == 5);
    CHECK(inside.calls().empty());
  }

  TEST_CASE("what was begun by one who died is taken over, and what is old goes") {
    Bed bed;
    Endpoint endpoint;
    const auto webhook = bed.make(endpoint.url());
    bed.tell({bed.organization});
    bed.until([&] { return is_settled(bed); });
    // As claimed a minute ago by somebody who never said what came of it.
    bed.database.execute("UPDATE webhook_delivery SET state = 'Pending', due_at = clock_timestamp()");
    bed.until([&] { return is_settled(bed); });
    CHECK(endpoint.calls().size() == 2);
    bed.database.execute("UPDATE webhook_notice SET body = NULL");  // as the contact's deletion does
    bed.database.execute("UPDATE webhook_delivery SET state = 'Pending', due_at = clock_timestamp(), tries = 0");
    bed.until([&] { return is_settled(bed); });
    CHECK(endpoint.calls().size() == 2);
    CHECK(text_at(bed.deliveries(webhook).at(0), "error") == "the contact that it told of was deleted");
  }
}

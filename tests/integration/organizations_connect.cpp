// Connecting a business account, against a channel simulator: every step may fail, and is gone on with.
#include <algorithm>

#include "tests/integration/organizations_simulator.hpp"

using namespace parley;
using namespace parley::organizations_tests;

namespace {

constexpr auto kConnect = "/api/organization/messagingBusinessAccount";
const std::string kAccount = "100000000000001";
const std::string kExchange = "/oauth/access_token";

std::string body(const std::string& code, const std::string& number, const std::string& account = kAccount) {
  return R"({"businessAccountId":")" + account + R"(","code":")" + code + R"(","phoneNumberId":")" + number + "\"}";
}

// Tests share a database, and a number is one organization's.
std::string new_number() {
  static int count = 0;
  return "2000" + std::to_string(++count);
}

// What the tables hold of an organization's account, as text.
std::string stored(const Caller& owner) {
  const auto where = " t WHERE t.organization_id = '" + owner.organization.text() + "')";
  return World::sql("SELECT concat((SELECT t::text FROM account" + where + ", (SELECT t::text FROM account_setup" +
                    where + ")");
}

struct Connected {
  explicit Connected(const std::string& app_secret = "the-app-secret", const std::string& callback = "")
      : channel(app_secret, callback), owner(channel.world.new_owner()), number(new_number()) {
    channel.add_account(kAccount, number);
  }
  Answer connect(const std::string& code) { return channel.world.post(owner, kConnect, body(code, number)); }
  boost::json::value details() {
    return channel.world.get(owner, "/api/organization").at("/organizations/0/messagingBusinessAccountDetails");
  }

  Channel channel;
  Caller owner;
  std::string number;
};

}  // namespace

TEST_CASE("An account is connected in four calls, and its secrets are whole in this answer alone") {
  Connected at;
  const auto answer = at.connect("code-1");
  REQUIRE(answer.status == 200);
  CHECK(answer.has_header("Cache-Control: no-store"));
  const auto token = answer.text_at("/accessToken"), secret = answer.text_at("/webhookSecret");
  CHECK(answer.text == R"({"businessAccountId":")" + kAccount + R"(","phoneNumberId":")" + at.number +
                           R"(","accessToken":")" + token + R"(","webhookSecret":")" + secret +
                           R"(","verificationStatus":"Verified","isPhoneNumberRegisteredToCloudApi":true})");
  CHECK(token.starts_with("EAAS"));
  CHECK(secret.size() == 64);
  CHECK(secret.find_first_not_of("0123456789abcdef") == secret.npos);
  CHECK(at.channel.calls() == std::vector<std::string>{"GET /v20.0/oauth/access_token 200",
                                                       "POST /v20.0/" + kAccount + "/subscribed_apps 200",
                                                       "GET /v20.0/" + at.number + " 200",
                                                       "POST /v20.0/" + at.number + "/register 200"});

  const auto listed = at.channel.world.get(at.owner, "/api/organization");
  CHECK(listed.text.find(token) == std::string::npos);
  CHECK(listed.text.find(secret) == std::string::npos);
  CHECK(listed.text_at("/organizations/0/businessAccountId") == kAccount);
  CHECK(listed.at("/organizations/0/isOnboardingCompleted").as_bool());
  CHECK(at.details().at("accessToken").as_string() == "****" + token.substr(token.size() - 4));
  CHECK(at.details().at("webhookSecret").as_string() == "****" + secret.substr(60));

  const auto audit = at.channel.world.get(at.owner, "/api/organization/audit?action=MessagingAccountConnected");
  REQUIRE(audit.at("/entries").as_array().size() == 1);
  CHECK(audit.at("/entries/0/after/phoneNumberId").as_string() == at.number);
  CHECK(audit.text.find(token) == std::string::npos);
  CHECK(audit.text.find(secret) == std::string::npos);
}

TEST_CASE("No secret is in the tables in clear") {
  Connected at;
  const auto answer = at.connect("code-clear");
  REQUIRE(answer.status == 200);
  const auto journal = at.channel.read("accounts");
  std::string pin;
  for (const auto& account : journal.at("accounts").as_array())
    for (const auto& number : account.at("phoneNumbers").as_array())
      if (number.at("id").as_string() == at.number) pin = number.at("pin").as_string();
  REQUIRE(pin.size() == 6);
  const auto rows = stored(at.owner);
  REQUIRE(rows.find(kAccount) != std::string::npos);
  for (const auto& secret : {answer.text_at("/accessToken"), answer.text_at("/webhookSecret"), "," + pin + ",",
                             "\"" + pin + "\"", std::string("code-clear"), std::string("the-app-secret")})
    CHECK_MESSAGE(rows.find(secret) == std::string::npos, secret);
}

TEST_CASE("A step that fails is taken up again with the same code, which is exchanged once") {
  Connected at;
  struct Step {
    std::string path;
    std::size_t calls_before;  // of the whole sequence
  };
  const std::vector<std::string> paths{"/" + kAccount + "/subscribed_apps", "/" + at.number,
                                       "/" + at.number + "/register"};
  int code = 0;
  for (const auto& path : paths) {
    for (const auto* how : {"500", "503", "\"reset\"", "\"hang\"", "\"lose\""}) {
      CAPTURE(path);
      CAPTURE(how);
      at.channel.control(http::Method::del, "journal");
      at.channel.fail(path, how, std::string_view(how) == "\"reset\"" || std::string_view(how) == "\"lose\"" ? 2 : 1);
      const auto text = "code-resumed-" + std::to_string(++code);
      auto answer = at.connect(text);
      // A call that may be repeated is, at once: then it did not fail.
      for (int tries = 0; answer.status != 200 && tries < 2; ++tries) {
        CHECK(answer.status == 503);
        CHECK(answer.head.find("Retry-After: ") != std::string::npos);
        answer = at.connect(text);
      }
      CHECK(answer.status == 200);
      CHECK(answer.at("/isPhoneNumberRegisteredToCloudApi").as_bool());
      CHECK(at.channel.count(kExchange) == 1);
      at.channel.control(http::Method::del, "faults");
    }
  }
}

TEST_CASE("What was reached is not done again") {
  Connected at;
  at.channel.fail("/" + at.number + "/register", "500");
  REQUIRE(at.connect("code-once").status == 503);
  const auto calls = at.channel.calls().size();
  REQUIRE(at.connect("code-once").status == 200);
  const auto all = at.channel.calls();
  CHECK(std::vector<std::string>(all.begin() + static_cast<std::ptrdiff_t>(calls), all.end()) ==
        std::vector<std::string>{"GET /v20.0/" + at.number + " 200", "POST /v20.0/" + at.number + "/register 200"});
  at.channel.control(http::Method::del, "journal");
  REQUIRE(at.connect("code-once").status == 200);
  CHECK(at.channel.calls() == std::vector<std::string>{"GET /v20.0/" + at.number + " 200"});
}

TEST_CASE("A token that got lost on its way needs a new code") {
  Connected at;
  at.channel.fail(kExchange, "\"lose\"");
  CHECK(at.connect("code-lost").status == 503);
  const auto again = at.connect("code-lost");
  CHECK(again.status == 400);
  CHECK(again.text_at("/errors/0/pointer") == "/code");
  CHECK(again.text_at("/detail").find("This authorization code has been used.") != std::string::npos);
  CHECK(at.channel.count(kExchange) == 2);
  CHECK(at.connect("code-next").status == 200);
}

TEST_CASE("A channel that is out of reach or out of order is a 503, one that makes no sense a 502") {
  Connected at;
  at.channel.fail(kExchange, "500");
  CHECK(at.connect("code-a").status == 503);
  at.channel.fail(kExchange, "\"hang\"");
  CHECK(at.connect("code-a").status == 503);
  at.channel.fail(kExchange, "200");  // an empty body
  CHECK(at.connect("code-a").status == 502);
  at.channel.fail(kExchange, "403");
  CHECK(at.connect("code-a").status == 502);
  at.channel.fail(kExchange, "400", 1, R"({"message":"(#4) Application request limit reached","code":4})");
  CHECK(at.connect("code-a").status == 503);
  at.channel.fail(kExchange, "500", 1, R"({"message":"unexpected","code":2,"is_transient":true})");
  CHECK(at.connect("code-a").status == 503);
  CHECK(at.connect("code-a").status == 200);

  World nobody_there;
  const auto owner = nobody_there.new_owner();
  const auto answer = nobody_there.post(owner, kConnect, body("code-b", new_number()));
  CHECK(answer.status == 503);
  CHECK(answer.head.find("Retry-After: ") != std::string::npos);
}

TEST_CASE("Errors that pass are a 503 at every step, whatever the status") {
  Connected at;
  const auto check = [&](const std::string& path, int code, const std::string& status) {
    CAPTURE(path);
    CAPTURE(code);
    at.channel.fail(path, status, 1, R"({"message":"not now","code":)" + std::to_string(code) + "}");
    CHECK(at.connect("code-passes").status == 503);
  };
  for (const auto& path :
       {kExchange, "/" + kAccount + "/subscribed_apps", "/" + at.number, "/" + at.number + "/register"}) {
    for (const auto code : {2, 4, 17, 341, 613, 80007, 130429, 131016, 131057, 133004}) check(path, code, "400");
    for (const auto code : {1, 131000, 135000, 424242}) check(path, code, "500");
    for (const auto code : {1, 131000, 135000})
      if (path != kExchange) check(path, code, "400");
  }
  CHECK(at.connect("code-passes").status == 200);
}

TEST_CASE("What the channel refuses is told with its words and the field to blame") {
  Connected at;
  const auto refused = [&](const std::string& request, const char* pointer, const char* step) {
    const auto answer = at.channel.world.post(at.owner, kConnect, request);
    CHECK(answer.status == 400);
    CHECK(answer.text_at("/errors/0/pointer") == pointer);
    CHECK(answer.text_at("/detail").find(step) != std::string::npos);
    return answer;
  };
  refused(body("not-one", at.number), "/code", "Invalid verification code format.");
  refused(body("code-r1", at.number, "999"), "/businessAccountId", "refused to subscribe");
  refused(body("code-r1", "888"), "/phoneNumberId", "refused to show the phone number");
  at.channel.fail("/" + at.number + "/register", "403", 1, R"({"message":"(#10) no permission","code":10})");
  refused(body("code-r1", at.number), "/phoneNumberId", "refused to register the phone number: (#10) no permission");
  CHECK(at.details().is_null());
  CHECK(World::sql("SELECT count(*) FROM phone_directory WHERE phone_number_id = '" + at.number + "'") == "0");
  CHECK(at.connect("code-r1").status == 200);
  CHECK(at.channel.count(kExchange) == 2);
}

TEST_CASE("An application that the channel does not know is our fault, not the caller's") {
  Connected at("another-secret");
  const auto answer = at.connect("code-1");
  CHECK(answer.status == 502);
  CHECK(answer.text.find("secret") == std::string::npos);
}

TEST_CASE("A number that cannot be registered now leaves an account that is of use") {
  Connected at;
  at.channel.fail("/" + at.number + "/register", "400", 1, R"({"message":"(#133016) too often","code":133016})");
  const auto first = at.connect("code-slow");
  REQUIRE(first.status == 200);
  CHECK_FALSE(first.at("/isPhoneNumberRegisteredToCloudApi").as_bool());
  CHECK_FALSE(at.details().at("isPhoneNumberRegisteredToCloudApi").as_bool());
  const auto second = at.connect("code-slow");
  CHECK(second.at("/isPhoneNumberRegisteredToCloudApi").as_bool());
  CHECK(second.text_at("/accessToken") == first.text_at("/accessToken"));
  CHECK(at.details().at("isPhoneNumberRegisteredToCloudApi").as_bool());
  // Registered before, refused now: it still is.
  at.channel.fail("/" + at.number + "/register", "400", 1, R"({"message":"(#133016) too often","code":133016})");
  const auto third = at.connect("code-slow-2");
  CHECK(third.at("/isPhoneNumberRegisteredToCloudApi").as_bool());
  CHECK(third.text_at("/accessToken") != first.text_at("/accessToken"));
  CHECK(third.text_at("/webhookSecret") == first.text_at("/webhookSecret"));
}

TEST_CASE("A number that is not verified says so") {
  Connected at;
  at.channel.add_account(kAccount, at.number, "NOT_VERIFIED");
  CHECK(at.connect("code-1").text_at("/verificationStatus") == "Unverified");
  at.channel.add_account(kAccount, at.number, "VERIFIED");
  CHECK(at.connect("code-1").text_at("/verificationStatus") == "Verified");
}

TEST_CASE("A failed change leaves the account that works") {
  Connected at;
  const auto before = at.connect("code-first");
  REQUIRE(before.status == 200);
  const auto shown = boost::json::serialize(at.details());
  CHECK(at.connect("garbage").status == 400);
  at.channel.fail("/" + kAccount + "/subscribed_apps", "500");
  CHECK(at.connect("code-second").status == 503);
  CHECK(boost::json::serialize(at.details()) == shown);
  // A code that nobody gave does not lose the token that was got meanwhile.
  CHECK(at.connect("garbage").status == 400);
  at.channel.control(http::Method::del, "journal");
  const auto after = at.connect("code-second");
  CHECK(after.status == 200);
  CHECK(at.channel.count(kExchange) == 0);
  CHECK(boost::json::serialize(at.details()) != shown);
}

TEST_CASE("A number is one organization's, and the code is not spent to learn it") {
  Connected at;
  REQUIRE(at.connect("code-mine").status == 200);
  auto& world = at.channel.world;
  const auto other = world.new_owner();
  at.channel.control(http::Method::del, "journal");
  const auto taken = world.post(other, kConnect, body("code-theirs", at.number));
  CHECK(taken.status == 409);
  CHECK(taken.text_at("/errors/0/pointer") == "/phoneNumberId");
  CHECK(at.channel.calls().empty());

  // It is free once its organization moves to another number.
  const auto number = new_number();
  at.channel.add_account(kAccount, number);
  CHECK(world.post(at.owner, kConnect, body("code-mine", number)).status == 200);
  CHECK(at.channel.count(kExchange) == 0);
  at.channel.fail("/" + at.number + "/register", "400", 1, R"({"message":"PIN mismatch","code":133005})");
  CHECK(world.post(other, kConnect, body("code-theirs", at.number)).status == 200);
  CHECK(world.post(at.owner, kConnect, body("code-mine", at.number)).status == 409);
}

TEST_CASE("Others are told when an account is connected or replaced, with the numbers that it has and has left") {
  Connected at;
  const auto told = [&] {
    return World::sql(
        "SELECT coalesce(string_agg(e->>'phoneNumberIds', ' ' ORDER BY o.id), '') FROM outbox o, "
        "jsonb_array_elements(o.changes) e WHERE e->>'type' = 'account.changed' AND "
        "e->>'organizationId' = '" +
        at.owner.organization.text() + "'");
  };
  CHECK(at.connect("garbage").status == 400);
  CHECK(told() == "");
  REQUIRE(at.connect("code-first").status == 200);
  const auto first = "[\"" + at.number + "\"]";
  CHECK(told() == first);
  REQUIRE(at.connect("code-second").status == 200);  // another token
  CHECK(told() == first + " " + first);
  const auto number = new_number();
  at.channel.add_account(kAccount, number);
  REQUIRE(at.channel.world.post(at.owner, kConnect, body("code-second", number)).status == 200);
  CHECK(told() == first + " " + first + " [\"" + at.number + "\", \"" + number + "\"]");
}

TEST_CASE("Two organizations that connect one number at once: one gets it") {
  Connected at;
  auto& world = at.channel.world;
  const auto other = world.new_owner();
  std::vector<awaitable<Answer>> at_once;
  at_once.push_back(world.ask(at.owner, http::Method::post, kConnect, body("code-one", at.number)));
  at_once.push_back(world.ask(other, http::Method::post, kConnect, body("code-two", at.number)));
  const auto answers = world.run_all(std::move(at_once));
  CHECK(answers[0].status + answers[1].status == 200 + 409);
}

TEST_CASE("The same request many times at once spends its code once") {
  Connected at;
  auto& world = at.channel.world;
  std::vector<awaitable<Answer>> at_once;
  for (int i = 0; i < 6; ++i)
    at_once.push_back(world.ask(at.owner, http::Method::post, kConnect, body("code-many", at.number)));
  int good = 0;
  for (const auto& answer : world.run_all(std::move(at_once))) {
    CHECK((answer.status == 200 || answer.status == 409));
    good += answer.status == 200;
  }
  CHECK(good >= 1);
  CHECK(at.channel.count(kExchange) == 1);
}

TEST_CASE("Under a key an account is connected once, however many ask and however it fails before") {
  Connected at;
  auto& world = at.channel.world;
  const Fields key{{"Idempotency-Key", "connect"}};
  at.channel.fail("/" + at.number + "/register", "500");
  CHECK(world.post(at.owner, kConnect, body("code-key", at.number), key).status == 503);

  int good = 0;
  for (int round = 0; round < 3; ++round) {
    std::vector<awaitable<Answer>> at_once;
    for (int i = 0; i < 10; ++i)
      at_once.push_back(world.ask(at.owner, http::Method::post, kConnect, body("code-key", at.number), key));
    for (const auto& answer : world.run_all(std::move(at_once))) {
      CHECK((answer.status == 200 || answer.status == 409));
      good += answer.status == 200;
    }
  }
  CHECK(good == 1);
  CHECK(at.channel.count(kExchange) == 1);
  const auto where = " WHERE organization_id = '" + at.owner.organization.text() + "'";
  CHECK(World::sql("SELECT count(*) FROM audit" + where + " AND action = 'MessagingAccountConnected'") == "1");
  CHECK(World::sql("SELECT count(*) FROM idempotency" + where + " AND body IS NULL") == "1");
  const auto again = world.post(at.owner, kConnect, body("code-key", at.number), key);
  CHECK(again.status == 409);
  CHECK(again.text.find("shown once") != again.text.npos);
  CHECK(world.post(at.owner, kConnect, body("another", at.number), key).status == 422);
  // Without a key, or under another one, the account is told again.
  CHECK(at.connect("code-key").status == 200);
  CHECK(world.post(at.owner, kConnect, body("code-key", at.number), {{"Idempotency-Key", "again"}}).status == 200);
}

TEST_CASE("A process that went in the middle holds nobody up for long") {
  Connected at;
  at.channel.fail("/" + at.number + "/register", "500");
  REQUIRE(at.connect("code-left").status == 503);
  const auto where = " WHERE organization_id = '" + at.owner.organization.text() + "'";
  World::sql("UPDATE account_setup SET lease = organization_id, leased_until = now() + interval '1 hour'" + where);
  const auto held = at.connect("code-left");
  CHECK(held.status == 409);
  CHECK(held.has_header("Retry-After: 5"));
  World::sql("UPDATE account_setup SET leased_until = now() - interval '1 second'" + where);
  CHECK(at.connect("code-left").status == 200);
}

TEST_CASE("With a public address the channel is told where to send an organization's events") {
  Connected at("the-app-secret", "https://parley.example/webhooks/messaging/");
  const auto answer = at.connect("code-1");
  REQUIRE(answer.status == 200);
  const auto accounts = at.channel.read("accounts");
  const auto& subscription = accounts.at_pointer("/accounts/0/subscription");
  CHECK(subscription.at("override_callback_uri").as_string() ==
        "https://parley.example/webhooks/messaging/" + at.owner.organization.text());
  CHECK(subscription.at("verify_token").as_string() == answer.text_at("/webhookSecret"));
}

TEST_CASE("Ids that are no digits and codes beyond all measure never reach the channel") {
  Connected at;
  auto& world = at.channel.world;
  for (const auto& bad :
       {body("code-1", "../me"), body("code-1", ""), body("code-1", std::string(65, '1')),
        body("code-1", at.number, "1?x=1"), body("", at.number), body(std::string(2049, 'c'), at.number),
        std::string(R"({"businessAccountId":"1","phoneNumberId":"1"})"), std::string("[]")})
    CHECK(world.post(at.owner, kConnect, bad).status == 400);
  auto caller = at.owner;
  caller.permissions.remove(Permission::update_messaging_business_account);
  CHECK(world.post(caller, kConnect, body("code-1", at.number)).status == 403);
  CHECK(at.channel.calls().empty());
}

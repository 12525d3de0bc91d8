// What conversations is told of the account that it sends through.
#include "tests/integration/organizations_simulator.hpp"

using namespace parley;
using namespace parley::organizations_tests;

namespace {

// An organization that is connected to a number of its own.
struct Connected {
  Connected() { channel.add_account("100000000000001", number); }
  Answer connect(const std::string& code) {
    return channel.world.post(
        owner, "/api/organization/messagingBusinessAccount",
        R"({"businessAccountId":"100000000000001","code":")" + code + R"(","phoneNumberId":")" + number + "\"}");
  }
  Answer by_organization(const model::Uuid& id) {
    return channel.world.get_as_conversations("/internal/accounts?organization_id=" + id.text());
  }
  Answer by_number(const std::string& id) {
    return channel.world.get_as_conversations("/internal/accounts?phone_number_id=" + id);
  }

  Channel channel;
  Caller owner = channel.world.new_owner();
  std::string number = "21" + std::to_string(model::Timestamp::now().milliseconds_since_epoch);
};

}  // namespace

TEST_CASE("an account is told whole, by its organization and by its number") {
  Connected at;
  CHECK(at.by_organization(at.owner.organization).status == 404);
  CHECK(at.by_number(at.number).status == 404);
  const auto connected = at.connect("code-1");
  REQUIRE(connected.status == 200);
  const auto told = at.by_organization(at.owner.organization);
  CHECK(told.status == 200);
  CHECK(told.has_header("Cache-Control: no-store"));
  CHECK(told.text_at("/organizationId") == at.owner.organization.text());
  CHECK(told.text_at("/businessAccountId") == "100000000000001");
  CHECK(told.text_at("/phoneNumberId") == at.number);
  CHECK_FALSE(told.text_at("/displayPhoneNumber").empty());
  CHECK_FALSE(told.text_at("/verifiedName").empty());
  CHECK(told.text_at("/accessToken") == connected.text_at("/accessToken"));
  CHECK(told.text_at("/webhookSecret") == connected.text_at("/webhookSecret"));
  CHECK(at.by_number(at.number).text == told.text);
  CHECK(at.by_number("21").status == 404);
  CHECK(at.by_organization(model::new_uuid()).status == 404);
}

TEST_CASE("an account is told to conversations only, and only when one is asked for") {
  Connected at;
  REQUIRE(at.connect("code-1").status == 200);
  const auto target = "/internal/accounts?organization_id=" + at.owner.organization.text();
  CHECK(at.channel.world.get(at.owner, target).status == 404);
  CHECK(at.channel.world.get_as_conversations("/internal/accounts").status == 400);
  CHECK(at.channel.world.get_as_conversations(target + "&phone_number_id=" + at.number).status == 400);
}

TEST_CASE("whose a business account is: of all who send through it, and of nobody who is gone") {
  Connected at;
  const auto owners = [&](const std::string& account) {
    const auto answer =
        at.channel.world.get_as_conversations("/internal/accounts/owners?business_account_id=" + account);
    CHECK(answer.status == 200);
    return answer.text;
  };
  const auto id = at.owner.organization.text();
  REQUIRE(at.connect("code-1").status == 200);
  CHECK(owners("100000000000001").find(id) != std::string::npos);
  CHECK(owners("100000000000009").find(id) == std::string::npos);
  CHECK(at.channel.world.get_as_conversations("/internal/accounts/owners").status == 400);
  CHECK(at.channel.world.get(at.owner, "/internal/accounts/owners?business_account_id=100000000000001").status == 404);
  REQUIRE(at.channel.world.del(at.owner, "/api/organization/" + id + "?name=Engines").status == 204);
  CHECK(owners("100000000000001").find(id) == std::string::npos);
}

TEST_CASE("an organization that was deleted sends nothing any more") {
  Connected at;
  REQUIRE(at.connect("code-1").status == 200);
  REQUIRE(
      at.channel.world.del(at.owner, "/api/organization/" + at.owner.organization.text() + "?name=Engines").status ==
      204);
  CHECK(at.by_organization(at.owner.organization).status == 404);
  CHECK(at.by_number(at.number).status == 404);
}

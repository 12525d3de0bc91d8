// What a webhook tells, the member who answers for it must be allowed to see.
#include "common/events/organization_changes.hpp"
#include "common/model/text.hpp"
#include "tests/integration/subscriptions_bed.hpp"

using namespace parley;
using namespace parley::subscriptions_tests;
using identity::Permission;

namespace {

constexpr auto kWebhooks = "/api/webhooks";

identity::PermissionSet only(std::initializer_list<Permission> permissions) {
  identity::PermissionSet out;
  for (const auto permission : permissions) out.add(permission);
  return out;
}

std::string body_of(const std::string& url, const std::string& events) {
  return R"({"url":")" + url + R"(","events":[)" + events + "]}";
}

std::string member_json(const Uuid& id, std::vector<std::string> permissions) {
  return model::to_json(model::OrganizationMember{
      id, {}, model::AccessLevel::Member, "Ada", "ada@example.com", {{model::new_uuid(), "Role", "", permissions}}});
}

bool is_active(Bed& bed, const std::string& path) {
  return json_of(bed.get(path)).at("webhook").at("active").as_bool();
}

// What organizations' feed tells.
void tell_access(Bed& bed, std::optional<Uuid> member) {
  events::Changes changes;
  changes.add(events::AccessChanged{bed.organization, member, {}, {}});
  const auto apply = [](Bed& of, model::RawJson json) -> awaitable<void> {
    auto transaction = co_await of.pool().begin();
    const std::vector<events::Event> events{{.position = 1, .changes = std::move(json)}};
    co_await conversations::subscriptions::apply_organizations(transaction, events);
    co_await transaction.commit();
  };
  bed.run(apply(bed, changes.json()));
}

}  // namespace

TEST_SUITE("integration: what webhooks may tell") {
  TEST_CASE("who may not see what it tells makes no webhook, and changes none so that it tells it") {
    Bed bed;
    Endpoint endpoint;
    bed.permissions = only({Permission::update_integration_settings});
    const auto refused = bed.post(kWebhooks, body_of(endpoint.url(), R"("message.created")"));
    REQUIRE(refused.status == 403);
    CHECK(json_of(refused).at("errors").as_array().size() == 2);
    for (const auto* name : {"Get:Message", "Get:Conversation"}) CHECK(refused.body.find(name) != std::string::npos);
    bed.permissions = only({Permission::update_integration_settings, Permission::get_conversation});
    CHECK(bed.post(kWebhooks, body_of(endpoint.url(), R"("conversation.status")")).status == 201);
    CHECK(bed.post(kWebhooks, body_of(endpoint.url(), R"("conversation.status","message.status")")).status == 403);
    CHECK(bed.post(kWebhooks, body_of(endpoint.url(), R"("contact.created")")).status == 403);
    CHECK(bed.post(kWebhooks, body_of(endpoint.url(), R"("campaign.reply")")).status == 403);

    bed.permissions = identity::PermissionSet::all();
    const auto webhook = bed.make(endpoint.url(), R"(["message.created"])");
    bed.permissions = only({Permission::update_integration_settings});
    CHECK(bed.post(webhook.path, R"({"url":")" + endpoint.url("/mine") + "\"}").status == 403);
    CHECK(bed.post(webhook.path, R"({"events":["campaign.reply"]})").status == 403);
    CHECK(bed.post(webhook.path, R"({"description":"what it is for"})").status == 200);
    CHECK(bed.post(webhook.path, R"({"active":false})").status == 200);
    CHECK(bed.post(webhook.path, R"({"active":true})").status == 403);
    CHECK(bed.post(webhook.path + "/test").status == 202);
  }

  TEST_CASE("an endpoint's words are not shown, nor is anything posted again, for who may not see what was posted") {
    Bed bed;
    Endpoint endpoint;
    endpoint.answer({500}, "you said: the secret words");
    const auto webhook = bed.make(endpoint.url());
    bed.tell({bed.organization});
    bed.until([&] { return bed.deliveries(webhook, "?state=Failed").size() == 1; });
    const auto id = std::string(bed.deliveries(webhook)[0].at("uniqueId").as_string());
    const auto seen = bed.deliveries(webhook)[0];
    CHECK(seen.at("responseBody").as_string().starts_with("you said"));
    CHECK(seen.at("responseStatus") == 500);
    CHECK(seen.at("payload").as_string() == endpoint.calls().at(0).body);
    CHECK(seen.at("payloadOctets") == endpoint.calls().at(0).body.size());
    bed.permissions = only({Permission::update_integration_settings});
    const auto hidden = bed.deliveries(webhook)[0];
    CHECK(hidden.at("responseBody").as_string().empty());
    CHECK(hidden.at("payload").is_null());
    CHECK(hidden.at("payloadOctets").is_null());
    const auto tested = json_of(bed.post(webhook.path + "/test")).at("delivery").at("payload");
    CHECK(tested.as_string().find("webhook.test") != std::string::npos);  // of which anybody may know
    CHECK(bed.post(webhook.path + "/deliveries/" + id + "/replay").status == 403);
    bed.permissions.add(Permission::get_conversation);
    CHECK(bed.post(webhook.path + "/deliveries/" + id + "/replay").status == 202);
  }

  TEST_CASE("of a long payload the beginning is shown, and nothing of one whose contact was deleted") {
    Bed bed;
    Endpoint endpoint;
    const auto webhook = bed.make(endpoint.url());
    bed.tell({bed.organization});
    bed.until([&] { return bed.deliveries(webhook, "?state=Delivered").size() == 1; });
    bed.database.execute("UPDATE webhook_notice SET body = repeat('\u00e9', 9000)");
    auto delivery = bed.deliveries(webhook)[0];
    CHECK(model::count_characters(std::string_view(delivery.at("payload").as_string())) == 8'192);
    CHECK(delivery.at("payloadOctets") == 18'000);
    bed.database.execute("UPDATE webhook_notice SET body = NULL");
    delivery = bed.deliveries(webhook)[0];
    CHECK(delivery.at("payload").is_null());
    CHECK(delivery.at("payloadOctets").is_null());
  }

  TEST_CASE("once its member may not see it any more a webhook is switched off, and somebody else can go on with it") {
    Bed bed;
    Endpoint endpoint;
    const auto other = bed.make(endpoint.url("/other"));  // of another member
    bed.member = model::new_uuid();
    bed.members[bed.member] = member_json(bed.member, {"Get:Conversation"});
    const auto webhook = bed.make(endpoint.url());
    const auto due = [&] { return bed.database.number("SELECT count(*) FROM webhook WHERE check_due_at < now()"); };
    bed.until([&] { return due() == 0; });
    CHECK(is_active(bed, webhook.path));

    // While organizations cannot be asked nothing is changed; what it says then holds.
    bed.organizations_are_away = true;
    bed.members[bed.member] = member_json(bed.member, {"Get:Campaign"});
    tell_access(bed, bed.member);
    bed.until([&] { return due() == 0; });  // taken, in vain
    CHECK(is_active(bed, webhook.path));
    bed.organizations_are_away = false;
    tell_access(bed, bed.member);
    bed.until([&] { return !is_active(bed, webhook.path); });
    CHECK(is_active(bed, other.path));
    const auto off = json_of(bed.get(webhook.path)).at("webhook");
    CHECK(off.at("disabledReason").as_string() == "Permission");
    CHECK_FALSE(off.at("disabledAt").is_null());
    CHECK(off.at("answerableMemberId").as_string() == bed.member.text());
    bed.tell({bed.organization});
    bed.until([&] { return endpoint.calls().size() == 1; });
    CHECK(endpoint.calls()[0].path == "/other");

    // Who makes it active answers for it. When a role changes, all are asked about.
    bed.member = model::new_uuid();
    const auto on = json_of(bed.post(webhook.path, R"({"active":true})")).at("webhook");
    CHECK(on.at("disabledReason").is_null());
    CHECK(on.at("answerableMemberId").as_string() == bed.member.text());
    bed.until([&] { return due() == 0; });
    bed.members[bed.member] = "";  // they left
    tell_access(bed, std::nullopt);
    bed.until([&] { return !is_active(bed, webhook.path); });
    CHECK(is_active(bed, other.path));
  }

  TEST_CASE("what cannot be asked of one organization's members keeps no other's webhook from being switched off") {
    Bed bed;
    Endpoint endpoint;
    bed.unanswered = bed.member;
    const auto first = bed.organization;
    const auto of_first = bed.make(endpoint.url());
    bed.organization = model::new_uuid();
    bed.member = model::new_uuid();
    const auto of_second = bed.make(endpoint.url());
    bed.members[bed.member] = "";  // they left
    bed.database.execute("UPDATE webhook SET check_due_at = now()");
    bed.until([&] { return !is_active(bed, of_second.path); });
    bed.organization = first;
    CHECK(is_active(bed, of_first.path));
  }
}

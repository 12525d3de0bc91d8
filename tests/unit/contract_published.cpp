// The published document: sound, with the specification's operations and shapes, and as generators of clients need it.
#include <doctest/doctest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cctype>
#include <functional>
#include <set>

#include "gateway/openapi/document.hpp"
#include "tests/support/contract.hpp"

namespace json = boost::json;
using namespace parley::support;

namespace {

constexpr std::string_view kId = "01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f04";

const Contract& published() {
  static const Contract contract(
      json::parse({parley::gateway::openapi_json.data(), parley::gateway::openapi_json.size()}));
  return contract;
}

const json::value& published_schema(std::string_view name) {
  return published().document().at("components").at("schemas").at({name.data(), name.size()});
}

}  // namespace

TEST_CASE("the published document is sound") {
  for (const auto& fault : published().faults()) FAIL_CHECK(fault);
}

TEST_CASE("the published document has the operations of the specification, each with its permission") {
  struct Expected {
    std::string_view method, path;
    std::optional<std::string> permission;
    std::string_view success;
  };
  const Expected expected[] = {
      {"POST", "/api/lists", "Create:List", "201"},
      {"POST", "/api/organization/messagingBusinessAccount", "Update:MessagingBusinessAccount", "200"},
      {"POST", "/api/rbac/roles", "Create:OrganizationRole", "201"},
      {"GET", "/api/auth/api-keys/regenerate", "Regenerate:ApiKey", "200"},
      {"GET", "/api/contacts", "Get:Contact", "200"},
      {"GET", "/api/contacts/{id}", "Get:Contact", "200"},
      {"GET", "/api/conversation/{id}", "Get:Conversation", "200"},
      {"POST", "/api/conversation/{id}", "Update:Conversation", "200"},
      {"GET", "/api/organization", std::nullopt, "200"},
      {"POST", "/api/organization", std::nullopt, "201"},
      {"GET", "/api/analytics/campaigns", "Get:CampaignAnalytics", "200"},
  };
  for (const auto& one : expected) {
    CAPTURE(one.path);
    const auto* found = published().find(one.method, one.path);
    REQUIRE(found != nullptr);
    CHECK(found->path == one.path);
    CHECK(found->permission == one.permission);
    const auto& operation = published().document().at("paths").at(found->path).at(one.method == "GET" ? "get" : "post");
    CHECK(operation.at("responses").as_object().contains({one.success.data(), one.success.size()}));
  }
}

TEST_CASE("the published shapes have the specification's fields, all of them required, in its order, then ours") {
  const std::pair<std::string_view, std::vector<std::string_view>> shapes[] = {
      {"Tag", {"label", "uniqueId"}},
      {"ContactList",
       {"uniqueId", "name", "description", "numberOfContacts", "numberOfCampaignsSent", "tags", "createdAt"}},
      {"Contact", {"uniqueId", "name", "phone", "attributes", "createdAt", "status", "lists", "tags", "conversations"}},
      {"ContactSummary", {"uniqueId", "name", "phone", "attributes", "createdAt", "status"}},
      {"Conversation",
       {"uniqueId", "contactId", "campaignId", "organizationId", "initiatedBy", "messages", "createdAt", "status",
        "contact", "numberOfUnreadMessages", "totalMessages", "assignedTo", "tags",
        /*ours:*/ "serviceWindowEndsAt"}},
      {"ConversationInContact",
       {"uniqueId", "contactId", "campaignId", "organizationId", "initiatedBy", "messages", "createdAt", "status"}},
      {"TextMessage",
       {"uniqueId", "conversationId", "direction", "status", "messageType", "createdAt", "replyToMessageId",
        "messagingMessageId", "messageData", /*ours:*/ "errorCode", "errorText", "sentBy", "campaignId"}},
      {"OrganizationMember", {"uniqueId", "createdAt", "accessLevel", "name", "email", "roles"}},
      {"Role", {"uniqueId", "name", "description", "permissions"}},
      {"ApiKey", {"uniqueId", "key", "createdAt"}},
      {"Organization",
       {"uniqueId", "name", "description", "createdAt", "websiteUrl", "logoUrl", "faviconUrl", "businessAccountId",
        "messagingBusinessAccountDetails", "IsAutoHandlingConversationsEnabled", "isOnboardingCompleted",
        /*ours:*/ "requiresSecondFactor"}},
      {"MessagingBusinessAccountDetails",
       {"businessAccountId", "phoneNumberId", "accessToken", "webhookSecret", "verificationStatus",
        "isPhoneNumberRegisteredToCloudApi"}},
      {"PaginationMeta", {"page", "per_page", "total", /*ours:*/ "nextCursor"}},
      {"CampaignAnalytics",
       {"totalRecipients", "messagesSent", "messagesFailed", "messagesDelivered", "messagesUndelivered", "messagesRead",
        "totalMessages", "conversationInitiated", "responseRate", "openRate", "engagementRate", "totalLinkClicks",
        "engagementTrends", "linkClicksData", "messageAnalytics"}},
      {"TrendPoint", {"date", "label", "count"}},
      {"MessageAnalyticsPoint", {"date", "label", "sent", "delivered", "replied", "read"}},
      {"Problem", {"type", "title", "status", "detail", "instance", "requestId", "errors"}},
      {"ListResponse", {"list"}},
      {"RoleResponse", {"role"}},
      {"ApiKeyResponse", {"apiKey"}},
      {"ContactsResponse", {"contacts", "paginationMeta"}},
      {"ContactResponse", {"contact"}},
      {"ConversationResponse", {"conversation"}},
      {"OrganizationsResponse", {"organizations", "paginationMeta"}},
      {"OrganizationResponse", {"organization"}},
      {"CampaignAnalyticsResponse", {"analytics"}},
  };
  for (const auto& [name, fields] : shapes) {
    CAPTURE(name);
    const auto& schema = published_schema(name);
    std::vector<std::string_view> properties, required;
    for (const auto& property : schema.at("properties").as_object())
      properties.emplace_back(property.key().data(), property.key().size());
    for (const auto& field : schema.at("required").as_array())
      required.emplace_back(field.as_string().data(), field.as_string().size());
    CHECK(properties == fields);
    CHECK(required == fields);
  }
}

// Fields may be added later; a generator takes an object without either keyword for one that is always empty.
TEST_CASE("every published object tells its fields or what they may be, and none is closed") {
  int objects = 0;
  const std::function<void(const json::value&, const std::string&)> look = [&](const json::value& at,
                                                                               const std::string& pointer) {
    if (at.is_array())
      for (std::size_t i = 0; i < at.get_array().size(); ++i)
        look(at.get_array()[i], pointer + "/" + std::to_string(i));
    if (!at.is_object()) return;
    const auto& members = at.get_object();
    for (const auto& member : members)
      if (member.key() != "example") look(member.value(), pointer + "/" + std::string(member.key()));
    const auto* type = members.if_contains("type");
    const auto is_object = [](const json::value& each) { return each == json::value("object"); };
    if (!type || !(is_object(*type) || (type->is_array() && std::ranges::any_of(type->get_array(), is_object)))) return;
    ++objects;
    CAPTURE(pointer);
    const auto* others = members.if_contains("additionalProperties");
    CHECK((members.contains("properties") || others));
    CHECK((!others || *others != json::value(false)));
  };
  look(published().document().at("components").at("schemas"), "");
  CHECK(objects > 200);
}

// Types of the languages and libraries that generated code lives among, and names that generators make of operations.
TEST_CASE("no published schema has a name that a generator needs") {
  std::set<std::string> reserved{
      "Any",    "Array",  "Blob",   "Body",     "Box",     "Client",   "Configuration", "Context",  "Date",   "Dict",
      "Enum",   "Error",  "Event",  "Field",    "File",    "FormData", "Function",      "Headers",  "List",   "Map",
      "Object", "Option", "Option", "Optional", "Promise", "Record",   "Request",       "Response", "Result", "Self",
      "Set",    "String", "Symbol", "Tuple",    "Type",    "Union",    "Unset",         "Vec"};
  for (const auto& operation : published().operations()) {
    auto name = operation.id;
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    for (const auto* suffix : {"", "Request", "Response", "Responses", "Error", "Errors", "Params", "Data", "JSONBody",
                               "JSONRequestBody", "RequestBody", "Parameters"})
      reserved.insert(name + suffix);
  }
  for (const auto& schema : published().document().at("components").at("schemas").as_object()) {
    const std::string name(schema.key());
    CAPTURE(name);
    CHECK(!reserved.contains(name));
  }
}

TEST_CASE("every published JSON body and answer is a component, so that generators name it") {
  int bodies = 0;
  const auto look = [&](const json::value& content) {
    for (const auto& media : content.as_object()) {
      const std::string type(media.key());
      const auto& schema = media.value().at("schema").as_object();
      CAPTURE(json::serialize(schema));
      CHECK((schema.contains("$ref") || type.starts_with("text/") || type == "multipart/form-data"));
      ++bodies;
    }
  };
  for (const auto& path : published().document().at("paths").as_object())
    for (const auto& member : path.value().as_object()) {
      const auto* operation = member.value().if_object();
      if (!operation) continue;
      if (const auto* body = operation->if_contains("requestBody")) look(body->at("content"));
      for (const auto& answer : operation->at("responses").as_object())
        if (const auto* content = answer.value().as_object().if_contains("content")) look(*content);
    }
  CHECK(bodies > 100);
}

// Clients that send every default would send `skip` beside `cursor`, and `per_page` beside `limit`.
TEST_CASE("defaults of published parameters are prose") {
  for (const auto& operation : published().operations()) {
    auto method = operation.method;
    std::ranges::transform(method, method.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto& object = published().document().at("paths").at(operation.path).at(method).as_object();
    const auto* parameters = object.if_contains("parameters");
    for (const auto& parameter : parameters ? parameters->as_array() : json::array{}) {
      const auto* reference = parameter.as_object().if_contains("$ref");
      const auto& target =
          reference ? published().document().at_pointer(std::string(reference->as_string()).substr(1)) : parameter;
      CAPTURE(json::serialize(target));
      CHECK(!target.at("schema").as_object().contains("default"));
    }
  }
}

TEST_CASE("a published text message holds its text") {
  const auto judge = [](std::string_view type, std::string_view data) {
    const auto text =
        R"({"uniqueId": ")" + std::string(kId) + R"(", "conversationId": ")" + std::string(kId) +
        R"(", "direction": "InBound", "status": "Read", "messageType": ")" + std::string(type) +
        R"(", "createdAt": "2026-01-31T12:40:00.000Z", "replyToMessageId": null, "messagingMessageId": null, "messageData": )" +
        std::string(data) +
        R"(, "errorCode": null, "errorText": null, "sentBy": {"type": "Unknown", "uniqueId": null, "memberId": null}, )"
        R"("campaignId": null})";
    Faults faults;
    Schemas(published().document())
        .validate(published_schema("Message"), json::parse(text), Direction::answer, "", faults);
    return faults;
  };
  CHECK(judge("Text", R"({"text": "hello"})") == Faults{});
  CHECK(judge("Text", "{}").size() == 1);
  CHECK(judge("Image", R"({"id": "1"})") == Faults{});
  CHECK(judge("Image", R"({"id": 1})").size() == 1);
  CHECK(judge("Image", "null").size() == 1);
  CHECK(judge("Parrot", "{}").size() == 1);
}

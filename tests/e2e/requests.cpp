#include "tests/e2e/requests.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <set>
#include <utility>

#include "conversations/links/code.hpp"
#include "tests/support/signing.hpp"

namespace parley::e2e {

namespace json = boost::json;

namespace {

struct Kind {
  std::string name;
  std::string path;              // of its single resource, up to the id
  std::set<std::string> fields;  // of bodies and queries that hold its ids
};

// The longest path that fits is meant.
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"contact", "/api/contacts/", {"contactId", "contactIds", "contact_id", "add", "remove"}},
      {"import", "/api/contacts/imports/", {"importId", "import_id"}},
      {"list", "/api/lists/", {"listId", "listIds", "excludedListIds", "list_id", "lists"}},
      {"tag", "/api/tags/", {"tagId", "tagIds", "tag_id", "tags"}},
      {"conversation", "/api/conversation/", {"conversationId", "conversation_id"}},
      {"message", "/api/messages/", {"messageId", "replyToMessageId"}},
      {"organization", "/api/organization/", {"organizationId", "organization_id"}},
      {"organization", "/webhooks/messaging/", {}},
      {"member", "/api/organization/members/", {"memberId", "memberIds", "member_id", "assignedTo"}},
      {"invite", "/api/organization/invites/", {"inviteId"}},
      {"role", "/api/rbac/roles/", {"roleId", "roleIds", "role_id", "roles"}},
      {"webhook", "/api/webhooks/", {"webhookId"}},
      {"key", "/api/auth/api-keys/", {"credentialId", "apiKeyId"}},
      {"campaign", "/api/campaigns/", {"campaignId", "campaign_id"}},
      {"campaign", "/api/analytics/campaign/", {}},
      {"link", "/l/", {}},
  };
  return all;
}

std::string kind_of_path(std::string_view path) {
  const Kind* best = nullptr;
  for (const auto& kind : kinds())
    if (path.starts_with(kind.path) && path.substr(kind.path.size()).starts_with('{') &&
        (!best || kind.path.size() > best->path.size()))
      best = &kind;
  if (!best) throw std::logic_error("tests/e2e/requests.cpp does not know whose id is in " + std::string(path));
  return best->name;
}

std::string kind_of_field(const std::string& field) {
  for (const auto& kind : kinds())
    if (kind.fields.contains(field)) return kind.name;
  throw std::logic_error("tests/e2e/requests.cpp does not know whose id is in the field " + field);
}

std::string view(json::string_view text) { return {text.data(), text.size()}; }

bool is_id(const json::value& value) {
  return value.is_string() && model::Uuid::parse(view(value.get_string())).has_value();
}

int next() {
  static int count = 0;
  return ++count;
}

// A text that no other request has, for a field whose values must differ.
std::optional<std::string> fresh_text(const std::string& field, const std::string& example) {
  const auto number = std::to_string(next());
  if (field == "name" || field == "label" || field == "organizationName" || field == "organization")
    return example.substr(0, 200) + " " + number;
  if (field == "email") return "e2e" + number + "@example.com";
  if (field == "phone") return "+4915" + std::to_string(100'000'000 + std::stoi(number));
  return std::nullopt;
}

}  // namespace

// ---- the document --------------------------------------------------------------------------------------------------

const json::value& resolved(System& system, const json::value& value) {
  const json::value* at = &value;
  while (at->is_object() && at->get_object().contains("$ref")) {
    boost::system::error_code error;
    at = contract_of(system).document().find_pointer(at->at("$ref").as_string().subview(1), error);
    if (!at) throw std::logic_error("a reference of the document leads nowhere");
  }
  return *at;
}

const json::object& object_of(System& system, const support::Operation& operation) {
  auto method = operation.method;
  for (auto& c : method) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return contract_of(system).document().at("paths").at(operation.path).at(method).as_object();
}

std::vector<const json::object*> parameters_of(System& system, const support::Operation& operation) {
  std::vector<const json::object*> out;
  const auto& item = contract_of(system).document().at("paths").at(operation.path).as_object();
  for (const auto* owner : {&item, &object_of(system, operation)})
    if (const auto* list = owner->if_contains("parameters"))
      for (const auto& parameter : list->as_array()) out.push_back(&resolved(system, parameter).as_object());
  return out;
}

std::optional<BodyContract> body_of(System& system, const support::Operation& operation) {
  const auto* body = object_of(system, operation).if_contains("requestBody");
  if (!body) return std::nullopt;
  const auto& owner = resolved(system, *body).as_object();
  const auto& content = owner.at("content").as_object();
  const auto* chosen = content.find("application/json");
  if (chosen == content.end()) chosen = content.begin();
  BodyContract out{view(chosen->key()), owner.contains("required") && owner.at("required").as_bool(), {}, {}};
  const auto& media = chosen->value().as_object();
  out.schema = &media.at("schema");
  if (const auto* example = media.if_contains("example"))
    out.example = example;
  else if (const auto* examples = media.if_contains("examples"))
    out.example = &resolved(system, examples->as_object().begin()->value()).at("value");
  if (!out.example) throw std::logic_error(operation.id + " has no example of its body");
  return out;
}

const support::Operation* find_operation(System& system, const std::string& id) {
  for (const auto& operation : contract_of(system).operations())
    if (operation.id == id) return &operation;
  return nullptr;
}

// ---- ids -----------------------------------------------------------------------------------------------------------

std::string Requests::id(const std::string& kind) {
  if (kind == "organization") return organization_.id;
  if (kind == "conversation") return organization_.conversations.at(1);
  auto& id = ids_[kind];
  if (id.empty()) id = fresh_id(kind);
  return id;
}

// What has no operation that makes it.
std::string Requests::made_by_sql(const std::string& kind) {
  const auto id = model::new_uuid().text();
  if (kind == "member")
    return system_.add_member(organization_.id, "fresh" + std::to_string(next()) + "@example.com", 0).member_id;
  if (kind == "running import") {
    // One that nobody works on, and nobody will for an hour; later than all others, which would wait for it.
    const auto latest = "ffffffff-ffff-7fff-bfff" + id.substr(23);
    system_.sql("contacts")
        .rows(
            "INSERT INTO import (organization_id, id, on_conflict, country, delimiter, headers, targets, status, "
            "position, "
            "line, owner, lease_until) VALUES ($1, $2, 'skip', '', ',', '{phone}', '{phone}', 'Running', 0, 1, $2, "
            "now() + "
            "interval '1 hour')",
            {organization_.id, latest});
    return latest;
  }
  if (kind == "message with a file") return message_with_file();
  if (kind == "link") return link();
  if (kind == "message")
    return system_.sql("conversations")
        .value("SELECT id FROM message WHERE organization_id = $1 AND conversation_id = $2",
               {organization_.id, fresh_id("conversation")});
  if (kind == "campaign" || kind == "Draft campaign")
    make_campaign(id, "Draft");
  else if (kind == "Scheduled campaign")
    make_campaign(id, "Scheduled");
  else if (kind == "Paused campaign")
    make_campaign(id, "Paused");
  else if (kind == "Finished campaign")
    make_campaign(id, "Finished");
  else if (kind == "conversation")
    make_conversation(id);
  else
    return {};
  return id;
}

// For nobody, and not before tomorrow.
void Requests::make_campaign(const std::string& id, const std::string& status) {
  system_.sql("conversations")
      .rows(
          "INSERT INTO campaign (organization_id, id, name, status, message, list_ids, scheduled_at) VALUES ($1, $2, "
          "'Fresh', $3, '{\"type\": \"Text\", \"text\": \"Hello {{name|there}}\"}', ARRAY[gen_random_uuid()], "
          "now() + interval '1 day')",
          {organization_.id, id, status});
  system_.sql("analytics").rows("INSERT INTO campaign VALUES ($1, $2, 'Fresh', '{}', '{}', 0)", {organization_.id, id});
}

// Of a test of the campaign: nobody's, so that nothing changes when it is followed.
std::string Requests::link() {
  const std::string secret = "sixteen octets: ";
  const auto number = system_.sql("conversations")
                          .number(
                              "INSERT INTO campaign_url (organization_id, campaign_id, url, secret) VALUES ($1, $2, "
                              "'https://example.com/', convert_to($3, 'UTF8')) RETURNING id",
                              {organization_.id, fresh_id("campaign"), secret});
  return conversations::links::code_of(number, 0, secret);
}

// One that every change finds something to do in: the owner is in charge, and the contact has just written.
void Requests::make_conversation(const std::string& id) {
  // Told without a name and a number of their own, so that answers about two of them are alike.
  const auto contact = fresh_id("contact");
  system_.sql("contacts")
      .rows(
          "UPDATE contact SET name = 'Fresh', phone = NULL, channel_user_id = 'DE.' || replace(id::text, '-', '') "
          "WHERE organization_id = $1 AND id = $2",
          {organization_.id, contact});
  auto& sql = system_.sql("conversations");
  sql.rows(
      "INSERT INTO conversation (organization_id, id, contact_id, initiated_by, status, assigned_member_id, "
      "last_inbound_at) VALUES ($1, $2, $3, 'Contact', 'Active', $4, now())",
      {organization_.id, id, contact, organization_.owner.member_id});
  sql.rows(
      "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, data) "
      "SELECT organization_id, $2, id, contact_id, 'InBound', 'Unread', 'Text', '{\"text\": \"Hello\"}' FROM "
      "conversation WHERE organization_id = $1 AND id = $3",
      {organization_.id, model::new_uuid().text(), id});
}

void Requests::connect() {
  if (std::exchange(connected_, true)) return;
  const auto answer = send(make(*find_operation(system_, "updateMessagingBusinessAccount")));
  if (answer.status != 200) throw std::runtime_error("no account could be connected: " + answer.body);
}

std::string Requests::message_with_file() {
  const auto uploaded = send(make(*find_operation(system_, "uploadMedia")));
  if (uploaded.status != 201) throw std::runtime_error("no file could be uploaded: " + uploaded.body);
  const auto id = model::new_uuid().text();
  system_.sql("conversations")
      .rows(
          "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, "
          "data) SELECT organization_id, $2, id, contact_id, 'InBound', 'Read', 'Document', $4 FROM conversation WHERE "
          "organization_id = $1 AND id = $3",
          {organization_.id, id, fresh_id("conversation"), json::serialize(uploaded.json().at("media"))});
  return id;
}

std::string Requests::fresh_id(const std::string& kind) {
  if (auto id = made_by_sql(kind); !id.empty()) return id;
  for (const auto& each : kinds()) {
    if (each.name != kind) continue;
    const auto collection = each.path.substr(0, each.path.size() - 1);
    const auto* operation = contract_of(system_).find("POST", collection);
    if (!operation || operation->path != collection) break;
    const auto answer = send(make(*operation));
    const auto location = answer.header("Location");
    if (!location.starts_with(each.path))
      throw std::runtime_error("POST " + collection + " made nothing: " + std::to_string(answer.status) + " " +
                               answer.body);
    return location.substr(each.path.size());
  }
  // For as long as there is no operation that makes it.
  const auto id = model::new_uuid().text();
  auto& sql = system_.sql("contacts");
  if (kind == "contact")
    sql.rows("INSERT INTO contact (organization_id, id, name) VALUES ($1, $2, 'Fresh')", {organization_.id, id});
  else if (kind == "tag")
    sql.rows("INSERT INTO tag (organization_id, id, label) VALUES ($1, $2, $3)", {organization_.id, id, "fresh " + id});
  else
    throw std::logic_error("nothing makes a " + kind);
  return id;
}

// ---- the operations that need more than their example --------------------------------------------------------------

struct Special {
  Requests& requests;
  json::value& body;
  Prepared& out;

  void apply(const std::map<std::string, std::string>& instead);

 private:
  // A number that the channel has, and that no other organization took.
  void account();
  // Somebody who has signed up; their token where `token` is said.
  json::value signed_up();
  // An organization of its own, deleted by its name.
  void deletion();
  // Something that was posted to a webhook in vain.
  void delivery();
  // A list that was made of a campaign's recipients.
  void retarget();
  // The token of the organization's own URL.
  void token();
};

void Special::account() {
  static std::map<std::string, std::pair<std::string, std::string>> known;  // account and number, by organization
  auto& [account, number] = known[requests.organization_.id];
  if (number.empty()) {
    account = "1777" + std::to_string(next());
    number = "2777" + std::to_string(next());
    Wire wire(requests.system_.simulator().port());
    const json::object made{{"businessAccountId", account}, {"phoneNumbers", {{{"id", number}}}}};
    wire.send(support::request_text("POST", "/simulator/accounts", {{"Content-Type", "application/json"}},
                                    json::serialize(made)));
    wire.read();
    // What is sent comes to rest when the channel has taken it.
    wire.send(support::request_text("POST", "/simulator/behaviour", {{"Content-Type", "application/json"}},
                                    R"({"statuses":"none"})"));
    wire.read();
  }
  body = json::object{
      {"businessAccountId", account}, {"code", "code-generated-" + std::to_string(next())}, {"phoneNumberId", number}};
  out.fresh.push_back(view(body.at("code").as_string()));
}

json::value Special::signed_up() {
  const auto* operation = find_operation(requests.system_, "register");
  if (!operation) throw std::logic_error("nobody can sign up");
  const auto prepared = requests.make(*operation);
  const auto answer = requests.send_as("", prepared);
  if (answer.status != 201) throw std::runtime_error("signing up failed: " + answer.body);
  auto person = json::parse(prepared.body);
  person.as_object()["token"] = answer.json().at("session").at("token");
  return person;
}

void Special::deletion() {
  const auto made = requests.send(requests.make(*find_operation(requests.system_, "createOrganization")));
  const auto organization = made.json().at("organization");
  const auto id = view(organization.at("uniqueId").as_string());
  auto name = view(organization.at("name").as_string());
  for (auto at = name.find(' '); at != name.npos; at = name.find(' ')) name.replace(at, 1, "%20");
  out.target = "/api/organization/" + id + "?name=" + name;
  out.headers.emplace_back("X-Organization-Id", id);
}

void Special::delivery() {
  const auto webhook = requests.fresh_id("webhook"), delivery = model::new_uuid().text();
  auto& sql = requests.system_.sql("conversations");
  sql.rows("INSERT INTO webhook_notice (organization_id, id, type, body) VALUES ($1, $2, 'message.created', '{}')",
           {requests.organization_.id, delivery});
  sql.rows(
      "INSERT INTO webhook_delivery (organization_id, webhook_id, id, notice_id, state, due_at) VALUES ($1, $2, $3, "
      "$3, "
      "'Failed', NULL)",
      {requests.organization_.id, webhook, delivery});
  out.target = "/api/webhooks/" + webhook + "/deliveries/" + delivery + "/replay";
}

void Special::retarget() {
  const auto campaign = requests.fresh_id("campaign"), id = model::new_uuid().text();
  requests.system_.sql("conversations")
      .rows(
          "INSERT INTO retarget (organization_id, id, campaign_id, list_id, criteria, finished_at) VALUES ($1, $2, $3, "
          "$2, '{\"name\": \"Again\", \"who\": \"Failed\"}', now())",
          {requests.organization_.id, id, campaign});
  out.target = "/api/campaigns/" + campaign + "/retargets/" + id;
}

void Special::token() {
  const auto connected =
      requests.send(requests.make(*find_operation(requests.system_, "updateMessagingBusinessAccount")));
  const auto secret = view(connected.json().at("webhookSecret").as_string());
  const std::string_view example = "EXAMPLE-WEBHOOK-SECRET";
  out.target.replace(out.target.find(example), example.size(), secret);
}

void Special::apply(const std::map<std::string, std::string>& instead) {
  const auto& id = out.operation->id;
  if (id == "replayWebhookDelivery" && instead.empty()) delivery();
  if (id == "getCampaignRetarget" && instead.empty()) retarget();
  if (id == "streamEvents") out.target += (out.target.find('?') == out.target.npos ? "?wait=0" : "&wait=0");
  if (id == "confirmOrganizationWebhook" && instead.empty()) token();
  if (id == "updateMessagingBusinessAccount") account();
  // Before anybody learns that there is no account, which is remembered for some seconds.
  static const std::set<std::string> with_account{"listTemplates", "listPhoneNumbers", "uploadMedia",   "sendMessage",
                                                  "testCampaign",  "startCampaign",    "resumeCampaign"};
  if (with_account.contains(id)) requests.connect();
  if (id == "deleteOrganization" && !instead.contains("path:id")) deletion();
  if (id == "login" || id == "logout") {
    const auto person = signed_up();
    if (id == "logout")
      out.api_key = view(person.at("token").as_string());
    else
      body = json::object{{"email", person.at("email")}, {"password", person.at("password")}};
  }
  if (id == "updateUser") body = json::object{{"name", body.at("name")}};  // a password is changed once
  if (id == "joinOrganization") {
    const auto invite =
        requests.send(requests.make(*contract_of(requests.system_).find("POST", "/api/organization/invites")));
    body.as_object()["token"] = invite.json().at("token");
    out.api_key.clear();  // who has a credential joins as who they are
  }
  // It ends the credential that it is asked with.
  if (id == "regenerateApiKey")
    out.api_key =
        requests.system_
            .add_member(requests.organization_.id, "leaves" + std::to_string(next()) + "@example.com", 0, "Owner")
            .api_key;
}

// ---- requests ------------------------------------------------------------------------------------------------------

void Requests::fill_path(Prepared& out, const std::map<std::string, std::string>& instead) {
  // That something can be done to.
  static const std::map<std::string, std::string> statuses{{"startCampaign", "Draft campaign"},
                                                           {"pauseCampaign", "Scheduled campaign"},
                                                           {"resumeCampaign", "Paused campaign"},
                                                           {"cancelCampaign", "Scheduled campaign"},
                                                           {"retargetCampaign", "Finished campaign"}};
  auto path = out.operation->path;
  for (auto at = path.find('{'); at != path.npos; at = path.find('{')) {
    const auto end = path.find('}');
    const auto given = instead.find("path:" + path.substr(at + 1, end - at - 1));
    const auto kind = kind_of_path(out.operation->path);
    const bool reads = out.operation->method == "GET" || kind == "organization";
    path.replace(at, end - at + 1,
                 given != instead.end()                 ? given->second
                 : out.operation->id == "cancelImport"  ? fresh_id("running import")
                 : statuses.contains(out.operation->id) ? fresh_id(statuses.at(out.operation->id))
                 : out.operation->id == "downloadMedia" ? fresh_id("message with a file")
                 : reads                                ? id(kind)
                                                        : fresh_id(kind));
  }
  out.target = path;
}

// Only what is required, and what the test put there.
void Requests::fill_query(Prepared& out, const std::map<std::string, std::string>& instead) {
  for (const auto* parameter : parameters_of(system_, *out.operation)) {
    const auto name = view(parameter->at("name").as_string());
    if (view(parameter->at("in").as_string()) != "query") continue;
    const auto given = instead.find("query:" + name);
    const auto* required = parameter->if_contains("required");
    std::string value;
    if (given != instead.end())
      value = given->second;
    else if (!required || !required->as_bool())
      continue;
    else
      value = view(parameter->at("example").as_string());
    out.target += (out.target.find('?') == out.target.npos ? "?" : "&") + name + "=" + value;
  }
}

json::value Requests::filled(const json::value& example, const std::string& field, const std::string& at,
                             const std::map<std::string, std::string>& instead, Prepared& out) {
  if (example.is_object()) {
    json::object object;
    for (const auto& member : example.get_object())
      object[member.key()] =
          filled(member.value(), view(member.key()), at + support::pointer_step(view(member.key())), instead, out);
    return object;
  }
  if (example.is_array()) {
    json::array array;
    for (const auto& element : example.get_array())
      array.push_back(filled(element, field, at + "/" + std::to_string(array.size()), instead, out));
    return array;
  }
  if (const auto given = instead.find("body:" + at); given != instead.end()) return json::string(given->second);
  // What is added must not be there yet.
  if (is_id(example)) return json::string(field == "add" ? fresh_id("contact") : id(kind_of_field(field)));
  if (!example.is_string()) return example;
  if (const auto text = fresh_text(field, view(example.get_string()))) {
    out.fresh.push_back(*text);
    return json::string(*text);
  }
  return example;
}

void Requests::fill_body(Prepared& out, const std::map<std::string, std::string>& instead) {
  const auto contract = body_of(system_, *out.operation);
  json::value body;
  if (contract) body = filled(*contract->example, "", "", instead, out);
  Special{*this, body, out}.apply(instead);
  if (!contract) return;
  out.headers.emplace_back("Content-Type", contract->media_type);
  const bool is_text = contract->media_type != "application/json" && body.is_string();
  out.body = is_text ? view(body.get_string()) : json::serialize(body);
  if (out.operation->path.starts_with("/webhooks/"))
    out.headers.emplace_back("X-Hub-Signature-256", support::hub_signature(System::kAppSecret, out.body));
}

Prepared Requests::make(const support::Operation& operation, const std::map<std::string, std::string>& instead) {
  Prepared out{&operation, {}, {}, {}, organization_.owner.api_key, {}};
  fill_path(out, instead);
  fill_query(out, instead);
  fill_body(out, instead);
  return out;
}

namespace {

void places_in(const json::value& value, const std::string& field, const std::string& at, std::vector<Place>& out) {
  if (value.is_object())
    for (const auto& member : value.get_object())
      places_in(member.value(), view(member.key()), at + support::pointer_step(view(member.key())), out);
  std::size_t i = 0;
  if (value.is_array())
    for (const auto& element : value.get_array()) places_in(element, field, at + "/" + std::to_string(i++), out);
  if (is_id(value)) out.push_back({"body:" + at, kind_of_field(field)});
}

}  // namespace

std::vector<Place> Requests::places(const support::Operation& operation) {
  std::vector<Place> out;
  for (const auto* parameter : parameters_of(system_, operation)) {
    const auto in = view(parameter->at("in").as_string()), name = view(parameter->at("name").as_string());
    const auto& schema = resolved(system_, parameter->at("schema"));
    if (in == "path") out.push_back({"path:" + name, kind_of_path(operation.path)});
    if (in == "query" && schema.as_object().contains("format") && schema.at("format") == json::value("uuid"))
      out.push_back({"query:" + name, kind_of_field(name)});
  }
  if (const auto body = body_of(system_, operation); body && body->media_type == "application/json")
    places_in(*body->example, "", "", out);
  return out;
}

Answer Requests::send(const Prepared& prepared, Headers more) {
  return send_as(prepared.api_key, prepared, std::move(more));
}

Answer Requests::send_as(const std::string& api_key, const Prepared& prepared, Headers more) {
  more.insert(more.end(), prepared.headers.begin(), prepared.headers.end());
  if (api_key == organization_.owner.api_key)
    return owner_(prepared.operation->method, prepared.target, prepared.body, std::move(more));
  return Client(system_, api_key)(prepared.operation->method, prepared.target, prepared.body, std::move(more));
}

}  // namespace parley::e2e

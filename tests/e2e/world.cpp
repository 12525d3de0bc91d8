#include "tests/e2e/world.hpp"
#include "tests/support/statements.hpp"

#include <algorithm>
#include <map>

namespace parley::e2e {

namespace json = boost::json;

namespace {

const std::string kNil = model::Uuid{}.text();

std::string new_id() { return model::new_uuid().text(); }
std::string moment_of(const std::string& id) {
  return "to_timestamp(" + std::to_string(model::Uuid::parse(id)->milliseconds()) + " / 1000.0)";
}

void add_to_tally(Sql& sql, const std::string& organization, const std::string& list, std::size_t contacts) {
  static const auto statement = support::source_statements().at("services/contacts/lists/sql/add_to_tally");
  sql.rows(statement, {organization, list, "0", std::to_string(contacts)});
}

void fill_contacts(Sql& sql, Organization& o, int contacts) {
  for (const char* label : {"customer", "newsletter", "VIP"}) {
    o.tags.push_back(new_id());
    sql.rows("INSERT INTO tag (organization_id, id, label) VALUES ($1, $2, $3)", {o.id, o.tags.back(), label});
  }
  const std::vector<std::string> names{"Ada Lovelace", "Grace Hopper", "100% Wool", "under_score", "Zoë", "Жанна"};
  const std::vector<std::string> statuses{"Active", "Inactive", "Blocked", "OptedOut"};
  for (int i = 0; i < contacts; ++i) {
    const auto n = static_cast<std::size_t>(i);
    o.contacts.push_back(new_id());
    sql.rows(
        "INSERT INTO contact (organization_id, id, name, phone, attributes, status, created_at) VALUES ($1, $2, $3, "
        "nullif($4, ''), $5, $6, " +
            moment_of(o.contacts.back()) + ")",
        {o.id, o.contacts.back(), names[n % names.size()] + (i < 6 ? "" : " " + std::to_string(i)),
         i % 5 == 4 ? "" : "+4916" + std::to_string(10000000 + i),
         R"({"n": )" + std::to_string(i) + R"(, "deep": {"a": [1, null]}})", statuses[n % 7 < 4 ? n % 7 : 0]});
    if (i % 2 == 0) sql.rows("INSERT INTO contact_tag VALUES ($1, $2, $3)", {o.id, o.contacts.back(), o.tags[n % 3]});
  }
  add_to_tally(sql, o.id, kNil, o.contacts.size());
  for (const std::size_t every : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
    o.lists.push_back(new_id());
    sql.rows(
        "INSERT INTO list (organization_id, id, name, description, campaigns_sent) VALUES ($1, $2, $3, 'of the tests', "
        "3)",
        {o.id, o.lists.back(), "every " + std::to_string(every)});
    std::vector<std::string> members;
    for (std::size_t i = every - 1; i < o.contacts.size(); i += every) members.push_back(o.contacts[i]);
    sql.rows("INSERT INTO membership SELECT $1, $2, unnest($3::uuid[])",
             {o.id, o.lists.back(), support::sql_array(members)});
    add_to_tally(sql, o.id, o.lists.back(), members.size());
    add_to_tally(sql, o.id, kNil, 0);
  }
  sql.rows("INSERT INTO list_tag VALUES ($1, $2, $3), ($1, $2, $4)", {o.id, o.lists[1], o.tags[0], o.tags[2]});
}

std::string add_conversation(Sql& sql, const Organization& o, std::size_t contact, const std::string& status,
                             int messages, const std::string& member = {}) {
  const auto id = new_id();
  sql.rows(
      "INSERT INTO conversation (organization_id, id, contact_id, initiated_by, status, assigned_member_id, "
      "created_at) "
      "VALUES ($1, $2, $3, 'Contact', $4, nullif($5, '')::uuid, " +
          moment_of(id) + ")",
      {o.id, id, o.contacts[contact], status, member});
  std::string previous;
  for (int i = 0; i < messages; ++i) {
    const auto message = new_id();
    const bool inbound = i % 3 != 2;
    sql.rows(
        "INSERT INTO message (organization_id, id, conversation_id, contact_id, reply_to_message_id, direction, "
        "status, "
        "message_type, channel_message_id, data, created_at) VALUES ($1, $2, $3, $4, nullif($5, '')::uuid, $6, $7, "
        "'Text', $8, $9, " +
            moment_of(message) + ")",
        {o.id, message, id, o.contacts[contact], i % 4 == 3 ? previous : "", inbound ? "InBound" : "OutBound",
         inbound ? (i % 2 ? "Unread" : "Read") : "Delivered", "wamid." + message,
         R"({"text": "message )" + std::to_string(i) + R"( \"quoted\" ü"})"});
    previous = message;
  }
  return id;
}

void fill_conversations(System& system, Organization& o) {
  auto& sql = system.sql("conversations");
  o.conversations.push_back(add_conversation(sql, o, 0, "Closed", 5));
  o.conversations.push_back(add_conversation(sql, o, 0, "Active", 27, o.owner.member_id));
  o.conversations.push_back(add_conversation(sql, o, 1, "Active", 0));
  o.deleted_conversation = add_conversation(sql, o, 2, "Deleted", 2);
  for (std::size_t i = 3; i < std::min<std::size_t>(o.contacts.size(), 20); i += 2)
    o.conversations.push_back(add_conversation(sql, o, i, "Active", static_cast<int>(i)));
  sql.rows("INSERT INTO conversation_tag VALUES ($1, $2, $3), ($1, $2, $4)",
           {o.id, o.conversations[1], o.tags[1], o.tags[2]});
}

void fill_analytics(System& system, const Organization& o) {
  system.sql("analytics")
      .rows(
          "INSERT INTO organization_rollup SELECT $1, timestamptz '2026-01-01T00:00:00Z' + n * interval '3 hours', "
          "10, 9, 8, 5, 1, 1, 3, 4, 3, 2, n % 3, n % 4 FROM generate_series(0, 400) n",
          {o.id});
}

}  // namespace

Organization fill(System& system, const std::string& name, int contacts) {
  Organization o;
  static int count = 0;
  o.owner = system.create_owner("owner" + std::to_string(++count) + "@example.com", name);
  o.id = o.owner.organization_id;
  fill_contacts(system.sql("contacts"), o, contacts);
  fill_conversations(system, o);
  fill_analytics(system, o);
  return o;
}

// Rows may still point to lists and tags that were deleted: they are removed in the background.
void install_views(System& system) {
  auto& sql = system.sql("contacts");
  if (system.databases()) system.databases()->lend_tables_to("contacts");
  sql.rows("CREATE SCHEMA e2e; CREATE TABLE e2e.permission (bit int, name text)");
  const auto names = identity::PermissionSet::all().names();
  for (std::size_t i = 0; i < names.size(); ++i)
    sql.rows("INSERT INTO e2e.permission VALUES ($1, $2)", {std::to_string(i), names[i]});
  sql.rows(R"sql(
    CREATE FUNCTION e2e.moment(timestamptz) RETURNS text LANGUAGE sql AS
      $$ SELECT to_char($1 AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
    CREATE FUNCTION e2e.tag(o uuid, i uuid) RETURNS jsonb LANGUAGE sql AS $$
      SELECT jsonb_build_object('label', label, 'uniqueId', id) FROM contacts.tag WHERE organization_id = o AND id = i $$;
    CREATE FUNCTION e2e.summary(o uuid, i uuid) RETURNS jsonb LANGUAGE sql AS $$
      SELECT jsonb_build_object('uniqueId', id, 'name', name, 'phone', coalesce(phone, ''), 'attributes', attributes,
        'createdAt', e2e.moment(created_at), 'status', status) FROM contacts.contact WHERE organization_id = o AND id = i $$;
    CREATE FUNCTION e2e.list(o uuid, i uuid) RETURNS jsonb LANGUAGE sql AS $$
      SELECT jsonb_build_object('uniqueId', id, 'name', name, 'description', description,
        'numberOfContacts', (SELECT count(*) FROM contacts.membership m WHERE m.organization_id = o AND m.list_id = i),
        'numberOfCampaignsSent', campaigns_sent,
        'tags', coalesce((SELECT jsonb_agg(e2e.tag(o, tag_id) ORDER BY tag_id) FROM contacts.list_tag WHERE organization_id = o AND list_id = i), '[]'),
        'createdAt', e2e.moment(created_at)) FROM contacts.list WHERE organization_id = o AND id = i $$;
    CREATE FUNCTION e2e.messages(o uuid, i uuid, most int) RETURNS jsonb LANGUAGE sql AS $$
      SELECT coalesce(jsonb_agg(m ORDER BY at DESC, id DESC), '[]') FROM (
        SELECT id, created_at AS at, jsonb_build_object('uniqueId', id, 'conversationId', conversation_id, 'direction', direction, 'status', status,
          'messageType', message_type, 'createdAt', e2e.moment(created_at), 'replyToMessageId', reply_to_message_id,
          'messagingMessageId', channel_message_id, 'messageData', data,
          'errorCode', CASE WHEN status IN ('Failed', 'UnDelivered') THEN error_code END,
          'errorText', CASE WHEN status IN ('Failed', 'UnDelivered') THEN error_text END,
          'sentBy', CASE direction WHEN 'InBound' THEN jsonb_build_object('type', 'Contact', 'uniqueId', contact_id, 'memberId', null)
            ELSE jsonb_build_object('type', coalesce(sent_by, 'Unknown'), 'uniqueId', coalesce(sent_by_key, sent_by_member), 'memberId', sent_by_member) END,
          'campaignId', campaign_id) AS m
        FROM conversations.message WHERE organization_id = o AND conversation_id = i ORDER BY created_at DESC, id DESC LIMIT most) x $$;
    CREATE FUNCTION e2e.bare_conversation(o uuid, i uuid, most int) RETURNS jsonb LANGUAGE sql AS $$
      SELECT jsonb_build_object('uniqueId', id, 'contactId', contact_id, 'campaignId', campaign_id, 'organizationId', organization_id,
        'initiatedBy', initiated_by, 'messages', e2e.messages(o, i, most), 'createdAt', e2e.moment(created_at), 'status', status)
      FROM conversations.conversation WHERE organization_id = o AND id = i $$;
    CREATE FUNCTION e2e.contact(o uuid, i uuid, most int) RETURNS jsonb LANGUAGE sql AS $$
      SELECT e2e.summary(o, i) || jsonb_build_object(
        'lists', coalesce((SELECT jsonb_agg(e2e.list(o, list_id) ORDER BY list_id) FROM contacts.membership WHERE organization_id = o AND contact_id = i
                          AND e2e.list(o, list_id) IS NOT NULL), '[]'),
        'tags', coalesce((SELECT jsonb_agg(e2e.tag(o, tag_id) ORDER BY tag_id) FROM contacts.contact_tag WHERE organization_id = o AND contact_id = i
                         AND e2e.tag(o, tag_id) IS NOT NULL), '[]'),
        'conversations', coalesce((SELECT jsonb_agg(e2e.bare_conversation(o, c.id, most) ORDER BY c.id DESC) FROM conversations.conversation c
                                   WHERE organization_id = o AND contact_id = i AND status <> 'Deleted'), '[]')) $$;
    CREATE FUNCTION e2e.member(o uuid, i uuid) RETURNS jsonb LANGUAGE sql AS $$
      SELECT jsonb_build_object('uniqueId', m.id, 'createdAt', e2e.moment(m.created_at), 'accessLevel', access_level, 'name', p.name, 'email', p.email,
        'roles', coalesce((SELECT jsonb_agg(jsonb_build_object('uniqueId', r.id, 'name', r.name, 'description', r.description,
            'permissions', coalesce((SELECT jsonb_agg(name ORDER BY bit) FROM e2e.permission WHERE r.permissions >> bit & 1 = 1), '[]')) ORDER BY r.id)
          FROM organizations.member_role x JOIN organizations.role r ON r.organization_id = o AND r.id = x.role_id
          WHERE x.organization_id = o AND x.member_id = i), '[]'))
      FROM organizations.member m JOIN organizations.person p ON p.id = m.person_id WHERE m.organization_id = o AND m.id = i $$;
    CREATE FUNCTION e2e.conversation(o uuid, i uuid) RETURNS jsonb LANGUAGE sql AS $$
      SELECT e2e.bare_conversation(o, i, 20) || jsonb_build_object('contact', e2e.summary(o, contact_id),
        'numberOfUnreadMessages', (SELECT count(*) FROM conversations.message m WHERE m.organization_id = o AND m.conversation_id = i
                                   AND direction = 'InBound' AND status = 'Unread'),
        'totalMessages', (SELECT count(*) FROM conversations.message m WHERE m.organization_id = o AND m.conversation_id = i),
        'assignedTo', e2e.member(o, assigned_member_id),
        'tags', coalesce((SELECT jsonb_agg(e2e.tag(o, tag_id) ORDER BY tag_id) FROM conversations.conversation_tag WHERE organization_id = o AND conversation_id = i
                         AND e2e.tag(o, tag_id) IS NOT NULL), '[]'),
        'serviceWindowEndsAt', (SELECT e2e.moment(max(last_inbound_at) + interval '24 hours') FROM conversations.conversation w
                                WHERE w.organization_id = o AND w.contact_id = c.contact_id))
      FROM conversations.conversation c WHERE organization_id = o AND id = i $$;)sql");
}

json::value contact_by_sql(System& system, const Organization& organization, const std::string& id, int messages) {
  return json::parse(
      system.sql("contacts").value("SELECT e2e.contact($1, $2, $3)", {organization.id, id, std::to_string(messages)}));
}

json::value conversation_by_sql(System& system, const Organization& organization, const std::string& id) {
  return json::parse(system.sql("contacts").value("SELECT e2e.conversation($1, $2)", {organization.id, id}));
}

const support::Contract& contract_of(System& system) {
  static std::unique_ptr<support::Contract> contract;
  if (!contract) {
    Wire wire(system.gateway().port());
    wire.send(support::request_text("GET", "/openapi.json"));
    const auto answer = wire.read();
    if (!answer || answer->status != 200) throw std::runtime_error("the gateway does not serve its document");
    contract = std::make_unique<support::Contract>(answer->json());
  }
  return *contract;
}

Caller member_with(System& system, const std::string& organization, identity::PermissionSet permissions) {
  static std::map<std::string, Caller> made;
  static int count = 0;
  const auto key = organization + std::to_string(permissions.mask());
  if (!made.contains(key))
    made[key] =
        system.add_member(organization, "member" + std::to_string(++count) + "@example.com", permissions.mask());
  return made[key];
}

identity::PermissionSet all_but(identity::Permission permission) {
  auto out = identity::PermissionSet::all();
  out.remove(permission);
  return out;
}

void check_documented(System& system, const std::string& method, const std::string& target, const Answer& answer) {
  for (const auto& fault : contract_of(system).check(method, target, answer.status, answer.header("Content-Type"),
                                                     answer.headers, answer.body))
    FAIL_CHECK(fault << "\n" << answer.body.substr(0, 500));
}

Answer Client::operator()(const std::string& method, const std::string& target, const std::string& body,
                          Headers headers) {
  if (!api_key_.empty()) headers.emplace_back("Authorization", "Bearer " + api_key_);
  const bool typed = std::any_of(headers.begin(), headers.end(), [](auto& h) { return h.first == "Content-Type"; });
  if (!body.empty() && !typed) headers.emplace_back("Content-Type", "application/json");
  const auto text = support::request_text(method, target, headers, body);
  std::optional<Answer> answer;
  for (int tries = 0; !answer && tries < 2; ++tries) {  // a kept connection may have been closed meanwhile
    if (!wire_) wire_ = std::make_unique<Wire>(system_.gateway(gateway_).port());
    wire_->send(text);  // who refuses a long body answers before it has all of it
    answer = wire_->read(method == "HEAD");
    if (!answer) wire_.reset();
  }
  INFO(method << " " << target << " " << body.substr(0, 300));
  REQUIRE_MESSAGE(answer.has_value(), "the connection was closed without an answer");
  if (answer->header("Connection") == "close") wire_.reset();
  check_documented(system_, method, target, *answer);
  if (!may_fail && answer->status >= 500) FAIL_CHECK("answered " << answer->status << " " << answer->body);
  return std::move(*answer);
}

World::World() : a(fill(system, "Analytical Engines")), b(fill(system, "Difference Engines", 9)) {
  install_views(system);
}

World& world() {
  static World the_world;
  return the_world;
}

}  // namespace parley::e2e

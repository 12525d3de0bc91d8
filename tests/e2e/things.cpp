// What requests are about: the ids of what there is, and of what is made for one of them.
#include <boost/json/serialize.hpp>
#include <utility>

#include "conversations/campaigns/links/code.hpp"
#include "tests/e2e/kinds.hpp"
#include "tests/e2e/requests.hpp"

namespace parley::e2e {

namespace json = boost::json;

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
    return system_.add_member(organization_.id, "fresh" + std::to_string(next_number()) + "@example.com", 0).member_id;
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
  if (kind == "running bulk change") {
    const auto latest = "ffffffff-ffff-7fff-bfff" + id.substr(23);
    system_.sql("contacts")
        .rows(
            "INSERT INTO bulk_change (organization_id, id, contacts, action, expected, until, status, owner, "
            "lease_until) "
            "VALUES ($1, $2, $3, '{\"type\": \"setStatus\", \"status\": \"Active\"}', 1, $2, 'Running', $2, now() + "
            "interval '1 hour')",
            {organization_.id, latest,
             R"({"tag": null, "filter": null, "listId": null, "search": "", "status": null, "segmentId": null, )"
             R"("attributes": {}})"});
    return latest;
  }
  if (kind == "session") {  // of the organization's owner, who has no password to sign in with
    system_.sql("organizations")
        .rows(
            "INSERT INTO session (id, person_id, secret_hash, expires_at) SELECT $1, person_id, "
            "sha256(person_id::text::bytea), now() + interval '1 day' FROM member WHERE id = $2",
            {id, organization_.owner.member_id});
    return id;
  }
  if (kind == "message with a file") return message_with_file();
  if (kind == "link") return link();
  if (kind == "approved template") return approved_template();
  if (kind == "message")
    return system_.sql("conversations")
        .value("SELECT id FROM message WHERE organization_id = $1 AND conversation_id = $2",
               {organization_.id, fresh_id("conversation")});
  if (kind == "note") return note_by(organization_.owner.member_id);
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

std::string Requests::note_by(const std::string& member) {
  const auto id = model::new_uuid().text();
  system_.sql("conversations")
      .rows(
          "INSERT INTO note (organization_id, id, conversation_id, text, written_by_member) VALUES ($1, $2, $3, "
          "'Fresh', $4)",
          {organization_.id, id, fresh_id("conversation"), member});
  return id;
}

void Requests::connect() {
  if (std::exchange(connected_, true)) return;
  const auto answer = send(make(*find_operation(system_, "updateMessagingBusinessAccount")));
  if (answer.status != 200) throw std::runtime_error("no account could be connected: " + answer.body);
}

// The channel's webhook is not waited for.
std::string Requests::approved_template() {
  const auto id = fresh_id("template");
  const auto body = R"({"id":")" + id + R"(","status":"APPROVED","told":false})";
  Wire wire(system_.simulator().port());
  wire.send(support::request_text("POST", "/simulator/templates", {{"Content-Type", "application/json"}}, body));
  wire.read();
  system_.sql("conversations")
      .rows("UPDATE template SET status = 'APPROVED' WHERE organization_id = $1 AND id = $2", {organization_.id, id});
  return id;
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

}  // namespace parley::e2e

#include "conversations/notices/notices.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "common/events/contact_changes.hpp"
#include "conversations/notices/shapes.hpp"
#include "conversations/notices/sql.hpp"

namespace parley::conversations::notices {

namespace {

// What a notice is made of. One of a new message also shows how the conversation stands with it.
struct Changed {
  model::Uuid organizationId;
  std::optional<model::Uuid> contactId, messageId, conversationId;
  std::optional<model::Timestamp> at;
};
BOOST_DESCRIBE_STRUCT(Changed, (), (organizationId, contactId, messageId, conversationId, at))

template <class T>
T read(const events::Change& change) {
  T out;
  model::Reader reader;
  reader.read(change.json, out);
  if (!reader.faults.empty())
    throw events::BadEvent(change.type + reader.faults.front().pointer + " " + reader.faults.front().detail);
  return out;
}

// What the change says, but for what the notice says anyway.
std::string facts_of(const events::Change& change) {
  std::string out;
  for (const auto& member : change.json.get_object()) {
    const std::string_view name(member.key().data(), member.key().size());
    if (name == "type" || name == "organizationId") continue;
    if (!out.empty()) out += ',';
    model::write(out, name);
    out.append(":").append(boost::json::serialize(member.value()));
  }
  return out;
}

Notice notice_of(std::string_view type, const events::Change& change, const events::Event& event) {
  const auto changed = read<Changed>(change);
  Notice out;
  out.type = type;
  out.organization_id = changed.organizationId;
  out.at = changed.at ? *changed.at : event.at.value_or(model::Timestamp::now());
  out.facts = facts_of(change);
  out.contact_id = changed.contactId;
  if (type.starts_with("message.")) out.message_id = changed.messageId;
  if (type.starts_with("conversation.") || type == "message.created") out.conversation_id = changed.conversationId;
  return out;
}

// A member made contacts OptedOut: told as if each had asked for it.
void add_opted_out(std::vector<Notice>& out, const events::ContactStatusChanged& change) {
  if (change.status != model::ContactStatus::OptedOut) return;
  for (const auto& id : change.contactIds) {
    Notice notice;
    notice.type = "contact.opted_out";
    notice.organization_id = change.organizationId;
    notice.at = change.at;
    notice.contact_id = id;
    notice.facts = "\"contactId\":" + model::to_json(id) + ",\"at\":" + model::to_json(change.at);
    out.push_back(std::move(notice));
  }
}

}  // namespace

std::vector<Notice> notices_of(const events::Event& event) {
  std::vector<Notice> out;
  for (const auto& change : events::changes_of(event)) {
    if (const auto status = change.as<events::ContactStatusChanged>()) add_opted_out(out, *status);
    const auto type = std::find(kTypes.begin(), kTypes.end(), change.type);
    if (type != kTypes.end()) out.push_back(notice_of(*type, change, event));
  }
  return out;
}

pg::Batch Resources::question(std::span<const Notice> notices) {
  std::vector<Key> messages, conversations;
  for (const auto& notice : notices) {
    if (notice.message_id) messages.emplace_back(notice.organization_id, *notice.message_id);
    if (notice.conversation_id) conversations.emplace_back(notice.organization_id, *notice.conversation_id);
  }
  pg::Batch batch;
  const auto add = [&](const pg::Statement& statement, std::vector<Key>& keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<model::Uuid> organizations, ids;
    for (const auto& [organization, id] : keys) {
      organizations.push_back(organization);
      ids.push_back(id);
    }
    batch.add(statement, organizations, ids);
  };
  if (messages.empty() && conversations.empty()) return batch;
  add(sql::messages, messages);
  add(sql::conversations, conversations);
  return batch;
}

Resources::Resources(const pg::Results& answer) {
  for (const auto& row : answer.rows<MessageRow>(0))
    messages_.emplace(Key{row.organization_id, row.uniqueId}, model::to_json(static_cast<const model::Message&>(row)));
  for (const auto& row : answer.rows<Conversation>(1))
    conversations_.emplace(Key{row.organizationId, row.uniqueId}, model::to_json(row));
}

std::string Resources::show(const Notice& notice) const {
  std::string out = "{\"type\":";
  model::write(out, notice.type);
  out += ",\"timestamp\":";
  model::write(out, notice.at);
  out.append(",\"data\":{").append(notice.facts);
  const auto add = [&](std::string_view name, const std::optional<model::Uuid>& id, const auto& known) {
    if (!id) return;
    const auto found = known.find(Key{notice.organization_id, *id});
    out.append(",\"").append(name).append("\":").append(found == known.end() ? "null" : found->second);
  };
  add("message", notice.message_id, messages_);
  add("conversation", notice.conversation_id, conversations_);
  out += "}}";
  return out;
}

}  // namespace parley::conversations::notices

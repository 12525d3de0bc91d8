#pragma once
#include "conversations/inbox/webhooks/apply.hpp"
#include "conversations/messages/status_changes.hpp"

namespace parley::conversations::webhooks {

struct KnownRow {
  std::string key;
  model::Uuid message_id;
};
BOOST_DESCRIBE_STRUCT(KnownRow, (), (key, message_id))

struct UntoldRow {
  std::string key;
  model::Uuid id, contact_id;
};
BOOST_DESCRIBE_STRUCT(UntoldRow, (), (key, id, contact_id))

struct ConversationRow {
  model::Uuid contact_id, id;
};
BOOST_DESCRIBE_STRUCT(ConversationRow, (), (contact_id, id))

struct ChangedRow {
  model::Uuid id, conversation_id, contact_id;
  bool untold = false;  // without an event, as the message itself was, or as its contact is blocked
};
BOOST_DESCRIBE_STRUCT(ChangedRow, (), (id, conversation_id, contact_id, untold))

struct RaisedRow : messages::Rise {
  bool rises = false;
  bool learned = false;  // the channel's id became known
  bool untold = false;   // as the message itself was
};
BOOST_DESCRIBE_STRUCT(RaisedRow, (messages::Rise), (rises, learned, untold))

struct OptedOutRow {
  model::Uuid contact_id;
  bool opted_out = false;
  model::Timestamp at;
  bool was_opted_out = false;
};
BOOST_DESCRIBE_STRUCT(OptedOutRow, (), (contact_id, opted_out, at, was_opted_out))

// A row of inbox or of parked_element.
struct TakenRow {
  std::int64_t id = 0;
  std::optional<model::Uuid> organization_id;
  model::Timestamp received_at;
  std::string body;
  std::int64_t attempts = 0;  // 0: from inbox
  std::optional<Awaited> awaits;
  bool is_ours = true;  // not taken by another dispatcher meanwhile
};
BOOST_DESCRIBE_STRUCT(TakenRow, (), (id, organization_id, received_at, body, attempts, awaits))

struct LookRow {
  bool has_free = false;
  std::optional<std::int64_t> first;
  std::optional<model::Timestamp> ready_at, due_at;
  model::Timestamp now;
};
BOOST_DESCRIBE_STRUCT(LookRow, (), (has_free, first, ready_at, due_at, now))

struct BacklogRow {
  std::int64_t waiting = 0;
  double oldest_seconds = 0;
  std::int64_t parked = 0, retried = 0, of_groups = 0;
};
BOOST_DESCRIBE_STRUCT(BacklogRow, (), (waiting, oldest_seconds, parked, retried, of_groups))

}  // namespace parley::conversations::webhooks

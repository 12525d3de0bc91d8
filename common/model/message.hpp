#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/model/json.hpp"

namespace parley::model {

enum class MessageDirection { InBound, OutBound };
BOOST_DESCRIBE_ENUM(MessageDirection, InBound, OutBound)

// Outbound: in order of rank, of which the highest seen holds; Failed was never accepted, UnDelivered was accepted
// first. Inbound: Unread, Read.
enum class MessageStatus { Queued, Sent, UnDelivered, Delivered, Read, Failed, Unread };
BOOST_DESCRIBE_ENUM(MessageStatus, Queued, Sent, UnDelivered, Delivered, Read, Failed, Unread)

enum class MessageType {
  Text,
  Image,
  Video,
  Audio,
  Document,
  Sticker,
  Location,
  Contacts,
  Reaction,
  Interactive,
  Template,
  System,
  Unsupported
};
BOOST_DESCRIBE_ENUM(MessageType, Text, Image, Video, Audio, Document, Sticker, Location, Contacts, Reaction,
                    Interactive, Template, System, Unsupported)

// More may come. App: the app on the business's phone, whoever used it. Automatic: Parley itself, as the settings say.
// Channel: what the channel reports, such as a call. Unknown: it was stored before senders were.
enum class MessageSenderType { Member, ApiKey, Campaign, Contact, App, Automatic, Channel, Unknown };
BOOST_DESCRIBE_ENUM(MessageSenderType, Member, ApiKey, Campaign, Contact, App, Automatic, Channel, Unknown)

struct MessageSender {
  MessageSenderType type = MessageSenderType::Unknown;
  std::optional<Uuid> uniqueId;  // of the member, API key, campaign or contact
  std::optional<Uuid> memberId;  // the member, or the one that the API key stands for
};
BOOST_DESCRIBE_STRUCT(MessageSender, (), (type, uniqueId, memberId))

struct Message {
  Uuid uniqueId;
  Uuid conversationId;
  MessageDirection direction = MessageDirection::InBound;
  MessageStatus status = MessageStatus::Unread;
  MessageType messageType = MessageType::Text;
  Timestamp createdAt;
  std::optional<Uuid> replyToMessageId;
  std::optional<std::string> messagingMessageId;  // the channel's id (wamid), once it accepted the message
  RawJson messageData;
  // Why it is Failed or UnDelivered; null otherwise, and where the channel did not say.
  std::optional<std::int64_t> errorCode;  // the channel's
  std::optional<std::string> errorText;
  MessageSender sentBy;
  std::optional<Uuid> campaignId;  // that sent it
};
BOOST_DESCRIBE_STRUCT(Message, (),
                      (uniqueId, conversationId, direction, status, messageType, createdAt, replyToMessageId,
                       messagingMessageId, messageData, errorCode, errorText, sentBy, campaignId))

}  // namespace parley::model

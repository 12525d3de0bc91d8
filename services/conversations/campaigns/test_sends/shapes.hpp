#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/contracts/contacts.hpp"
#include "common/model/message.hpp"

namespace parley::conversations::test_sends {

// The reason why a person does not get a message.
enum class Skipped { OptedOut, Blocked, MissingValue };
BOOST_DESCRIBE_ENUM(Skipped, OptedOut, Blocked, MissingValue)

// The parameters of GET /api/campaigns/{id}/preview.
struct PreviewQuery {
  std::optional<model::Uuid> contact_id;
  std::optional<std::int64_t> variant;
};
BOOST_DESCRIBE_STRUCT(PreviewQuery, (), (contact_id, variant))

// A message as a recipient would get it, except that links show their target URLs.
struct Preview {
  std::optional<model::Uuid> contactId;  // null: rendered with fallbacks only
  std::int64_t variant = 0;              // 0: the campaign's own message
  std::optional<std::string> name;       // of the variant
  model::MessageType messageType = model::MessageType::Text;
  model::RawJson messageData;
  std::vector<std::string> missing;  // variables without a value and without a fallback
  std::optional<Skipped> skipped;    // the reason why it would not be sent
};
BOOST_DESCRIBE_STRUCT(Preview, (), (contactId, variant, name, messageType, messageData, missing, skipped))

struct PreviewResponse {
  std::vector<Preview> previews;
};
BOOST_DESCRIBE_STRUCT(PreviewResponse, (), (previews))

// The body of POST /api/campaigns/{id}/test.
struct TestBody {
  std::vector<std::string> phones;
  model::Nullable<std::int64_t> variant;
};
BOOST_DESCRIBE_STRUCT(TestBody, (), (phones, variant))

// The result for one number.
struct Test {
  std::string phone;  // E.164
  model::Uuid contactId;
  std::optional<model::Uuid> messageId;  // null: not sent, for the reason in `skipped`
  std::optional<Skipped> skipped;
};
BOOST_DESCRIBE_STRUCT(Test, (), (phone, contactId, messageId, skipped))

struct TestResponse {
  std::vector<Test> tests;
};
BOOST_DESCRIBE_STRUCT(TestResponse, (), (tests))

using Person = contracts::contacts::Recipient;

struct Sending {
  model::Uuid contact_id;
  model::Uuid message_id;
  std::string recipient;
  model::MessageType type = model::MessageType::Text;
  std::string data;
};

}  // namespace parley::conversations::test_sends

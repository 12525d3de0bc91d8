#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/contracts/contacts.hpp"
#include "common/model/message.hpp"

namespace parley::conversations::test_sends {

// Why somebody would not get, or did not get, a message.
enum class Skipped { OptedOut, Blocked, MissingValue };
BOOST_DESCRIBE_ENUM(Skipped, OptedOut, Blocked, MissingValue)

// The parameters of GET /api/campaigns/{id}/preview.
struct PreviewQuery {
  std::optional<model::Uuid> contact_id;
  std::optional<std::int64_t> variant;
};
BOOST_DESCRIBE_STRUCT(PreviewQuery, (), (contact_id, variant))

// A message as somebody would get it, but for its links, which still are what they lead to.
struct Preview {
  std::optional<model::Uuid> contactId;  // null: made for nobody, of the fallbacks
  std::int64_t variant = 0;              // 0: the campaign's own message
  std::optional<std::string> name;       // the variant's
  model::MessageType messageType = model::MessageType::Text;
  model::RawJson messageData;
  std::vector<std::string> missing;  // variables without a value and without a fallback
  std::optional<Skipped> skipped;    // it would not be sent, for this reason
};
BOOST_DESCRIBE_STRUCT(Preview, (), (contactId, variant, name, messageType, messageData, missing, skipped))

struct PreviewResponse {
  std::vector<Preview> previews;
};
BOOST_DESCRIBE_STRUCT(PreviewResponse, (), (previews))

// The body of POST /api/campaigns/{id}/test.
struct TestBody {
  std::vector<std::string> phones;
  std::optional<std::int64_t> variant;
};
BOOST_DESCRIBE_STRUCT(TestBody, (), (phones, variant))

// What became of one number.
struct Test {
  std::string phone;  // E.164
  model::Uuid contactId;
  std::optional<model::Uuid> messageId;  // null: nothing is sent, since
  std::optional<Skipped> skipped;
};
BOOST_DESCRIBE_STRUCT(Test, (), (phone, contactId, messageId, skipped))

struct TestResponse {
  std::vector<Test> tests;
};
BOOST_DESCRIBE_STRUCT(TestResponse, (), (tests))

// A contact, as its service tells it.
using Person = contracts::contacts::Recipient;

// A message that is to be sent for a test.
struct Sending {
  model::Uuid contact_id;
  model::Uuid message_id;
  std::string recipient;
  model::MessageType type = model::MessageType::Text;
  std::string data;
};

}  // namespace parley::conversations::test_sends

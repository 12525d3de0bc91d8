#pragma once
// What the channel answers, as far as it is looked at. All is optional: what is missing is judged where it is needed.
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/json.hpp"
#include "conversations/channel/refusals.hpp"

namespace parley::conversations::channel {

struct ErrorData {
  std::optional<std::string> details;
};
BOOST_DESCRIBE_STRUCT(ErrorData, (), (details))

struct ErrorObject {
  std::optional<std::int64_t> code;
  std::optional<std::string> message;
  std::optional<bool> is_transient;
  std::optional<ErrorData> error_data;
};
BOOST_DESCRIBE_STRUCT(ErrorObject, (), (code, message, is_transient, error_data))

struct AcceptedMessage {
  std::optional<std::string> id;
};
BOOST_DESCRIBE_STRUCT(AcceptedMessage, (), (id))

// Of POST /{phone number}/messages, whatever came of it.
struct MessageAnswer {
  std::optional<ErrorObject> error;
  std::optional<std::vector<AcceptedMessage>> messages;
  std::optional<bool> success;  // of a receipt
};
BOOST_DESCRIBE_STRUCT(MessageAnswer, (), (error, messages, success))

struct ErrorAnswer {
  std::optional<ErrorObject> error;
};
BOOST_DESCRIBE_STRUCT(ErrorAnswer, (), (error))

struct Cursors {
  std::optional<std::string> after;
};
BOOST_DESCRIBE_STRUCT(Cursors, (), (after))

struct Paging {
  std::optional<Cursors> cursors;
  std::optional<std::string> next;  // a URL, while there is more
};
BOOST_DESCRIBE_STRUCT(Paging, (), (cursors, next))

struct ListedTemplate {
  std::optional<std::string> id, name, language, category, status;
  std::optional<model::RawJson> components;
};
BOOST_DESCRIBE_STRUCT(ListedTemplate, (), (id, name, language, category, status, components))

struct Throughput {
  std::optional<std::string> level;
};
BOOST_DESCRIBE_STRUCT(Throughput, (), (level))

struct ListedPhoneNumber {
  std::optional<std::string> id, display_phone_number, verified_name, quality_rating, platform_type,
      whatsapp_business_manager_messaging_limit;
  std::optional<Throughput> throughput;
};
BOOST_DESCRIBE_STRUCT(ListedPhoneNumber, (),
                      (id, display_phone_number, verified_name, quality_rating, platform_type,
                       whatsapp_business_manager_messaging_limit, throughput))

struct TemplatesAnswer {
  std::vector<ListedTemplate> data;
  std::optional<Paging> paging;
};
BOOST_DESCRIBE_STRUCT(TemplatesAnswer, (), (data, paging))

struct PhoneNumbersAnswer {
  std::vector<ListedPhoneNumber> data;
  std::optional<Paging> paging;
};
BOOST_DESCRIBE_STRUCT(PhoneNumbersAnswer, (), (data, paging))

struct IdAnswer {
  std::string id;
};
BOOST_DESCRIBE_STRUCT(IdAnswer, (), (id))

struct MediaAnswer {
  std::string url;
  std::optional<std::string> mime_type;
};
BOOST_DESCRIBE_STRUCT(MediaAnswer, (), (url, mime_type))

// nullopt unless the answer holds an error object with a code, which alone says that the channel did nothing.
std::optional<Refusal> read_refusal(const std::optional<ErrorObject>& error, unsigned status);

}  // namespace parley::conversations::channel

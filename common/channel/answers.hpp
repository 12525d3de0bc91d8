#pragma once
// The channel's responses, as far as they are used. All members are optional; callers check the ones they need.
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/channel/errors.hpp"

namespace parley::cloud_api {

// Response of GET /oauth/access_token.
struct TokenResponse {
  std::optional<std::string> access_token;
  std::optional<std::string> business_token;  // the name in some of the channel's documentation
};
BOOST_DESCRIBE_STRUCT(TokenResponse, (), (access_token, business_token))

struct SuccessResponse {
  std::optional<bool> success;
};
BOOST_DESCRIBE_STRUCT(SuccessResponse, (), (success))

struct PhoneNumberResponse {
  std::optional<std::string> code_verification_status, verified_name, display_phone_number;
};
BOOST_DESCRIBE_STRUCT(PhoneNumberResponse, (), (code_verification_status, verified_name, display_phone_number))

struct AcceptedMessage {
  std::optional<std::string> id;
};
BOOST_DESCRIBE_STRUCT(AcceptedMessage, (), (id))

// Response of POST /{phone number}/messages, also for an error.
struct MessageResponse {
  std::optional<ErrorObject> error;
  std::optional<std::vector<AcceptedMessage>> messages;
  std::optional<bool> success;  // for a receipt
};
BOOST_DESCRIBE_STRUCT(MessageResponse, (), (error, messages, success))

struct Cursors {
  std::optional<std::string> after;
};
BOOST_DESCRIBE_STRUCT(Cursors, (), (after))

struct Paging {
  std::optional<Cursors> cursors;
  std::optional<std::string> next;  // a URL, if there are more pages
};
BOOST_DESCRIBE_STRUCT(Paging, (), (cursors, next))

struct QualityScore {
  std::optional<std::string> score;
};
BOOST_DESCRIBE_STRUCT(QualityScore, (), (score))

struct ListedTemplate {
  std::optional<std::string> id, name, language, category, status, rejected_reason;
  std::optional<QualityScore> quality_score;
  std::optional<model::RawJson> components;
};
BOOST_DESCRIBE_STRUCT(ListedTemplate, (),
                      (id, name, language, category, status, rejected_reason, quality_score, components))

// What an error says of a template, beside its code: which rule it breaks, and words for people.
struct SubmissionError {
  std::optional<std::int64_t> error_subcode;
  std::optional<std::string> error_user_msg;
};
BOOST_DESCRIBE_STRUCT(SubmissionError, (), (error_subcode, error_user_msg))

// Response to a template that was submitted, changed or deleted.
struct SubmissionResponse {
  std::optional<std::string> id, status, category;
  std::optional<bool> success;
  std::optional<SubmissionError> error;
};
BOOST_DESCRIBE_STRUCT(SubmissionResponse, (), (id, status, category, success, error))

// Response to a part of a resumable upload: the file's handle, after the last one.
struct HandleResponse {
  std::string h;
};
BOOST_DESCRIBE_STRUCT(HandleResponse, (), (h))

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

struct TemplatesResponse {
  std::vector<ListedTemplate> data;
  std::optional<Paging> paging;
};
BOOST_DESCRIBE_STRUCT(TemplatesResponse, (), (data, paging))

struct PhoneNumbersResponse {
  std::vector<ListedPhoneNumber> data;
  std::optional<Paging> paging;
};
BOOST_DESCRIBE_STRUCT(PhoneNumbersResponse, (), (data, paging))

struct IdResponse {
  std::string id;
};
BOOST_DESCRIBE_STRUCT(IdResponse, (), (id))

struct MediaResponse {
  std::string url;
  std::optional<std::string> mime_type;
  std::optional<std::string> sha256;  // hexadecimal
  std::optional<std::int64_t> file_size;
};
BOOST_DESCRIBE_STRUCT(MediaResponse, (), (url, mime_type, sha256, file_size))

}  // namespace parley::cloud_api

#pragma once
// The channel's error object, and what its codes mean. Codes and their meaning:
// https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes and
// https://developers.facebook.com/docs/graph-api/guides/error-handling
#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/model/json.hpp"

namespace parley::cloud_api {

// What a code means. Callers derive what they do about it.
enum class ErrorClass {
  unlisted,      // the code is not in the table
  unknown,       // an unknown error, over there or in the call
  unavailable,   // out of order or overloaded
  rate_limit,    // calls of the application, the account or the number come too fast
  pair_limit,    // messages of this number to this recipient come too fast
  maintenance,   // the number is being moved
  media,         // the medium cannot be had from its link
  rejected,      // this call will never be done: its parameters, its recipient, the moment
  opted_out,     // the recipient stopped marketing messages
  bad_template,  // the template is not there, or not as its parameters need it
  restricted,    // the template or flow is paused, or the number's quality is too low
  registration,  // the number cannot be registered now, or not with this PIN
  access,        // the token, its permissions, the account, its payment or its number are not good (any more)
  application    // the application's id or secret is not good
};

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

struct ErrorResponse {
  std::optional<ErrorObject> error;
};
BOOST_DESCRIBE_STRUCT(ErrorResponse, (), (error))

// An error object as it was answered.
struct Error {
  std::int64_t code = 0;
  ErrorClass meaning = ErrorClass::unlisted;
  unsigned status = 0;     // of the answer
  bool transient = false;  // the channel says that it passes
  std::string text{};      // the channel's words, at most 500 octets

  // Whether the call surely was not done. Most classes say so by their nature, whatever the status: the channel answers
  // a missing permission (3), a bad certificate (131045) and maintenance (131057) with 500. What is unknown, out of
  // order or unlisted says nothing of the call; then only a 4xx does, which by HTTP means that the call was not
  // accepted.
  bool is_refusal() const;
  // Whether the same call may be done later without anybody's help.
  bool is_temporary() const;
};

ErrorClass class_of(std::int64_t code);

// nullopt unless there is an error object with a code.
std::optional<Error> read_error(const std::optional<ErrorObject>& error, unsigned status);
// The same of an answer's body.
std::optional<Error> read_error(std::string_view body, unsigned status);

}  // namespace parley::cloud_api

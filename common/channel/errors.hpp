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

// The meaning of a code, from which callers derive their reaction.
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

// An error object from a response.
struct Error {
  std::int64_t code = 0;
  ErrorClass meaning = ErrorClass::unlisted;
  unsigned status = 0;     // of the response
  bool transient = false;  // the channel calls the error transient
  std::string text{};      // the channel's words, at most 500 octets

  // Whether the call certainly had no effect. Most classes imply it whatever the status, as the channel responds to a
  // missing permission (3), a bad certificate (131045) and maintenance (131057) with 500. For unknown, unavailable and
  // unlisted codes only a 4xx implies it, as by HTTP the request was not accepted.
  bool is_refusal() const;
  // Whether the same call may succeed later without intervention.
  bool is_temporary() const;
};

ErrorClass class_of(std::int64_t code);

// Returns nullopt unless there is an error object with a code.
std::optional<Error> read_error(const std::optional<ErrorObject>& error, unsigned status);
// The same for a response's body.
std::optional<Error> read_error(std::string_view body, unsigned status);

}  // namespace parley::cloud_api

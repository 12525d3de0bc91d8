#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/contracts/organizations.hpp"
#include "common/http/message.hpp"

namespace parley::gateway {

// Whether the request has any credential, well-formed or not.
bool has_credential(const http::Request& request);

// The cache key: a hash of the request's credential and the organization it acts in. Throws a Problem 400 if the
// organization is given twice.
std::string caller_key(const http::Request& request);

// The question for organizations; nullopt if the credential is malformed. Throws a Problem 400 if the organization is
// not an id.
std::optional<contracts::organizations::Verify> verify_question(const http::Request& request);

}  // namespace parley::gateway

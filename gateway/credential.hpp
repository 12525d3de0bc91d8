#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/contracts/organizations.hpp"
#include "common/http/message.hpp"

namespace parley::gateway {

// Whether a request bears anything that could be a credential, sound or not.
bool has_credential(const http::Request& request);

// What is remembered of a request's credential and the organization it is to act in: a hash of both. A Problem 400
// where the organization is given twice.
std::string caller_key(const http::Request& request);

// What asks organizations about them; nullopt for what no credential looks like. A Problem 400 where the organization
// is no id.
std::optional<contracts::organizations::Verify> verify_question(const http::Request& request);

}  // namespace parley::gateway

#pragma once
// Signatures by Standard Webhooks 1.0 (https://www.standardwebhooks.com).
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/model/uuid.hpp"

namespace parley::conversations::subscriptions {

// `whsec_` and the base64 of 32 random octets.
std::string new_secret();

// The field name under which a webhook's secret is sealed: see secrets::KeyRing.
std::string field_of(const model::Uuid& webhook);

// `v1,BASE64(HMAC-SHA256(ID.SECONDS.BODY))` for webhook-signature. Throws std::invalid_argument for an invalid secret.
std::string signature(std::string_view secret, std::string_view id, std::int64_t seconds, std::string_view body);

// The three header fields of a call, signed with each secret.
std::string signed_fields(std::span<const std::string> secrets, std::string_view id, std::int64_t seconds,
                          std::string_view body);

}  // namespace parley::conversations::subscriptions

#pragma once
#include <string>
#include <string_view>

namespace parley::support {

// The channel's X-Hub-Signature-256 of a body, computed by another library than the product's check.
std::string hub_signature(std::string_view secret, std::string_view body);

}  // namespace parley::support

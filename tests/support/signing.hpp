#pragma once
#include <string>
#include <string_view>

namespace parley::support {

// What the channel sends as X-Hub-Signature-256 with a body; by another library than the one that checks it.
std::string hub_signature(std::string_view secret, std::string_view body);

}  // namespace parley::support

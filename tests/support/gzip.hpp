#pragma once
#include <string>

namespace parley::support {

// The text that was compressed by gzip (RFC 1952). Throws std::runtime_error if it is not whole.
std::string gunzipped(const std::string& packed);

}  // namespace parley::support

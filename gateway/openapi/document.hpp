#pragma once
#include <string_view>

namespace parley::gateway {

// The public contract: gateway/openapi.yaml as one compact JSON text, made when the gateway is built. Static storage.
extern const std::string_view openapi_json;

}  // namespace parley::gateway

#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "common/http/message.hpp"

namespace parley::simulator {

struct Refusal {
  std::int64_t code = 100;
  std::string details;
};

// The channel's title of a code, such as "Re-engagement message".
std::string_view title_of(std::int64_t code);

// `{"error":{...}}` with the channel's usual status. `details` goes into error_data.
http::Response graph_error(std::int64_t code, std::string_view message, std::int64_t subcode = 0, unsigned status = 400,
                           std::string_view details = {});
// The response to a refused message: "(#code) title" and the details.
http::Response graph_error(const Refusal& refusal);

}  // namespace parley::simulator

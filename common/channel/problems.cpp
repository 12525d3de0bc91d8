#include "common/channel/problems.hpp"

namespace parley::cloud_api {

http::Problem no_use(std::string_view why) {
  return http::Problem({.status = 502, .detail = "the messaging channel " + std::string(why)});
}

http::Problem later(std::string_view why, int seconds, std::string_view how) {
  return http::Problem({.status = 503,
                        .detail = "the messaging channel " + std::string(why) + ": " + std::string(how),
                        .head = "Retry-After: " + std::to_string(seconds) + "\r\n"});
}

http::Problem unreachable(const http::Unreachable& unreachable, std::string_view how) {
  using Why = http::Unreachable::Why;
  if (unreachable.why == Why::bad_answer) return no_use("gave an answer that is no HTTP");
  if (unreachable.why == Why::timeout) return later("did not answer in time", 5, how);
  return later("is out of reach", 5, how);
}

}  // namespace parley::cloud_api

#pragma once
// What somebody is answered who waits for a call of ours to the channel, when it did not come to that.
#include "common/http/problem.hpp"
#include "common/http/unreachable.hpp"

namespace parley::cloud_api {

// 502: asking again is of no use. "the messaging channel " and why.
http::Problem no_use(std::string_view why);
// 503, with Retry-After: it may go well later. `how` to try again.
http::Problem later(std::string_view why, int seconds, std::string_view how);
// No answer, or none that is HTTP.
http::Problem unreachable(const http::Unreachable& unreachable, std::string_view how);

}  // namespace parley::cloud_api

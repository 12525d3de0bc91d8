#pragma once
// Problems for clients whose request needs a call to the channel that failed.
#include "common/http/problem.hpp"
#include "common/http/unreachable.hpp"

namespace parley::cloud_api {

// 502: a retry is useless. "the messaging channel " and the reason.
http::Problem no_use(std::string_view why);
// 503, with Retry-After: a retry may succeed. `how` says how to retry.
http::Problem later(std::string_view why, int seconds, std::string_view how);
// No response, or an invalid one.
http::Problem unreachable(const http::Unreachable& unreachable, std::string_view how);

}  // namespace parley::cloud_api

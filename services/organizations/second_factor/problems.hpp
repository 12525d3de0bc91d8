#pragma once
#include "common/http/problem.hpp"

namespace parley::organizations::second_factor {

// A sign-in with the right password that lacks a code, or has a wrong one.
inline http::Problem code_needed(std::string detail) {
  return http::Problem({.status = 401,
                        .detail = "/code " + detail,
                        .errors = {{"/code", detail}},
                        .head = "WWW-Authenticate: Bearer realm=\"parley\"\r\n",
                        .type = "/docs/sign-in#code-needed",
                        .title = "A code of the second factor is needed"});
}

// A code is never longer, however it is written.
inline constexpr std::size_t kMaxCode = 64;

inline constexpr const char* kNoCode = "is required: of the authenticator app, or a recovery code";
inline constexpr const char* kWrongCode = "is no code of your second factor, is over, or was used before";

}  // namespace parley::organizations::second_factor

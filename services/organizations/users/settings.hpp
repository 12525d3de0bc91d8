#pragma once
#include "common/chassis/environment.hpp"
#include "organizations/users/api.hpp"

namespace parley::organizations::users {

// Settings of sign-up and sign-in, from PARLEY_SIGN_UP, PARLEY_SIGN_IN_*, PARLEY_SESSION_* and PARLEY_PASSWORD_*.
struct Settings {
  SignUp sign_up = SignUp::closed;
  AttemptLimits attempts;
  Passwords::Limits passwords;
  sessions::Limits sessions;

  static Settings read(chassis::Environment& environment);
};

}  // namespace parley::organizations::users

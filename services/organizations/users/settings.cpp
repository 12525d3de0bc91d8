#include "organizations/users/settings.hpp"

namespace parley::organizations::users {

namespace {
constexpr std::int64_t kDay = 24 * 3600;
}

Settings Settings::read(chassis::Environment& environment) {
  Settings out;
  const auto sign_up = environment.text("PARLEY_SIGN_UP", "closed");
  if (!boost::describe::enum_from_string(sign_up.c_str(), out.sign_up))
    environment.fault("PARLEY_SIGN_UP", "must be open or closed");

  const auto count = [&](std::string_view name, int& value) {
    value = static_cast<int>(environment.number(name, value, 1, 1'000'000));
  };
  count("PARLEY_SIGN_IN_ATTEMPTS", out.attempts.of_account_from_address);
  count("PARLEY_SIGN_IN_ATTEMPTS_ACCOUNT", out.attempts.of_account);
  count("PARLEY_SIGN_IN_ATTEMPTS_ADDRESS", out.attempts.of_address);
  count("PARLEY_SIGN_UP_ATTEMPTS", out.attempts.of_sign_up);
  out.attempts.of_site = static_cast<int>(environment.number("PARLEY_SIGN_IN_ATTEMPTS_SITE", 4, 1, 1000));
  const auto seconds = [&](std::string_view name, std::int64_t& value, std::int64_t least, std::int64_t most) {
    value = environment.number(name, value, least, most);
  };
  seconds("PARLEY_SIGN_IN_WINDOW_SECONDS", out.attempts.window_seconds, 1, kDay);
  seconds("PARLEY_SIGN_IN_PAUSE_SECONDS", out.attempts.first_pause_seconds, 1, kDay);
  out.attempts.networks = environment.number("PARLEY_SIGN_IN_NETWORKS", out.attempts.networks, 0, 1000);
  out.attempts.network_days = environment.number("PARLEY_SIGN_IN_NETWORK_DAYS", out.attempts.network_days, 1, 3650);
  // At least 300 s: use is recorded by the minute, and gateways report it later.
  seconds("PARLEY_SESSION_IDLE_SECONDS", out.sessions.idle_seconds, 300, 365 * kDay);
  seconds("PARLEY_SESSION_LIFE_SECONDS", out.sessions.life_seconds, 1, 365 * kDay);
  out.passwords.threads = static_cast<std::size_t>(environment.number("PARLEY_PASSWORD_THREADS", 2, 1, 64));
  return out;
}

}  // namespace parley::organizations::users

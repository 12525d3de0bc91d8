#include "common/chassis/settings.hpp"

#include <stdexcept>

#include "common/redis/tls.hpp"
#include "common/redis/url.hpp"

namespace parley::chassis {

pg::Settings read_database(Environment& environment) {
  pg::Settings out;
  out.url = environment.secret("PARLEY_DATABASE_URL");
  out.replica_url = environment.text("PARLEY_DATABASE_REPLICA_URL", "");
  out.read_connections = static_cast<int>(environment.number("PARLEY_DATABASE_READ_CONNECTIONS", 2, 1, 64));
  out.write_connections = static_cast<int>(environment.number("PARLEY_DATABASE_WRITE_CONNECTIONS", 8, 1, 64));
  out.slow_connections = static_cast<int>(environment.number("PARLEY_DATABASE_SLOW_CONNECTIONS", 3, 1, 64));
  out.prepared = environment.flag("PARLEY_DATABASE_PREPARED", true);
  return out;
}

redis::Settings read_redis(Environment& environment) {
  redis::Settings out;
  out.url = environment.secret("PARLEY_REDIS_URL");
  out.ca_file = environment.text("PARLEY_REDIS_CA_FILE", "");
  try {
    const bool tls = !out.url.empty() && redis::parse_url(out.url).tls;
    if (tls) redis::tls_context(out.ca_file);
    if (!tls && !out.ca_file.empty())
      environment.fault("PARLEY_REDIS_CA_FILE", "is of no use without TLS: PARLEY_REDIS_URL has to begin with rediss");
  } catch (const std::invalid_argument& wrong) {
    environment.fault("PARLEY_REDIS_URL", "cannot be used: " + std::string(wrong.what()));
  }
  return out;
}

std::optional<redis::Settings> find_redis(Environment& environment) {
  if (environment.text("PARLEY_REDIS_URL", "").empty()) return std::nullopt;
  return read_redis(environment);
}

// `gateway=BASE64,contacts=BASE64`: the trusted signers and their public keys. A name may occur again with its next
// key.
identity::Trusted read_trusted(Environment& environment) {
  identity::Trusted out;
  const auto value = environment.text("PARLEY_IDENTITY_TRUSTED", "");
  std::string_view rest = value;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    const auto entry = rest.substr(0, comma);
    rest = comma == rest.npos ? std::string_view{} : rest.substr(comma + 1);
    const auto equals = entry.find('=');
    const auto key = equals == entry.npos ? std::nullopt : identity::key_from_base64(entry.substr(equals + 1));
    if (!key)
      environment.fault("PARLEY_IDENTITY_TRUSTED", "must be NAME=BASE64_PUBLIC_KEY, with commas between several");
    else
      out.emplace(entry.substr(0, equals), *key);
  }
  return out;
}

std::shared_ptr<const secrets::KeyRing> read_keys(Environment& environment) {
  const auto text = environment.secret("PARLEY_ENCRYPTION_KEYS");
  try {
    if (!text.empty()) return std::make_shared<secrets::KeyRing>(text);
  } catch (const std::invalid_argument& wrong) {
    environment.fault("PARLEY_ENCRYPTION_KEYS", wrong.what());
  }
  return nullptr;
}

}  // namespace parley::chassis

#pragma once
// Reads from the environment the settings of libraries that do not know the environment.
#include <memory>
#include <optional>

#include "common/chassis/environment.hpp"
#include "common/identity/token.hpp"
#include "common/pg/pool.hpp"
#include "common/redis/client.hpp"
#include "common/secrets/key_ring.hpp"

namespace parley::chassis {

pg::Settings read_database(Environment& environment);                 // PARLEY_DATABASE_URL and PARLEY_DATABASE_*
redis::Settings read_redis(Environment& environment);                 // PARLEY_REDIS_URL, PARLEY_REDIS_CA_FILE
std::optional<redis::Settings> find_redis(Environment& environment);  // the same, nullopt if not configured
identity::Trusted read_trusted(Environment& environment);             // PARLEY_IDENTITY_TRUSTED
// PARLEY_ENCRYPTION_KEYS. Returns nullptr only after a fault.
std::shared_ptr<const secrets::KeyRing> read_keys(Environment& environment);

}  // namespace parley::chassis

#pragma once
#include "analytics/schema.hpp"
#include "contacts/schema.hpp"
#include "conversations/schema.hpp"
#include "organizations/schema.hpp"
#include "tests/integration/pg_loop.hpp"

namespace parley::pg_tests {

inline const pg::Schema& schema_of(const std::string& service) {
  return service == "contacts"        ? contacts::schema
         : service == "conversations" ? conversations::schema
         : service == "organizations" ? organizations::schema
                                      : analytics::schema;
}

// Makes a database of its own with a service's schema, as it is deployed: letters have their case in all languages.
// Returns its URL. The schema is made once a server, and copied: migrations take a second, files a tenth of it.
inline std::string new_database(const std::string& service, const support::PostgresServer& server = shared_server()) {
  const auto pattern = "pattern_of_" + service;
  if (server.execute("SELECT count(*) FROM pg_database WHERE datname = '" + pattern + "'") == "0") {
    server.execute("CREATE DATABASE " + pattern + " TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'");
    pg::migrate(server.url("postgres", pattern), schema_of(service));
  }
  static int count = 0;
  const auto name = "new_" + service + "_" + std::to_string(++count);
  server.execute("CREATE DATABASE " + name + " TEMPLATE " + pattern + " STRATEGY file_copy");
  return server.url("postgres", name);
}

}  // namespace parley::pg_tests

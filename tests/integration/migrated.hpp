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

// A database with a service's schema; its URL.
inline std::string migrated(const std::string& service) {
  const auto name = "migrated_" + service;
  auto& server = shared_server();
  server.execute("DROP DATABASE IF EXISTS " + name);
  server.execute("CREATE DATABASE " + name + " TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'");
  const auto url = server.url("postgres", name);
  pg::migrate(url, schema_of(service));
  return url;
}

}  // namespace parley::pg_tests

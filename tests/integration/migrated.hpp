#pragma once
#include <filesystem>
#include <map>

#include "common/pg/migrate.hpp"
#include "tests/integration/pg_loop.hpp"
#include "tests/support/sql.hpp"

namespace parley::pg_tests {

// A service's migrations as they are in the source tree, into a database of their own.
inline std::string migrated(const std::string& service) {
  const auto name = "migrated_" + service;
  auto& server = shared_server();
  server.execute("DROP DATABASE IF EXISTS " + name);
  server.execute("CREATE DATABASE " + name + " TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'");
  std::map<std::string, std::string> files;
  const std::string folder = "services/" + service + "/migrations";
  for (const auto& entry : std::filesystem::directory_iterator(std::string(PARLEY_SOURCE_DIR) + "/" + folder)) {
    const auto file = entry.path().filename().string();
    files.emplace(file, support::source_text(folder + "/" + file));
  }
  std::vector<pg::Migration> migrations;
  for (const auto& [file, text] : files) migrations.push_back({std::stoi(file.substr(0, 4)), file, text});
  const auto url = server.url("postgres", name);
  pg::migrate(url, migrations);
  return url;
}

}  // namespace parley::pg_tests

#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/uuid.hpp"
#include "common/pg/statement.hpp"

namespace CLI {
class App;
}

namespace parley::chassis {

// A table with secrets that secrets::KeyRing has sealed.
struct SealedTable {
  std::string_view name;
  // read(organization_id uuid, id uuid, most int8): the next rows after these ids, in order: `organization_id`, `id`
  // (nil where the organization is the key) and `sealed` text[], the columns, which may be null.
  const pg::Statement& page;
  // write(organization_id uuid, id uuid, old text[], new text[]): updates the columns if they still hold the old
  // values.
  const pg::Statement& save;
  // The field name that each column was sealed with, by the row's id.
  std::function<std::vector<std::string>(const model::Uuid& id)> fields;
};

// Adds the command `reseal`: reseals everything with the first of PARLEY_ENCRYPTION_KEYS, and prints how much was
// sealed with which key. It may run beside the service, be killed and run again. `--check` only counts. Exit status 0
// means that no secret is sealed with another key.
void add_reseal(CLI::App& app, std::vector<SealedTable> tables);

}  // namespace parley::chassis

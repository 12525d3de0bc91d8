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
  // read(organization_id uuid, id uuid, most int8): rows beyond these, in their order: `organization_id`, `id` (nil
  // where the organization is the key) and `sealed` text[]: its columns, which may be null.
  const pg::Statement& page;
  // write(organization_id uuid, id uuid, old text[], new text[]): changes the columns if they are still the old ones.
  const pg::Statement& save;
  // What each of these columns was sealed as, by the row's id.
  std::function<std::vector<std::string>(const model::Uuid& id)> fields;
};

// The command `reseal`: seals everything anew with the first of PARLEY_ENCRYPTION_KEYS, and says how much was sealed
// with which key. It may run beside the service, be killed, and run again. `--check` only counts. Its status is 0 when
// nothing is left that another key sealed.
void add_reseal(CLI::App& app, std::vector<SealedTable> tables);

}  // namespace parley::chassis

#pragma once
// Events of contacts about imports, for who watches one.
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <optional>
#include <string>

#include "common/model/json.hpp"

namespace parley::events {

enum class ImportStatus { Queued, Running, Finished, Failed, Cancelled };
BOOST_DESCRIBE_ENUM(ImportStatus, Queued, Running, Finished, Failed, Cancelled)

// An import as of the transaction of its event.
struct ImportState {
  model::Uuid organizationId;
  model::Uuid importId;
  ImportStatus status = ImportStatus::Queued;
  std::string failure;  // "" unless Failed
  std::optional<model::Uuid> listId;
  std::int64_t rowsRead = 0, imported = 0, updated = 0, skipped = 0, failed = 0;
  std::int64_t percent = 0;  // of the file's octets
};
BOOST_DESCRIBE_STRUCT(ImportState, (),
                      (organizationId, importId, status, failure, listId, rowsRead, imported, updated, skipped, failed,
                       percent))

// It waits for its turn, or has ended.
struct ImportStatusChanged : ImportState {
  static constexpr std::string_view type = "import.status";
};
BOOST_DESCRIBE_STRUCT(ImportStatusChanged, (ImportState), ())

// Rows of it were applied; emitted at most once a second for an import.
struct ImportProgressed : ImportState {
  static constexpr std::string_view type = "import.progress";
};
BOOST_DESCRIBE_STRUCT(ImportProgressed, (ImportState), ())

}  // namespace parley::events

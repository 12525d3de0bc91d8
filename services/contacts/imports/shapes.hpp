#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <chrono>

#include "common/http/page.hpp"
#include "common/model/page.hpp"
#include "contacts/imports/columns.hpp"

namespace parley::contacts::imports {

enum class Status { Uploading, Queued, Running, Finished, Failed, Cancelled };
BOOST_DESCRIBE_ENUM(Status, Uploading, Queued, Running, Finished, Failed, Cancelled)

// Treatment of rows whose phone belongs to a contact already.
enum class OnConflict { skip, update };
BOOST_DESCRIBE_ENUM(OnConflict, skip, update)

struct ImportQuery {
  std::optional<model::Uuid> list_id;
  std::optional<OnConflict> on_conflict;
  std::optional<std::string> mapping, country;
  std::optional<std::string> format;  // csv or csv-raw
};
BOOST_DESCRIBE_STRUCT(ImportQuery, (), (list_id, on_conflict, mapping, country, format))

// GET /api/contacts/imports: newest first by default.
struct ListQuery : http::CreationQuery {
  std::optional<Status> status;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::CreationQuery), (status))

// GET /api/contacts/imports/{id}/failed-rows
struct FailedRowsQuery : http::OfOrganization {
  std::optional<std::string> format;  // csv or csv-raw
};
BOOST_DESCRIBE_STRUCT(FailedRowsQuery, (http::OfOrganization), (format))

// Why a row or a part of it was rejected.
struct RowError {
  std::int64_t line = 0;  // first line of the row in the file, from 1
  std::string column;     // header; "" for the whole row
  std::string detail;
};
BOOST_DESCRIBE_STRUCT(RowError, (), (line, column, detail))

inline constexpr std::size_t kMaxErrors = 100;  // kept; `failed` counts all of them

// A row that counts as failed, as it is kept for the file of them: FailedRows.
struct FailedRow {
  std::int64_t line = 0;
  std::string column;  // as in RowError
  std::string reason;
  std::vector<std::string> fields;  // without the apostrophes that guard them in a file for spreadsheets
};
BOOST_DESCRIBE_STRUCT(FailedRow, (), (line, column, reason, fields))

inline constexpr std::int64_t kMaxFailedKept = 100'000;             // rows of an import
inline constexpr std::int64_t kMaxFailedOctets = 64 * 1024 * 1024;  // of them as JSON

// Always rowsRead = imported + updated + skipped + failed.
struct ImportSummary {
  model::Uuid uniqueId;
  Status status = Status::Uploading;
  std::string failure;  // "" unless Failed
  std::optional<model::Uuid> listId;
  OnConflict onConflict = OnConflict::skip;
  std::string country;
  std::int64_t rowsRead = 0, imported = 0, updated = 0, skipped = 0, failed = 0;
  std::int64_t failedKept = 0;  // of `failed`, those that the file of failed rows has
  std::int64_t percent = 0;     // of the file's octets
  model::Timestamp createdAt;
  std::optional<model::Timestamp> finishedAt;
};
BOOST_DESCRIBE_STRUCT(ImportSummary, (),
                      (uniqueId, status, failure, listId, onConflict, country, rowsRead, imported, updated, skipped,
                       failed, failedKept, percent, createdAt, finishedAt))
struct Import : ImportSummary {
  model::RawJson errors{"[]"};  // array of RowError
};
BOOST_DESCRIBE_STRUCT(Import, (ImportSummary), (errors))

struct ImportResponse {
  Import import;
};
BOOST_DESCRIBE_STRUCT(ImportResponse, (), (import))
struct PageResponse {
  std::vector<ImportSummary> imports;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (imports, paginationMeta))

// A file whose header has been read.
struct NewImport {
  std::optional<model::Uuid> list_id{};
  OnConflict on_conflict = OnConflict::skip;
  std::string country{};
  model::CsvCells cells = model::CsvCells::guarded;
  char delimiter = ',';
  std::vector<Column> columns{};
  std::int64_t position = 0;  // offset and line of the first row
  std::int64_t line = 1;
};

// Progress of an import. The counts describe what is committed up to `position`.
struct Progress {
  std::int64_t position = 0, line = 1;
  std::int64_t rows_read = 0, imported = 0, updated = 0, skipped = 0, failed = 0;
  std::int64_t failed_kept = 0, failed_octets = 0;
  std::vector<std::string> tags;  // distinct tags named so far
  std::vector<RowError> errors;   // the first kMaxErrors
};

// An import as its lease holder processes it.
struct Job {
  model::Uuid organization_id, id, owner;
  std::optional<model::Uuid> list_id;
  OnConflict on_conflict = OnConflict::skip;
  std::string country;
  model::CsvCells cells = model::CsvCells::guarded;
  char delimiter = ',';
  std::vector<Column> columns;
  std::int64_t size = 0;
  std::int64_t attempts = 0;  // attempts at the current position, this one included
  Progress progress;
  std::string refusal{};                              // why its rows cannot be applied
  std::chrono::steady_clock::time_point next_told{};  // when its progress may be told again
};

}  // namespace parley::contacts::imports

#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/model/page.hpp"
#include "contacts/imports/columns.hpp"

namespace parley::contacts::imports {

enum class Status { Uploading, Queued, Running, Finished, Failed, Cancelled };
BOOST_DESCRIBE_ENUM(Status, Uploading, Queued, Running, Finished, Failed, Cancelled)

// What becomes of a row whose phone a contact has already.
enum class OnConflict { skip, update };
BOOST_DESCRIBE_ENUM(OnConflict, skip, update)

// The parameters of POST /api/contacts/imports.
struct ImportQuery {
  std::optional<model::Uuid> list_id;
  std::optional<OnConflict> on_conflict;
  std::optional<std::string> mapping, country;
  std::optional<std::string> format;  // csv or csv-raw
};
BOOST_DESCRIBE_STRUCT(ImportQuery, (), (list_id, on_conflict, mapping, country, format))

// The parameters of GET /api/contacts/imports: newest first unless `order` says otherwise.
struct ListQuery {
  std::optional<std::int64_t> skip, page, per_page, limit;
  std::optional<http::Order> order;
  std::optional<Status> status;
  std::optional<std::string> cursor;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (), (skip, page, per_page, limit, order, status, cursor))

// Why a row, or a part of it, was not taken.
struct RowError {
  std::int64_t line = 0;  // of the file, from 1: where the row begins
  std::string column;     // its header; "" for the whole row
  std::string detail;
};
BOOST_DESCRIBE_STRUCT(RowError, (), (line, column, detail))

inline constexpr std::size_t kMaxErrors = 100;  // kept; `failed` counts all

// An import as the endpoints answer it. rowsRead = imported + updated + skipped + failed, at every moment.
struct ImportSummary {
  model::Uuid uniqueId;
  Status status = Status::Uploading;
  std::string failure;  // why it is Failed, "" otherwise
  std::optional<model::Uuid> listId;
  OnConflict onConflict = OnConflict::skip;
  std::string country;
  std::int64_t rowsRead = 0, imported = 0, updated = 0, skipped = 0, failed = 0;
  std::int64_t percent = 0;  // of the file's octets
  model::Timestamp createdAt;
  std::optional<model::Timestamp> finishedAt;
};
BOOST_DESCRIBE_STRUCT(ImportSummary, (),
                      (uniqueId, status, failure, listId, onConflict, country, rowsRead, imported, updated, skipped,
                       failed, percent, createdAt, finishedAt))
struct Import : ImportSummary {
  model::RawJson errors{"[]"};  // of RowErrors
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

// A file whose header was read, to be staged.
struct NewImport {
  std::optional<model::Uuid> list_id{};
  OnConflict on_conflict = OnConflict::skip;
  std::string country{};
  model::CsvCells cells = model::CsvCells::guarded;
  char delimiter = ',';
  std::vector<Column> columns{};
  std::int64_t position = 0;  // where the first row begins, and on which line
  std::int64_t line = 1;
};

// How far an import is. What is counted is in the database when `position` is.
struct Progress {
  std::int64_t position = 0, line = 1;
  std::int64_t rows_read = 0, imported = 0, updated = 0, skipped = 0, failed = 0;
  std::vector<std::string> tags;  // the different ones that rows have named
  std::vector<RowError> errors;   // the first
};

// An import to be worked on by whoever holds its lease.
struct Job {
  model::Uuid organization_id, id, owner;
  std::optional<model::Uuid> list_id;
  OnConflict on_conflict = OnConflict::skip;
  std::string country;
  model::CsvCells cells = model::CsvCells::guarded;
  char delimiter = ',';
  std::vector<Column> columns;
  std::int64_t size = 0;
  std::int64_t attempts = 0;  // to go on from where it is, this one counted
  Progress progress;
  std::string refusal{};  // why its rows cannot be taken
};

}  // namespace parley::contacts::imports

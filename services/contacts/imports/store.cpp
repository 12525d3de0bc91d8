#include "contacts/imports/store.hpp"

#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"
#include "contacts/imports/sql.hpp"
#include "contacts/imports/told.hpp"

namespace parley::contacts::imports {

namespace {

constexpr std::int64_t kUploadSeconds = 120;  // per chunk: aborts uploads slower than 2 KiB/s
constexpr std::int64_t kMaxOpen = 20;         // unfinished imports of one organization
constexpr int kMaxSweptChunks = 64;           // 16 MiB
constexpr int kMaxSweptUploads = 64;
constexpr int kMaxSweptFailed = 256;  // chunks of failed rows, or imports

struct JobRow {
  model::Uuid organization_id, id;
  std::optional<model::Uuid> list_id;
  OnConflict on_conflict = OnConflict::skip;
  std::string country, delimiter;
  bool guarded = true;
  std::vector<std::string> headers, targets;
  std::int64_t size = 0, attempts = 0, position = 0, line = 0;
  std::int64_t rows_read = 0, imported = 0, updated = 0, skipped = 0, failed = 0, failed_kept = 0, failed_octets = 0;
  std::vector<std::string> tags;
  model::RawJson errors;
};
BOOST_DESCRIBE_STRUCT(JobRow, (),
                      (organization_id, id, list_id, on_conflict, country, delimiter, guarded, headers, targets, size,
                       attempts, position, line, rows_read, imported, updated, skipped, failed, failed_kept,
                       failed_octets, tags, errors))

struct HeadersRow {
  std::vector<std::string> headers;
};
BOOST_DESCRIBE_STRUCT(HeadersRow, (), (headers))

struct ChunkRow {
  std::int64_t line = 0;
  std::string rows;
};
BOOST_DESCRIBE_STRUCT(ChunkRow, (), (line, rows))

http::Problem upload_is_over() {
  return http::Problem(
      {.status = 409, .detail = "the import was cancelled, or its upload stood still for too long", .close = true});
}

std::vector<RowError> read_errors(const model::RawJson& json) {
  auto out = model::from_json<std::vector<RowError>>(json.text);
  if (!out) throw std::logic_error("the errors of an import are none");
  return std::move(*out);
}

Job job_of(JobRow row, const model::Uuid& owner) {
  Job job{row.organization_id,
          row.id,
          owner,
          row.list_id,
          row.on_conflict,
          std::move(row.country),
          row.guarded ? model::CsvCells::guarded : model::CsvCells::raw,
          row.delimiter.at(0),
          {},
          row.size,
          row.attempts,
          {},
          {}};
  for (std::size_t i = 0; i < row.targets.size(); ++i)
    job.columns.push_back(column_of(row.targets[i], std::move(row.headers.at(i))));
  job.progress = {row.position,
                  row.line,
                  row.rows_read,
                  row.imported,
                  row.updated,
                  row.skipped,
                  row.failed,
                  row.failed_kept,
                  row.failed_octets,
                  std::move(row.tags),
                  read_errors(row.errors)};
  return job;
}

}  // namespace

awaitable<model::Uuid> Store::open(model::Uuid organization, NewImport import) {
  const auto id = model::new_uuid();
  auto transaction = co_await database_.begin();
  if (import.list_id) {
    const auto results = co_await transaction.run(pg::Batch(sql::known_list, organization, *import.list_id));
    if (results.row_count() == 0)
      throw http::Problem({.status = 400,
                           .detail = "there is no list " + import.list_id->text(),
                           .errors = {{"?list_id", "there is no list with this id"}}});
  }
  std::vector<std::string> headers, targets;
  for (const auto& column : import.columns) {
    headers.push_back(column.header);
    targets.push_back(target_of(column));
  }
  const auto results = co_await transaction.commit(
      pg::Batch(sql::open, organization, id, import.list_id, import.on_conflict, import.country,
                std::string(1, import.delimiter), import.cells == model::CsvCells::guarded, headers, targets,
                import.position, import.line, kUploadSeconds, kMaxOpen));
  if (results.affected() == 0)
    throw http::Problem({.status = 409,
                         .detail = std::to_string(kMaxOpen) + " imports are under way: wait until one has ended",
                         .head = "Retry-After: 10\r\n"});
  co_return id;
}

awaitable<void> Store::stage(model::Uuid organization, model::Uuid id, std::int64_t number, std::string_view octets) {
  const auto results =
      co_await database_.write(pg::Batch(sql::stage, organization, id, number, octets, kChunkOctets, kUploadSeconds));
  if (results.row_count() == 0) throw upload_is_over();
}

awaitable<void> Store::discard(model::Uuid organization, model::Uuid id) {
  co_await database_.write(pg::Batch(sql::discard, organization, id));
}

awaitable<Import> Store::enqueue(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  pg::Batch batch;
  batch.add(sql::enqueue, organization, id).add(sql::find, organization, id);
  const auto results = co_await transaction.run(std::move(batch));
  if (results.affected(0) == 0) throw upload_is_over();
  auto import = results.one<Import>(1);
  pg::Batch told;
  tell_status(told, organization, import);
  co_await transaction.run(std::move(told));
  co_return import;
}

awaitable<std::optional<Import>> Store::find(model::Uuid organization, model::Uuid id) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization, id));
  co_return results.optional<Import>();
}

awaitable<Page> Store::list(model::Uuid organization, Filter filter) {
  pg::Batch batch;
  batch.add(
      sql::page[{
          .after = filter.after.has_value(), .by_status = filter.status.has_value(), .descending = filter.descending}],
      organization, filter.status, filter.after, filter.paging.per_page, filter.paging.skip);
  batch.add(sql::count[{.by_status = filter.status.has_value()}], organization, filter.status);
  const auto results = co_await database_.read(std::move(batch));
  co_return Page{results.rows<ImportSummary>(0), results.one<std::int64_t>(1)};
}

awaitable<std::optional<std::vector<std::string>>> Store::headers(model::Uuid organization, model::Uuid id) {
  const auto results = co_await database_.read(pg::Batch(sql::headers, organization, id));
  auto row = results.optional<HeadersRow>();
  if (!row) co_return std::nullopt;
  co_return std::move(row->headers);
}

awaitable<std::vector<FailedRow>> Store::failed_rows(model::Uuid organization, model::Uuid id, std::int64_t& after) {
  const auto results = co_await database_.read(pg::Batch(sql::failed_chunk, organization, id, after));
  const auto chunk = results.optional<ChunkRow>();
  if (!chunk) co_return std::vector<FailedRow>{};
  after = chunk->line;
  auto rows = model::from_json<std::vector<FailedRow>>(chunk->rows);
  if (!rows) throw std::logic_error("the failed rows of an import are none");
  co_return std::move(*rows);
}

awaitable<void> Store::emit(model::RawJson told) { co_await database_.write(pg::Batch(events::outbox::append, told)); }

awaitable<std::optional<Import>> Store::cancel(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  pg::Batch batch;
  batch.add(sql::cancel, organization, id).add(sql::find, organization, id);
  const auto results = co_await transaction.run(std::move(batch));
  auto import = results.optional<Import>(1);
  if (import && results.affected(0) > 0) {
    pg::Batch told;
    tell_status(told, organization, *import);
    co_await transaction.run(std::move(told));
  }
  co_return import;
}

awaitable<std::optional<Job>> Store::claim(model::Uuid owner) {
  const auto results = co_await database_.write(pg::Batch(sql::claim, owner, kLeaseSeconds));
  auto row = results.optional<JobRow>();
  if (!row) co_return std::nullopt;
  co_return job_of(std::move(*row), owner);
}

awaitable<std::optional<std::string>> Store::chunk(const Job& job, std::int64_t number) {
  const auto results = co_await database_.read(pg::Batch(sql::chunk, job.organization_id, job.id, number));
  co_return results.optional<std::string>();
}

awaitable<void> Store::analyze() {
  pg::Batch batch(sql::analyze_contacts);
  batch.add(sql::analyze_tags);
  batch.add(sql::analyze_members);
  co_await database_.write(std::move(batch));
}

awaitable<void> Store::fail(const Job& job, std::string why) {
  auto transaction = co_await database_.begin();
  const auto results = co_await transaction.run(
      pg::Batch(sql::finish, job.organization_id, job.id, job.owner, job.progress.position, Status::Failed, why));
  if (results.affected() == 0) co_return;
  pg::Batch told;
  tell_status(told, job, job.progress, events::ImportStatus::Failed, std::move(why));
  co_await transaction.commit(std::move(told));
}

awaitable<void> Store::release(const Job& job) {
  co_await database_.write(pg::Batch(sql::release, job.organization_id, job.id, job.owner));
}

awaitable<bool> Store::give_way(const Job& job) {
  const auto results = co_await database_.write(pg::Batch(sql::give_way, job.organization_id, job.id, job.owner));
  co_return results.affected() > 0;
}

awaitable<bool> Store::sweep() {
  pg::Batch batch;
  batch.add(sql::sweep_chunks, kMaxSweptChunks).add(sql::sweep_uploads, kMaxSweptUploads);
  batch.add(sql::sweep_failed, kFailedDays, kMaxFailedOfOrganization, kMaxSweptFailed);
  batch.add(sql::sweep_failed_imports, kFailedDays, kMaxFailedOfOrganization, kMaxSweptFailed);
  const auto results = co_await database_.write(std::move(batch));
  std::uint64_t swept = 0;
  for (std::size_t i = 0; i < 4; ++i) swept += results.affected(i);
  co_return swept > 0;
}

std::size_t Store::reads_under_way() const { return database_.stats(pg::Lane::read).under_way(); }

}  // namespace parley::contacts::imports

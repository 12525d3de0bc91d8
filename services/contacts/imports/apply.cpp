// Store::apply: applies a batch of an import's rows in one transaction.
#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "common/events/outbox/sql.hpp"
#include "contacts/contacts/emit.hpp"
#include "contacts/imports/sql.hpp"
#include "contacts/imports/store.hpp"
#include "contacts/imports/told.hpp"
#include "contacts/lists/shapes.hpp"
#include "contacts/lists/sql.hpp"
#include "contacts/lists/tally.hpp"
#include "contacts/tags/resolve.hpp"

namespace parley::contacts::imports {

struct Store::Touched {
  std::vector<model::Uuid> made, changed;
  std::int64_t joined = 0;  // contacts that joined the list
};

namespace {

constexpr std::size_t kFailedChunk = 64 * 1024;  // octets, and at most a row more
constexpr std::int64_t kAllChunks = std::numeric_limits<std::int32_t>::max();

struct MergedRow {
  model::Uuid id;
  std::string phone;
};
BOOST_DESCRIBE_STRUCT(MergedRow, (), (id, phone))

struct Arrays {
  explicit Arrays(const std::vector<Row>& rows) {
    for (const auto& row : rows) {
      ids.push_back(row.id);
      names.push_back(row.name);
      phones.push_back(row.phone);
      attributes.push_back(row.attributes);
    }
  }
  std::vector<model::Uuid> ids;
  std::vector<std::string_view> names, phones, attributes;
};

void count_added(Rows& rows, const std::vector<model::Uuid>& made) {
  const auto added = static_cast<std::int64_t>(made.size());
  rows.progress.imported += added;
  rows.progress.skipped += static_cast<std::int64_t>(rows.rows.size()) - added;
}

// Rows not returned would make a contact's attributes too long; the others take the id of their contact.
void count_merged(Rows& rows, const Job& job, const pg::Results& results) {
  std::unordered_map<std::string, model::Uuid> merged;
  for (auto& row : results.rows<MergedRow>(0)) merged.emplace(std::move(row.phone), row.id);
  for (auto& row : rows.rows) {
    const auto found = merged.find(row.phone);
    if (found == merged.end()) {
      constexpr std::string_view why = "with this row's its contact's attributes would be longer than 16 KiB";
      rows.progress.failed += 1 + row.repeated;
      add_error(rows, row.line, "", std::string(why));
      for (const auto& record : row.records) keep_failed(rows, job, record, why);
    } else {
      const bool is_new = found->second == row.id;
      rows.progress.imported += is_new;
      rows.progress.updated += row.repeated + !is_new;
      row.id = found->second;
    }
  }
  std::erase_if(rows.rows, [&](const Row& row) { return !merged.contains(row.phone); });
}

// Returns the phones of contacts that may join the list; notes an error for those in 100 lists already.
awaitable<std::vector<std::string_view>> joining(pg::Transaction& transaction, const Job& job, Rows& rows) {
  auto phones = Arrays(rows.rows).phones;
  const auto known = co_await transaction.run(pg::Batch(sql::with_phones, job.organization_id, phones));
  std::unordered_map<model::Uuid, std::string> by_id;
  std::vector<model::Uuid> ids;
  for (auto& row : known.rows<MergedRow>()) {
    ids.push_back(row.id);
    by_id.emplace(row.id, std::move(row.phone));
  }
  const auto found = co_await transaction.run(
      pg::Batch(lists::sql::full, job.organization_id, *job.list_id, ids, lists::kMaxListsOfContact));
  std::unordered_set<std::string_view> full;
  for (const auto& id : found.rows<model::Uuid>()) full.insert(by_id.at(id));
  if (full.empty()) co_return phones;
  for (const auto& row : rows.rows)
    if (full.contains(row.phone))
      add_error(rows, row.line, "", "its contact is in 100 lists already, and did not join this one");
  std::erase_if(phones, [&](const auto& phone) { return full.contains(phone); });
  co_return phones;
}

// Drops the tags of rows whose contacts already have the maximum, and notes an error.
awaitable<void> leave_room_for_tags(pg::Transaction& transaction, const Job& job, Rows& rows) {
  std::vector<model::Uuid> ids;
  for (const auto& row : rows.rows)
    if (!row.tags.empty()) ids.push_back(row.id);
  if (ids.empty()) co_return;
  const auto results = co_await transaction.run(pg::Batch(sql::tagged_much, job.organization_id, ids, tags::kMaxNames));
  const auto found = results.rows<model::Uuid>();
  const std::unordered_set<model::Uuid> full(found.begin(), found.end());
  for (auto& row : rows.rows) {
    if (row.tags.empty() || !full.contains(row.id)) continue;
    add_error(rows, row.line, "", "its contact bears 100 tags already, and got none of these");
    row.tags.clear();
  }
}

// The statement ignores rows whose contact existed and was skipped: no contact has their ids.
void add_tags(pg::Batch& batch, const Job& job, const Rows& rows, const tags::Resolved& resolved) {
  std::vector<model::Uuid> contact_ids, tag_ids;
  for (const auto& row : rows.rows)
    for (const auto& id : tags::ids_of(resolved, row.tags, "")) {
      contact_ids.push_back(row.id);
      tag_ids.push_back(id);
    }
  if (!tag_ids.empty()) batch.add(sql::tag_contacts, job.organization_id, contact_ids, tag_ids);
}

void add_failed(pg::Batch& batch, const Job& job, std::vector<FailedRow> failed) {
  if (failed.empty()) return;
  std::ranges::sort(failed, {}, &FailedRow::line);
  std::vector<std::int64_t> lines;
  std::vector<std::string> chunks;
  for (const auto& row : failed) {
    if (chunks.empty() || chunks.back().size() >= kFailedChunk) {
      lines.push_back(row.line);
      chunks.emplace_back("[");
    } else {
      chunks.back() += ',';
    }
    model::write(chunks.back(), row);
  }
  for (auto& chunk : chunks) chunk += ']';
  batch.add(sql::keep_failed, job.organization_id, job.id, lines, chunks);
}

}  // namespace

// False if this process has lost the job.
awaitable<bool> Store::lock(pg::Transaction& transaction, const Job& job, bool& has_list) {
  pg::Batch batch;
  batch.add(sql::fence, job.organization_id, job.id, job.owner, job.progress.position);
  if (job.list_id) batch.add(sql::known_list, job.organization_id, *job.list_id);
  const auto results = co_await transaction.run(std::move(batch));
  has_list = !job.list_id || results.row_count(1) > 0;
  co_return results.row_count(0) > 0;
}

awaitable<Store::Touched> Store::put(pg::Transaction& transaction, const Job& job, Rows& rows) {
  std::unordered_set<std::string> names;
  for (const auto& row : rows.rows) names.insert(row.tags.begin(), row.tags.end());
  const auto resolved = co_await tags::resolve(transaction, job.organization_id, {names.begin(), names.end()}, quotas_);

  Touched touched;
  const Arrays arrays(rows.rows);
  pg::Batch making;
  if (job.on_conflict == OnConflict::skip) {
    making.add(sql::add_contacts, job.organization_id, arrays.ids, arrays.names, arrays.phones, arrays.attributes);
  } else {
    making.add(sql::merge_contacts, job.organization_id, arrays.ids, arrays.names, arrays.phones, arrays.attributes,
               static_cast<std::int64_t>(kMaxAttributes));
  }
  const auto asked = quotas_.ask(making, job.organization_id, kContactsQuota);
  const auto made = co_await transaction.run(std::move(making));
  if (job.on_conflict == OnConflict::skip) {
    touched.made = made.rows<model::Uuid>(0);
    count_added(rows, touched.made);
  } else {
    count_merged(rows, job, made);
    const std::unordered_set<model::Uuid> given(arrays.ids.begin(), arrays.ids.end());
    for (const auto& row : rows.rows) (given.contains(row.id) ? touched.made : touched.changed).push_back(row.id);
  }
  co_await quotas_.settle(transaction, job.organization_id, asked, made, std::ssize(touched.made));

  co_await leave_room_for_tags(transaction, job, rows);
  pg::Batch batch;
  if (job.list_id)
    batch.add(sql::add_members, job.organization_id, *job.list_id, co_await joining(transaction, job, rows));
  add_tags(batch, job, rows, resolved);
  if (batch.empty()) co_return touched;
  const auto results = co_await transaction.run(std::move(batch));
  if (job.list_id) touched.joined = static_cast<std::int64_t>(results.affected(0));
  co_return touched;
}

awaitable<Applied> Store::apply(Job& job, Rows rows, bool last) {
  auto transaction = co_await database_.begin();
  bool has_list = true;
  const bool ours = co_await lock(transaction, job, has_list);
  if (!ours) co_return Applied::lost;
  if (!has_list) co_return Applied::no_list;
  const bool has_rows = !rows.rows.empty();
  const auto imported_before = rows.progress.imported;
  Touched touched;
  try {
    if (has_rows) touched = co_await put(transaction, job, rows);
  } catch (const http::Problem& problem) {
    job.refusal = problem.detail;
  }
  if (!job.refusal.empty()) co_return Applied::refused;

  const auto& now = rows.progress;
  std::optional<model::RawJson> errors;
  if (rows.new_errors) model::write(errors.emplace().text, now.errors);
  std::optional<std::vector<std::string>> tags;
  if (rows.new_tags) tags = now.tags;
  pg::Batch batch;
  batch.add(sql::advance, job.organization_id, job.id, job.owner, kLeaseSeconds, now.position, now.line, now.rows_read,
            now.imported, now.updated, now.skipped, now.failed, tags, errors, now.failed_kept, now.failed_octets);
  add_failed(batch, job, std::move(rows.failed));
  batch.add(sql::drop_chunks, job.organization_id, job.id, last ? kAllChunks : now.position / kChunkOctets);
  if (last) {
    batch.add(sql::finish, job.organization_id, job.id, job.owner, now.position, Status::Finished, std::string());
    tell_status(batch, job, now, events::ImportStatus::Finished);
  } else {
    tell_progress(batch, job, now);
  }
  if (has_rows) {
    events::Changes changes;
    contacts::emit(changes, events::ContactsCreated{job.organization_id, {}, job.id}, touched.made);
    contacts::emit(changes, events::ContactsUpdated{job.organization_id, {}, job.id}, touched.changed);
    if (!changes.empty()) batch.add(events::outbox::append, changes.json());
    std::map<model::Uuid, std::int64_t> joined_lists;
    if (touched.joined > 0) joined_lists.emplace(*job.list_id, touched.joined);
    lists::add_to_tallies(batch, job.organization_id, now.imported - imported_before, joined_lists);
  }
  co_await transaction.commit(std::move(batch));
  job.progress = std::move(rows.progress);
  co_return Applied::done;
}

}  // namespace parley::contacts::imports

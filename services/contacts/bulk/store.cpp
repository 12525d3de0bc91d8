#include "contacts/bulk/store.hpp"

#include <algorithm>

#include "common/events/outbox/sql.hpp"
#include "contacts/bulk/apply.hpp"
#include "contacts/bulk/sql.hpp"
#include "contacts/lists/tally.hpp"
#include "contacts/segments/use.hpp"
#include "contacts/tags/resolve.hpp"

namespace parley::contacts::bulk {

namespace {

constexpr std::int64_t kMaxOpen = 20;    // changes of one organization that have not ended
constexpr std::int64_t kKeptDays = 90;   // after the end
constexpr std::int64_t kMaxSwept = 256;  // at once
constexpr std::int64_t kWalked = 2'000;  // contacts that a step looks at
constexpr auto kTooMany = "more contacts match by now than were expected: those beyond were left as they were";

struct JobRow {
  model::Uuid organization_id, id;
  model::RawJson contacts, action;
  std::int64_t expected = 0;
  model::Uuid until, position;
  std::int64_t changed = 0, unchanged = 0, failed = 0;
  model::RawJson errors;
  std::int64_t attempts = 0;
};
BOOST_DESCRIBE_STRUCT(JobRow, (),
                      (organization_id, id, contacts, action, expected, until, position, changed, unchanged, failed,
                       errors, attempts))

template <class T>
T stored(const model::RawJson& json) {
  auto out = model::from_json<T>(json.text);
  if (!out) throw std::logic_error("a bulk change is stored in another form");
  return std::move(*out);
}

Job job_of(JobRow row, const model::Uuid& owner) {
  return {row.organization_id,
          row.id,
          owner,
          stored<Selection>(row.contacts),
          stored<ActionBody>(row.action),
          row.expected,
          row.until,
          row.attempts,
          {row.position, row.changed, row.unchanged, row.failed, stored<std::vector<ContactError>>(row.errors)}};
}

// With all members, as in answers.
std::string json_of(Selection selection) {
  if (!selection.search) selection.search = "";
  if (!selection.attributes) selection.attributes = model::RawJson{"{}"};
  return model::to_json(selection);
}

// With the members of its type.
std::string json_of(const ActionBody& action) {
  std::string out = "{\"type\":";
  model::write(out, action.type);
  const auto add = [&](const char* name, const auto& value) {
    out.append(",\"").append(name).append("\":");
    model::write(out, value);
  };
  switch (action.type) {
    case ActionType::addTags:
    case ActionType::removeTags:
      add("tags", *action.tags);
      break;
    case ActionType::addToLists:
    case ActionType::removeFromLists:
      add("listIds", *action.listIds);
      break;
    case ActionType::setStatus:
      add("status", *action.status);
      break;
    case ActionType::setAttribute:
      add("value", *action.value);
      [[fallthrough]];
    case ActionType::removeAttribute:
      add("attribute", *action.attribute);
      break;
    case ActionType::deleteContacts:
      break;
  }
  return out + '}';
}

// Adds up what was done to the contacts that still matched.
void count(Progress& progress, std::size_t matched, Outcome& outcome) {
  const auto changed = std::ssize(outcome.changed), failed = std::ssize(outcome.failed);
  progress.changed += changed;
  progress.failed += failed;
  progress.unchanged += static_cast<std::int64_t>(matched) - changed - failed;
  for (auto& error : outcome.failed)
    if (progress.errors.size() < kMaxErrors) progress.errors.push_back(std::move(error));
}

}  // namespace

ActionType type_of(const BulkChangeSummary& change) { return stored<ActionBody>(change.action).type; }

awaitable<contacts::Filter> Store::narrowed(model::Uuid organization, const Selection& selection) {
  auto filter = filter_of(selection);
  co_await contacts_.find_tag(organization, filter);
  if (selection.filter)
    filter.segment = co_await segments::use(database_, organization, segments::read_stored(selection.filter->text));
  co_return filter;
}

// Puts the ids of tags in the place of their labels. Labels of no tag stay if `may_be_new`.
awaitable<void> Store::name_tags(model::Uuid organization, std::vector<std::string>& names, bool may_be_new,
                                 http::Faults& faults) {
  std::vector<std::optional<model::Uuid>> ids;
  for (const auto& name : names) ids.push_back(model::Uuid::parse(name));
  const auto results = co_await database_.read(pg::Batch(sql::tags_named, organization, names, ids));
  const auto known = results.rows<std::optional<model::Uuid>>();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (known[i])
      names[i] = known[i]->text();
    else if (!may_be_new || ids[i])
      faults.add("/action/tags/" + std::to_string(i), "there is no such tag");
}

// What is named must exist, but for tags that are to be made; a segment becomes its filter.
awaitable<void> Store::resolve(model::Uuid organization, Counted& change) {
  http::Faults faults;
  const auto type = change.action.type;
  if (type == ActionType::addTags || type == ActionType::removeTags)
    co_await name_tags(organization, *change.action.tags, type == ActionType::addTags, faults);
  auto& chosen = change.contacts;
  if (chosen.tag) {
    contacts::Filter named;
    named.tag = chosen.tag;
    co_await contacts_.find_tag(organization, named);
    if (named.tag_id->is_nil()) faults.add("/contacts/tag", "there is no such tag");
    chosen.tag = named.tag_id->text();
  }
  if (chosen.segmentId) {
    const auto segment = co_await segments_.find(organization, *chosen.segmentId);
    if (!segment) faults.add("/contacts/segmentId", "there is no segment " + chosen.segmentId->text());
    if (segment) chosen.filter = segment->filter;
  }
  faults.throw_if_any();
}

awaitable<Counted> Store::count(model::Uuid organization, StartBody body, segments::AllNamed named) {
  Counted out{std::move(body.contacts), std::move(body.action), 0, {}};
  co_await segments_.require(organization, std::move(named));
  co_await resolve(organization, out);
  const auto results = co_await database_.read(pg::Batch(sql::newest, organization));
  out.newest = results.optional<model::Uuid>().value_or(model::Uuid{});
  const auto filter = co_await narrowed(organization, out.contacts);
  out.total = co_await contacts_.count(organization, filter);
  co_return out;
}

awaitable<BulkChange> Store::start(pg::Transaction& transaction, model::Uuid organization, Counted change) {
  if (change.action.type == ActionType::addTags) {
    const auto resolved = co_await tags::resolve(transaction, organization, *change.action.tags, quotas_);
    const auto ids = tags::ids_of(resolved, *change.action.tags, "/action/tags");
    change.action.tags->clear();
    for (const auto& id : ids) change.action.tags->push_back(id.text());
  }
  const auto id = model::new_uuid();
  pg::Batch batch(sql::insert, organization, id, json_of(change.contacts), json_of(change.action), change.total,
                  change.newest, kMaxOpen);
  batch.add(sql::find, organization, id);
  const auto results = co_await transaction.run(std::move(batch));
  auto started = results.optional<BulkChange>(1);
  if (started) co_return std::move(*started);
  throw http::Problem({.status = 409,
                       .detail = std::to_string(kMaxOpen) + " bulk changes are under way: wait until one has ended",
                       .head = "Retry-After: 10\r\n"});
}

awaitable<std::optional<BulkChange>> Store::find(model::Uuid organization, model::Uuid id) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization, id));
  co_return results.optional<BulkChange>();
}

awaitable<Page> Store::list(model::Uuid organization, Filter filter) {
  pg::Batch batch;
  batch.add(
      sql::page[{
          .after = filter.after.has_value(), .by_status = filter.status.has_value(), .descending = filter.descending}],
      organization, filter.status, filter.after, filter.paging.per_page, filter.paging.skip);
  batch.add(sql::count[{.by_status = filter.status.has_value()}], organization, filter.status);
  const auto results = co_await database_.read(std::move(batch));
  co_return Page{results.rows<BulkChangeSummary>(0), results.one<std::int64_t>(1)};
}

awaitable<std::optional<BulkChange>> Store::cancel(pg::Transaction& transaction, model::Uuid organization,
                                                   model::Uuid id) {
  pg::Batch batch;
  batch.add(sql::cancel, organization, id).add(sql::find, organization, id);
  const auto results = co_await transaction.run(std::move(batch));
  co_return results.optional<BulkChange>(1);
}

awaitable<std::optional<Job>> Store::claim(model::Uuid owner) {
  const auto results = co_await database_.write(pg::Batch(sql::claim, owner, kLeaseSeconds));
  auto row = results.optional<JobRow>();
  if (!row) co_return std::nullopt;
  co_return job_of(std::move(*row), owner);
}

// Which contacts match is found out before the transaction, as it may take long; what matters is that they still do
// once they are locked.
awaitable<Stepped> Store::step(Job& job, std::size_t most) {
  const auto& organization = job.organization_id;
  const auto filter = co_await narrowed(organization, job.contacts);
  auto found = co_await contacts_.walk(organization, filter, job.progress.position, kWalked);
  std::erase_if(found.ids, [&](const auto& id) { return job.until < id; });
  auto now = job.progress;
  bool is_last = !found.end || !(*found.end < job.until);
  now.position = found.end.value_or(job.until);
  if (found.ids.size() > most) {
    found.ids.resize(most);
    now.position = found.ids.back();
    is_last = false;
  }

  auto transaction = co_await database_.begin();
  const auto fence =
      co_await transaction.run(pg::Batch(sql::fence, organization, job.id, job.owner, job.progress.position));
  if (fence.row_count() == 0) co_return Stepped::lost;
  Outcome outcome;
  bool is_beyond = false;
  if (!found.ids.empty()) {
    auto ids = co_await lock(transaction, job, std::move(found.ids));
    ids = co_await contacts_.still_matching(transaction, organization, filter, std::move(ids));
    const auto room = static_cast<std::size_t>(job.expected - now.done());
    is_beyond = ids.size() > room;
    if (is_beyond) ids.resize(room);
    const auto matched = ids.size();
    if (matched > 0) outcome = co_await apply(transaction, job, std::move(ids), quotas_);
    if (outcome.refusal.empty()) bulk::count(now, matched, outcome);
  }
  if (!outcome.refusal.empty()) {
    co_await transaction.commit(
        pg::Batch(sql::finish, organization, job.id, job.owner, Status::Failed, outcome.refusal));
    co_return Stepped::ended;
  }

  std::optional<model::RawJson> errors;
  if (now.errors.size() > job.progress.errors.size()) model::write(errors.emplace().text, now.errors);
  pg::Batch batch(sql::advance, organization, job.id, job.owner, kLeaseSeconds, now.position, now.changed,
                  now.unchanged, now.failed, errors);
  const bool is_over = is_last || is_beyond;
  if (is_over)
    batch.add(sql::finish, organization, job.id, job.owner, is_beyond ? Status::Failed : Status::Finished,
              std::string(is_beyond ? kTooMany : ""));
  if (!outcome.changed.empty()) {
    batch.add(events::outbox::append, outcome.told.json());
    lists::add_to_tallies(batch, organization, outcome.contacts, outcome.members);
  }
  co_await transaction.commit(std::move(batch));
  job.progress = std::move(now);
  co_return is_over ? Stepped::ended : Stepped::done;
}

awaitable<void> Store::fail(const Job& job, std::string why) {
  co_await database_.write(pg::Batch(sql::finish, job.organization_id, job.id, job.owner, Status::Failed, why));
}

awaitable<void> Store::release(const Job& job) {
  co_await database_.write(pg::Batch(sql::release, job.organization_id, job.id, job.owner));
}

awaitable<void> Store::try_later(const Job& job) {
  co_await database_.write(pg::Batch(sql::try_later, job.organization_id, job.id, job.owner));
}

awaitable<bool> Store::sweep() {
  const auto results = co_await database_.write(pg::Batch(sql::sweep, kKeptDays, kMaxSwept));
  co_return results.affected() > 0;
}

awaitable<bool> Store::give_way(const Job& job) {
  const auto results = co_await database_.write(pg::Batch(sql::give_way, job.organization_id, job.id, job.owner));
  co_return results.affected() > 0;
}

std::size_t Store::reads_under_way() const { return database_.stats(pg::Lane::read).under_way(); }

}  // namespace parley::contacts::bulk

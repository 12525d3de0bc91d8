#include "conversations/campaigns/quick_replies/store.hpp"

#include "common/http/problem.hpp"
#include "conversations/campaigns/quick_replies/sql.hpp"

namespace parley::conversations::quick_replies {

namespace {

VersionedReply reply_of(ReplyRow row) {
  VersionedReply out;
  out.version = std::move(row.version);
  if (row.media_json) {
    row.media = model::from_json<Media>(*row.media_json);
    if (!row.media) throw std::runtime_error("the media of a quick reply cannot be read");
  }
  static_cast<QuickReply&>(out) = std::move(row);
  return out;
}

std::optional<VersionedReply> found_in(const pg::Results& results, std::size_t statement = 0) {
  auto row = results.optional<ReplyRow>(statement);
  if (!row) return std::nullopt;
  return reply_of(std::move(*row));
}

std::optional<std::string> json_of(const std::optional<Media>& media) {
  if (!media) return std::nullopt;
  return model::to_json(*media);
}

http::Problem taken(const std::optional<VersionedReply>& reply) {
  http::Problem problem({.status = 409, .detail = "there is a quick reply with this shortcut already"});
  if (reply) problem.detail += ": " + reply->shortcut + ", " + reply->uniqueId.text();
  problem.errors.push_back({"/shortcut", "is that of another quick reply"});
  return problem;
}

}  // namespace

awaitable<Page> Store::list(model::Uuid organization, Filter filter) {
  const bool by_search = !filter.search.empty();
  const auto after = filter.after.value_or(http::Cursor{});
  pg::Batch batch(
      sql::page[{.after = filter.after.has_value(), .by_search = by_search, .descending = filter.descending}],
      organization, filter.search, after.text, filter.paging.per_page, filter.paging.skip);
  batch.add(sql::count[{.by_search = by_search}], organization, filter.search);
  // A search reads all texts: it runs on the slow lane.
  auto asked = by_search ? database_.slow_anywhere(std::move(batch)) : database_.read_anywhere(std::move(batch));
  const auto results = co_await std::move(asked);
  Page page{{}, results.one<std::int64_t>(1)};
  for (auto& row : results.rows<ReplyRow>(0)) page.replies.push_back(reply_of(std::move(row)));
  co_return page;
}

awaitable<std::optional<VersionedReply>> Store::find(model::Uuid organization, model::Uuid id) {
  co_return found_in(co_await database_.read(pg::Batch(sql::find, organization, id)));
}

awaitable<QuickReply> Store::create(pg::Transaction& transaction, model::Uuid organization, QuickReply made) {
  co_await quotas_.require(transaction, organization, kQuota);
  pg::Batch batch(sql::insert, organization, model::new_uuid(), made.shortcut, made.text, json_of(made.media));
  batch.add(sql::named, organization, made.shortcut);
  const auto results = co_await transaction.run(std::move(batch));
  auto reply = found_in(results, 0);
  if (!reply) throw taken(found_in(results, 1));
  co_return std::move(*reply);
}

awaitable<std::optional<VersionedReply>> Store::lock(pg::Transaction& transaction, model::Uuid organization,
                                                     model::Uuid id) {
  co_return found_in(co_await transaction.run(pg::Batch(sql::lock, organization, id)));
}

awaitable<QuickReply> Store::update(pg::Transaction& transaction, model::Uuid organization, QuickReply reply) {
  const auto found = co_await transaction.run(pg::Batch(sql::named, organization, reply.shortcut));
  const auto named = found_in(found);
  if (named && named->uniqueId != reply.uniqueId) throw taken(named);
  try {
    const auto results = co_await transaction.run(
        pg::Batch(sql::update, organization, reply.uniqueId, reply.shortcut, reply.text, json_of(reply.media)));
    co_return reply_of(results.one<ReplyRow>());
  } catch (const pg::SqlError& error) {  // created concurrently
    if (!error.is_unique_violation("quick_reply_shortcut")) throw;
  }
  throw taken(std::nullopt);
}

awaitable<void> Store::remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  co_await transaction.run(pg::Batch(sql::remove, organization, id));
}

}  // namespace parley::conversations::quick_replies

#include "conversations/messages/search/store.hpp"

#include <array>

#include "conversations/messages/long_data.hpp"
#include "conversations/messages/sql.hpp"

namespace parley::conversations::search {

using messages::After;
using messages::Cut;
using messages::Page;
using model::MessageType;
namespace sql = messages::sql;

namespace {

// How many messages are looked at.
constexpr std::array<std::int64_t, 2> kFew{500, 5'000};
constexpr std::int64_t kMany = 20'000;
constexpr std::size_t kPromising = 2;  // matches among a few

// What a search costs is up to who types it: no step has the slow lane's whole time.
constexpr auto kLongest = "8s";

const std::optional<model::Timestamp>& end_of(const Query& query, const Cut& cut) {
  return cut.descending ? query.from : query.to;
}

}  // namespace

awaitable<Search> Store::read(std::string_view typed) {
  const auto terms = read_terms(typed);
  std::vector<std::string> texts;
  for (const auto& term : terms) texts.push_back(term.text);
  const auto results = co_await database_.read_anywhere(pg::Batch(sql::folded, texts));
  co_return Search::of(terms, results.rows<std::string>());
}

awaitable<Store::Found> Store::walk(const model::Uuid& organization, const Search& search, const Query& query,
                                    const Cut& cut, std::int64_t most) {
  const bool is_open = !query.conversation_id && !query.contact_id;
  const bool of_rare_type = is_open && query.messageType && query.messageType != MessageType::Text &&
                            query.messageType != MessageType::Template;
  const auto& statement = sql::search_walk[{.ascending = !cut.descending,
                                            .by_contact = query.contact_id.has_value(),
                                            .by_conversation = query.conversation_id.has_value(),
                                            .of_rare_type = of_rare_type}];
  pg::Batch batch;
  batch.limit_time(kLongest).add(statement, organization, query.conversation_id, cut.after.at, cut.after.id,
                                 query.contact_id, search.patterns(), search.excluded_patterns(), query.direction,
                                 query.messageType, end_of(query, cut), most, cut.paging.per_page);
  const auto results = co_await database_.slow_anywhere(std::move(batch));
  Found found;
  for (const auto& row : results.rows<WalkedRow>(1)) {
    if (row.matches) found.ids.push_back(row.id);
    if (row.ends || std::ssize(found.ids) == cut.paging.per_page) found.walked_to = After{row.position, row.id};
  }
  co_return found;
}

awaitable<std::optional<Store::Found>> Store::look_up(const model::Uuid& organization, const Search& search,
                                                      const Query& query, const Cut& cut) {
  const auto phrases = search.phrases();
  const auto excluded = search.excluded_patterns();
  const auto& statement = sql::search[{.ascending = !cut.descending, .by_text = !phrases.empty() || !excluded.empty()}];
  pg::Batch batch;
  batch.limit_time(kLongest).add(statement, organization, search.words_of(organization), cut.after.at, cut.after.id,
                                 phrases, excluded, query.direction, query.messageType, end_of(query, cut),
                                 cut.paging.per_page);
  const auto results = co_await database_.slow_anywhere(std::move(batch));
  Found found;
  for (const auto& row : results.rows<FoundRow>(1)) {
    if (row.too_many) co_return std::nullopt;
    found.ids.push_back(row.id);
    if (std::ssize(found.ids) == cut.paging.per_page) found.walked_to = After{row.position, row.id};
  }
  co_return found;
}

// What is common is found by looking at a few messages, what is rare by the index, anything between by looking at many.
// To sort what is common the index takes a second or more, so that a few more are looked at where some were found.
awaitable<Store::Found> Store::ids_of(const model::Uuid& organization, const Search& search, const Query& query,
                                      const Cut& cut) {
  if (query.conversation_id || query.contact_id) co_return co_await walk(organization, search, query, cut, kMany);
  for (const auto most : kFew) {
    auto found = co_await walk(organization, search, query, cut, most);
    const bool is_whole = std::ssize(found.ids) == cut.paging.per_page || !found.walked_to;
    if (is_whole) co_return found;
    if (found.ids.size() < kPromising) break;
  }
  if (auto found = co_await look_up(organization, search, query, cut)) co_return std::move(*found);
  co_return co_await walk(organization, search, query, cut, kMany);
}

awaitable<Page> Store::find(model::Uuid organization, Search search, Query query, Cut cut) {
  const auto found = co_await ids_of(organization, search, query, cut);
  Page page;
  page.walked_to = found.walked_to;
  if (found.ids.empty()) co_return page;
  const auto results = co_await database_.read_anywhere(pg::Batch(sql::by_ids, organization, found.ids));
  page.messages = messages::with_senders(results.rows<messages::PageRow>());
  std::vector<model::Message*> messages;
  for (auto& message : page.messages) messages.push_back(&message);
  const auto ask = [this](pg::Batch batch) { return database_.slow_anywhere(std::move(batch)); };
  const auto fitting = co_await messages::add_long_data(ask, organization, std::move(messages));
  page.cut = fitting < page.messages.size();
  page.messages.resize(fitting);
  co_return page;
}

}  // namespace parley::conversations::search

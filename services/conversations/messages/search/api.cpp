#include "conversations/messages/search/api.hpp"

#include "conversations/messages/requests.hpp"
#include "conversations/messages/search/highlights.hpp"

namespace parley::conversations::search {

Api::Api(chassis::Process& process, pg::Pool& database) : store_(database) {
  process.pipeline().mount(*this).get("/api/messages/search", identity::Permission::get_message, &Api::find);
}

namespace {

std::string read_search(const Query& query) {
  http::Faults faults;
  if (!query.search) faults.add("?search", "is required");
  http::PageQuery page;
  page.search = query.search;
  auto typed = http::read_search(page, faults);
  faults.throw_if_any();
  return typed;
}

messages::Cut read_cut(const Query& query) {
  messages::ListQuery list;
  list.from = query.from;
  list.to = query.to;
  list.per_page = query.per_page;
  list.limit = query.limit;
  list.order = query.order;
  list.cursor = query.cursor;
  return messages::read_cut(list);
}

void require_word(const Search& search) {
  http::Faults faults;
  if (search.sought.empty()) faults.add("?search", "must have a word that is to be found, of letters or digits");
  faults.throw_if_any();
}

}  // namespace

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto query = call.query<Query>();
  const auto typed = read_search(query);
  const auto cut = read_cut(query);
  auto search = co_await store_.read(typed);
  require_word(search);
  auto page = co_await store_.find(call.organization(), search, std::move(query), cut);
  PageResponse answer{{}, {cut.paging.per_page}};
  for (auto& row : page.messages) {
    auto highlights = highlights_of(row, search.sought);
    answer.matches.push_back({std::move(static_cast<model::Message&>(row)), std::move(highlights)});
  }
  co_return http::fitting_response(
      call.request, answer, cut.by_cursor, [&](bool is_whole) -> std::optional<std::string> {
        const auto shown = answer.matches.size();
        if (page.cut && !cut.by_cursor) http::throw_too_long(shown);
        if (is_whole && !page.cut)
          return page.walked_to ? std::optional(messages::cursor_behind(cut, *page.walked_to)) : std::nullopt;
        return messages::cursor_behind(cut,
                                       {page.messages[shown - 1].position, answer.matches.back().message.uniqueId});
      });
}

}  // namespace parley::conversations::search

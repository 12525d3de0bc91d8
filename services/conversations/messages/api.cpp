#include "conversations/messages/api.hpp"

#include "common/chassis/change.hpp"
#include "conversations/messages/outgoing.hpp"
#include "conversations/messages/requests.hpp"

namespace parley::conversations::messages {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store, AddressBook& addresses) : store_(store), addresses_(addresses) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/conversation/{id}/messages", Permission::get_message, &Api::of_conversation);
  routes.post("/api/conversation/{id}/messages", Permission::create_message, &Api::send);
  routes.get("/api/messages", Permission::get_message, &Api::list);
  routes.get("/api/messages/{id}", Permission::get_message, &Api::find);
}

namespace {

http::Problem no_conversation() { return chassis::not_found("there is no conversation with this id"); }

std::vector<model::Message> messages_of(std::vector<PageRow>& rows) {
  return {std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end())};
}

template <class Answer>
http::Response response_of(const http::Request& request, const Cut& cut, const Page& page, Answer& answer) {
  const auto& rows = page.messages;
  return http::fitting_response(request, answer, cut.by_cursor, [&](bool is_whole) -> std::optional<std::string> {
    const auto shown = answer.messages.size();
    if (page.cut && !cut.by_cursor) http::throw_too_long(shown);
    is_whole = is_whole && !page.cut;
    if (is_whole && page.walked_to) return cursor_behind(cut, *page.walked_to);
    if (is_whole && std::ssize(rows) < cut.paging.per_page) return std::nullopt;
    return cursor_behind(cut, {rows[shown - 1].position, rows[shown - 1].uniqueId});
  });
}

}  // namespace

awaitable<http::Response> Api::of_conversation(chassis::Call& call) {
  const auto id = call.id();
  const auto cut = read_cut(call.query<OfConversationQuery>());
  auto page = co_await store_.of_conversation(call.organization(), id, cut);
  if (!page) throw no_conversation();
  PageResponse answer{messages_of(page->messages), {cut.paging.page(), cut.paging.per_page, page->total}};
  co_return response_of(call.request, cut, *page, answer);
}

awaitable<http::Response> Api::send(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  http::Faults faults;
  auto message = check(co_await call.body<MessageBody>(), "", faults);
  faults.throw_if_any();
  // Other services are asked before the transaction begins, so that no lock is held meanwhile.
  const auto contact = co_await store_.contact_of(call.organization(), id);
  if (!contact) throw no_conversation();
  auto address = co_await addresses_.find(call, *contact);
  auto sent = co_await store_.send(change, call.organization(), id, std::move(message), std::move(address),
                                   sender_of(call.identity));
  if (!sent) throw no_conversation();
  const auto location = "/api/messages/" + sent->uniqueId.text();
  co_return http::created(MessageResponse{std::move(*sent)}, location);
}

awaitable<http::Response> Api::list(chassis::Call& call) {
  auto query = call.query<ListQuery>();
  const auto cut = read_cut(query);
  auto page = co_await store_.list(call.organization(), std::move(query), cut);
  ListResponse answer{messages_of(page.messages), {cut.paging.per_page}};
  co_return response_of(call.request, cut, page, answer);
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto message = co_await store_.find(call.organization(), call.id());
  if (!message) throw chassis::not_found("there is no message with this id");
  co_return http::json_response(MessageResponse{std::move(*message)});
}

}  // namespace parley::conversations::messages

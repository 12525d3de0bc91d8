#include "contacts/contacts/api.hpp"

#include "common/identity/keys.hpp"
#include "common/model/text.hpp"

namespace parley::contacts::contacts {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store, chassis::Peer& conversations)
    : store_(store), conversations_(conversations) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/contacts", Permission::get_contact, &Api::list);
  routes.get("/api/contacts/{id}", Permission::get_contact, &Api::find);
  routes.get("/internal/contacts/parts", chassis::Services{{"conversations"}}, &Api::parts);
}

namespace {

constexpr std::size_t kMostSearchCharacters = 100;

// Where a page ended, for the next one: the last contact's id, after its name if that is the order. Opaque to clients.
std::string cursor_after(const PageContact& last, SortBy sort_by) {
  std::string text = last.uniqueId.text();
  if (sort_by == SortBy::name) text += last.name;
  return identity::to_base64url(text);
}

void read_cursor(const std::string& cursor, Filter& filter, http::Faults& faults) {
  const auto text = identity::from_base64url(cursor);
  const auto id = text ? model::Uuid::parse(std::string_view(*text).substr(0, 36)) : std::nullopt;
  if (!id || (filter.sort_by == SortBy::createdAt && text->size() != 36) || !model::count_characters(*text))
    return faults.add("?cursor", "is not one that this list gave for this order");
  filter.after = id;
  filter.after_name = text->substr(36);
}

Filter check(const ListQuery& query) {
  Filter filter;
  filter.paging = http::read_paging(query.skip, query.page, query.per_page, query.limit);
  filter.sort_by = query.sort_by.value_or(SortBy::createdAt);
  // Without a word about the order: the newest first, names from A to Z.
  const auto usual = filter.sort_by == SortBy::name ? http::Order::asc : http::Order::desc;
  filter.descending = query.order.value_or(usual) == http::Order::desc;
  filter.search = query.search.value_or("");
  filter.list_id = query.list_id;
  filter.status = query.status;
  http::Faults faults;
  faults.check_text("?search", filter.search, 0, kMostSearchCharacters);
  if (query.cursor) read_cursor(*query.cursor, filter, faults);
  if (query.cursor && (query.skip || query.page)) faults.add("?cursor", "excludes skip and page");
  faults.throw_if_any();
  return filter;
}

// Link: <...>; rel="next" (RFC 8288): the same question, after this page.
std::string next_link(const http::Request& request, const std::string& cursor) {
  std::string target(request.path);
  char before = '?';
  for (const auto& [name, value] : http::parse_query(request.query)) {
    if (name == "cursor" || name == "skip" || name == "page") continue;
    target += before;
    before = '&';
    http::append_encoded(target, name);
    target += '=';
    http::append_encoded(target, value);
  }
  target += before;
  return "<" + target + "cursor=" + cursor + ">; rel=\"next\"";
}

std::vector<model::Uuid> read_ids(const std::optional<std::string>& text) {
  std::vector<model::Uuid> ids;
  std::string_view rest = text ? std::string_view(*text) : std::string_view{};
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    if (const auto id = model::Uuid::parse(rest.substr(0, comma))) ids.push_back(*id);
    rest = comma == rest.npos ? std::string_view{} : rest.substr(comma + 1);
  }
  return ids;
}

// The conversations of contacts, each with its newest messages.
std::string conversations_target(const model::Uuid& organization, const std::vector<model::Uuid>& ids,
                                 std::string_view messages) {
  std::string target = "/internal/conversations/of-contacts?organization_id=";
  organization.append_to(target);
  target.append("&messages=").append(messages).append("&contact_ids=");
  for (const auto& id : ids) {
    if (target.back() != '=') target += ',';
    id.append_to(target);
  }
  return target;
}

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = check(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  co_await embed_conversations(call, page.contacts);

  const bool more = static_cast<std::int64_t>(page.contacts.size()) == filter.paging.per_page;
  std::string cursor;
  if (more) cursor = cursor_after(page.contacts.back(), filter.sort_by);
  auto response = http::json_response(
      PageAnswer{std::move(page.contacts), {filter.paging.page(), filter.paging.per_page, page.total}});
  if (more) response.add("Link", next_link(call.request, cursor));
  co_return response;
}

awaitable<void> Api::embed_conversations(chassis::Call& call, std::vector<PageContact>& contacts) {
  if (contacts.empty() || !call.may(Permission::get_conversation)) co_return;
  std::vector<model::Uuid> ids;
  for (const auto& contact : contacts) ids.push_back(contact.uniqueId);
  auto asked = conversations_.start(conversations_target(call.organization(), ids, "1"), call.scope);
  const auto parts = co_await conversations_.parts(std::move(asked));
  if (!parts) call.degraded(conversations_.context());
  if (!parts) co_return;
  for (auto& contact : contacts)
    if (const auto part = parts->of(contact.uniqueId)) contact.conversations.text = *part;
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  const auto id = call.id();
  auto row = store_.start_find(call.organization(), id);
  ContactAnswer answer;
  if (call.may(Permission::get_conversation)) {  // asked of both at once
    auto asked = conversations_.start(conversations_target(call.organization(), {id}, "20"), call.scope);
    auto contact = co_await store_.found(std::move(row));
    if (!contact) throw chassis::not_found("there is no contact with this id");
    answer.contact = std::move(*contact);
    const auto parts = co_await conversations_.parts(std::move(asked));
    if (!parts) call.degraded(conversations_.context());
    const auto part = parts ? parts->of(id) : std::nullopt;
    if (part) answer.contact.conversations.text = *part;
  } else {
    auto contact = co_await store_.found(std::move(row));
    if (!contact) throw chassis::not_found("there is no contact with this id");
    answer.contact = std::move(*contact);
  }
  co_return http::json_response(answer);
}

// What conversations embed: lines of contacts and of tags, whose ids are never the same.
awaitable<http::Response> Api::parts(chassis::Call& call) {
  const auto query = call.query<PartsQuery>();
  const auto parts = co_await store_.parts(query.organization_id.value_or(model::Uuid{}), read_ids(query.contact_ids),
                                           read_ids(query.tag_ids));
  http::Response response{.content_type = "text/plain", .head{}, .body{}, .stream{}, .stream_length{}};
  for (const auto& contact : parts.contacts) chassis::Parts::append(response.body, contact.uniqueId, contact);
  for (const auto& tag : parts.tags) chassis::Parts::append(response.body, tag.uniqueId, tag);
  co_return response;
}

}  // namespace parley::contacts::contacts

#include "conversations/inbox/notes/api.hpp"

#include <algorithm>

#include "common/chassis/change.hpp"
#include "common/contracts/organizations.hpp"
#include "conversations/messages/outgoing.hpp"

namespace parley::conversations::notes {

using identity::Permission;

// A note is part of the conversation as its tags are, and reaches no contact: writing one takes what changing the
// conversation takes, not what sending takes.
Api::Api(chassis::Process& process, Store& store, chassis::ServiceClient& organizations)
    : store_(store), organizations_(organizations) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/conversation/{id}/notes", Permission::get_conversation, &Api::of_conversation);
  routes.post("/api/conversation/{id}/notes", Permission::update_conversation, &Api::create);
  routes.get("/api/notes/{id}", Permission::get_conversation, &Api::find);
  routes.post("/api/notes/{id}", Permission::update_conversation, &Api::update);
  routes.del("/api/notes/{id}", Permission::update_conversation, &Api::remove);
}

namespace {

constexpr std::size_t kMaxText = 5'000;  // characters
constexpr std::size_t kMaxMentions = 50;

http::Problem no_conversation() { return chassis::not_found("there is no conversation with this id"); }
http::Problem no_note() { return chassis::not_found("there is no note with this id"); }

void check_text(const std::string& text, http::Faults& faults) { faults.check_text("/text", text, 1, kMaxText); }

// Leaves each member once.
void check_mentions(std::vector<model::Uuid>& mentions, http::Faults& faults) {
  if (mentions.size() > kMaxMentions) faults.add("/mentions", "must be at most " + std::to_string(kMaxMentions));
  std::vector<model::Uuid> once;
  for (const auto& member : mentions)
    if (std::ranges::find(once, member) == once.end()) once.push_back(member);
  mentions = std::move(once);
}

CreateNote check(CreateNote body) {
  http::Faults faults;
  check_text(body.text, faults);
  if (body.mentions) check_mentions(*body.mentions, faults);
  faults.throw_if_any();
  return body;
}

UpdateNote check(UpdateNote body) {
  http::Faults faults;
  if (body.text) check_text(*body.text, faults);
  if (body.mentions) check_mentions(*body.mentions, faults);
  faults.throw_if_any();
  return body;
}

Cut read_cut(const ListQuery& query) {
  http::Faults faults;
  Cut cut;
  cut.paging = http::read_paging(
      {std::nullopt, std::nullopt, query.per_page, query.limit, query.order, std::nullopt, query.cursor}, faults);
  cut.descending = query.order != http::Order::asc;
  if (query.cursor)
    if (const auto cursor = http::read_cursor(cut.order_name(), *query.cursor, faults)) cut.after = cursor->id;
  faults.throw_if_any();
  return cut;
}

bool is_author(const chassis::Call& call, const Note& note) {
  return note.writtenBy.memberId == call.identity.member_id;
}

void require_author(const chassis::Call& call, const Note& note) {
  if (!is_author(call, note)) throw http::Problem({.status = 403, .detail = "only its author may change a note"});
}

}  // namespace

awaitable<void> Api::require_members(chassis::Call& call, const std::vector<model::Uuid>& mentions,
                                     const std::vector<model::Uuid>& known) {
  std::vector<model::Uuid> asked;
  for (const auto& member : mentions)
    if (std::ranges::find(known, member) == known.end()) asked.push_back(member);
  if (asked.empty()) co_return;
  const auto parts = co_await organizations_.parts(
      organizations_.start(contracts::organizations::members, {call.organization(), asked}, call.scope));
  if (!parts) throw http::Unreachable(http::Unreachable::Why::bad_answer, "organizations could not be asked", false);
  http::Faults faults;
  for (std::size_t i = 0; i < mentions.size(); ++i)
    if (std::ranges::find(asked, mentions[i]) != asked.end() && !parts->of(mentions[i]))
      faults.add("/mentions/" + std::to_string(i), "there is no such member");
  faults.throw_if_any();
}

awaitable<http::Response> Api::of_conversation(chassis::Call& call) {
  const auto id = call.id();
  const auto cut = read_cut(call.query<ListQuery>());
  auto notes = co_await store_.of_conversation(call.organization(), id, cut);
  if (!notes) throw no_conversation();
  const bool is_full = std::ssize(*notes) == cut.paging.per_page;
  NotesResponse answer{std::move(*notes), {cut.paging.per_page}};
  co_return http::fitting_response(call.request, answer, true, [&](bool is_whole) -> std::optional<std::string> {
    if (is_whole && !is_full) return std::nullopt;
    return http::write_cursor(cut.order_name(), {answer.notes.back().uniqueId, ""});
  });
}

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  auto body = check(co_await call.body<CreateNote>());
  // Organizations is asked before the transaction begins, so that no lock is held meanwhile.
  if (!co_await store_.may_write_in(call.organization(), id)) throw no_conversation();
  if (body.mentions) co_await require_members(call, *body.mentions, {});
  auto note =
      co_await store_.create(change, call.organization(), id, std::move(body), messages::sender_of(call.identity));
  if (!note) throw no_conversation();
  const auto location = "/api/notes/" + note->uniqueId.text();
  co_return http::created(NoteResponse{std::move(*note)}, location);
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto found = co_await store_.find(call.organization(), call.id());
  if (!found) throw no_note();
  call.show_version(found->version);
  co_return http::json_response(NoteResponse{std::move(*found)});
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  auto body = check(co_await call.body<UpdateNote>());
  const auto known = co_await store_.find(call.organization(), call.id());
  if (!known) throw no_note();
  require_author(call, *known);
  if (body.mentions) co_await require_members(call, *body.mentions, known->mentions);
  auto old = co_await store_.lock(change, call.organization(), call.id());
  if (!old) throw no_note();
  call.require_version(old->version);
  co_return http::json_response(
      NoteResponse{co_await store_.update(change, call.organization(), std::move(*old), std::move(body))});
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  auto old = co_await store_.lock(change, call.organization(), call.id());
  if (!old) throw no_note();
  if (!is_author(call, *old)) call.require(Permission::delete_conversation);
  call.require_version(old->version);
  co_await store_.remove(change, call.organization(), std::move(*old));
  co_return http::no_content();
}

}  // namespace parley::conversations::notes

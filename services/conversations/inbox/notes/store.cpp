#include "conversations/inbox/notes/store.hpp"

#include "common/events/conversation_changes.hpp"
#include "common/events/event.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"
#include "conversations/inbox/notes/sql.hpp"

namespace parley::conversations::notes {

namespace {

// False if it was deleted by a member.
bool is_there(const std::optional<ConversationRow>& row) {
  return row && (row->status != model::ConversationStatus::Deleted || row->tombstone);
}

bool may_write_in(const std::optional<ConversationRow>& row) {
  if (!is_there(row)) return false;
  if (row->tombstone)
    throw http::Problem(
        {.status = 409, .detail = "its contact was deleted: what is left of it does not change any more"});
  return true;
}

std::optional<FoundRow> found_in(const pg::Results& results) {
  auto row = results.optional<FoundRow>();
  if (!row) return std::nullopt;
  return with_author(std::move(*row));
}

template <class Change>
void add_event(pg::Batch& batch, const Change& change) {
  events::Changes changes;
  changes.add(change);
  batch.add(events::outbox::append, changes.json());
}

}  // namespace

awaitable<std::optional<std::vector<Note>>> Store::of_conversation(model::Uuid organization, model::Uuid conversation,
                                                                   Cut cut) {
  pg::Batch batch(sql::find_conversation, organization, conversation);
  batch.add(sql::of_conversation[{.after = cut.after.has_value(), .ascending = !cut.descending}], organization,
            conversation, cut.after, cut.paging.per_page);
  const auto results = co_await database_.read(std::move(batch));
  const auto row = results.optional<ConversationRow>(0);
  if (!is_there(row)) co_return std::nullopt;
  std::vector<Note> out;
  if (!row->tombstone)
    for (auto& note : results.rows<NoteRow>(1)) out.push_back(with_author(std::move(note)));
  co_return out;
}

awaitable<std::optional<FoundRow>> Store::find(model::Uuid organization, model::Uuid id) {
  co_return found_in(co_await database_.read(pg::Batch(sql::find, organization, id)));
}

awaitable<bool> Store::may_write_in(model::Uuid organization, model::Uuid conversation) {
  const auto results = co_await database_.read(pg::Batch(sql::find_conversation, organization, conversation));
  co_return notes::may_write_in(results.optional<ConversationRow>());
}

awaitable<std::optional<Note>> Store::create(pg::Transaction& transaction, model::Uuid organization,
                                             model::Uuid conversation, CreateNote made, model::MessageSender author) {
  const auto locked = co_await transaction.run(pg::Batch(sql::lock_conversation, organization, conversation));
  const auto row = locked.optional<ConversationRow>();
  if (!notes::may_write_in(row)) co_return std::nullopt;
  // Ids are made under the lock: notes are committed in their order, so that a page never gains one in its middle.
  const auto id = model::new_uuid();
  const bool by_key = author.type == model::MessageSenderType::ApiKey;
  const auto results = co_await transaction.run(pg::Batch(sql::insert, organization, id, conversation, made.text,
                                                          made.mentions.value_or(std::vector<model::Uuid>{}),
                                                          author.memberId, by_key ? author.uniqueId : std::nullopt));
  Note note = with_author(results.one<NoteRow>());
  pg::Batch told;
  add_event(told, events::NoteCreated{organization, conversation, row->contact_id, id, note.createdAt});
  co_await transaction.run(std::move(told));
  co_return note;
}

awaitable<std::optional<FoundRow>> Store::lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  co_return found_in(co_await transaction.run(pg::Batch(sql::lock, organization, id)));
}

awaitable<Note> Store::update(pg::Transaction& transaction, model::Uuid organization, FoundRow old, UpdateNote update) {
  const auto text = update.text.value_or(old.text);
  const auto mentions = update.mentions.value_or(old.mentions);
  if (text == old.text && mentions == old.mentions) co_return Note(std::move(old));
  const auto results = co_await transaction.run(pg::Batch(sql::update, organization, old.uniqueId, text, mentions));
  Note note = with_author(results.one<NoteRow>());
  pg::Batch told;
  add_event(told, events::NoteChanged{organization, note.conversationId, old.contact_id, note.uniqueId,
                                      note.editedAt.value_or(note.createdAt)});
  co_await transaction.run(std::move(told));
  co_return note;
}

awaitable<void> Store::remove(pg::Transaction& transaction, model::Uuid organization, FoundRow old) {
  pg::Batch batch(sql::remove, organization, old.uniqueId);
  add_event(batch, events::NoteDeleted{organization, old.conversationId, old.contact_id, old.uniqueId,
                                       model::Timestamp::now()});
  co_await transaction.run(std::move(batch));
}

}  // namespace parley::conversations::notes

#pragma once
#include <boost/describe/class.hpp>

#include "common/http/page.hpp"
#include "common/model/conversation.hpp"
#include "common/model/page.hpp"

namespace parley::conversations::notes {

// A text from a member to other members, in a conversation. No contact sees it, and the channel never gets it.
struct Note {
  model::Uuid uniqueId, conversationId;
  std::string text;
  std::vector<model::Uuid> mentions;  // members
  model::MessageSender writtenBy;     // a Member or an ApiKey; its memberId is the author
  model::Timestamp createdAt;
  std::optional<model::Timestamp> editedAt;
};
BOOST_DESCRIBE_STRUCT(Note, (), (uniqueId, conversationId, text, mentions, writtenBy, createdAt, editedAt))

// ---- requests -------------------------------------------------------------------------------------------------------

// GET /api/conversation/{id}/notes
struct ListQuery {
  std::optional<std::int64_t> per_page, limit;
  std::optional<http::Order> order;
  std::optional<std::string> cursor;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (), (per_page, limit, order, cursor))

// The checked query.
struct Cut {
  http::Paging paging;
  bool descending = true;
  std::optional<model::Uuid> after;  // the last note of the page before

  std::string_view order_name() const { return descending ? "notes desc" : "notes asc"; }
};

// POST /api/conversation/{id}/notes
struct CreateNote {
  std::string text;
  model::Nullable<std::vector<model::Uuid>> mentions;
};
BOOST_DESCRIBE_STRUCT(CreateNote, (), (text, mentions))

// POST /api/notes/{id}: missing members stay unchanged.
struct UpdateNote {
  model::Nullable<std::string> text;
  model::Nullable<std::vector<model::Uuid>> mentions;
};
BOOST_DESCRIBE_STRUCT(UpdateNote, (), (text, mentions))

// ---- responses ------------------------------------------------------------------------------------------------------

struct NoteResponse {
  Note note;
};
BOOST_DESCRIBE_STRUCT(NoteResponse, (), (note))

struct NotesResponse {
  std::vector<Note> notes;
  model::CursorMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(NotesResponse, (), (notes, paginationMeta))

// ---- rows -----------------------------------------------------------------------------------------------------------

// No column fills `writtenBy`: see with_author().
struct NoteRow : Note {
  model::Uuid member_id;
  std::optional<model::Uuid> key_id;
};
BOOST_DESCRIBE_STRUCT(NoteRow, (Note), (member_id, key_id))

// A note to change or to show alone.
struct FoundRow : NoteRow {
  model::Uuid contact_id;
  std::string version;
};
BOOST_DESCRIBE_STRUCT(FoundRow, (NoteRow), (contact_id, version))

template <class Row>
Row with_author(Row row) {
  using enum model::MessageSenderType;
  row.writtenBy = {row.key_id ? ApiKey : Member, row.key_id.value_or(row.member_id), row.member_id};
  return row;
}

struct ConversationRow {
  model::Uuid contact_id;
  model::ConversationStatus status = model::ConversationStatus::Active;
  bool tombstone = false;
};
BOOST_DESCRIBE_STRUCT(ConversationRow, (), (contact_id, status, tombstone))

}  // namespace parley::conversations::notes

#pragma once
#include <boost/describe/class.hpp>

#include "common/http/page.hpp"
#include "common/model/message.hpp"
#include "common/model/page.hpp"

namespace parley::conversations::search {

// ---- requests -------------------------------------------------------------------------------------------------------

// GET /api/messages/search
struct Query {
  std::optional<std::string> search;
  std::optional<model::Uuid> conversation_id, contact_id;
  std::optional<model::MessageDirection> direction;
  std::optional<model::MessageType> messageType;
  std::optional<model::Timestamp> from, to;
  std::optional<std::int64_t> per_page, limit;
  std::optional<http::Order> order;
  std::optional<std::string> cursor;
};
BOOST_DESCRIBE_STRUCT(Query, (),
                      (search, conversation_id, contact_id, direction, messageType, from, to, per_page, limit, order,
                       cursor))

// ---- responses ------------------------------------------------------------------------------------------------------

struct Piece {
  std::string text;
  bool matched = false;
};
BOOST_DESCRIBE_STRUCT(Piece, (), (text, matched))

// Part of a text of a message around what was found.
struct Fragment {
  std::vector<Piece> pieces;
};
BOOST_DESCRIBE_STRUCT(Fragment, (), (pieces))

struct Match {
  model::Message message;
  std::vector<Fragment> highlights;
};
BOOST_DESCRIBE_STRUCT(Match, (), (message, highlights))

struct PageResponse {
  std::vector<Match> matches;
  model::CursorMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (matches, paginationMeta))

// ---- rows -----------------------------------------------------------------------------------------------------------

struct FoundRow {
  model::Uuid id;
  std::int64_t position = 0;  // messages::After::at
  bool too_many = false;
};
BOOST_DESCRIBE_STRUCT(FoundRow, (), (id, position, too_many))

struct WalkedRow {
  model::Uuid id;
  std::int64_t position = 0;
  bool matches = true;
  bool ends = false;  // the last one that was looked at
};
BOOST_DESCRIBE_STRUCT(WalkedRow, (), (id, position, matches, ends))

}  // namespace parley::conversations::search

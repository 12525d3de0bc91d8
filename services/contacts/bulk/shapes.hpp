#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/model/contact.hpp"
#include "common/model/page.hpp"

namespace parley::contacts::bulk {

enum class Status { Queued, Running, Finished, Failed, Cancelled };
BOOST_DESCRIBE_ENUM(Status, Queued, Running, Finished, Failed, Cancelled)

enum class ActionType {
  addTags,
  removeTags,
  addToLists,
  removeFromLists,
  setStatus,
  setAttribute,
  removeAttribute,
  deleteContacts
};
BOOST_DESCRIBE_ENUM(ActionType, addTags, removeTags, addToLists, removeFromLists, setStatus, setAttribute,
                    removeAttribute, deleteContacts)

// Which contacts: those that match all that is given, as in FilterQuery of contacts/shapes.hpp.
struct Selection {
  std::optional<model::Uuid> listId;
  std::optional<std::string> tag;  // its id, or else its label; once stored, its id
  std::optional<model::ContactStatus> status;
  std::optional<std::string> search;
  std::optional<model::RawJson> attributes;  // an object of texts
  std::optional<model::Uuid> segmentId;
  std::optional<model::RawJson> filter;  // as in segments/filter.hpp; once stored, that of the segment
};
BOOST_DESCRIBE_STRUCT(Selection, (), (listId, tag, status, search, attributes, segmentId, filter))

struct ActionBody {
  ActionType type = ActionType::addTags;
  std::optional<std::vector<std::string>> tags;  // ids, or else labels
  std::optional<std::vector<model::Uuid>> listIds;
  std::optional<model::ContactStatus> status;
  std::optional<std::string> attribute;
  std::optional<model::RawJson> value;
};
BOOST_DESCRIBE_STRUCT(ActionBody, (), (type, tags, listIds, status, attribute, value))

struct StartBody {
  Selection contacts;
  std::int64_t expected = 0;
  ActionBody action;
};
BOOST_DESCRIBE_STRUCT(StartBody, (), (contacts, expected, action))

// GET /api/contacts/bulk-changes: newest first by default.
struct ListQuery : http::CreationQuery {
  std::optional<Status> status;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::CreationQuery), (status))

// Why a contact was left as it was.
struct ContactError {
  model::Uuid contactId;
  std::string detail;
};
BOOST_DESCRIBE_STRUCT(ContactError, (), (contactId, detail))

inline constexpr std::size_t kMaxErrors = 100;  // kept; `failed` counts all of them

struct BulkChangeSummary {
  model::Uuid uniqueId;
  Status status = Status::Queued;
  std::string failure;  // "" unless Failed
  model::RawJson contacts, action;
  std::int64_t expected = 0;
  std::int64_t changed = 0, unchanged = 0, failed = 0;
  std::int64_t percent = 0;  // of `expected`
  model::Timestamp createdAt;
  std::optional<model::Timestamp> finishedAt;
};
BOOST_DESCRIBE_STRUCT(BulkChangeSummary, (),
                      (uniqueId, status, failure, contacts, action, expected, changed, unchanged, failed, percent,
                       createdAt, finishedAt))
struct BulkChange : BulkChangeSummary {
  model::RawJson errors{"[]"};  // array of ContactError
};
BOOST_DESCRIBE_STRUCT(BulkChange, (BulkChangeSummary), (errors))

struct BulkChangeResponse {
  BulkChange bulkChange;
};
BOOST_DESCRIBE_STRUCT(BulkChangeResponse, (), (bulkChange))
struct PageResponse {
  std::vector<BulkChangeSummary> bulkChanges;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (bulkChanges, paginationMeta))

struct Progress {
  model::Uuid position;  // the last contact that was looked at
  std::int64_t changed = 0, unchanged = 0, failed = 0;
  std::vector<ContactError> errors;  // the first kMaxErrors

  std::int64_t done() const { return changed + unchanged + failed; }
};

// A change as its lease holder works on it.
struct Job {
  model::Uuid organization_id, id, owner;
  Selection contacts;
  ActionBody action;
  std::int64_t expected = 0;
  model::Uuid until;
  std::int64_t attempts = 0;  // attempts at the current position, this one included
  Progress progress{};
};

}  // namespace parley::contacts::bulk

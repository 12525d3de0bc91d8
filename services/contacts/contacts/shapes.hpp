#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/model/contact.hpp"
#include "common/model/page.hpp"
#include "common/model/versioned.hpp"

namespace parley::contacts::contacts {

// ---- which contacts -------------------------------------------------------------------------------------------------

// The filters of GET /api/contacts and of its export.
struct FilterQuery {
  std::optional<model::Uuid> list_id;
  std::optional<std::string> tag;  // its id, or else its label
  std::optional<model::ContactStatus> status;
  http::Prefixed attributes;  // attributes.city=Paris
};
BOOST_DESCRIBE_STRUCT(FilterQuery, (), (list_id, tag, status, attributes))

enum class SortBy { createdAt, name };
BOOST_DESCRIBE_ENUM(SortBy, createdAt, name)

// The parameters of GET /api/contacts.
struct ListQuery : http::PageQuery, FilterQuery {
  std::optional<SortBy> sort_by;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery, FilterQuery), (sort_by))

// The parameters of GET /api/contacts/export.
struct ExportQuery : FilterQuery {
  std::optional<std::string> search;
  std::optional<std::string> format;  // csv or csv-raw
};
BOOST_DESCRIBE_STRUCT(ExportQuery, (FilterQuery), (search, format))

// What a contact must be like, checked.
struct Filter {
  std::string search;  // as typed, "" for none
  std::optional<model::Uuid> list_id;
  std::optional<std::string> tag;     // its id, or else its label
  std::optional<model::Uuid> tag_id;  // found by Store::find_tag(); nil if there is none
  std::optional<model::ContactStatus> status;
  std::vector<std::pair<std::string, std::string>> attributes;  // names and values, in the order of names
};

// A page of them.
struct PageFilter : Filter {
  http::Paging paging;
  SortBy sort_by = SortBy::createdAt;
  bool descending = true;
  std::optional<http::Cursor> after;  // the last contact of the page before, with its name if sorted by it

  std::string order_name() const { return std::string(model::name_of(sort_by)) + (descending ? " desc" : " asc"); }
};

// ---- what is answered -----------------------------------------------------------------------------------------------

// A contact of a page: a model::Contact whose lists and tags are JSON already, as the same few stand in many contacts.
struct PageContact : model::ContactSummary {
  model::RawJson lists{"[]"};
  model::RawJson tags{"[]"};
  model::RawJson conversations{"[]"};
};
BOOST_DESCRIBE_STRUCT(PageContact, (model::ContactSummary), (lists, tags, conversations))

struct PageResponse {
  std::vector<PageContact> contacts;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (contacts, paginationMeta))

// Of its version are what it is itself, the lists that it is in and the tags that it bears: not what these are, nor its
// conversations.
using VersionedContact = model::Versioned<model::Contact>;

struct ContactResponse {
  model::Contact contact;
};
BOOST_DESCRIBE_STRUCT(ContactResponse, (), (contact))

// Of what was just made or changed.
struct ChangedResponse {
  PageContact contact;
};
BOOST_DESCRIBE_STRUCT(ChangedResponse, (), (contact))

struct CreatedResponse {
  std::vector<PageContact> contacts;
};
BOOST_DESCRIBE_STRUCT(CreatedResponse, (), (contacts))

// A line of an export.
struct ExportRow : model::ContactSummary {
  std::vector<std::string> tags, lists;  // labels and names
  std::int64_t matching = 0;             // of the step, which may be more than it gives
};
BOOST_DESCRIBE_STRUCT(ExportRow, (model::ContactSummary), (tags, lists, matching))

// ---- what is made and changed ---------------------------------------------------------------------------------------

// The body of POST /api/contacts, or an element of it, and of POST /api/contacts/{id}.
struct ContactBody {
  std::optional<std::string> name, phone;
  std::optional<model::RawJson> attributes;
  std::optional<std::vector<std::string>> lists;  // ids
  std::optional<std::vector<std::string>> tags;   // each a tag's id, or else a label
  std::optional<model::ContactStatus> status;
};
BOOST_DESCRIBE_STRUCT(ContactBody, (), (name, phone, attributes, lists, tags, status))

// The same, checked. What is nullopt stays as it is.
struct Changes {
  std::string pointer;  // where it stands in the body: "" or "/3"
  std::optional<std::string> name;
  std::optional<std::string> phone;  // E.164, or as it was given
  std::string phone_fault;           // what is wrong with it, unless the contact has it already
  std::optional<model::RawJson> attributes;
  std::optional<std::vector<model::Uuid>> lists;  // as they were given
  std::optional<std::vector<std::string>> tags;   // each once
  std::optional<model::ContactStatus> status;
};

// ---- what other contexts ask for ------------------------------------------------------------------------------------

struct ContactParts {
  std::vector<model::ContactSummary> contacts;
  std::vector<model::Tag> tags;
};

}  // namespace parley::contacts::contacts

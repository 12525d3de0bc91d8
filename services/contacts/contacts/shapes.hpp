#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/model/contact.hpp"
#include "common/model/page.hpp"
#include "common/model/versioned.hpp"
#include "contacts/contacts/catalogue.hpp"
#include "contacts/segments/predicate.hpp"

namespace parley::contacts::contacts {

// ---- filters --------------------------------------------------------------------------------------------------------

// Filters of GET /api/contacts and of the export.
struct FilterQuery {
  std::optional<model::Uuid> list_id;
  std::optional<std::string> tag;  // its id, or else its label
  std::optional<model::ContactStatus> status;
  http::Prefixed attributes;  // attributes.city=Paris
  std::optional<model::Uuid> segment_id;
};
BOOST_DESCRIBE_STRUCT(FilterQuery, (), (list_id, tag, status, attributes, segment_id))

enum class SortBy { createdAt, name };
BOOST_DESCRIBE_ENUM(SortBy, createdAt, name)

struct ListQuery : http::PageQuery, FilterQuery {
  std::optional<SortBy> sort_by;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery, FilterQuery), (sort_by))

struct ExportQuery : FilterQuery, http::OfOrganization {
  std::optional<std::string> search;
  std::optional<std::string> format;  // csv or csv-raw
};
BOOST_DESCRIBE_STRUCT(ExportQuery, (FilterQuery, http::OfOrganization), (search, format))

// The validated filters.
struct Filter {
  std::string search;  // as typed; "" for none
  std::optional<model::Uuid> list_id;
  std::optional<std::string> tag;     // its id, or else its label
  std::optional<model::Uuid> tag_id;  // set by Store::find_tag(); nil if the tag does not exist
  std::optional<model::ContactStatus> status;
  std::vector<std::pair<std::string, std::string>> attributes;  // (name, value), sorted
  std::optional<model::Uuid> segment_id;
  segments::PredicatePtr segment;  // set by Store::find_segment(); null for none
};

struct PageFilter : Filter {
  http::Paging paging;
  SortBy sort_by = SortBy::createdAt;
  bool descending = true;
  std::optional<http::Cursor> after;  // last contact of the previous page, with its name if sorted by name

  std::string order_name() const { return std::string(model::name_of(sort_by)) + (descending ? " desc" : " asc"); }
};

// ---- responses ------------------------------------------------------------------------------------------------------

// A list or a tag of a contact, written from the catalogue: many contacts share the same few.
struct ContactList {
  ListTextPtr text;
  std::int64_t contacts = 0;
};
struct ContactTag {
  TagTextPtr text;
};
void write(std::string& out, const ContactList& list);
void write(std::string& out, const ContactTag& tag);

struct PageContact : model::ContactSummary {
  std::vector<ContactList> lists;
  std::vector<ContactTag> tags;
  model::RawJson conversations{"[]"};  // from another context: an array of ConversationInContact

  std::size_t octets() const;  // of attributes, lists and tags, about
};
BOOST_DESCRIBE_STRUCT(PageContact, (model::ContactSummary), (lists, tags, conversations))

struct PageResponse {
  std::vector<PageContact> contacts;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (contacts, paginationMeta))

// The version covers the row and the ids of the lists and tags; neither their contents nor conversations.
using VersionedContact = model::Versioned<PageContact>;

struct ContactResponse {
  PageContact contact;
};
BOOST_DESCRIBE_STRUCT(ContactResponse, (), (contact))

struct CreatedResponse {
  std::vector<PageContact> contacts;
};
BOOST_DESCRIBE_STRUCT(CreatedResponse, (), (contacts))

struct ExportRow : model::ContactSummary {
  std::vector<std::string> tags, lists;
  std::int64_t matching = 0;  // rows matching in the step, of which it may return fewer
};
BOOST_DESCRIBE_STRUCT(ExportRow, (model::ContactSummary), (tags, lists, matching))

// ---- changes --------------------------------------------------------------------------------------------------------

// The body of POST /api/contacts, or an element of it, and of POST /api/contacts/{id}.
struct ContactBody {
  std::optional<std::string> name, phone;
  std::optional<model::RawJson> attributes;
  std::optional<std::vector<std::string>> lists;  // ids
  std::optional<std::vector<std::string>> tags;   // each a tag's id, or else a label
  std::optional<model::ContactStatus> status;
};
BOOST_DESCRIBE_STRUCT(ContactBody, (), (name, phone, attributes, lists, tags, status))

// A validated ContactBody; nullopt leaves a value unchanged.
struct Changes {
  std::string pointer;  // JSON pointer into the body: "" or "/3"
  std::optional<std::string> name;
  std::optional<std::string> phone;  // E.164, or as given if phone_fault is set
  std::string phone_fault;           // why the number is invalid; ignored if the contact has it already
  std::optional<model::RawJson> attributes;
  std::optional<std::vector<model::Uuid>> lists;
  std::optional<std::vector<std::string>> tags;
  std::optional<model::ContactStatus> status;
};

// ---- for other services ---------------------------------------------------------------------------------------------

struct ContactParts {
  std::vector<model::ContactSummary> contacts;
  std::vector<model::Tag> tags;
};

}  // namespace parley::contacts::contacts

#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/query.hpp"
#include "common/model/contact.hpp"
#include "common/model/page.hpp"

namespace parley::contacts::contacts {

enum class SortBy { createdAt, name };
BOOST_DESCRIBE_ENUM(SortBy, createdAt, name)

// The parameters of GET /api/contacts.
struct ListQuery {
  std::optional<std::int64_t> skip, page, per_page, limit;
  std::optional<http::Order> order;
  std::optional<SortBy> sort_by;
  std::optional<std::string> search;
  std::optional<model::Uuid> list_id;
  std::optional<model::ContactStatus> status;
  std::optional<std::string> cursor;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (), (skip, page, per_page, limit, order, sort_by, search, list_id, status, cursor))

// The same, checked.
struct Filter {
  http::Paging paging;
  SortBy sort_by = SortBy::createdAt;
  bool descending = true;
  std::string search;  // as typed, "" for none
  std::optional<model::Uuid> list_id;
  std::optional<model::ContactStatus> status;
  std::optional<model::Uuid> after;  // the last contact of the page before, with its name if sorted by it
  std::string after_name;
};

// A contact of a page: a model::Contact whose lists and tags are JSON already, as the same few stand in many contacts.
struct PageContact : model::ContactSummary {
  model::RawJson lists{"[]"};
  model::RawJson tags{"[]"};
  model::RawJson conversations{"[]"};
};
BOOST_DESCRIBE_STRUCT(PageContact, (model::ContactSummary), (lists, tags, conversations))

struct PageAnswer {
  std::vector<PageContact> contacts;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageAnswer, (), (contacts, paginationMeta))

struct ContactAnswer {
  model::Contact contact;
};
BOOST_DESCRIBE_STRUCT(ContactAnswer, (), (contact))

// What other contexts ask for: see PartsQuery's route.
struct PartsQuery {
  std::optional<model::Uuid> organization_id;
  std::optional<std::string> contact_ids, tag_ids;
};
BOOST_DESCRIBE_STRUCT(PartsQuery, (), (organization_id, contact_ids, tag_ids))

struct ContactParts {
  std::vector<model::ContactSummary> contacts;
  std::vector<model::Tag> tags;
};

}  // namespace parley::contacts::contacts

#pragma once
#include <boost/describe/class.hpp>

#include "common/http/query.hpp"
#include "common/model/organization.hpp"
#include "common/model/page.hpp"

namespace parley::organizations::organizations {

// The parameters of GET /api/organization.
struct ListQuery {
  std::optional<std::int64_t> skip, page, per_page, limit;
  std::optional<http::Order> order;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (), (skip, page, per_page, limit, order))

// The body of POST /api/organization.
struct CreateOrganization {
  std::string name;
  std::optional<std::string> description;
  std::optional<std::string> websiteUrl;
};
BOOST_DESCRIBE_STRUCT(CreateOrganization, (), (name, description, websiteUrl))

// The same, checked.
struct NewOrganization {
  std::string name;
  std::string description;
  std::string website_url;
};

struct Page {
  std::vector<model::Organization> organizations;
  std::int64_t total = 0;
};

struct PageAnswer {
  std::vector<model::Organization> organizations;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageAnswer, (), (organizations, paginationMeta))

struct OrganizationAnswer {
  model::Organization organization;
};
BOOST_DESCRIBE_STRUCT(OrganizationAnswer, (), (organization))

}  // namespace parley::organizations::organizations

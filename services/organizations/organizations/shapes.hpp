#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/model/organization.hpp"
#include "common/model/page.hpp"
#include "common/model/versioned.hpp"

namespace parley::organizations::organizations {

using VersionedOrganization = model::Versioned<model::Organization>;

enum class SortBy { createdAt, name };
BOOST_DESCRIBE_ENUM(SortBy, createdAt, name)

// The parameters of GET /api/organization.
struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by))

// The same, checked.
using Filter = http::PageFilter<SortBy>;

// The body of POST /api/organization.
struct CreateOrganization {
  std::string name;
  std::optional<std::string> description;
  std::optional<std::string> websiteUrl;
};
BOOST_DESCRIBE_STRUCT(CreateOrganization, (), (name, description, websiteUrl))

// The body of POST /api/organization/{id}: what is left out stays. isOnboardingCompleted is not among them: it says
// that a messaging account was connected.
struct UpdateOrganization {
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<std::string> websiteUrl;
  std::optional<std::string> logoUrl;
  std::optional<std::string> faviconUrl;
  std::optional<bool> IsAutoHandlingConversationsEnabled;
};
BOOST_DESCRIBE_STRUCT(UpdateOrganization, (),
                      (name, description, websiteUrl, logoUrl, faviconUrl, IsAutoHandlingConversationsEnabled))

// The parameters of DELETE /api/organization/{id}.
struct RemoveQuery {
  std::optional<std::string> name;
};
BOOST_DESCRIBE_STRUCT(RemoveQuery, (), (name))

// The body of POST /api/organization, checked.
struct NewOrganization {
  std::string name;
  std::string description;
  std::string website_url;
};

// Whether an answer holds the account's secrets or only what tells them apart.
enum class Secrets { masked, whole };

struct Page {
  std::vector<model::Organization> organizations;
  std::int64_t total = 0;
};

struct PageResponse {
  std::vector<model::Organization> organizations;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (organizations, paginationMeta))

struct OrganizationResponse {
  model::Organization organization;
};
BOOST_DESCRIBE_STRUCT(OrganizationResponse, (), (organization))

}  // namespace parley::organizations::organizations

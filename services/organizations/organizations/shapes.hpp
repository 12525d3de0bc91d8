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

struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by))

using Filter = http::PageFilter<SortBy>;

struct CreateOrganization {
  std::string name;
  std::optional<std::string> description;
  std::optional<std::string> websiteUrl;
};
BOOST_DESCRIBE_STRUCT(CreateOrganization, (), (name, description, websiteUrl))

// Absent values stay unchanged. isOnboardingCompleted is set only by connecting an account.
struct UpdateOrganization {
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<std::string> websiteUrl;
  std::optional<std::string> logoUrl;
  std::optional<std::string> faviconUrl;
  std::optional<bool> IsAutoHandlingConversationsEnabled;
  std::optional<bool> requiresSecondFactor;
};
BOOST_DESCRIBE_STRUCT(UpdateOrganization, (),
                      (name, description, websiteUrl, logoUrl, faviconUrl, IsAutoHandlingConversationsEnabled,
                       requiresSecondFactor))

struct RemoveQuery {
  std::optional<std::string> name;
};
BOOST_DESCRIBE_STRUCT(RemoveQuery, (), (name))

// A validated CreateOrganization.
struct NewOrganization {
  std::string name;
  std::string description;
  std::string website_url;
};

// Whether a response contains the account's secrets or only masked forms that distinguish them.
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

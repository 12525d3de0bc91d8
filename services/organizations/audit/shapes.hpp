#pragma once
#include <boost/describe/class.hpp>

#include "common/http/page.hpp"
#include "common/model/audit.hpp"
#include "common/model/page.hpp"

namespace parley::organizations::audit {

struct ListQuery : http::PageQuery {
  std::optional<model::AuditAction> action;
  std::optional<model::Uuid> member_id;
  std::optional<model::Timestamp> from, to;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (action, member_id, from, to))

struct After {
  model::Timestamp created_at;
  model::Uuid id;
  std::int64_t skip = 0;  // of those behind it
};

struct Filter {
  http::Paging paging;
  bool descending = true;
  std::string search;  // in the subject and the member's e-mail address; "" for none
  std::optional<model::AuditAction> action;
  std::optional<model::Uuid> member_id;
  std::optional<model::Timestamp> from, to;  // `to` is exclusive
  std::optional<After> after;

  std::string_view order_name() const { return descending ? "createdAt desc" : "createdAt asc"; }
};

struct Page {
  std::vector<model::AuditEntry> entries{};
  std::int64_t total = 0;
  std::optional<After> walked_to{};  // set: there may be more matches behind it, however short the page is
};

struct WalkedEntry : model::AuditEntry {
  bool matches = true;
  bool ends = false;  // the last one that was looked at
  std::int64_t skip_left = 0;
};
BOOST_DESCRIBE_STRUCT(WalkedEntry, (model::AuditEntry), (matches, ends, skip_left))

struct PageResponse {
  std::vector<model::AuditEntry> entries;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (entries, paginationMeta))

}  // namespace parley::organizations::audit

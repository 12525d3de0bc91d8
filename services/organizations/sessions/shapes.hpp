#pragma once
#include <boost/describe/class.hpp>

#include "common/chassis/pipeline.hpp"
#include "common/http/page.hpp"
#include "common/model/json.hpp"
#include "common/model/page.hpp"
#include "organizations/users/shapes.hpp"

namespace parley::organizations::sessions {

struct Login {
  std::string email;
  std::string password;
  model::Nullable<std::string> code;  // of the second factor, where it is on
};
BOOST_DESCRIBE_STRUCT(Login, (), (email, password, code))

// A new session. The token is returned only once.
struct Session {
  std::string token;
  model::Timestamp expiresAt;  // at the latest; an idle session ends earlier, see Limits

  // For contracts::organizations::kSessionField.
  std::string cookie() const;
};
BOOST_DESCRIBE_STRUCT(Session, (), (token, expiresAt))

struct SessionResponse {
  Session session;
  users::User user;
  std::vector<users::Membership> organizations;
};
BOOST_DESCRIBE_STRUCT(SessionResponse, (), (session, user, organizations))

// Where a sign-in comes from, bounded and valid UTF-8.
struct Origin {
  std::string address;
  std::string user_agent;
};
Origin origin_of(const chassis::Call& call);

enum class SortBy { createdAt };
BOOST_DESCRIBE_ENUM(SortBy, createdAt)

struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by))

using Filter = http::PageFilter<SortBy>;

// A session without its token.
struct ListedSession {
  model::Uuid uniqueId;
  model::Timestamp createdAt;
  model::Timestamp lastUsedAt;  // accurate to a minute
  model::Timestamp expiresAt;   // at the latest
  std::string address;          // of the client that signed in; "" for one of an earlier release
  std::string userAgent;        // likewise
  bool isCurrent = false;       // the request's own
};
BOOST_DESCRIBE_STRUCT(ListedSession, (), (uniqueId, createdAt, lastUsedAt, expiresAt, address, userAgent, isCurrent))

struct Page {
  std::vector<ListedSession> sessions;
  std::int64_t total = 0;
};

struct PageResponse {
  std::vector<ListedSession> sessions;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (sessions, paginationMeta))

struct Limits {
  std::int64_t idle_seconds = 12 * 3600;       // a session ends when unused for this time
  std::int64_t life_seconds = 30 * 24 * 3600;  // any session ends after this time
  std::int64_t most_of_a_person = 50;          // beyond it the oldest sessions end
};

}  // namespace parley::organizations::sessions

#pragma once
#include <boost/describe/class.hpp>

#include "common/model/json.hpp"
#include "organizations/users/shapes.hpp"

namespace parley::organizations::sessions {

struct Login {
  std::string email;
  std::string password;
};
BOOST_DESCRIBE_STRUCT(Login, (), (email, password))

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

struct Limits {
  std::int64_t idle_seconds = 12 * 3600;       // a session ends when unused for this time
  std::int64_t life_seconds = 30 * 24 * 3600;  // any session ends after this time
  std::int64_t most_of_a_person = 50;          // beyond it the oldest sessions end
};

}  // namespace parley::organizations::sessions

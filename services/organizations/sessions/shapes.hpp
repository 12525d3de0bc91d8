#pragma once
#include <boost/describe/class.hpp>

#include "common/model/json.hpp"
#include "organizations/people/shapes.hpp"

namespace parley::organizations::sessions {

// The body of POST /api/auth/login.
struct Login {
  std::string email;
  std::string password;
};
BOOST_DESCRIBE_STRUCT(Login, (), (email, password))

// What a person who signed in acts by; its token is shown once.
struct Session {
  std::string token;
  model::Timestamp expiresAt;  // at the latest: see Limits
};
BOOST_DESCRIBE_STRUCT(Session, (), (token, expiresAt))

struct SessionResponse {
  Session session;
  people::User user;
  std::vector<people::Membership> organizations;
};
BOOST_DESCRIBE_STRUCT(SessionResponse, (), (session, user, organizations))

struct Limits {
  std::int64_t idle_seconds = 12 * 3600;       // a session that is not used ends after this
  std::int64_t life_seconds = 30 * 24 * 3600;  // and any after this
  std::int64_t most_of_a_person = 50;          // the oldest ones end beyond it
};

}  // namespace parley::organizations::sessions

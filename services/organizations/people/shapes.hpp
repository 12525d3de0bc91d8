#pragma once
#include <boost/describe/class.hpp>

#include "common/model/organization.hpp"

namespace parley::organizations::people {

// A person, of whatever organizations.
struct User {
  model::Uuid uniqueId;
  std::string name;
  std::string email;
  model::Timestamp createdAt;
  bool hasPassword = false;  // otherwise they act by API keys alone, until a token sets one
};
BOOST_DESCRIBE_STRUCT(User, (), (uniqueId, name, email, createdAt, hasPassword))

// An organization that a person is a member of.
struct Membership {
  model::Uuid uniqueId;
  std::string name;
  model::Uuid memberId;
  model::AccessLevel accessLevel = model::AccessLevel::Member;
};
BOOST_DESCRIBE_STRUCT(Membership, (), (uniqueId, name, memberId, accessLevel))

// The answer of GET and POST /api/user. The organization that the person came to first comes first.
struct Profile {
  User user;
  std::vector<Membership> organizations;
};
BOOST_DESCRIBE_STRUCT(Profile, (), (user, organizations))

// GET /api/user takes no parameters.
struct NoParameters {};
BOOST_DESCRIBE_STRUCT(NoParameters, (), ())

// The body of POST /api/auth/register.
struct Register {
  std::string name;
  std::string email;
  std::string password;
  std::optional<std::string> organizationName;
};
BOOST_DESCRIBE_STRUCT(Register, (), (name, email, password, organizationName))

// The body of POST /api/auth/password.
struct SetPassword {
  std::string token;
  std::string password;
};
BOOST_DESCRIBE_STRUCT(SetPassword, (), (token, password))

// The body of POST /api/user: what is left out stays.
struct UpdateUser {
  std::optional<std::string> name;
  std::optional<std::string> password;
  std::optional<std::string> oldPassword;  // needed with password by who has one
};
BOOST_DESCRIBE_STRUCT(UpdateUser, (), (name, password, oldPassword))

}  // namespace parley::organizations::people

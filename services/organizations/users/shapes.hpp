#pragma once
#include <boost/describe/class.hpp>

#include "common/model/organization.hpp"

namespace parley::organizations::users {

struct SecondFactor {
  model::Timestamp since;
  std::int64_t recoveryCodesLeft = 0;
};
BOOST_DESCRIBE_STRUCT(SecondFactor, (), (since, recoveryCodesLeft))

struct User {
  model::Uuid uniqueId;
  std::string name;
  std::string email;
  model::Timestamp createdAt;
  bool hasPassword = false;                  // otherwise API keys only, until a token sets one
  std::optional<SecondFactor> secondFactor;  // null: off
};
BOOST_DESCRIBE_STRUCT(User, (), (uniqueId, name, email, createdAt, hasPassword, secondFactor))

struct Membership {
  model::Uuid uniqueId;
  std::string name;
  model::Uuid memberId;
  model::AccessLevel accessLevel = model::AccessLevel::Member;
};
BOOST_DESCRIBE_STRUCT(Membership, (), (uniqueId, name, memberId, accessLevel))

// The response of GET and POST /api/user. Organizations are in the order of joining.
struct Profile {
  User user;
  std::vector<Membership> organizations;
};
BOOST_DESCRIBE_STRUCT(Profile, (), (user, organizations))

struct NoParameters {};
BOOST_DESCRIBE_STRUCT(NoParameters, (), ())

struct Register {
  std::string name;
  std::string email;
  std::string password;
  model::Nullable<std::string> organizationName;
};
BOOST_DESCRIBE_STRUCT(Register, (), (name, email, password, organizationName))

struct RequestPasswordReset {
  std::string email;
};
BOOST_DESCRIBE_STRUCT(RequestPasswordReset, (), (email))

struct SetPassword {
  std::string token;
  std::string password;
};
BOOST_DESCRIBE_STRUCT(SetPassword, (), (token, password))

// The body of POST /api/user; absent values stay unchanged.
struct UpdateUser {
  std::optional<std::string> name;
  std::optional<std::string> password;
  std::optional<std::string> oldPassword;  // required with `password`
};
BOOST_DESCRIBE_STRUCT(UpdateUser, (), (name, password, oldPassword))

}  // namespace parley::organizations::users

#pragma once
#include <boost/describe/class.hpp>

#include "common/model/timestamp.hpp"
#include "organizations/mail/store.hpp"

namespace parley::organizations::mail {

struct MailRow {
  model::Uuid id;
  Kind kind = Kind::Request;
  std::string secret;
  std::int64_t tries = 0;  // with the present one
};
BOOST_DESCRIBE_STRUCT(MailRow, (), (id, kind, secret, tries))

struct LookRow {
  std::int64_t waiting = 0;
  std::int64_t due = 0;
};
BOOST_DESCRIBE_STRUCT(LookRow, (), (waiting, due))

struct InvitationRow {
  std::string email;
  std::string organization;
  model::Timestamp expires_at;
};
BOOST_DESCRIBE_STRUCT(InvitationRow, (), (email, organization, expires_at))

}  // namespace parley::organizations::mail

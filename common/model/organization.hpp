#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/model/json.hpp"

namespace parley::model {

enum class AccessLevel { Owner, Admin, Member };
BOOST_DESCRIBE_ENUM(AccessLevel, Owner, Admin, Member)

struct Role {
  Uuid uniqueId;
  std::string name;
  std::string description;
  std::vector<std::string> permissions;  // Verb:Resource, in the order of identity::Permission
};
BOOST_DESCRIBE_STRUCT(Role, (), (uniqueId, name, description, permissions))

struct OrganizationMember {
  Uuid uniqueId;
  Timestamp createdAt;
  AccessLevel accessLevel = AccessLevel::Member;
  std::string name;
  std::string email;
  std::vector<Role> roles;
};
BOOST_DESCRIBE_STRUCT(OrganizationMember, (), (uniqueId, createdAt, accessLevel, name, email, roles))

struct ApiKey {
  Uuid uniqueId;
  std::string key;  // the secret, whole, in the one answer that makes it
  Timestamp createdAt;
};
BOOST_DESCRIBE_STRUCT(ApiKey, (), (uniqueId, key, createdAt))

enum class VerificationStatus { Verified, Unverified };
BOOST_DESCRIBE_ENUM(VerificationStatus, Verified, Unverified)

struct MessagingBusinessAccountDetails {
  std::string businessAccountId;
  std::string phoneNumberId;
  std::string accessToken;    // whole in the answer that sets it and to the Owner reading one organization, else masked
  std::string webhookSecret;  // likewise
  VerificationStatus verificationStatus = VerificationStatus::Unverified;
  bool isPhoneNumberRegisteredToCloudApi = false;
};
BOOST_DESCRIBE_STRUCT(MessagingBusinessAccountDetails, (),
                      (businessAccountId, phoneNumberId, accessToken, webhookSecret, verificationStatus,
                       isPhoneNumberRegisteredToCloudApi))

struct Organization {
  Uuid uniqueId;
  std::string name;
  std::string description;
  Timestamp createdAt;
  std::string websiteUrl;
  std::string logoUrl;
  std::string faviconUrl;
  std::string businessAccountId;
  std::optional<MessagingBusinessAccountDetails> messagingBusinessAccountDetails;
  bool IsAutoHandlingConversationsEnabled = false;
  bool isOnboardingCompleted = false;
  bool requiresSecondFactor = false;  // of members who act in it by a session
};
BOOST_DESCRIBE_STRUCT(Organization, (),
                      (uniqueId, name, description, createdAt, websiteUrl, logoUrl, faviconUrl, businessAccountId,
                       messagingBusinessAccountDetails, IsAutoHandlingConversationsEnabled, isOnboardingCompleted,
                       requiresSecondFactor))

}  // namespace parley::model

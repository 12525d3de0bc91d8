#pragma once
// The system that the end-to-end tests of this program share, what is in it, and how they ask it. Tests that kill, stop
// or starve something start a system of their own.
#include <doctest/doctest.h>

#include <boost/json/parse.hpp>
#include <memory>

#include "common/identity/api_key.hpp"
#include "common/identity/permission.hpp"
#include "common/model/uuid.hpp"
#include "tests/support/contract.hpp"
#include "tests/support/system.hpp"

namespace parley::e2e {

using support::Answer;
using support::Caller;
using support::Headers;
using support::Sql;
using support::System;
using support::Wire;

// An organization with rows in every service.
struct Organization {
  std::string id;
  Caller owner;
  std::vector<std::string> contacts;  // in order of creation
  std::vector<std::string> lists;     // everybody, every third, nobody
  std::vector<std::string> tags;
  std::vector<std::string> conversations;  // of contacts[0]: Closed, Active; of [1]: Active without messages; ...
  std::string deleted_conversation;        // of contacts[2]
};

// Makes one, for a system that has just started or that others have filled before.
Organization fill(System& system, const std::string& name, int contacts = 45);

// What a plain SELECT over the tables of all services says that these are, as JSON. Needs install_views().
void install_views(System& system);
boost::json::value contact_by_sql(System& system, const Organization& organization, const std::string& id,
                                  int messages);
boost::json::value conversation_by_sql(System& system, const Organization& organization, const std::string& id);

// The document that the gateway serves.
const support::Contract& contract_of(System& system);

// A key that holds exactly these permissions, made once.
Caller member_with(System& system, const std::string& organization, identity::PermissionSet permissions);
identity::PermissionSet all_but(identity::Permission permission);

// Sends requests over a connection that it keeps, and holds every answer to the contract.
class Client {
 public:
  Client(System& system, std::string api_key = {}, std::size_t gateway = 0)
      : system_(system), gateway_(gateway), api_key_(std::move(api_key)) {}

  // A body is sent as application/json unless the headers say otherwise. Fails the test for an answer that is not as
  // documented, and for any 5xx that `may_fail` does not allow.
  Answer operator()(const std::string& method, const std::string& target, const std::string& body = {},
                    Headers headers = {});
  Answer get(const std::string& target, Headers headers = {}) { return (*this)("GET", target, {}, std::move(headers)); }
  Answer post(const std::string& target, const std::string& body, Headers headers = {}) {
    return (*this)("POST", target, body, std::move(headers));
  }
  bool may_fail = false;

 private:
  System& system_;
  std::size_t gateway_;
  std::string api_key_;
  std::unique_ptr<Wire> wire_;
};

// Adds failed checks for what of the answer is not as the document says.
void check_documented(System& system, const std::string& method, const std::string& target, const Answer& answer);

struct World {
  World();
  System system;
  Organization a, b;  // the same names, phones and labels in both
};
World& world();

}  // namespace parley::e2e

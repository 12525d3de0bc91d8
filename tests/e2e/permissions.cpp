// Every documented operation against every permission: the document's x-permission is the one table, and the services'
// own checks are held to it from both sides.
#include <set>

#include "tests/e2e/requests.hpp"

using namespace parley;
using namespace parley::e2e;

namespace {

// Operations that hand out rights or take them: whoever lacks what they would give or take is refused for that, not for
// the operation's own permission.
const std::set<std::string>& grants() {
  static const std::set<std::string> operations{"createRole",
                                                "updateRole",
                                                "deleteRole",
                                                "updateMember",
                                                "createInvite",
                                                "inviteMember",
                                                "updateOrganizationMember"};
  return operations;
}

// An organization whose things these tests use up.
Requests& requests() {
  static Organization organization = fill(world().system, "Permissions", 12);
  static Requests the_requests(world().system, organization);
  return the_requests;
}

// The permissions that an operation needs: beside the one that it goes by, it may need others (x-permission-too).
identity::PermissionSet only_of(const support::Operation& operation) {
  identity::PermissionSet out;
  out.add(identity::parse_permission(*operation.permission).value());
  const auto add = [&](const boost::json::value& name) {
    out.add(identity::parse_permission(name.as_string().c_str()).value());
  };
  const auto* too = object_of(world().system, operation).if_contains("x-permission-too");
  if (too && too->is_array())
    for (const auto& each : too->get_array()) add(each);
  else if (too)
    add(*too);
  return out;
}

// A member of their own: the call may end their key, or them.
std::string key_of_new_member(identity::PermissionSet permissions, const std::string& level = "Member") {
  static int count = 0;
  return world()
      .system
      .add_member(requests().organization().id, "walker" + std::to_string(++count) + "@example.com", permissions.mask(),
                  level)
      .api_key;
}

std::vector<const support::Operation*> operations(bool with_permission) {
  std::vector<const support::Operation*> out;
  for (const auto& operation : contract_of(world().system).operations())
    if (operation.needs_credential && operation.permission.has_value() == with_permission &&
        operation.permissions.empty())
      out.push_back(&operation);
  return out;
}

// For whoever has this key: API keys are their members' own business, so it is their own one that is asked for.
Prepared prepared_for(const support::Operation& operation, const std::string& key) {
  const bool is_key = operation.path.starts_with("/api/auth/api-keys/{");
  if (is_key) return requests().make(operation, {{"path:id", identity::ApiKey::parse(key)->credential_id.text()}});
  // A note is its author's to change, so it is one of their own.
  if (operation.path == "/api/notes/{id}" && operation.method != "GET") {
    const auto member = world()
                            .system.sql("organizations")
                            .value("SELECT member_id FROM credential WHERE id = $1",
                                   {identity::ApiKey::parse(key)->credential_id.text()});
    return requests().make(operation, {{"path:id", requests().note_by(member)}});
  }
  // Nobody but its Owner can name the organization that is made to be deleted.
  if (operation.id == "deleteOrganization")
    return requests().make(operation, {{"path:id", requests().organization().id}});
  return requests().make(operation);
}

// The access levels that an operation is kept to beside its permission (x-access-levels); all, if it says nothing.
bool is_open_to(const support::Operation& operation, const std::string& level) {
  const auto* levels = object_of(world().system, operation).if_contains("x-access-levels");
  if (!levels) return true;
  for (const auto& each : levels->as_array())
    if (each == boost::json::value(level)) return true;
  return false;
}

}  // namespace

TEST_CASE("permissions: whoever has all but the one that an operation needs is refused by name, and nothing is done") {
  auto& system = world().system;
  std::vector<Prepared> all;
  for (const auto* operation : operations(true))
    all.push_back(prepared_for(*operation, requests().organization().owner.api_key));
  CHECK_GE(all.size(), 8);
  std::vector<std::string> keys;
  for (const auto& prepared : all) {
    const auto permission = identity::parse_permission(*prepared.operation->permission);
    REQUIRE_MESSAGE(permission, *prepared.operation->permission);
    keys.push_back(member_with(system, requests().organization().id, all_but(*permission)).api_key);
  }
  const auto before = settled_digest(system);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& operation = *all[i].operation;
    INFO(operation.id);
    const auto refused = [&](Prepared prepared) {
      const auto answer = requests().send_as(keys[i], prepared);
      CHECK_EQ(answer.status, 403);
      CHECK(answer.body.find(*operation.permission) != std::string::npos);
    };
    refused(all[i]);
    // Whether the body is good or not, and whether there is something with this id or not.
    if (!all[i].body.empty()) {
      auto nonsense = all[i];
      nonsense.body = "{nonsense";
      refused(nonsense);
    }
    if (operation.path.find('{') == std::string::npos) continue;
    auto unknown = all[i];
    unknown.target.replace(operation.path.find('{'), 36, model::new_uuid().text());
    refused(unknown);
  }
  CHECK_EQ(differences(before, settled_digest(system)), "");
}

TEST_CASE("permissions: the one that an operation needs is enough") {
  for (const auto* operation : operations(true)) {
    if (!is_open_to(*operation, "Member")) continue;
    const auto key = key_of_new_member(only_of(*operation));
    const auto answer = requests().send_as(key, prepared_for(*operation, key));
    INFO(operation->id << " " << answer.status << " " << answer.body.substr(0, 300));
    if (grants().contains(operation->id)) {
      CHECK((answer.status != 403 || answer.body.find("needs the permission") == std::string::npos));
    } else {
      CHECK_LT(answer.status, 300);
    }
  }
}

TEST_CASE("permissions: of several each is enough, and whoever has none of them is refused") {
  int found = 0;
  for (const auto& operation : contract_of(world().system).operations()) {
    if (operation.permissions.empty()) continue;
    ++found;
    auto others = identity::PermissionSet::all();
    for (const auto& name : operation.permissions) {
      const auto permission = identity::parse_permission(name);
      REQUIRE_MESSAGE(permission, name);
      others.remove(*permission);
      identity::PermissionSet only;
      only.add(*permission);
      INFO(operation.id << " " << name);
      CHECK_LT(requests().send_as(key_of_new_member(only), requests().make(operation)).status, 300);
    }
    const auto answer = requests().send_as(key_of_new_member(others), requests().make(operation));
    CHECK_EQ(answer.status, 403);
    for (const auto& name : operation.permissions) CHECK(answer.body.find(name) != std::string::npos);
  }
  CHECK(found > 0);
}

TEST_CASE("permissions: what needs none is open to every member") {
  for (const auto* operation : operations(false)) {
    if (!is_open_to(*operation, "Member")) continue;
    auto prepared = requests().make(*operation);
    const bool brings_key = prepared.api_key != requests().organization().owner.api_key;
    const auto answer = requests().send_as(brings_key ? prepared.api_key : key_of_new_member({}), prepared);
    INFO(operation->id << " " << answer.status << " " << answer.body.substr(0, 300));
    CHECK_NE(answer.status, 401);
    CHECK_NE(answer.status, 403);
  }
}

TEST_CASE("permissions: what is public needs no credential, and all else does") {
  auto& system = world().system;
  for (const auto& operation : contract_of(system).operations()) {
    if (operation.path.find("/api/") != 0) continue;
    auto prepared = requests().make(operation);
    const auto answer = requests().send_as("", prepared);
    INFO(operation.id << " " << answer.status << " " << answer.body.substr(0, 300));
    if (operation.needs_credential)
      CHECK_EQ(answer.status, 401);
    else
      CHECK_LT(answer.status, 300);
  }
}

TEST_CASE("permissions: an Owner's and an Admin's every request is taken, but for what the document keeps from them") {
  for (const std::string level : {"Owner", "Admin"})
    for (const auto& operation : contract_of(world().system).operations()) {
      if (!operation.needs_credential) continue;
      if (level == "Owner" && operation.id == "deleteOrganization") continue;  // see routes.cpp
      const auto key = key_of_new_member({}, level);
      auto prepared = prepared_for(operation, key);
      // A request that brings its own key is about that one.
      const bool brings_key = prepared.api_key != requests().organization().owner.api_key;
      const auto answer = requests().send_as(brings_key ? prepared.api_key : key, prepared);
      INFO(level << " " << operation.id << " " << answer.status << " " << answer.body.substr(0, 300));
      if (is_open_to(operation, level))
        CHECK_LT(answer.status, 300);
      else
        CHECK_EQ(answer.status, 403);
    }
}

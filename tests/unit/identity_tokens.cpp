// Signed identities: what proves one, and everything that does not.
#include <doctest/doctest.h>
#include <sodium.h>

#include <string>
#include <thread>

#include "common/identity/permission.hpp"
#include "common/identity/token.hpp"

namespace {

using namespace parley;
using namespace parley::identity;

struct World {
  World() { start_cryptography(); }
  Seed gateway_seed = (start_cryptography(), new_seed()), contacts_seed = new_seed();
  Signer gateway{"gateway", gateway_seed};
  Signer contacts{"contacts", contacts_seed};
  Trusted trusted{{"gateway", public_key_of(gateway_seed)}, {"contacts", public_key_of(contacts_seed)}};
  Verifier verifier{trusted, "analytics"};

  Identity member() const {
    return {.service = "",
            .organization_id = model::new_uuid(),
            .member_id = model::new_uuid(),
            .access_level = model::AccessLevel::Admin,
            .permissions = PermissionSet(0x1FFFFFFFFFFFF),
            .credential_id = "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b",
            .person_id = model::new_uuid()};
  }
  static Identity service(std::string name) {
    return {.service = std::move(name), .organization_id{}, .member_id{}, .permissions{}, .credential_id{}};
  }
};

// A token of any payload, signed well.
std::string signed_token(const Seed& seed, const std::string& payload) {
  unsigned char secret[crypto_sign_SECRETKEYBYTES], ignored[32];
  crypto_sign_seed_keypair(ignored, secret, seed.data());
  std::string signature(crypto_sign_BYTES, '\0');
  crypto_sign_detached(reinterpret_cast<unsigned char*>(signature.data()), nullptr,
                       reinterpret_cast<const unsigned char*>(payload.data()), payload.size(), secret);
  return to_base64url(payload) + "." + to_base64url(signature);
}

constexpr const char* kIds = "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b|0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c";
constexpr const char* kPerson = "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2d";

}  // namespace

TEST_CASE("a token tells that its person lacks the second factor that the organization requires") {
  World world;
  auto person = world.member();
  person.organization_id = person.member_id = {};
  person.lacks_second_factor = true;
  const auto proven = world.verifier.verify(world.gateway.sign(person, "analytics"));
  REQUIRE(proven);
  CHECK(*proven == person);
}

TEST_CASE("a member's token proves all of it") {
  World world;
  const auto member = world.member();
  const auto token = world.gateway.sign(member, "analytics");
  const auto proven = world.verifier.verify(token);
  REQUIRE(proven);
  CHECK(*proven == member);
  CHECK(world.verifier.verify(token) == proven);  // remembered
}

TEST_CASE("a service's token proves its name") {
  World world;
  const auto proven = world.verifier.verify(world.contacts.own_token("analytics"));
  REQUIRE(proven);
  CHECK(proven->is_service());
  CHECK(proven->service == "contacts");
  CHECK(proven->permissions.mask() == 0);
  CHECK(world.contacts.own_token("analytics") == world.contacts.own_token("analytics"));
}

TEST_CASE("no octet of a token can be another") {
  World world;
  const auto token = world.gateway.sign(world.member(), "analytics");
  for (std::size_t i = 0; i < token.size(); ++i) {
    auto changed = token;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    if (changed != token) CHECK_FALSE(world.verifier.verify(changed));
    CHECK_FALSE(world.verifier.verify(token.substr(0, i)));
  }
  for (const auto& more :
       {token + "A", token + "=", token + ".", token + " ", " " + token, "." + token, token + "." + token})
    CHECK_FALSE(world.verifier.verify(more));
  CHECK(world.verifier.verify(token));
}

TEST_CASE("nobody may speak for another") {
  World world;
  const auto member = world.member();
  CHECK_FALSE(world.verifier.verify(world.contacts.sign(member, "analytics")));  // a service for a member
  CHECK_FALSE(
      world.verifier.verify(world.contacts.sign(World::service("gateway"), "analytics")));  // for another service
  CHECK_FALSE(world.verifier.verify(world.gateway.sign(World::service("contacts"), "analytics")));  // nor the gateway
  CHECK(world.verifier.verify(world.gateway.sign(World::service("gateway"), "analytics")));
  const Signer impostor("gateway", world.contacts_seed);  // the right name, another's key
  CHECK_FALSE(world.verifier.verify(impostor.sign(member, "analytics")));
  const Signer stranger("stranger", new_seed());
  CHECK_FALSE(world.verifier.verify(stranger.sign(World::service("stranger"), "analytics")));
  const Signer renamed("contacts", world.gateway_seed);
  CHECK_FALSE(world.verifier.verify(renamed.sign(World::service("contacts"), "analytics")));
  CHECK_FALSE(Verifier({}, "analytics").verify(world.gateway.sign(member, "analytics")));
}

TEST_CASE("a token is good with whom it is for, and nobody else") {
  World world;
  const auto member = world.member();
  Verifier organizations(world.trusted, "organizations");
  for (const auto& token : {world.gateway.sign(member, "analytics"), world.contacts.own_token("analytics")}) {
    CHECK(world.verifier.verify(token));
    CHECK_FALSE(organizations.verify(token));
  }
  CHECK(organizations.verify(world.contacts.own_token("organizations")));
  for (const std::string other : {"", "analytic", "analytics2", "analytics@organizations"})
    CHECK_FALSE(world.verifier.verify(world.gateway.sign(member, other)));
}

TEST_CASE("a token tells whether its credential is a key, and a version before that reads it as part of its name") {
  World world;
  auto member = world.member();
  member.by_key = true;
  const auto proven = world.verifier.verify(world.gateway.sign(member, "analytics"));
  REQUIRE(proven);
  CHECK(proven->by_key);
  CHECK(proven->credential_id == member.credential_id);
  CHECK_FALSE(world.verifier.verify(world.gateway.sign(world.member(), "analytics"))->by_key);
  const auto token = world.gateway.sign(member, "analytics");
  const auto payload = from_base64url(token.substr(0, token.find('.')));
  CHECK(payload->find("|" + member.credential_id + "+key@analytics|") != std::string::npos);
}

TEST_CASE("a token that says not whom it is for is taken only while that is wanted") {
  World world;
  const auto token = signed_token(world.gateway_seed, "2|gateway|" + std::to_string(std::time(nullptr) + 30) + "||" +
                                                          kIds + "|Member|0|key|" + kPerson);
  CHECK_FALSE(world.verifier.verify(token));
  Verifier upgraded(world.trusted, "analytics", Unaddressed::taken);
  const auto proven = upgraded.verify(token);
  REQUIRE(proven);
  CHECK(proven->credential_id == "key");
  CHECK_FALSE(upgraded.verify(world.gateway.sign(world.member(), "organizations")));
}

TEST_CASE("well signed and yet no token") {
  World world;
  const auto now = std::to_string(std::time(nullptr) + 30);
  const auto verify = [&](const std::string& payload) {
    return world.verifier.verify(signed_token(world.gateway_seed, payload)) != nullptr;
  };
  const std::string ids = kIds, person = kPerson;
  CHECK(verify("2|gateway|" + now + "||" + ids + "|Member|0|key@analytics|" + person));
  CHECK_FALSE(verify("1|gateway|" + now + "||" + ids + "|Member|0|key@analytics|" + person));
  CHECK_FALSE(verify("2|gateway|" + now + "||" + ids + "|Member|0|key@analytics"));
  CHECK_FALSE(verify("2|gateway|" + now + "||" + ids + "|Member|0|key@analytics|" + person + "|more"));
  CHECK_FALSE(verify("2|gateway|" + now + "||" + ids + "|King|0|key@analytics|" + person));
  CHECK_FALSE(verify("2|gateway|" + now + "||" + ids + "|Member|xyz|key@analytics|" + person));
  CHECK_FALSE(verify("2|gateway|" + now + "||" + ids + "|Member|10000000000000000|key@analytics|" + person));
  CHECK_FALSE(verify("2|gateway|" + now + "x||" + ids + "|Member|0|key@analytics|" + person));
  CHECK_FALSE(verify("2|gateway|||" + ids + "|Member|0|key@analytics|" + person));
  CHECK_FALSE(verify("2|gateway|" + now + "||x|y|Member|0|key@analytics|" + person));
  CHECK_FALSE(verify("2||" + now + "||" + ids + "|Member|0|key@analytics|" + person));
  CHECK_FALSE(verify("2|gateway|" + now + "||" + ids + "|Member|0|key@analytics|nobody"));
  CHECK_FALSE(verify(""));
  CHECK_FALSE(verify(std::string(2000, '|')));
}

TEST_CASE("expired tokens") {
  World world;
  const auto token = [&](std::time_t expires) {
    return signed_token(world.gateway_seed, "2|gateway|" + std::to_string(expires) + "||" + std::string(kIds) +
                                                "|Owner|0|@analytics|" + kPerson);
  };
  CHECK_FALSE(world.verifier.verify(token(0)));
  CHECK_FALSE(world.verifier.verify(token(-1)));
  CHECK_FALSE(world.verifier.verify(token(std::time(nullptr) - 1)));
  CHECK(world.verifier.verify(token(std::time(nullptr) + 100)));
  // One that was remembered is not good for longer.
  const auto brief = token(std::time(nullptr) + 2);
  CHECK(world.verifier.verify(brief));
  while (world.verifier.verify(brief)) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK_FALSE(world.verifier.verify(brief));
}

TEST_CASE("the memory of tokens is bounded and identities outlive it") {
  World world;
  const auto first = world.verifier.verify(world.gateway.sign(world.member(), "analytics"));
  REQUIRE(first);
  const auto organization = first->organization_id;
  for (int i = 0; i < 17'000; ++i) REQUIRE(world.verifier.verify(world.gateway.sign(world.member(), "analytics")));
  CHECK(first->organization_id == organization);
}

TEST_CASE("keys") {
  start_cryptography();
  const auto seed = new_seed();
  CHECK(key_from_base64(to_base64(seed.data(), seed.size())) == seed);
  CHECK(new_seed() != seed);
  const auto text = to_base64(seed.data(), seed.size());
  for (const auto& bad : {std::string(), std::string("x"), text + "=", text.substr(1), text + " ", "\n" + text,
                          text.substr(0, 43), std::string(44, '!'), text + text})
    CHECK_FALSE(key_from_base64(bad));
  CHECK(to_base64url("\xFB\xFF\xFE") == "-__-");
  CHECK(from_base64url("-__-") == "\xFB\xFF\xFE");
  CHECK(from_base64url("") == "");
  for (const std::string bad : {"-__-=", "+//+", "A", "AB CD", "A===", "\x80__-", "-__\xFF", "AB"})
    CHECK_FALSE(from_base64url(bad));
}

TEST_CASE("permissions: names and bits") {
  for (std::size_t i = 0; i < kPermissionCount; ++i) {
    const auto permission = static_cast<Permission>(i);
    const auto name = name_of(permission);
    CHECK(parse_permission(name) == permission);
    CHECK(std::count(name.begin(), name.end(), ':') == 1);
  }
  for (const std::string bad : {"", "get:Contact", "Get:Contacts", "Get", "Get:", ":Contact", "Get:Contact:", "A:B:C",
                                " Get:Contact", "Get:Contact "})
    CHECK_FALSE(parse_permission(bad));
  CHECK(parse_permission("BulkImport:Contacts") == Permission::bulk_import_contacts);
  CHECK(parse_permission("Get:CampaignAnalytics") == Permission::get_campaign_analytics);
  CHECK(name_of(Permission::update_integration_settings) == "Update:IntegrationSettings");
  CHECK(name_of(Permission::regenerate_api_key) == "Regenerate:ApiKey");
}

TEST_CASE("a name may have two keys, while it goes from the one to the other") {
  World world;
  const auto next_seed = new_seed();
  Signer next("gateway", next_seed), stranger("gateway", new_seed());
  const auto member = world.member();
  Verifier both({{"gateway", public_key_of(world.gateway_seed)}, {"gateway", public_key_of(next_seed)}}, "analytics");
  for (const auto* signer : {&world.gateway, &next}) {
    const auto proven = both.verify(signer->sign(member, "analytics"));
    REQUIRE(proven);
    CHECK(*proven == member);
  }
  CHECK_FALSE(both.verify(stranger.sign(member, "analytics")));
  CHECK_FALSE(both.verify(world.contacts.sign(member, "analytics")));
  // Another name's key is not this one's.
  Verifier apart({{"gateway", public_key_of(next_seed)}, {"contacts", public_key_of(world.gateway_seed)}}, "analytics");
  CHECK_FALSE(apart.verify(world.gateway.sign(member, "analytics")));
  CHECK(apart.verify(next.sign(member, "analytics")));
}

TEST_CASE("permissions: sets") {
  PermissionSet set;
  CHECK_FALSE(set.has(Permission::get_contact));
  set.add(Permission::get_contact);
  set.add(Permission::update_integration_settings);
  CHECK(set.has(Permission::get_contact));
  CHECK(set.names() == std::vector<std::string>{"Get:Contact", "Update:IntegrationSettings"});
  CHECK(PermissionSet::all().contains(set));
  CHECK_FALSE(set.contains(PermissionSet::all()));
  CHECK(set.contains(set));
  CHECK(set.contains(PermissionSet()));
  set.remove(Permission::get_contact);
  CHECK_FALSE(set.has(Permission::get_contact));
  CHECK(PermissionSet::all().names().size() == kPermissionCount);
}

// Who a request comes from, and whom the gateway forgets.
#include <doctest/doctest.h>

#include "common/http/address.hpp"
#include "common/identity/api_key.hpp"
#include "common/identity/session_token.hpp"
#include "gateway/callers.hpp"
#include "gateway/client_address.hpp"
#include "gateway/credential.hpp"

using namespace parley;
using namespace parley::gateway;

namespace {

std::string client_of(const TrustedProxies& proxies, std::string_view peer, const std::vector<http::Field>& fields) {
  http::Request request;
  request.remote_address = peer;
  request.fields = fields;
  return proxies.client_of(request);
}

Credential read(const http::Request& request) { return read_credential(request, Route{}, SessionCookie()); }

std::shared_ptr<Caller> member_of(const model::Uuid& organization) {
  auto caller = std::make_shared<Caller>();
  caller->identity.organization_id = organization;
  caller->identity.member_id = model::new_uuid();
  caller->identity.person_id = model::new_uuid();
  caller->credential = model::new_uuid();
  caller->home = organization;
  caller->holder = caller->identity.member_id;
  return caller;
}

bool concerns(const events::AccessChanged& change, const Caller& caller) {
  Changed changed;
  changed.add(change);
  return changed.concerns(caller);
}

}  // namespace

TEST_SUITE("unit: gateway") {
  TEST_CASE("without trusted proxies the peer is the client, whatever it says") {
    const TrustedProxies nobody;
    CHECK_EQ(client_of(nobody, "203.0.113.9", {{"X-Forwarded-For", "198.51.100.1"}}), "203.0.113.9");
  }

  TEST_CASE("behind trusted proxies the client is the last address that is not one of them") {
    TrustedProxies proxies;
    REQUIRE(proxies.add("10.0.0.0/8"));
    REQUIRE(proxies.add("192.0.2.1"));
    REQUIRE(proxies.add("fd00::/8"));
    CHECK_FALSE(proxies.add("10.0.0.0/33"));
    CHECK_FALSE(proxies.add("proxy.example"));
    CHECK_FALSE(proxies.add(""));
    CHECK_EQ(client_of(proxies, "10.1.2.3", {{"X-Forwarded-For", "198.51.100.1"}}), "198.51.100.1");
    // What the client wrote itself stands before it.
    CHECK_EQ(client_of(proxies, "10.1.2.3", {{"X-Forwarded-For", "1.1.1.1, 198.51.100.1 ,192.0.2.1"}}), "198.51.100.1");
    CHECK_EQ(client_of(proxies, "10.1.2.3", {{"X-Forwarded-For", "198.51.100.1"}, {"x-forwarded-for", "10.9.9.9"}}),
             "198.51.100.1");
    CHECK_EQ(client_of(proxies, "fd00::7", {{"X-Forwarded-For", "2001:db8::1"}}), "2001:db8::1");
    CHECK_EQ(client_of(proxies, "10.1.2.3", {{"X-Forwarded-For", "::ffff:198.51.100.1"}}), "198.51.100.1");
    CHECK_EQ(client_of(proxies, "::ffff:10.1.2.3", {{"X-Forwarded-For", "198.51.100.1"}}), "198.51.100.1");
    // Not from a proxy, without the field, with nonsense in it.
    CHECK_EQ(client_of(proxies, "203.0.113.9", {{"X-Forwarded-For", "198.51.100.1"}}), "203.0.113.9");
    CHECK_EQ(client_of(proxies, "10.1.2.3", {}), "10.1.2.3");
    CHECK_EQ(client_of(proxies, "10.1.2.3", {{"X-Forwarded-For", "198.51.100.1, unknown, 10.4.4.4"}}), "10.4.4.4");
    CHECK_EQ(client_of(proxies, "10.1.2.3", {{"X-Forwarded-For", ""}}), "10.1.2.3");
  }

  TEST_CASE("an address counts as the network that its holder has to itself") {
    CHECK_EQ(http::network_of("192.0.2.7"), "192.0.2.7");
    CHECK_EQ(http::network_of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
    CHECK_EQ(http::network_of("2001:db8:1:2::9"), "2001:db8:1:2::/64");
    CHECK_NE(http::network_of("2001:db8:1:3::9"), "2001:db8:1:2::/64");
    CHECK_EQ(http::network_of("::ffff:192.0.2.7"), "192.0.2.7");
    CHECK_EQ(http::network_of("fe80::1%eth0"), "fe80::/64");
    CHECK_EQ(http::network_of(""), "");
    CHECK_EQ(http::network_of("no address: at all"), "no address: at all");
  }

  TEST_CASE("a session's token reads as it was written, and as nothing else") {
    const auto token = identity::SessionToken::create(model::new_uuid());
    const auto text = token.text();
    CHECK_EQ(text.size(), 100);
    const auto read = identity::SessionToken::parse(text);
    REQUIRE(read);
    CHECK_EQ(read->session_id, token.session_id);
    CHECK_EQ(read->secret_hash(), token.secret_hash());
    CHECK_FALSE(identity::ApiKey::parse(text));
    CHECK_FALSE(identity::SessionToken::parse(identity::ApiKey::create(model::new_uuid(), model::new_uuid()).text()));
    for (std::size_t i = 0; i < text.size(); ++i) {
      auto altered = text;
      altered[i] = altered[i] == 'a' ? 'b' : 'a';
      CHECK_FALSE(identity::SessionToken::parse(altered));
    }
    CHECK_FALSE(identity::SessionToken::parse(text.substr(1)));
    CHECK_FALSE(identity::SessionToken::parse(text + "0"));
  }

  TEST_CASE("the question about a credential holds no secret, and names where to act") {
    const auto token = identity::SessionToken::create(model::new_uuid());
    const auto bearer = "Bearer " + token.text();
    const auto organization = model::new_uuid().text();
    const std::vector<http::Field> fields{{"Authorization", bearer}, {"X-Organization-Id", organization}};
    http::Request request;
    request.fields = fields;
    const auto question = model::to_json(verify_question(read(request)).value());
    CHECK(question.find(token.secret) == question.npos);
    CHECK(question.find(token.session_id.text()) != question.npos);
    CHECK(question.find(organization) != question.npos);
    CHECK(read(request).any);
    http::Request nobody;
    CHECK_FALSE(read(nobody).any);
    CHECK_FALSE(verify_question(read(nobody)));
  }

  TEST_CASE("one credential in several fields is one, and different ones are none") {
    const auto text = identity::SessionToken::create(model::new_uuid()).text(), bearer = "bearer " + text;
    const auto other = identity::ApiKey::create(model::new_uuid(), model::new_uuid()).text();
    const auto with = [](const std::vector<http::Field>& fields) {
      http::Request request;
      request.fields = fields;
      const auto found = read(request);
      CHECK(found.any);
      return std::pair(verify_question(found).has_value(), found.key());
    };
    const auto once = with({{"X-API-Key", text}});
    CHECK(once.first);
    CHECK_EQ(with({{"Authorization", bearer}, {"X-API-Key", text}, {"x-access-token", text}}), once);
    CHECK_EQ(with({{"x-api-key", text}, {"X-API-Key", text}}), once);
    const std::vector<http::Field> different[]{
        {{"Authorization", bearer}, {"X-API-Key", other}},
        {{"X-API-Key", other}, {"Authorization", bearer}},
        {{"Authorization", text}, {"X-API-Key", text}},
        {{"X-API-Key", text}, {"Authorization", text}},
        {{"Authorization", bearer}, {"x-access-token", ""}},
        {{"x-access-token", ""}, {"Authorization", bearer}},
        {{"Authorization", "Basic x"}, {"X-API-Key", text}},
        {{"X-API-Key", text}, {"X-API-Key", other}},
        {{"X-API-Key", text}, {"X-API-Key", other}, {"X-API-Key", text}},
    };
    for (const auto& fields : different) CHECK_FALSE(with(fields).first);
  }

  TEST_CASE("a change concerns whom it names and nobody else") {
    const auto organization = model::new_uuid();
    const auto one = member_of(organization), other = member_of(organization);
    const auto stranger = member_of(model::new_uuid());
    const auto only_one = [&](const events::AccessChanged& change) {
      return concerns(change, *one) && !concerns(change, *other) && !concerns(change, *stranger);
    };
    CHECK(only_one({organization, one->identity.member_id, {}, {}}));
    CHECK(only_one({organization, {}, {}, one->credential}));
    CHECK(only_one({{}, {}, one->identity.person_id, {}}));
    CHECK(only_one({{}, {}, {}, one->credential}));
    const events::AccessChanged everybody{organization, {}, {}, {}};
    CHECK(concerns(everybody, *one));
    CHECK(concerns(everybody, *other));
    CHECK_FALSE(concerns(everybody, *stranger));
  }

  TEST_CASE("a key that acts in another organization is ended by what happens in its own") {
    const auto home = model::new_uuid();
    const auto caller = member_of(home);
    caller->identity.organization_id = model::new_uuid();
    caller->identity.member_id = model::new_uuid();
    CHECK(concerns({home, {}, {}, {}}, *caller));
    CHECK(concerns({home, caller->holder, {}, {}}, *caller));
    CHECK(concerns({caller->identity.organization_id, {}, {}, {}}, *caller));
    CHECK(concerns({caller->identity.organization_id, caller->identity.member_id, {}, {}}, *caller));
    Changed deleted;
    deleted.add(events::OrganizationDeleted{home});
    CHECK(deleted.concerns(*caller));
  }

  TEST_CASE("an answer that was asked for before something was forgotten is not kept") {
    Callers callers;
    const auto caller = member_of(model::new_uuid());
    const auto asked = callers.forgettings();
    callers.forget("another one");
    callers.keep("key", caller, asked);
    CHECK_FALSE(callers.find("key"));
    callers.keep("key", caller, callers.forgettings());
    CHECK_EQ(callers.find("key"), caller);
    Changed nothing;
    callers.forget(nothing);
    CHECK_EQ(callers.find("key"), caller);
    callers.forget_all();
    CHECK_FALSE(callers.find("key"));
  }
}

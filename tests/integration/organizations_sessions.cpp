// The list of a person's sessions, which they end one by one.
#include "tests/integration/organizations_users_bed.hpp"

using namespace parley;
using namespace parley::organizations_tests;

namespace {

constexpr auto kSessions = "/api/auth/sessions";
const std::string kElsewhere = "198.51.100.61";  // how many sign up from an address is limited

// Signs in from a client of this name; the caller that the gateway makes of the session.
Caller signed_in_by(World& world, const std::string& email, const std::string& agent) {
  const auto answer =
      world.post_as_gateway(kLogin, json_of({{"email", email}, {"password", kPassword}}), {{"User-Agent", agent}});
  REQUIRE(answer.status == 200);
  return caller_of(verify(world, answer.text_at("/session/token")));
}

}  // namespace

TEST_CASE("A person sees their own sessions, where each came from, and which one they are asking with") {
  World world;
  world.client_address = kElsewhere;
  const auto email = new_email();
  REQUIRE(sign_up(world, email).status == 201);
  REQUIRE(sign_up(world, new_email()).status == 201);
  world.client_address = "2001:db8::7";
  const auto caller = signed_in_by(world, email, "Firefox on Linux");
  const auto page = world.get(caller, kSessions);
  REQUIRE(page.status == 200);
  REQUIRE(page.at("/sessions").as_array().size() == 2);
  CHECK(page.at("/paginationMeta/total").as_int64() == 2);
  CHECK(page.text_at("/sessions/0/uniqueId") == caller.credential);  // the newest first
  CHECK(page.text_at("/sessions/0/userAgent") == "Firefox on Linux");
  CHECK(page.text_at("/sessions/0/address") == "2001:db8::7");
  CHECK(page.at("/sessions/0/isCurrent").as_bool());
  CHECK(page.text_at("/sessions/1/address") == kElsewhere);
  CHECK(page.text_at("/sessions/1/userAgent").empty());
  CHECK_FALSE(page.at("/sessions/1/isCurrent").as_bool());
  CHECK(page.text.find("secret") == page.text.npos);

  const auto first = world.get(caller, std::string(kSessions) + "?per_page=1&order=asc");
  CHECK(first.text_at("/sessions/0/uniqueId") == page.text_at("/sessions/1/uniqueId"));
  const auto next = first.text_at("/paginationMeta/nextCursor");
  CHECK(world.get(caller, std::string(kSessions) + "?per_page=1&order=asc&cursor=" + next)
            .text_at("/sessions/0/uniqueId") == caller.credential);
  const auto found = world.get(caller, std::string(kSessions) + "?search=FIREFOX");
  CHECK(found.at("/sessions").as_array().size() == 1);
  CHECK(found.at("/paginationMeta/total").as_int64() == 1);

  World::sql("UPDATE session SET last_used_at = now() - interval '13 hours' WHERE id = '" +
             page.text_at("/sessions/1/uniqueId") + "'");
  CHECK(world.get(caller, kSessions).at("/sessions").as_array().size() == 1);
}

TEST_CASE("What a client calls itself is kept up to a bound, as text that can be stored") {
  World world;
  world.client_address = kElsewhere;
  const auto email = new_email();
  REQUIRE(sign_up(world, email).status == 201);
  const auto caller = signed_in_by(world, email, "\xff" + std::string(5000, 'x'));
  const auto agent = world.get(caller, kSessions).text_at("/sessions/0/userAgent");
  CHECK(agent == "\xEF\xBF\xBD" + std::string(255, 'x'));
}

TEST_CASE("A person ends one of their sessions, which gateways are told of, and nobody else's") {
  World world;
  world.client_address = kElsewhere;
  const auto email = new_email();
  REQUIRE(sign_up(world, email).status == 201);
  REQUIRE(sign_up(world, new_email()).status == 201);
  const auto here = signed_in_by(world, email, "here");
  const auto there = world.post_as_gateway(kLogin, json_of({{"email", email}, {"password", kPassword}}));
  const auto id = caller_of(verify(world, there.text_at("/session/token"))).credential;
  const auto others = sign_up(world, new_email());
  const auto other = caller_of(verify(world, others.text_at("/session/token")));

  const auto target = std::string(kSessions) + "/";
  const auto foreign = world.del(here, target + other.credential);
  const auto unknown = world.del(here, target + model::new_uuid().text());
  CHECK(foreign.status == 404);
  CHECK(foreign.text_at("/detail") == unknown.text_at("/detail"));
  CHECK(unknown.status == 404);
  CHECK(verify(world, others.text_at("/session/token")).status == 200);

  CHECK(world.del(here, target + id).status == 204);
  CHECK(verify(world, there.text_at("/session/token")).status == 401);
  CHECK(World::sql("SELECT count(*) FROM outbox WHERE strpos(changes::text, '\"credentialId\":\"" + id +
                   "\"') > 0 OR strpos(changes::text, '\"credentialId\": \"" + id + "\"') > 0") == "1");
  CHECK(world.del(here, target + id).status == 404);
  CHECK(world.del(here, target + here.credential).status == 204);  // one's own, as by signing out
}

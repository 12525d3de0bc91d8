// Sign-ins in the audit of each of a person's organizations, and those that failed, with which whoever guesses does not
// fill it.
#include "organizations/audit/record.hpp"
#include "tests/integration/organizations_users_bed.hpp"

using namespace parley;
using namespace parley::organizations_tests;

namespace {

// The entries about signing in, the oldest first: "action by its member from address".
std::string audited(const std::string& email) {
  return World::sql(
      "SELECT coalesce(string_agg(action || CASE WHEN member_id = subject_id THEN ' by its member' ELSE ' by nobody' "
      "END "
      "|| ' from ' || address, ', ' ORDER BY created_at, id), '') FROM audit WHERE subject = '" +
      email + "' AND action IN ('SignedIn', 'SignInFailed')");
}

}  // namespace

TEST_CASE("The audit has who signed in, with the session, and who could not, from where") {
  World world;
  world.client_address = "198.51.100.62";
  const auto email = new_email();
  REQUIRE(sign_up(world, email, "Audited").status == 201);
  CHECK(sign_in(world, email, "wrong horse battery").status == 401);
  CHECK(sign_in(world, new_email()).status == 401);  // an account that is not there
  const auto answer = sign_in(world, email);
  REQUIRE(answer.status == 200);
  CHECK(audited(email) == "SignInFailed by nobody from 198.51.100.62, SignedIn by its member from 198.51.100.62");
  const auto session = identity::SessionToken::parse(answer.text_at("/session/token"))->session_id.text();
  CHECK(World::sql("SELECT credential_id FROM audit WHERE action = 'SignedIn' AND subject = '" + email + "'") ==
        session);
  CHECK(World::sql("SELECT member_email || credential_id FROM audit WHERE action = 'SignInFailed' AND subject = '" +
                   email + "'") == "");
}

TEST_CASE("Of an account's failed sign-ins the audit has some of each hour, and each organization its own") {
  World world;
  world.client_address = "198.51.100.63";
  const auto email = new_email();
  const auto made = sign_up(world, email, "Guessed at");
  REQUIRE(made.status == 201);
  const auto failed = [&] {
    return World::sql("SELECT count(*) FROM audit WHERE action = 'SignInFailed' AND subject = '" + email + "'");
  };
  CHECK(sign_in(world, email, "wrong horse battery").status == 401);
  REQUIRE(failed() == "1");
  const auto most = std::to_string(organizations::audit::kMaxFailedSignIns);
  World::sql(
      "INSERT INTO audit (organization_id, id, action, member_email, credential_id, subject_id, subject, address, "
      "request_id) SELECT organization_id, gen_random_uuid(), action, '', '', subject_id, subject, '', '' "
      "FROM audit, generate_series(2, " +
      most + ") WHERE action = 'SignInFailed' AND subject = '" + email + "'");
  CHECK(sign_in(world, email, "wrong horse battery").status == 401);
  CHECK(failed() == most);
  CHECK(sign_in(world, email).status == 200);  // which is told all the same
  CHECK(audited(email).ends_with("SignedIn by its member from 198.51.100.63"));

  // Another organization of the person has its own, and so has each hour.
  Caller person;
  person.person = *model::Uuid::parse(World::sql("SELECT id FROM person WHERE email = '" + email + "'"));
  const auto second = world.post(World::signed_in(person), "/api/organization", R"({"name":"Second"})");
  REQUIRE(second.status == 201);
  World::sql(
      "INSERT INTO audit (organization_id, id, created_at, action, member_email, credential_id, subject_id, subject, "
      "address, request_id) SELECT organization_id, gen_random_uuid(), now() - interval '61 minutes', 'SignInFailed', "
      "'', '', id, '" +
      email + "', '', '' FROM member, generate_series(1, " + most + ") WHERE organization_id = '" +
      second.text_at("/organization/uniqueId") + "'");
  CHECK(sign_in(world, email, "wrong horse battery").status == 401);
  CHECK(failed() == std::to_string(2 * organizations::audit::kMaxFailedSignIns + 1));
}

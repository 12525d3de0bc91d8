// Secrets at rest: sealed for one organization and one field, by one of several keys.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "common/identity/keys.hpp"
#include "common/secrets/key_ring.hpp"

using namespace parley;
using secrets::KeyRing;

namespace {

const auto mine = *model::Uuid::parse("01949c30-1111-7222-8333-c1f59cd3847c");
const auto theirs = *model::Uuid::parse("01949c30-1111-7222-8333-c1f59cd3847d");

std::string new_key() {
  identity::start_cryptography();
  const auto seed = identity::new_seed();
  return identity::to_base64(seed.data(), seed.size());
}

}  // namespace

TEST_CASE("A sealed secret opens for its organization and field only") {
  const KeyRing keys("k1:" + new_key());
  const auto sealed = keys.seal(mine, "access_token", "EAAS-secret");
  CHECK(sealed.starts_with("k1."));
  CHECK(sealed.find("secret") == sealed.npos);
  CHECK(keys.open(mine, "access_token", sealed) == "EAAS-secret");
  CHECK_THROWS_AS(keys.open(theirs, "access_token", sealed), std::runtime_error);
  CHECK_THROWS_AS(keys.open(mine, "webhook_secret", sealed), std::runtime_error);
}

TEST_CASE("The same secret is never sealed alike") {
  const KeyRing keys("k1:" + new_key());
  CHECK(keys.seal(mine, "pin", "123456") != keys.seal(mine, "pin", "123456"));
}

TEST_CASE("A sealed secret that was altered anywhere does not open") {
  const KeyRing keys("k1:" + new_key());
  const auto sealed = keys.seal(mine, "pin", "123456");
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    auto altered = sealed;
    altered[i] = altered[i] == 'A' ? 'Q' : 'A';
    CHECK_THROWS_AS(keys.open(mine, "pin", altered), std::runtime_error);
    CHECK_THROWS_AS(keys.open(mine, "pin", sealed.substr(0, i)), std::runtime_error);
  }
  CHECK_THROWS_AS(keys.open(mine, "pin", sealed + "A"), std::runtime_error);
}

TEST_CASE("Empty and long secrets are sealed too") {
  const KeyRing keys("k1:" + new_key());
  for (const std::size_t length : {0, 1, 5'000}) {
    const std::string secret(length, 'x');
    CHECK(keys.open(mine, "access_token", keys.seal(mine, "access_token", secret)) == secret);
  }
}

TEST_CASE("Keys change: the first seals, all open") {
  const auto old_key = new_key(), fresh_key = new_key();
  const KeyRing before("2026-01:" + old_key);
  const KeyRing both("2026-02:" + fresh_key + ",2026-01:" + old_key);
  const KeyRing after("2026-02:" + fresh_key);
  const auto sealed = before.seal(mine, "access_token", "EAAS");
  CHECK(both.open(mine, "access_token", sealed) == "EAAS");
  const auto anew = both.seal(mine, "access_token", "EAAS");
  CHECK(anew.starts_with("2026-02."));
  CHECK(after.open(mine, "access_token", anew) == "EAAS");
  CHECK_THROWS_WITH(after.open(mine, "access_token", sealed),
                    "the stored access_token was sealed with a key that PARLEY_ENCRYPTION_KEYS does not hold");
}

TEST_CASE("Another key of the same id opens nothing") {
  const KeyRing a("k1:" + new_key()), b("k1:" + new_key());
  CHECK_THROWS_AS(b.open(mine, "pin", a.seal(mine, "pin", "123456")), std::runtime_error);
}

TEST_CASE("What is no ring of keys is refused without showing a key") {
  const auto key = new_key();
  const std::vector<std::string> wrong{"",
                                       key,
                                       ":" + key,
                                       "k1:",
                                       "k1:abcd",
                                       "K1:" + key,
                                       "k.1:" + key,
                                       "k1:" + key + "=",
                                       "k1:" + key + ",k1:" + key,
                                       "k1:" + key + ",k2",
                                       std::string(33, 'k') + ":" + key};
  for (const auto& text : wrong) {
    try {
      const KeyRing ring(text);
      FAIL("accepted " << text);
    } catch (const std::invalid_argument& error) {
      CHECK(std::string(error.what()).find(key) == std::string::npos);
    }
  }
}

TEST_CASE("What was sealed tells by which key") {
  const KeyRing ring("old-1:" + new_key() + ",older:" + new_key());
  CHECK(ring.sealing_key() == "old-1");
  CHECK(KeyRing::key_of(ring.seal(mine, "token", "secret")) == "old-1");
  CHECK(KeyRing::key_of("gone.AAAA") == "gone");
}

TEST_CASE("A masked secret shows four characters, of short ones none") {
  using secrets::mask;
  CHECK(mask("EXAMPLE-ACCESS-TOKEN") == "****OKEN");
  CHECK(mask("123456") == "****");
  CHECK(mask("") == "****");
}

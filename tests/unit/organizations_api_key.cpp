// The text of API keys: what is one, and what is not to the letter.
#include <doctest/doctest.h>

#include "common/identity/api_key.hpp"
#include "common/identity/keys.hpp"

using namespace parley;
using identity::ApiKey;

namespace {

const auto organization = *model::Uuid::parse("01949c30-1111-7222-8333-c1f59cd3847c");
const auto credential = *model::Uuid::parse("01949c3e-68f1-7b44-9c07-afd37ab1625a");

ApiKey new_key() {
  identity::start_cryptography();
  return ApiKey::create(organization, credential);
}

}  // namespace

TEST_CASE("An API key's text gives back what it was made of") {
  const auto key = new_key();
  const auto text = key.text();
  CHECK(text.size() == 124);
  CHECK(text.starts_with("parley_01949c30111172228333c1f59cd3847c01949c3e68f17b449c07afd37ab1625a_"));
  const auto parsed = ApiKey::parse(text);
  REQUIRE(parsed);
  CHECK(parsed->organization_id == organization);
  CHECK(parsed->credential_id == credential);
  CHECK(parsed->secret == key.secret);
  CHECK(parsed->secret_hash() == key.secret_hash());
  CHECK(parsed->text() == text);
}

TEST_CASE("API keys are all different") {
  const auto a = new_key(), b = new_key();
  CHECK(a.secret != b.secret);
  CHECK(a.secret_hash() != b.secret_hash());
}

TEST_CASE("An API key with any character changed, added or missing is none") {
  const auto text = new_key().text();
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto changed = text;
    changed[i] = changed[i] == 'a' ? 'b' : 'a';
    CHECK_MESSAGE(!ApiKey::parse(changed), "changed at " << i);
    CHECK_MESSAGE(!ApiKey::parse(text.substr(0, i)), "cut at " << i);
  }
  CHECK_FALSE(ApiKey::parse(text + " "));
  CHECK_FALSE(ApiKey::parse(" " + text));
  CHECK_FALSE(ApiKey::parse(""));
}

TEST_CASE("A sound check over something else makes no API key") {
  auto key = new_key();
  key.secret = std::string(42, 'A') + "B";  // its last character stands for bits beyond the 256
  CHECK_FALSE(ApiKey::parse(key.text()));
  key.secret = std::string(42, 'A') + "+";
  CHECK_FALSE(ApiKey::parse(key.text()));
  key.secret = std::string(43, 'A');
  CHECK(ApiKey::parse(key.text()));
}

TEST_CASE("The check of an API key is the CRC-32 of zip") {
  const ApiKey key{model::Uuid{}, model::Uuid{}, std::string(43, 'A')};
  // python3 -c "import zlib; print('%08x' % zlib.crc32(b'parley_' + b'0'*64 + b'_' + b'A'*43))"
  CHECK(key.text().substr(116) == "8caaa87c");
}

TEST_CASE("Hexadecimal digits are of lower case and whole octets") {
  CHECK(identity::to_hex(std::string("\x00\xff\x10", 3)) == "00ff10");
  CHECK(identity::from_hex("00ff10") == std::string("\x00\xff\x10", 3));
  CHECK_FALSE(identity::from_hex("00FF"));
  CHECK_FALSE(identity::from_hex("0"));
  CHECK_FALSE(identity::from_hex("0g"));
  CHECK(identity::from_hex("") == "");
}

TEST_CASE("SHA-256 is FIPS 180-4's") {
  CHECK(identity::to_hex(identity::sha256("abc")) ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

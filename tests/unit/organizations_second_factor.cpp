// The codes of a second factor: of an authenticator app (RFC 6238), and recovery codes.
#include <doctest/doctest.h>

#include <set>

#include "organizations/second_factor/codes.hpp"
#include "organizations/second_factor/totp.hpp"

using namespace parley;
using namespace parley::organizations::second_factor;

namespace {

const std::string kSecret = "12345678901234567890";  // of RFC 6238, appendix B

}  // namespace

TEST_CASE("TOTP: codes are those of RFC 6238") {
  const std::pair<std::int64_t, std::string> vectors[] = {{59, "94287082"},
                                                          {1'111'111'109, "07081804"},
                                                          {1'111'111'111, "14050471"},
                                                          {1'234'567'890, "89005924"},
                                                          {2'000'000'000, "69279037"},
                                                          {20'000'000'000, "65353130"}};
  for (const auto& [seconds, code] : vectors) {
    const auto step = seconds / kStepSeconds;
    CHECK(code_of(kSecret, step, 8) == code);
    CHECK(code_of(kSecret, step) == code.substr(2));  // of six digits: the last ones
  }
  CHECK(step_at(std::chrono::system_clock::time_point(std::chrono::seconds(1'111'111'111))) == 0x23523ED);
}

TEST_CASE("TOTP: a code is good in its step and its neighbours, and not again after a later one") {
  constexpr std::int64_t now = 1'000'000;
  for (const auto step : {now - 1, now, now + 1}) CHECK(step_of(kSecret, code_of(kSecret, step), now, 0) == step);
  for (const auto step : {now - 2, now + 2}) CHECK_FALSE(step_of(kSecret, code_of(kSecret, step), now, 0));
  CHECK_FALSE(step_of(kSecret, code_of(kSecret, now), now, now));
  CHECK_FALSE(step_of(kSecret, code_of(kSecret, now - 1), now, now));
  CHECK(step_of(kSecret, code_of(kSecret, now + 1), now, now) == now + 1);
  CHECK_FALSE(step_of(kSecret, "", now, 0));
  CHECK_FALSE(step_of(kSecret, code_of(kSecret, now) + "0", now, 0));
}

TEST_CASE("TOTP: a secret is random, and is written so that apps read it") {
  CHECK(new_secret().size() == 20);
  CHECK(new_secret() != new_secret());
  CHECK(base32("fooba") == "MZXW6YTB");  // RFC 4648, 10
  CHECK(base32(new_secret()).size() == 32);
  CHECK(otpauth_url("ada+new@example.com", kSecret) ==
        "otpauth://totp/Parley:ada%2Bnew%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Parley"
        "&algorithm=SHA1&digits=6&period=30");
}

TEST_CASE("Codes are read as people type them, and nothing else is") {
  for (const auto* text : {"123456", "123 456", " 123-456 "}) {
    REQUIRE(read_code(text));
    CHECK(read_code(text)->text == "123456");
    CHECK_FALSE(read_code(text)->is_recovery);
  }
  for (const auto* text : {"abcd-efgh-ijkl-2345", "ABCDEFGHIJKL2345", "abcd efgh ijkl 2345"}) {
    REQUIRE(read_code(text));
    CHECK(read_code(text)->text == "abcdefghijkl2345");
    CHECK(read_code(text)->is_recovery);
  }
  for (const auto* text :
       {"", "12345", "1234567", "12345a", "abcd-efgh-ijkl-234", "abcd-efgh-ijkl-2341", "１２３４５６"})
    CHECK_FALSE(read_code(text));
}

TEST_CASE("Recovery codes: ten, all different, kept as hashes that differ from person to person") {
  const auto codes = new_recovery_codes();
  CHECK(codes.size() == 10);
  CHECK(std::set(codes.begin(), codes.end()).size() == 10);
  const auto one = model::new_uuid(), other = model::new_uuid();
  for (const auto& code : codes) {
    CHECK(code.size() == 19);
    const auto read = read_code(code);
    REQUIRE(read);
    CHECK(read->is_recovery);
    CHECK(hash_of(one, *read).size() == 32);
    CHECK(hash_of(one, *read) == hash_of(one, read_code(read->text).value()));
    CHECK(hash_of(one, *read) != hash_of(other, *read));
  }
}

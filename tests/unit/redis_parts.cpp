#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/redis/breaker.hpp"
#include "common/redis/count_cache.hpp"
#include "common/redis/reply.hpp"
#include "common/redis/url.hpp"

namespace redis = parley::redis;
using namespace std::chrono_literals;

TEST_CASE("redis: a URL's parts") {
  auto plain = redis::parse_url("redis://cache");
  CHECK(plain.host == "cache");
  CHECK(plain.port == 6379);
  CHECK(plain.database == 0);
  CHECK(plain.user.empty());
  CHECK(plain.password.empty());

  auto whole = redis::parse_url("redis://app:p%40ss%2Fw%3aord@redis.internal:6380/3");
  CHECK(whole.host == "redis.internal");
  CHECK(whole.port == 6380);
  CHECK(whole.database == 3);
  CHECK(whole.user == "app");
  CHECK(whole.password == "p@ss/w:ord");

  auto password_only = redis::parse_url("redis://:secret@127.0.0.1:6379/");
  CHECK(password_only.user.empty());
  CHECK(password_only.password == "secret");
  CHECK(password_only.database == 0);

  auto v6 = redis::parse_url("redis://[::1]:7000/1");
  CHECK(v6.host == "::1");
  CHECK(v6.port == 7000);
  CHECK(redis::parse_url("redis://[fe80::1]").port == 6379);
  CHECK(redis::parse_url("redis://:a@b@host").password == "a@b");
  CHECK_FALSE(plain.tls);
  CHECK(redis::parse_url("rediss://app:secret@cache:6380/2").tls);
}

TEST_CASE("redis: the parts of a URL with sentinels") {
  auto plain = redis::parse_url("redis+sentinel://one,two:26380,[::1]:7000/main");
  CHECK(plain.host.empty());
  CHECK(plain.master == "main");
  CHECK(plain.database == 0);
  CHECK(plain.password.empty());
  CHECK(plain.sentinels == std::vector<redis::Endpoint>{{"one", 26379}, {"two", 26380}, {"::1", 7000}});

  auto whole = redis::parse_url("redis+sentinel://app:p%2C%2Fw@s.internal:5000/my%2Dmaster/3");
  CHECK(whole.user == "app");
  CHECK(whole.password == "p,/w");
  CHECK(whole.sentinels == std::vector<redis::Endpoint>{{"s.internal", 5000}});
  CHECK(whole.master == "my-master");
  CHECK(whole.database == 3);
  CHECK(redis::parse_url("redis+sentinel://one/main/").database == 0);
  CHECK_FALSE(plain.tls);
  const auto by_tls = redis::parse_url("rediss+sentinel://one,two/main/1");
  CHECK(by_tls.tls);
  CHECK(by_tls.sentinels.size() == 2);
}

TEST_CASE("redis: bad URLs are refused and the password is not told") {
  for (const char* url : {"",
                          "redis:",
                          "http://host",
                          "rediss:host",
                          "redisss://host",
                          "redis+://host",
                          "redis+tls://host",
                          "rediss+sentinel://one",
                          "unix:///tmp/r",
                          "redis://",
                          "redis:///1",
                          "redis://host:",
                          "redis://host:0",
                          "redis://host:65536",
                          "redis://host:12x",
                          "redis://host:-1",
                          "redis://host/x",
                          "redis://host/-1",
                          "redis://host/1/2",
                          "redis://host/1?db=2",
                          "redis://host#x",
                          "redis://user@host",
                          "redis://user:@host",
                          "redis://:a%@host",
                          "redis://:a%2@host",
                          "redis://:a%zz@host",
                          "redis://[::1",
                          "redis://[::1]x",
                          "redis://[]",
                          "redis://:6379",
                          "redis://ho st",
                          "redis+sentinel://",
                          "redis+sentinel://one",
                          "redis+sentinel://one/",
                          "redis+sentinel:///main",
                          "redis+sentinel://one,/main",
                          "redis+sentinel://,one/main",
                          "redis+sentinel://one:0,two/main",
                          "redis+sentinel://one/main/x",
                          "redis+sentinel://one/main/1/2",
                          "redis+sentinels://one/main",
                          "redis://host\n"}) {
    CAPTURE(url);
    CHECK_THROWS_AS(redis::parse_url(url), std::invalid_argument);
  }
  try {
    redis::parse_url("redis://:hunter2@host:99999");
    FAIL("accepted");
  } catch (const std::invalid_argument& error) {
    CHECK(std::string(error.what()).find("hunter2") == std::string::npos);
  }
}

TEST_CASE("redis: error replies that mean that Redis does not serve") {
  for (const char* text :
       {"OOM command not allowed when used memory > 'maxmemory'.", "LOADING Redis is loading",
        "READONLY You can't write against a read only replica.", "MISCONF", "NOAUTH Authentication required."})
    CHECK(redis::is_refusal(text));
  for (const char* text : {"", "ERR syntax error", "WRONGTYPE Operation", "OOMX", "oom", "ERR OOM"})
    CHECK_FALSE(redis::is_refusal(text));
}

TEST_CASE("redis: the breaker opens after failures on end and closes by one probe") {
  redis::Breaker breaker(5, 1000ms);
  redis::Breaker::Time now{};
  using State = redis::Breaker::State;

  for (int i = 0; i < 4; ++i) breaker.failed(now);
  breaker.succeeded();
  for (int i = 0; i < 4; ++i) breaker.failed(now);
  CHECK(breaker.state() == State::closed);
  CHECK(breaker.admit(now));
  breaker.failed(now);
  CHECK(breaker.state() == State::open);
  CHECK(breaker.openings() == 1);
  CHECK_FALSE(breaker.admit(now));
  CHECK_FALSE(breaker.admit(now + 999ms));

  CHECK(breaker.admit(now + 1000ms));
  CHECK(breaker.state() == State::half_open);
  CHECK_FALSE(breaker.admit(now + 1000ms));
  breaker.failed(now + 1050ms);
  CHECK(breaker.state() == State::open);
  breaker.failed(now + 1900ms);  // one sent long before: does not prolong it
  CHECK_FALSE(breaker.admit(now + 2049ms));
  CHECK(breaker.admit(now + 2050ms));
  breaker.succeeded();
  CHECK(breaker.state() == State::closed);
  CHECK(breaker.admit(now + 2050ms));
  CHECK(breaker.openings() == 2);
}

TEST_CASE("redis: the key of a count") {
  auto organization = *parley::model::Uuid::parse("0190a000-0000-7000-8000-000000000001");
  auto other = *parley::model::Uuid::parse("0190a000-0000-7000-8000-000000000002");
  auto key = redis::count_key("e1", {organization, "contacts", "status=Active"});
  CHECK(key.starts_with("parley:count:0190a000-0000-7000-8000-000000000001:contacts:"));
  CHECK(key.size() == std::string("parley:count:").size() + 36 + 1 + 8 + 1 + 32);
  CHECK(key == redis::count_key("e1", {organization, "contacts", "status=Active"}));

  std::set<std::string> keys{key};
  keys.insert(redis::count_key("e2", {organization, "contacts", "status=Active"}));
  keys.insert(redis::count_key("", {organization, "contacts", "status=Active"}));
  keys.insert(redis::count_key("e1", {other, "contacts", "status=Active"}));
  keys.insert(redis::count_key("e1", {organization, "lists", "status=Active"}));
  keys.insert(redis::count_key("e1", {organization, "contacts", "status=Blocked"}));
  keys.insert(redis::count_key("e1", {organization, "contacts", ""}));
  keys.insert(redis::count_key("e1", {organization, "contacts", std::string_view("\0", 1)}));
  keys.insert(redis::count_key("e1s", {organization, "contacts", "tatus=Active"}));
  CHECK(keys.size() == 9);
}

TEST_CASE("redis: what is read as a version and a count") {
  auto good = redis::parse_counted("12:345");
  REQUIRE(good);
  CHECK(good->version == 12);
  CHECK(good->count == 345);
  CHECK(redis::parse_counted("0:0"));
  CHECK(redis::parse_counted("9223372036854775807:9223372036854775807")->version == INT64_MAX);

  for (std::string_view text : {"",
                                ":",
                                "1",
                                "1:",
                                ":1",
                                "1:2:3",
                                "1:2 ",
                                " 1:2",
                                "1 :2",
                                "1: 2",
                                "-1:2",
                                "1:-2",
                                "-0:1",
                                "+1:2",
                                "1:+2",
                                "1.0:2",
                                "0x1:2",
                                "1:2\n",
                                "9223372036854775808:1",
                                "1:9223372036854775808",
                                "a:b",
                                "1;2",
                                "1:2a",
                                "\xff\xfe",
                                "null",
                                "{\"version\":1}"}) {
    CAPTURE(text);
    CHECK_FALSE(redis::parse_counted(text));
  }
  CHECK_FALSE(redis::parse_counted(std::string_view("1:2\0", 4)));
  CHECK_FALSE(redis::parse_counted(std::string_view("1\0:2", 4)));
}

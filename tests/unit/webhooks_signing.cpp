// Outgoing webhooks: signatures, URLs, and answers that are no text.
#include <doctest/doctest.h>

#include <boost/json/parse.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "common/identity/keys.hpp"
#include "conversations/events/subscriptions/poster.hpp"
#include "conversations/events/subscriptions/signature.hpp"
#include "conversations/events/subscriptions/target.hpp"

using namespace parley;
using namespace parley::conversations::subscriptions;

TEST_SUITE("unit: outgoing webhooks") {
  TEST_CASE("signatures are those of Standard Webhooks") {
    // The vector of its reference libraries.
    CHECK_EQ(signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
                       R"({"test": 2432232314})"),
             "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    for (const std::string secret : {"", "whsec_", "whsec_no base64"})
      CHECK_THROWS_AS(signature(secret, "id", 1, ""), std::invalid_argument);
  }

  // What the functions in the guide to webhooks are tried with (tests/docs/samples).
  TEST_CASE("the guide's vectors are right where they are what calls are signed with") {
    std::ifstream file(PARLEY_SOURCE_DIR "/tests/docs/vectors.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto vectors = boost::json::parse(text);
    for (const auto& vector : vectors.as_array()) {
      const auto field = [&](const char* name) { return std::string(vector.at(name).as_string()); };
      INFO(field("what"));
      const auto age = vector.at("now").as_int64() - std::atoll(field("timestamp").c_str());
      const auto right = signature(field("secret"), field("id"), std::atoll(field("timestamp").c_str()), field("body"));
      CHECK_EQ(vector.at("valid").as_bool(),
               std::abs(age) <= 300 && (" " + field("signature") + " ").find(" " + right + " ") != std::string::npos);
    }
  }

  TEST_CASE("a call is signed with each of its secrets") {
    identity::start_cryptography();
    const std::vector<std::string> secrets{new_secret(), new_secret()};
    CHECK_NE(secrets[0], secrets[1]);
    CHECK_EQ(secrets[0].size(), std::string("whsec_").size() + 44);
    CHECK_EQ(signed_fields(secrets, "id", 7, "{}"),
             "webhook-id: id\r\nwebhook-timestamp: 7\r\nwebhook-signature: " + signature(secrets[0], "id", 7, "{}") +
                 " " + signature(secrets[1], "id", 7, "{}") + "\r\n");
  }

  TEST_CASE("URLs are taken apart, and those that may not be called are refused") {
    const auto whole = split("https://example.com:8443/a/b?c=d&e");
    REQUIRE(whole);
    CHECK_EQ(whole->origin, "https://example.com:8443");
    CHECK_EQ(whole->path, "/a/b?c=d&e");
    CHECK_EQ(split("https://example.com")->path, "/");
    CHECK_EQ(split("https://example.com?x")->path, "/?x");
    CHECK_EQ(split("https://[2606:4700::1111]/x")->origin, "https://[2606:4700::1111]");
    CHECK_EQ(split("https://example.com/a,b")->path, "/a,b");
    const auto is_refused = [](const std::string& url, bool allow_private) {
      http::Faults faults;
      check_target("/url", url, allow_private, faults);
      return !faults.empty();
    };
    for (const std::string url :
         {"https://example.com/x", "https://8.8.8.8/", "https://[2606:4700::1111]:8443/x?y=z"}) {
      INFO(url);
      CHECK_FALSE(is_refused(url, false));
    }
    for (const std::string url : {"",
                                  "https://example.com:443:8443/",
                                  "https://example.com:$/",
                                  " ",
                                  "example.com",
                                  "/x",
                                  "http://example.com/",
                                  "ftp://example.com/",
                                  "https://",
                                  "https:///x",
                                  "https://user@example.com/",
                                  "https://a:b@example.com/",
                                  "https://example.com/#x",
                                  "https://example.com:0/",
                                  "https://example.com:70000/",
                                  "https://example.com/a b",
                                  "https://a.example,b.example/",
                                  "https://127.0.0.1/",
                                  "https://10.1.2.3/",
                                  "https://[::1]/",
                                  "https://[::ffff:10.0.0.1]/",
                                  "https://169.254.169.254/latest"}) {
      INFO(url);
      CHECK(is_refused(url, false));
    }
    CHECK(is_refused("https://example.com/" + std::string(2'048, 'x'), false));
    CHECK_FALSE(is_refused("http://127.0.0.1:8090/x", true));
    CHECK(is_refused("ftp://127.0.0.1/", true));
  }

  TEST_CASE("what an answer begins with can be stored, whatever it is") {
    CHECK_EQ(beginning_of("hello", 1'024), "hello");
    CHECK_EQ(beginning_of(std::string(2'000, 'x'), 1'024).size(), 1'024);
    CHECK_EQ(beginning_of("Zo\xc3\xab", 3), "Zo");  // not amid a character
    CHECK_EQ(beginning_of("Zo\xc3\xab", 4), "Zo\xc3\xab");
    CHECK_EQ(beginning_of(std::string_view("a\0b", 3), 10), "a?b");
    CHECK_EQ(beginning_of("\xff\xfe"
                          "ab",
                          10),
             "??ab");
    CHECK_EQ(beginning_of("", 10), "");
  }
}

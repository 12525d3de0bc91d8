// Which origins an operator may name, and what browsers are told.
#include <doctest/doctest.h>

#include <cstdlib>

#include "gateway/cors.hpp"

using namespace parley;
using gateway::Cors;

TEST_SUITE("unit: gateway cors") {
  TEST_CASE("an origin is written as browsers write it") {
    Cors cors;
    for (const auto* origin : {"https://app.example", "http://localhost:3000", "https://app.example:8443",
                               "http://[::1]:8000", "https://xn--bcher-kva.example", "http://127.0.0.1"}) {
      INFO(origin);
      CHECK(cors.add(origin));
      CHECK(cors.allows(origin));
    }
    for (const auto* origin : {"",
                               "*",
                               "null",
                               "app.example",
                               "https://",
                               "https://*.app.example",
                               "https://*",
                               "https://app.example/",
                               "https://App.example",
                               "HTTPS://app.example",
                               "https://app.example:443",
                               "http://app.example:80",
                               "https://app.example:",
                               "https://app.example/x",
                               "https://app.example?x",
                               "https://app.example#x",
                               "https://user@app.example",
                               "ftp://app.example",
                               "file://",
                               "https://app.example https://b.example",
                               "https://a:80:90",
                               "//app.example"}) {
      INFO(origin);
      CHECK_FALSE(cors.add(origin));
      CHECK_FALSE(cors.allows(origin));
    }
  }

  TEST_CASE("the setting names each origin that is none, and is off without") {
    const auto read = [](const char* text) {
      ::setenv("PARLEY_CORS_ORIGINS", text, 1);
      chassis::Environment environment;
      auto cors = Cors::read(environment);
      ::unsetenv("PARLEY_CORS_ORIGINS");
      return std::pair(std::move(cors), environment.faults());
    };
    CHECK_FALSE(read("").first.is_on());
    const auto [cors, faults] = read("https://a.example, https://b.example,*,https://c.example/");
    CHECK(cors.is_on());
    CHECK(cors.allows("https://a.example"));
    CHECK(cors.allows("https://b.example"));
    REQUIRE_EQ(faults.size(), 2);
    CHECK(faults[0].starts_with("PARLEY_CORS_ORIGINS '*' is no origin"));
    CHECK(faults[1].starts_with("PARLEY_CORS_ORIGINS 'https://c.example/' is no origin"));
  }
}

// Configuration out of the environment.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "common/chassis/environment.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/settings.hpp"

namespace {

using parley::chassis::Environment;

// A variable for as long as it lives.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_.c_str()); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  std::string name_;
};

// A file in a directory of its own.
class File {
 public:
  explicit File(const std::string& content) {
    char name[] = "/tmp/parley-environment.XXXXXX";
    directory_ = ::mkdtemp(name);
    std::ofstream(path()) << content;
  }
  ~File() { std::filesystem::remove_all(directory_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  std::string path() const { return directory_ / "value"; }
  std::string directory() const { return directory_; }

 private:
  std::filesystem::path directory_;
};

std::string faults_of(const Environment& environment) {
  std::string out;
  for (const auto& fault : environment.faults()) out += fault + "\n";
  return out;
}

}  // namespace

TEST_CASE("Environment: text") {
  Environment environment;
  const Variable a("PARLEY_T_A", "value"), blank("PARLEY_T_BLANK", "  ");
  CHECK(environment.text("PARLEY_T_A") == "value");
  CHECK(environment.text("PARLEY_T_A", "fallback") == "value");
  CHECK(environment.text("PARLEY_T_NONE", "fallback") == "fallback");
  CHECK(environment.text("PARLEY_T_BLANK", "fallback") == "fallback");
  CHECK(environment.faults().empty());
  CHECK(environment.text("PARLEY_T_NONE") == "");
  CHECK(environment.text("PARLEY_T_BLANK") == "");
  CHECK(faults_of(environment) == "PARLEY_T_NONE is not set\nPARLEY_T_BLANK is not set\n");
}

TEST_CASE("Environment: files") {
  Environment environment;
  const File good("from a file\r\n\n"), blank(" \n");
  {
    const Variable a("PARLEY_T_A_FILE", good.path());
    CHECK(environment.text("PARLEY_T_A") == "from a file");
    CHECK(environment.faults().empty());
  }
  {
    const Variable a("PARLEY_T_A", "value"), b("PARLEY_T_A_FILE", good.path());
    CHECK(environment.text("PARLEY_T_A") == "value");
    CHECK(faults_of(environment) == "PARLEY_T_A is given twice: as itself and as _FILE\n");
  }
  {
    Environment fresh;
    const Variable a("PARLEY_T_A_FILE", "/nowhere/at/all");
    CHECK(fresh.text("PARLEY_T_A", "fallback") == "fallback");
    CHECK(faults_of(fresh) == "PARLEY_T_A cannot be read from /nowhere/at/all\n");
  }
  {
    Environment fresh;
    const Variable a("PARLEY_T_A_FILE", blank.path());
    CHECK(fresh.text("PARLEY_T_A") == "");
    CHECK(faults_of(fresh) == "PARLEY_T_A is not set\n");
  }
  {
    Environment fresh;
    const Variable a("PARLEY_T_A_FILE", good.directory());
    fresh.text("PARLEY_T_A", "fallback");
    CHECK(faults_of(fresh).find("cannot be read") != std::string::npos);
  }
}

TEST_CASE("Environment: secrets are not shown and not placeholders") {
  for (const auto* value : {"changeme", "CHANGE-ME", "Secret", "password", "example"}) {
    Environment environment;
    const Variable a("PARLEY_T_S", value);
    environment.secret("PARLEY_T_S");
    CHECK(faults_of(environment) == "PARLEY_T_S is a placeholder\n");
  }
  Environment environment;
  const Variable a("PARLEY_T_S", "hunter2");
  CHECK(environment.secret("PARLEY_T_S") == "hunter2");
  CHECK(environment.faults().empty());
  environment.secret("PARLEY_T_S", 44);
  CHECK(faults_of(environment) == "PARLEY_T_S is shorter than 44 characters\n");
}

TEST_CASE("Environment: numbers, flags, addresses, URLs") {
  const auto with = [](const std::string& value, auto read) {
    const Variable a("PARLEY_T_V", value);
    Environment environment;
    read(environment);
    return environment.faults().empty();
  };
  const auto number = [](Environment& e) { e.number("PARLEY_T_V", 5, 1, 64); };
  for (const std::string good : {"1", "64", "", "007"}) CHECK(with(good, number));
  for (const std::string bad : {"0", "65", "-1", "1.5", "1e1", "x", "1x", " 1", "+1", "99999999999999999999"})
    CHECK_FALSE(with(bad, number));
  const auto flag = [](Environment& e) { e.flag("PARLEY_T_V", true); };
  for (const std::string good : {"on", "off", "true", "false"}) CHECK(with(good, flag));
  for (const std::string bad : {"1", "yes", "ON", "x"}) CHECK_FALSE(with(bad, flag));
  const auto address = [](Environment& e) { e.listen_address("PARLEY_T_V", "127.0.0.1:1"); };
  for (const std::string good : {"0.0.0.0:8080", "[::]:80", "127.0.0.1:0", "[::1]:65535", "::1:80"}) {
    INFO(good);
    CHECK(with(good, address));
  }
  for (const std::string bad :
       {"8080", ":8080", "localhost:80", "0.0.0.0", "0.0.0.0:", "0.0.0.0:65536", "0.0.0.0:x", "0.0.0.0:-1", "[::1]"}) {
    INFO(bad);
    CHECK_FALSE(with(bad, address));
  }
  const auto url = [](Environment& e) { e.url("PARLEY_T_V"); };
  for (const std::string good : {"http://a", "https://a:1/v20.0", "http://a:80,http://b:80", "http://[::1]:80"})
    CHECK(with(good, url));
  for (const std::string bad : {"a:80", "ftp://a", "http://", "http://a b", "http://a,b", "http://a:99999",
                                "http://a:0", "http://a,,http://b", ""}) {
    INFO(bad);
    CHECK_FALSE(with(bad, url));
  }
}

TEST_CASE("ProcessSettings: all mistakes at once") {
  const Variable a("PARLEY_LISTEN", "here"), b("PARLEY_LOG_LEVEL", "loud"),
      c("PARLEY_IDENTITY_KEY", std::string(44, '!')), d("PARLEY_IDENTITY_TRUSTED", "gateway=x"),
      e("PARLEY_DRAIN_TIME_MS", "soon");
  Environment environment;
  parley::chassis::ProcessSettings::read(environment, "test", "127.0.0.1:1", "127.0.0.1:2");
  const auto faults = faults_of(environment);
  for (const auto* name : {"PARLEY_LISTEN ", "PARLEY_LOG_LEVEL ", "PARLEY_IDENTITY_KEY ", "PARLEY_IDENTITY_TRUSTED ",
                           "PARLEY_DRAIN_TIME_MS "}) {
    INFO(name);
    CHECK(faults.find(name) != std::string::npos);
  }
  CHECK(faults.find("!!!!") == std::string::npos);
}

TEST_CASE("ProcessSettings: whose signatures count") {
  parley::identity::start_cryptography();
  const auto seed = parley::identity::new_seed();
  const auto key = parley::identity::public_key_of(seed);
  const auto text = parley::identity::to_base64(key.data(), key.size());
  const Variable a("PARLEY_IDENTITY_KEY", parley::identity::to_base64(seed.data(), seed.size())),
      b("PARLEY_IDENTITY_TRUSTED", "gateway=" + text + ",contacts=" + text);
  Environment environment;
  const auto settings = parley::chassis::ProcessSettings::read(environment, "test", "127.0.0.1:1", "[::1]:2");
  CHECK(faults_of(environment) == "");
  CHECK(settings.identity_key == seed);
  CHECK(settings.trusted.size() == 2);
  REQUIRE(settings.trusted.count("contacts") == 1);
  CHECK(settings.trusted.find("contacts")->second == key);
  CHECK(settings.admin_listen.port() == 2);
}

TEST_CASE("Redis: a URL that cannot be used, and authorities that nobody would ask, are told; passwords are not") {
  const auto faults = [](const std::string& url, const std::string& authorities) {
    const Variable address("PARLEY_REDIS_URL", url), file("PARLEY_REDIS_CA_FILE", authorities);
    Environment environment;
    parley::chassis::read_redis(environment);
    for (const auto& name : environment.unread()) CHECK_FALSE(name.starts_with("PARLEY_REDIS"));
    return faults_of(environment);
  };
  const File no_certificate("hello");
  CHECK(faults("redis://:hunter2@redis:6379/0", "") == "");
  CHECK(faults("rediss://:hunter2@redis:6379/0", "") == "");
  CHECK(faults("redis://:hunter2@redis", "/nowhere/ca.pem") ==
        "PARLEY_REDIS_CA_FILE is of no use without TLS: PARLEY_REDIS_URL has to begin with rediss\n");
  for (const auto& path : {std::string("/nowhere/ca.pem"), no_certificate.path()})
    CHECK(faults("rediss://:hunter2@redis", path).find("authorities cannot be read from " + path) != std::string::npos);
  const auto bad = faults("redis://:hunter2@redis:port", "");
  CHECK(bad.starts_with("PARLEY_REDIS_URL cannot be used: Redis URL: a bad port"));
  CHECK(bad.find("hunter2") == std::string::npos);
}

TEST_CASE("Environment: what nobody asks for is told") {
  const File file("value\n");
  const Variable read("PARLEY_T_READ", "1"), by_file("PARLEY_T_OTHER_FILE", file.path()), typo("PARLEY_T_REED", "1"),
      foreign("OTHER_T_REED", "1");
  Environment environment;
  environment.text("PARLEY_T_READ");
  environment.text("PARLEY_T_OTHER");
  environment.text("PARLEY_T_NOT_SET", "");
  const auto unread = environment.unread();
  const auto has = [&](const char* name) { return std::find(unread.begin(), unread.end(), name) != unread.end(); };
  CHECK(has("PARLEY_T_REED"));
  CHECK_FALSE(has("PARLEY_T_READ"));
  CHECK_FALSE(has("PARLEY_T_OTHER_FILE"));
  CHECK_FALSE(has("OTHER_T_REED"));
}

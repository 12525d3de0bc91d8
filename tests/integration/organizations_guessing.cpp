// Who guesses passwords: by account, by address and by network, and what it does not cost those who know theirs.
#include <algorithm>
#include <numeric>

#include "tests/integration/organizations_users_bed.hpp"

using namespace parley;
using namespace parley::organizations_tests;
using organizations::users::Passwords;

TEST_CASE("An account is known from the networks that its person signed in from last") {
  World world;
  world.client_address = "192.0.2.9";
  organizations::users::Attempts attempts(world.database, {.networks = 3});
  const auto email = new_email();
  sign_up(world, email);
  const auto person = *model::Uuid::parse(World::sql("SELECT id FROM person WHERE email = '" + email + "'"));
  const auto sign_in_from = [&](const std::string& address) {
    world.run([](auto& in, auto& all, auto who, auto from) -> awaitable<int> {
      auto transaction = co_await in.database.begin();
      co_await all.remember(transaction, who, from);
      co_await transaction.commit();
      co_return 0;
    }(world, attempts, person, address));
  };
  const auto knows = [&](const std::string& address, const model::Uuid& whom) {
    return world.run([](auto& all, auto who, auto from) -> awaitable<std::string> {
      const bool known = co_await all.knows(who, from);
      co_return known ? "known" : "unknown";
    }(attempts, whom, address)) == "known";
  };
  CHECK(knows(world.client_address, person));  // by signing up
  CHECK_FALSE(knows("192.0.2.8", person));
  CHECK_FALSE(knows(world.client_address, model::new_uuid()));
  for (const auto* address : {"203.0.113.1", "2001:db8:7:7::1", "203.0.113.3"}) sign_in_from(address);
  CHECK(knows("2001:db8:7:7:ffff::2", person));
  CHECK_FALSE(knows("2001:db8:7:8::1", person));
  CHECK_FALSE(knows(world.client_address, person));  // the oldest of four
  CHECK(World::sql("SELECT count(*) FROM known_network WHERE person_id = '" + person.text() + "'") == "3");
  World::sql("UPDATE known_network SET seen_at = now() - interval '91 days' WHERE person_id = '" + person.text() + "'");
  CHECK_FALSE(knows("203.0.113.3", person));
  sign_in_from("203.0.113.3");
  CHECK(knows("203.0.113.3", person));
  CHECK(World::sql("SELECT count(*) FROM known_network WHERE person_id = '" + person.text() + "'") == "1");
}

TEST_CASE("A /48 counts for more than a /64, and for less than all") {
  World world;
  world.client_address = "198.51.100.22";
  const auto email = new_email();
  sign_up(world, email);
  int tried = 0;
  for (int subnet = 0; subnet < 30; ++subnet) {
    world.client_address = "2001:db8:99:" + std::to_string(subnet) + "::1";
    const auto status = sign_in(world, email, "wrong").status;
    CHECK((status == 401 || status == 429));
    tried += status == 401;
  }
  CHECK(tried == 20);
  CHECK(sign_in(world, email).status == 429);
  world.client_address = "2001:db8:98:1::1";
  CHECK(sign_in(world, email).status == 200);
}

TEST_CASE("Guessing an account's password from one address is slowed down, for that address alone") {
  World world;
  world.client_address = "198.51.100.1";
  const auto email = new_email();
  sign_up(world, email);
  for (int i = 0; i < 5; ++i) CHECK(sign_in(world, email, "wrong").status == 401);
  const auto locked = sign_in(world, email);  // the right one, too
  CHECK(locked.status == 429);
  CHECK(locked.head.find("Retry-After: ") != locked.head.npos);
  CHECK(sign_in(world, new_email(), "wrong").status == 401);  // another account
  world.client_address = "198.51.100.2";
  CHECK(sign_in(world, email).status == 200);  // its holder, from elsewhere
  world.client_address = "198.51.100.1";
  CHECK(sign_in(world, email).status == 429);
}

TEST_CASE("What is not right in between is forgotten with the right password") {
  World world;
  world.client_address = "198.51.100.3";
  const auto email = new_email();
  sign_up(world, email);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i) CHECK(sign_in(world, email, "wrong").status == 401);
    CHECK(sign_in(world, email).status == 200);
  }
}

TEST_CASE("Many guesses at once are no way around the limit") {
  World world;
  world.client_address = "198.51.100.4";
  const auto email = new_email();
  sign_up(world, email);
  std::vector<awaitable<Answer>> works;
  for (int i = 0; i < 20; ++i)
    works.push_back(world.ask_as_gateway(kLogin, json_of({{"email", email}, {"password", "wrong"}})));
  int tried = 0;
  for (const auto& answer : world.run_all(std::move(works))) {
    CHECK((answer.status == 401 || answer.status == 429));
    tried += answer.status == 401;
  }
  CHECK(tried <= 5);
  CHECK(tried >= 1);
}

TEST_CASE("A stolen session does not let guess the password either") {
  World world;
  world.client_address = "198.51.100.5";
  const auto email = new_email();
  const auto made = sign_up(world, email);
  const auto caller = caller_of(verify(world, made.text_at("/session/token")));
  const auto body = json_of({{"password", "another password"}, {"oldPassword", "wrong"}});
  for (int i = 0; i < 5; ++i) CHECK(world.post(caller, kUser, body).status == 400);
  CHECK(world.post(caller, kUser, body).status == 429);
  CHECK(sign_in(world, email).status == 429);  // the same count
}

TEST_CASE("Pauses double, at most to the window, and end with it") {
  World world;
  organizations::users::Attempts attempts(
      world.database, {.of_account_from_address = 2, .window_seconds = 1000, .first_pause_seconds = 100});
  const auto subjects = attempts.sign_in(new_email(), "198.51.100.6", false);
  const auto seconds = [&] {
    std::vector<awaitable<std::int64_t>> works;
    works.push_back([](auto& a, auto s) -> awaitable<std::int64_t> {
      try {
        co_await a.begin(s);
      } catch (const http::Problem& problem) {
        co_return std::stoll(problem.head.substr(problem.head.find(' ') + 1));
      }
      co_return 0;
    }(attempts, subjects));
    return world.run_all(std::move(works)).front();
  };
  const auto pass = [&] {
    World::sql("UPDATE sign_in_attempt SET locked_until = now() WHERE subject = '\\x" +
               identity::to_hex(subjects.hashes[0]) + "'");
  };
  CHECK(seconds() == 0);
  CHECK(seconds() == 0);
  for (const std::int64_t pause : {100, 200, 400, 800, 1000, 1000}) {
    const auto left = seconds();
    CHECK(left <= pause);
    CHECK(left > pause / 2);
    pass();
    CHECK(seconds() == 0);
  }
  World::sql(
      "UPDATE sign_in_attempt SET locked_until = now(), last_at = now() - interval '1001 seconds' WHERE subject = "
      "'\\x" +
      identity::to_hex(subjects.hashes[0]) + "'");
  CHECK(seconds() == 0);  // all is forgotten
  CHECK(seconds() == 0);
  CHECK(seconds() > 0);
}

TEST_CASE("Accounts made from one address are limited") {
  World world;
  world.client_address = "2001:db8:7:7::1";
  int made = 0;
  for (int i = 0; i < 25; ++i) {
    const auto status = sign_up(world, new_email()).status;
    made += status == 201;
    if (status == 429) break;
    CHECK(status == 201);
  }
  CHECK(made == 20);
  world.client_address = "2001:db8:7:7:ffff::9";  // the same subscriber
  CHECK(sign_up(world, new_email()).status == 429);
  world.client_address = "2001:db8:7:8::1";
  CHECK(sign_up(world, new_email()).status == 201);
}

TEST_CASE("A place to hash a password is waited for in turns: by no more than may wait, and not for ever") {
  World world;
  Passwords passwords(world.context(), {.threads = 1, .waiting = 2, .wait = 100ms});
  std::vector<Passwords::Slot> places;
  const auto enter = [](Passwords& all, auto& out, std::string address, Passwords::Caller caller) -> awaitable<int> {
    try {
      out.push_back(co_await all.enter(address, caller));
      co_return 200;
    } catch (const http::Problem& problem) {
      co_return static_cast<int>(problem.status);
    }
  };
  const auto stranger = Passwords::Caller::stranger, known = Passwords::Caller::known;
  // A network alone has half of the places: two of those who ask wait, and the others are turned away at once.
  std::vector<awaitable<int>> works;
  for (int i = 0; i < 6; ++i)
    works.push_back(enter(passwords, places, "2001:db8:1:" + std::to_string(i) + "::1", stranger));
  const auto of_one = world.run_all(std::move(works));
  CHECK(std::count(of_one.begin(), of_one.end(), 200) == 2);
  CHECK(std::count(of_one.begin(), of_one.end(), 429) == 4);
  CHECK(passwords.stats(stranger).queue_full == 2);
  CHECK(passwords.stats(stranger).late == 2);
  // Another finds one, and with all taken who is known finds one still.
  CHECK(world.run(enter(passwords, places, "192.0.2.1", stranger)) == 200);
  CHECK(world.run(enter(passwords, places, "192.0.2.2", stranger)) == 200);
  CHECK(world.run(enter(passwords, places, "192.0.2.3", stranger)) == 429);
  CHECK(world.run(enter(passwords, places, "192.0.2.3", known)) == 200);
  places.clear();
  CHECK(world.run(enter(passwords, places, "192.0.2.3", stranger)) == 200);
}

TEST_CASE("However many strangers sign in at once, an account's person does too from where it is known") {
  World world;
  world.client_address = "198.51.100.30";
  const auto email = new_email();
  sign_up(world, email);
  bool ended = false;
  const auto guess = [&](int i) -> awaitable<int> {
    const auto address = "203.0.113." + std::to_string(i);
    int answers = 0;
    while (!ended) {
      world.client_address = address;  // read before anything is waited for
      const auto answer =
          co_await world.ask_as_gateway(kLogin, json_of({{"email", new_email()}, {"password", "wrong"}}));
      answers += answer.status == 401;
    }
    co_return answers;
  };
  const auto sign_in_often = [&]() -> awaitable<int> {
    int signed_in = 0;
    for (int i = 0; i < 8; ++i) {
      world.client_address = "198.51.100.30";
      const auto answer = co_await world.ask_as_gateway(kLogin, json_of({{"email", email}, {"password", kPassword}}));
      signed_in += answer.status == 200;
    }
    ended = true;
    co_return signed_in;
  };
  std::vector<awaitable<int>> works;
  for (int i = 0; i < 160; ++i) works.push_back(guess(i));  // more than can wait
  works.push_back(sign_in_often());
  const auto answers = world.run_all(std::move(works));
  CHECK(answers.back() == 8);
  CHECK(std::accumulate(answers.begin(), answers.end() - 1, 0) > 0);  // while strangers have theirs
}

TEST_CASE("Passwords are hashed with a salt, and told apart") {
  World world;
  Passwords passwords(world.context(), {});
  const auto hash = [&] {
    return world.run([](auto& all) -> awaitable<std::string> {
      auto place = co_await all.enter("192.0.2.1", Passwords::Caller::known);
      co_return co_await all.hash(std::move(place), kPassword);
    }(passwords));
  };
  const auto stored = hash();
  CHECK(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
  CHECK(hash() != stored);
  const auto matches = [&](std::optional<std::string> hash, const std::string& password) {
    return world.run([](auto& all, auto hash, auto password) -> awaitable<std::string> {
      auto place = co_await all.enter("192.0.2.1", Passwords::Caller::stranger);
      const bool same = co_await all.verify(std::move(place), hash, password);
      co_return same ? "same" : "other";
    }(passwords, std::move(hash), password));
  };
  CHECK(matches(stored, kPassword) == "same");
  CHECK(matches(stored, kPassword + " ") == "other");
  CHECK(matches(std::nullopt, kPassword) == "other");
}

// Streams of what happens: each listener hears all of its organization, once, in order, whatever comes between.
#include <random>

#include "tests/integration/stream_bed.hpp"

using namespace parley;
using namespace parley::stream_tests;

namespace {

constexpr int kEvents = 600;

// Numbered events of one organization, several in some transactions, with those of another between them.
awaitable<void> write_numbered(Teller& teller, Uuid organization, Uuid other, int& written) {
  std::mt19937 random(7);
  while (written < kEvents) {
    events::Changes changes;
    for (auto many = random() % 4; many > 0 && written < kEvents; --many) {
      events::MessageStatusChanged change;
      change.organizationId = organization;
      change.errorCode = ++written;
      changes.add(change);
      if (random() % 2 == 0) changes.add(events::ConversationChanged{other, model::new_uuid(), model::new_uuid()});
    }
    if (changes.empty()) changes.add(events::ConversationChanged{other, model::new_uuid(), model::new_uuid()});
    co_await teller.loop.pool.write(pg::Batch(events::outbox::append, changes.json()));
    teller.feed.notify();
    if (random() % 8 == 0) co_await pg_tests::pause_for(1ms);
  }
}

struct Client {
  std::vector<std::int64_t> numbers;
  std::string last;
  int streams = 0;
};

// Reads, breaks off after a few pieces, and goes on with whoever comes next, until all was heard.
awaitable<void> hear_numbered(std::vector<Teller*> tellers, Uuid organization, unsigned seed, Client& client) {
  std::mt19937 random(seed);
  while (client.numbers.size() < kEvents) {
    auto& teller = *tellers[random() % tellers.size()];
    const auto after = client.last.empty() ? std::nullopt : Position::parse(client.last);
    const auto listener =
        co_await teller.hub.listen(organization, teller.choice, after, false, std::chrono::seconds(60));
    ++client.streams;
    for (auto pieces = 1 + random() % 6; pieces > 0 && client.numbers.size() < kEvents; --pieces) {
      const auto piece = co_await listener->next();
      if (piece.empty()) break;
      for (const auto& heard : read_events(piece, client.last))
        client.numbers.push_back(json_of(heard.data).at("data").at("errorCode").as_int64());
      if (random() % 3 == 0) co_await pg_tests::pause_for(std::chrono::microseconds(random() % 3'000));
    }
  }
}

}  // namespace

TEST_SUITE("integration: streams of events") {
  TEST_CASE("nothing is missed and nothing told twice, however often a client goes and comes back") {
    const Database database;
    auto settings = quick_stream();
    SUBCASE("with room") {}
    SUBCASE("with hardly any room") { settings.max_events = 3; }
    settings.max_read = 20;
    Teller teller(database, settings);
    const auto organization = model::new_uuid(), other = model::new_uuid();
    std::vector<Client> clients(8);
    // Each knows from where on it wants to hear.
    for (auto& client : clients) client.last = place_after(teller.listen(organization))->text();
    int written = 0;
    teller.loop.launch(write_numbered(teller, organization, other, written));
    for (unsigned i = 0; i < clients.size(); ++i)
      teller.loop.launch(hear_numbered({&teller}, organization, i, clients[i]));
    teller.loop.finish();
    std::vector<std::int64_t> all(kEvents);
    for (int i = 0; i < kEvents; ++i) all[static_cast<std::size_t>(i)] = i + 1;
    for (const auto& client : clients) {
      CHECK(client.numbers == all);
      CHECK(client.streams > 1);
    }
    CHECK(teller.hub.size() == 0);
    CHECK(teller.hub.stats().failures == 0);
    CHECK(teller.hub.stats().resets == 0);
  }

  TEST_CASE("a client of one replica goes on at another") {
    const Database database;
    const auto organization = model::new_uuid();
    std::optional<Teller> first(std::in_place, database);
    Teller second(database);
    const auto begin = place_after(first->listen(organization));
    for (int i = 0; i < 3; ++i) first->tell({organization, model::new_uuid()});
    first->settle();
    const auto text = first->listen(organization, begin);
    CHECK(heard_in(text).size() == 3);
    first.reset();  // its loop would stand still, perhaps while it puts events in order, which only one can
    second.tell({organization});
    second.settle();
    CHECK(heard_in(second.listen(organization, place_after(text))).size() == 1);
    CHECK(heard_in(second.listen(organization, begin)).size() == 4);
    CHECK(heard_in(second.listen(model::new_uuid(), begin)).empty());
  }

  TEST_CASE("between two changes of one event a client can go, too") {
    const Database database;
    const auto organization = model::new_uuid();
    Teller teller(database);
    const auto begin = place_after(teller.listen(organization));
    teller.tell({organization, model::new_uuid(), organization, organization});
    teller.settle();
    std::string last;
    const auto heard = read_events(teller.listen(organization, begin), last);
    REQUIRE(heard.size() == 3);
    for (std::size_t i = 0; i < heard.size(); ++i) {
      const auto rest = read_events(teller.listen(organization, Position::parse(heard[i].id)), last);
      REQUIRE(rest.size() == 2 - i);
      for (std::size_t j = 0; j < rest.size(); ++j) CHECK(rest[j].id == heard[i + 1 + j].id);
    }
  }

  TEST_CASE("what was missed and is gone is told as a reset, and all after it is heard") {
    const Database database;
    const auto organization = model::new_uuid();
    Teller teller(database);
    const auto begin = place_after(teller.listen(organization));
    for (int i = 0; i < 5; ++i) teller.tell({organization});
    teller.settle();
    const auto check_reset = [&](std::optional<Position> after, bool lost) {
      std::string last;
      const auto heard = read_events(teller.listen(organization, after, 0s, lost), last);
      REQUIRE(heard.size() == 1);
      CHECK(heard[0].event == "reset");
      CHECK(json_of(heard[0].data).at("type").as_string() == "reset");
      teller.tell({organization});
      teller.settle();
      CHECK(heard_in(teller.listen(organization, Position::parse(last))).size() == 1);
    };
    SUBCASE("another epoch") { check_reset(Position{model::new_uuid(), 3, Position::kWhole}, false); }
    SUBCASE("a position that was never given") { check_reset(Position{begin->epoch, 1'000, Position::kWhole}, false); }
    SUBCASE("no id of ours") { check_reset({}, true); }
    SUBCASE("pruned") {
      database.execute("UPDATE outbox SET created_at = now() - interval '8 days' WHERE position <= 2");
      teller.loop.until([&] { return teller.feed.stats().pruned == 2; });
      check_reset(begin, false);
      CHECK(heard_in(teller.listen(organization, Position{begin->epoch, 2, Position::kWhole})).size() == 4);
      check_reset(Position{begin->epoch, 2, 0}, false);  // of that event there may have been more
    }
  }

  TEST_CASE("a client that does not read is let go, and misses nothing when it comes back") {
    const Database database;
    auto settings = quick_stream();
    settings.max_events = 5;
    Teller teller(database, settings);
    const auto organization = model::new_uuid();
    const auto slow = teller.loop.run(teller.open(organization, {}, 60s));
    const auto quick = teller.loop.run(teller.open(organization, {}, 60s));
    std::string slow_text, quick_text;
    int quick_read = 0;
    const auto read_all = [](std::shared_ptr<Listener> listener, std::string& out, int& over) -> awaitable<void> {
      for (;;) {
        const auto piece = co_await listener->next();
        if (piece.empty()) break;
        out += piece;
      }
      ++over;
    };
    events_tests::start_beside(teller.loop, read_all(quick, quick_text, quick_read), teller.running);
    for (int i = 0; i < 40; ++i) {
      teller.tell({organization});
      teller.settle();
      std::string last;
      teller.loop.until([&] { return read_events(quick_text, last).size() == static_cast<std::size_t>(i + 1); });
    }
    CHECK(teller.hub.stats().slow == 1);
    int slow_read = 0;
    events_tests::start_beside(teller.loop, read_all(slow, slow_text, slow_read),
                               teller.running);  // it ends though its time is not over
    teller.loop.until([&] { return slow_read == 1; });
    const auto got = heard_in(slow_text).size();
    CHECK(got < 40);
    const auto rest = heard_in(teller.listen(organization, place_after(slow_text)));
    CHECK(got + rest.size() == 40);
    CHECK(quick_read == 0);
    teller.hub.stop();
    teller.loop.until([&] { return teller.running <= 1; });  // the feed
  }

  TEST_CASE("there are only so many streams, of a process and of an organization, and another always finds one") {
    const Database database;
    auto settings = quick_stream();
    settings.max_listeners = 9;
    settings.reserved = 2;
    settings.max_of_organization = 4;
    Teller teller(database, settings);
    std::vector<std::shared_ptr<Listener>> open;
    const auto refused = [&](const Uuid& organization) {
      try {
        open.push_back(teller.loop.run(teller.open(organization, {}, 60s)));
      } catch (const http::Problem& problem) {
        CHECK(problem.status == 503);
        CHECK(problem.head.starts_with("Retry-After:"));
        return true;
      }
      return false;
    };
    const auto opened = [&](const Uuid& organization) {
      const auto before = open.size();
      while (!refused(organization)) {
      }
      return open.size() - before;
    };
    const auto a = model::new_uuid();
    CHECK(opened(a) == 4);
    CHECK(opened(model::new_uuid()) == 3);  // as many as are still free
    CHECK(opened(model::new_uuid()) == 1);  // of what is reserved
    CHECK(opened(model::new_uuid()) == 1);
    CHECK(refused(model::new_uuid()));
    CHECK(teller.hub.stats().refused == 5);
    open.erase(open.begin());
    CHECK(refused(a));
    CHECK_FALSE(refused(model::new_uuid()));
  }

  TEST_CASE("whoever was away for a moment does not wait for others who were away for long") {
    const Database database;
    auto settings = quick_stream();
    settings.max_read = 1;
    Teller teller(database, settings);
    const auto away = model::new_uuid(), other = model::new_uuid();
    const auto long_ago = place_after(teller.listen(away));
    constexpr int kMissed = 200;
    for (int i = 0; i < kMissed; ++i) teller.tell({away});
    teller.settle();
    const auto lately = place_after(teller.listen(other));
    teller.tell({other});
    teller.settle();
    std::vector<std::string> texts(4);
    int over = 0;
    const auto read = [](Teller& from, Uuid of, std::optional<Position> after, std::string& out,
                         int& ended) -> awaitable<void> {
      const auto listener = co_await from.open(of, after, 0s);
      for (auto piece = co_await listener->next(); !piece.empty(); piece = co_await listener->next()) out += piece;
      ++ended;
    };
    const auto told = teller.hub.told();
    int other_over = 0;
    for (auto& text : texts)
      events_tests::start_beside(teller.loop, read(teller, away, long_ago, text, over), teller.running);
    std::string text;
    events_tests::start_beside(teller.loop, read(teller, other, lately, text, other_over), teller.running);
    teller.loop.until([&] { return other_over == 1; });
    CHECK(heard_in(text).size() == 1);
    CHECK(teller.hub.told() - told < kMissed / 2);
    teller.loop.until([&] { return over == 4; });
    for (const auto& each : texts) CHECK(heard_in(each).size() == kMissed);
  }

  TEST_CASE("a quiet stream is kept open, and its client's place moves on") {
    const Database database;
    auto settings = quick_stream();
    settings.heartbeat = 20ms;
    Teller teller(database, settings);
    const auto organization = model::new_uuid();
    const auto listener = teller.loop.run(teller.open(organization, {}, 60s));
    std::string text, last;
    int over = 0;
    const auto read = [](std::shared_ptr<Listener> of, std::string& out, int& ended) -> awaitable<void> {
      for (;;) {
        const auto piece = co_await of->next();
        if (piece.empty()) break;
        out += piece;
      }
      ++ended;
    };
    events_tests::start_beside(teller.loop, read(listener, text, over), teller.running);
    teller.loop.until([&] { return text.find("\n:\nid: ") != text.npos; });
    const auto before = place_after(text)->position;
    for (int i = 0; i < 3; ++i) teller.tell({model::new_uuid()});  // of others
    teller.loop.until([&] { return place_after(text)->position == before + 3; });
    CHECK(heard_in(text).empty());
    CHECK(over == 0);
    teller.hub.stop();  // as at a drain: all end at once
    teller.loop.until([&] { return over == 1 && teller.running <= 1; });
  }

  TEST_CASE("what broke while reading is tried again, and nobody misses anything") {
    const Database database;
    const auto organization = model::new_uuid();
    Teller teller(database);
    const auto listener = teller.loop.run(teller.open(organization, {}, 60s));
    std::string text, last;
    const auto read = [](std::shared_ptr<Listener> of, std::string& out) -> awaitable<void> {
      for (;;) {
        const auto piece = co_await of->next();
        if (piece.empty()) break;
        out += piece;
      }
    };
    events_tests::start_beside(teller.loop, read(listener, text), teller.running);
    database.execute("ALTER TABLE message RENAME TO elsewhere");
    events::Changes changes;
    changes.add(events::MessageChanged{organization, model::new_uuid(), model::new_uuid(), model::new_uuid(), {1}});
    teller.tell(std::move(changes));
    teller.loop.until([&] { return teller.hub.stats().failures >= 2; });
    database.execute("ALTER TABLE elsewhere RENAME TO message");
    teller.loop.until([&] { return read_events(text, last).size() == 1; });
    teller.hub.stop();
    teller.loop.until([&] { return teller.running <= 1; });  // the feed
  }
}

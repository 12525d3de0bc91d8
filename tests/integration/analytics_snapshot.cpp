// Figures made anew from snapshots, at any moment of a history that goes on, whoever is killed: they are those of a
// consumer that heard everything, and what plain SQL counts in the rows.
#include <algorithm>
#include <set>
#include <sstream>
#include <thread>

#include "tests/integration/analytics_snapshot_bed.hpp"
#include "tests/integration/events_children.hpp"
#include "tests/support/loopback.hpp"

using namespace parley;
using namespace parley::analytics_tests;

namespace {

// Unless it is just being moved, by somebody who may wait for this one.
void void_cursor(const Bed& bed) {
  bed.database.execute(
      "UPDATE feed_cursor SET epoch = '00000000-0000-0000-0000-000000000000' "
      "WHERE producer IN (SELECT producer FROM feed_cursor FOR UPDATE SKIP LOCKED)");
}

// What was told is the same; whoever has not read it all yet cannot read on.
void prune(const ToldDatabase& told) { told.execute("UPDATE feed SET pruned = head"); }

// Analytics and what it follows, on one loop.
struct Following {
  Following(Loop& loop_, const Bed& bed) : loop(loop_), counts(loop.context(), bed.database.settings()), teller(loop) {
    counts.start();
    loop.until([&] { return pg_tests::is_connected(counts) && pg_tests::is_connected(loop.pool); });
    start_beside(loop, teller.feed.run(), running);
    start_beside(loop, consumer.run(), running);
  }
  ~Following() {
    teller.feed.stop();
    consumer.stop();
    loop.until([this] { return running == 0; });
  }
  // Everything has been told and applied.
  bool done() {
    const auto& stats = consumer.stats();
    if (stats.position < teller.feed.stats().head || stats.position == 0) return false;
    const auto page = loop.run(teller.feed.look());
    return !page.unsequenced && consumer.stats().position == page.head;
  }

  Loop& loop;
  pg::Pool counts;
  Teller teller;
  events::Consumer consumer{loop.context(), counts, counting_settings(),
                            counting(
                                [this](http::ClientRequest request) -> awaitable<http::ClientResponse> {
                                  const auto query = request.target.substr(request.target.find('?') + 1);
                                  const auto response = co_await teller.feed.serve(query);
                                  co_return http::ClientResponse{response.status, response.body};
                                },
                                [this](http::ClientRequest) -> awaitable<std::unique_ptr<http::BodySource>> {
                                  const auto response = co_await teller.snapshots.serve();
                                  co_return own(response.stream);
                                },
                                5ms)};
  int running = 0;
};

// Lines that only one of two texts has.
std::string difference(const std::string& one, const std::string& other) {
  const auto lines = [](const std::string& text) {
    std::istringstream in(text);
    std::multiset<std::string> out;
    for (std::string line; std::getline(in, line);) out.insert(line);
    return out;
  };
  std::vector<std::string> out;
  const auto left = lines(one), right = lines(other);
  std::set_symmetric_difference(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(out));
  std::string text;
  for (const auto& line : out) text += line + '\n';
  return text;
}

void check_figures(Bed& bed, const ToldDatabase& told, unsigned seed) {
  Bed heard;
  std::mt19937 random(seed);
  heard.apply_split(told.events(), random);
  CHECK(difference(bed.tables(), heard.tables()) == "");
  CHECK(bed.database.number("SELECT count(*) FROM campaign_rollup") > 10);
  for (int i = 0; i < 6; ++i) {
    const auto span = random_span(kFirstMoment, kSpanOfMoments, random);
    CAPTURE(span.zone);
    CAPTURE(span.starts.text());
    CAPTURE(span.ends.text());
    for (const int organization : {0, 1}) {
      CHECK(text_of(bed.report(organization, span)) == plain_figures(told.url(), organization, span));
      for (int campaign = 0; campaign < 3; ++campaign)
        CHECK(text_of(bed.report(organization, span, {uuid(2, campaign), {}, {}})) ==
              plain_figures(told.url(), organization, span, "r.campaign_id = '" + uuid(2, campaign).text() + "'"));
    }
  }
  // Messages of members and all conversations were made just now.
  const auto quarter = model::Timestamp::now().milliseconds_since_epoch / kQuarter;
  const Span all{{kFirstMoment}, {(quarter + 1) * kQuarter}, false, "UTC"};
  for (const int organization : {0, 1})
    CHECK(text_of(bed.loop.run(bed.store.primary(uuid(1, organization), all)), all) ==
          plain_primary(told.url(), organization, all));
}

}  // namespace

TEST_SUITE("integration: analytics snapshot") {
  TEST_CASE("whenever a snapshot is taken while many write, nothing is missed and nothing counted twice") {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      CAPTURE(seed);
      const ToldDatabase told;
      Bed bed;
      auto settings = told.settings();
      settings.write_connections = 12;
      Loop loop(settings);
      std::mt19937 random(seed);
      std::uint64_t rebuilds = 0;
      {
        Following following(loop, bed);
        int writing = 0;
        std::vector<std::unique_ptr<Writer>> writers;
        for (unsigned i = 0; i < 6; ++i) {
          writers.push_back(std::make_unique<Writer>(loop.pool, following.teller.feed, seed * 100 + i));
          start_beside(loop, writers.back()->run(150), writing);
        }
        while (writing > 0) {
          const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(random() % 150);
          loop.until([&] { return std::chrono::steady_clock::now() > until; });
          if (random() % 2 == 0)
            void_cursor(bed);
          else
            prune(told);
        }
        loop.until([&] { return following.done(); });
        rebuilds = following.consumer.stats().rebuilds;
        CHECK(following.consumer.stats().parked == 0);
      }
      CHECK(rebuilds > 0);
      MESSAGE(rebuilds << " snapshots applied");
      check_figures(bed, told, seed);
      CHECK(bed.database.number("SELECT count(*) FROM feed_coverage WHERE exact_from IS NOT NULL") == 0);
    }
  }

  TEST_CASE("whoever is killed, whenever: writers, who tells the snapshot, who counts") {
    const ToldDatabase told;
    Bed bed;
    const int port = support::free_port();
    const auto emit = [&](bool writing) {
      auto settings = told.settings();
      settings.write_connections = 8;
      Loop loop(settings);
      Teller teller(loop);
      http::DeadlineSweeper wheel(loop.context());
      http::Server server(loop.context(), wheel,
                          {boost::asio::ip::make_address("127.0.0.1"), static_cast<boost::asio::ip::port_type>(port)},
                          {},
                          {[&](http::Request& request) { return teller.serve(request); },
                           [](unsigned status, std::string_view, std::string_view) {
                             return http::to_response({.status = status, .detail = ""}, "", "");
                           }});
      server.start();
      loop.launch(teller.feed.run());
      std::vector<std::unique_ptr<Writer>> writers;
      for (unsigned i = 0; writing && i < 4; ++i) {
        writers.push_back(std::make_unique<Writer>(loop.pool, teller.feed, std::random_device{}()));
        loop.launch(writers.back()->run(1'000'000));
      }
      loop.context().run();
    };
    const auto listen = [&] {
      Loop loop(bed.database.settings());
      http::DeadlineSweeper wheel(loop.context());
      http::Client client(loop.context(), wheel,
                          {.url = "http://127.0.0.1:" + std::to_string(port), .tls_ca_file = {}});
      events::Consumer consumer(
          loop.context(), loop.pool, counting_settings(),
          counting([&](http::ClientRequest request) { return client.send(std::move(request)); },
                   [&](http::ClientRequest request) -> awaitable<std::unique_ptr<http::BodySource>> {
                     auto exchange = co_await client.open(std::move(request));
                     if (exchange->status() != 200) throw std::runtime_error("no snapshot");
                     co_return exchange;
                   },
                   20ms));
      loop.launch(consumer.run());
      loop.context().run();
    };
    const auto position = [&] { return bed.database.number("SELECT coalesce(max(position), 0) FROM feed_cursor"); };
    std::mt19937 random(5);
    {
      std::vector<std::unique_ptr<Child>> children;
      children.push_back(std::make_unique<Child>([&] { emit(true); }));
      for (int i = 0; i < 2; ++i) children.push_back(std::make_unique<Child>(listen));
      for (int round = 0; round < 40; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 120));
        if (round % 3 == 0) void_cursor(bed);
        if (round % 3 == 1) prune(told);
        auto& child = *children[random() % children.size()];
        child.kill();
        child.start();
      }
    }
    const Child teller([&] { emit(false); });
    const Child listener(listen);
    const auto limit = std::chrono::steady_clock::now() + 60s;
    const auto is_done = [&] {
      return told.number("SELECT count(*) FROM outbox WHERE position IS NULL") == 0 &&
             position() == told.number("SELECT head FROM feed") &&
             bed.database.number(
                 "SELECT count(*) FROM feed_cursor c WHERE c.epoch <> "
                 "'00000000-0000-0000-0000-000000000000'") == 1;
    };
    while (!is_done() && std::chrono::steady_clock::now() < limit) std::this_thread::sleep_for(20ms);
    REQUIRE(is_done());
    MESSAGE(position() << " events, 40 kills");
    CHECK(bed.database.number("SELECT count(*) FROM parked_event") == 0);
    check_figures(bed, told, 5);
  }
}

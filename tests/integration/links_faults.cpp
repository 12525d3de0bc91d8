// Links while connections die and the database is away, hangs or has no room.
#include "conversations/campaigns/links/code.hpp"
#include "tests/integration/links_bed.hpp"

using namespace parley;
using namespace parley::links_tests;
using conversations::links::Clicks;
using conversations::links::code_of;

namespace {

constexpr auto kShop = "https://example.com/shop";

struct Bed {
  explicit Bed(int recipients = 10) : campaign(server, recipients) {}

  support::PostgresServer server;
  Campaign campaign;
  Replica replica{campaign.url};
  std::vector<Url> urls = replica.urls(campaign, {kShop, "https://example.com/other"});

  std::string code(int ordinal, std::size_t url = 0) const { return code_of(urls[url].id, ordinal, urls[url].secret); }
  void until_answered() {
    replica.until([this] { return replica.all_answered(); });
  }
};

}  // namespace

TEST_SUITE("integration: links, faults") {
  TEST_CASE("connections killed again and again: every click is counted once") {
    Bed bed(50);
    int kills = 0, clicks = 0;
    auto sql = bed.campaign.sql();
    for (int round = 0; round < 40; ++round) {
      for (int i = 0; i < 25; ++i) bed.replica.start(bed.code(1 + clicks++ % 50));
      for (int turns = round % 5; turns > 0; --turns) bed.replica.turn();
      kills +=
          static_cast<int>(sql.number("SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM "
                                      "pg_stat_activity WHERE datname = current_database() AND pid <> "
                                      "pg_backend_pid() AND backend_type = 'client backend'"));
    }
    bed.until_answered();
    bed.replica.until_written();
    CHECK_GT(kills, 0);
    CHECK_EQ(bed.replica.clicks.stats().lost, 0);
    CHECK_EQ(bed.campaign.number("SELECT count(*) FROM click"), clicks);
    bed.campaign.check_figures();
  }

  TEST_CASE("a commit whose outcome nobody knows is tried again, and counted once either way") {
    Bed bed;
    bed.campaign.sql().rows(
        "CREATE FUNCTION hang_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM "
        "pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;"
        "CREATE CONSTRAINT TRIGGER hang_up AFTER INSERT ON outbox DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE "
        "FUNCTION hang_up()");
    bed.replica.start(bed.code(1));
    bed.replica.start(bed.code(2));
    bed.until_answered();
    CHECK_EQ(bed.replica.clicks.waiting(), 2);
    bed.campaign.sql().rows("DROP TRIGGER hang_up ON outbox");
    bed.replica.until_written();
    CHECK_EQ(bed.campaign.number("SELECT count(*) FROM click"), 2);
    // Those that were committed, as if that had not been heard of.
    std::vector<conversations::engagement::Click> same;
    for (const auto& row :
         bed.campaign.sql().rows("SELECT id, ordinal, floor(extract(epoch FROM at) * 1000) FROM click"))
      same.push_back({*Uuid::parse(row[0]),
                      bed.campaign.organization,
                      bed.campaign.id,
                      bed.urls[0].id,
                      std::stoi(row[1]),
                      {std::stoll(row[2])}});
    for (const auto& click : same) bed.replica.take(click);
    bed.replica.until_written();
    CHECK_EQ(bed.replica.clicks.stats().lost, 0);
    CHECK_EQ(bed.campaign.number("SELECT count(*) FROM click"), 2);
    bed.campaign.check_figures();
  }

  TEST_CASE("while the database is away links that are known lead on, and are counted when it is back") {
    Bed bed;
    bed.replica.visit(bed.code(1));
    bed.server.kill();
    for (int ordinal = 1; ordinal <= 10; ++ordinal) bed.replica.start(bed.code(ordinal));
    bed.replica.start(bed.code(1, 1));  // nobody has followed it yet
    bed.until_answered();
    CHECK_EQ(bed.replica.visit(bed.code(2)).location(), kShop);
    CHECK_EQ(bed.replica.visit(bed.code(1, 1)).status(), 503);
    CHECK_EQ(bed.replica.clicks.waiting(), 11);
    bed.server.start();
    bed.replica.until_written();
    CHECK_EQ(bed.campaign.number("SELECT count(*) FROM click"), 12);
    bed.replica.until_available();  // what is read goes by another connection than clicks
    CHECK_EQ(bed.replica.visit(bed.code(1, 1)).status(), 302);
    CHECK_EQ(bed.replica.clicks.stats().lost, 0);
    bed.campaign.check_figures();
  }

  TEST_CASE("a database that hangs delays nobody for good") {
    Bed bed;
    bed.replica.visit(bed.code(1));
    bed.server.pause();
    for (int ordinal = 1; ordinal <= 10; ++ordinal) bed.replica.start(bed.code(ordinal));
    bed.until_answered();
    CHECK_EQ(bed.replica.visit(bed.code(3)).location(), kShop);
    CHECK_EQ(bed.replica.clicks.waiting(), 11);
    bed.server.resume();
    bed.replica.until_written();
    CHECK_EQ(bed.campaign.number("SELECT count(*) FROM click"), 12);
    bed.campaign.check_figures();
  }

  TEST_CASE("without room clicks are lost and said to be, and links lead on") {
    Bed bed;
    bed.replica.visit(bed.code(1));
    bed.server.kill();
    for (std::size_t i = 0; i < Clicks::kMaxWaiting + 100; ++i) {
      bed.replica.start(bed.code(1 + static_cast<int>(i % 10)));
      if (i % 1'000 == 0) bed.until_answered();
    }
    bed.until_answered();
    CHECK_EQ(bed.replica.visit(bed.code(2)).location(), kShop);
    CHECK_EQ(bed.replica.clicks.stats().lost, 101);
    bed.server.start();
    bed.replica.until_written();
    CHECK_EQ(bed.campaign.number("SELECT count(*) FROM click"), Clicks::kMaxWaiting + 1);
    bed.campaign.check_figures();
  }

  TEST_CASE("what waits is written before the process ends, or lost and said to be") {
    Bed bed;
    {
      Replica leaving(bed.campaign.url);
      auto sql = bed.campaign.sql();
      sql.rows("BEGIN; LOCK TABLE click IN EXCLUSIVE MODE");
      for (int i = 0; i < 400; ++i) leaving.start(bed.code(1 + i % 10));
      leaving.until([&] { return leaving.clicks.waiting() == 400; });
      sql.rows("COMMIT");
      leaving.stop();
      CHECK_EQ(leaving.clicks.stats().committed, 400);
    }
    CHECK_EQ(bed.campaign.number("SELECT count(*) FROM click"), 400);
    Replica lost(bed.campaign.url);
    lost.visit(bed.code(1));
    bed.server.kill();
    lost.visit(bed.code(2));
    lost.stop();
    CHECK_EQ(lost.clicks.stats().lost, 1);
    bed.server.start();
    bed.campaign.check_figures();
  }

  TEST_CASE("a click that cannot be written keeps no other from it") {
    Bed bed;
    bed.campaign.sql().rows(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = "
        "'22000'; END $$;"
        "CREATE TRIGGER refuse BEFORE INSERT ON click FOR EACH ROW WHEN (NEW.ordinal = 7) EXECUTE FUNCTION refuse()");
    for (int ordinal = 1; ordinal <= 10; ++ordinal) bed.replica.start(bed.code(ordinal));
    bed.until_answered();
    bed.replica.until_written();
    CHECK_EQ(bed.campaign.number("SELECT count(*) FROM click"), 9);
    CHECK_EQ(bed.replica.clicks.stats().lost, 1);
    CHECK_EQ(bed.replica.clicks.stats().committed, 9);
    bed.campaign.check_figures();
  }
}

// Counts of quarters that are over are folded: no figure changes, whoever counts meanwhile.
#include <boost/json/serialize.hpp>
#include <future>

#include "conversations/campaigns/sql.hpp"
#include "conversations/recovery/snapshot/sql.hpp"
#include "tests/integration/campaigns_bed.hpp"

using namespace parley;
using namespace parley::campaigns_tests;
using conversations_tests::Session;
namespace sql = conversations::campaigns::sql;

namespace {

constexpr auto kPast = "2026-01-31T12:00:00Z";

std::string with(std::string text, const std::string& parameter, const std::string& value) {
  for (auto at = text.find(parameter); at != text.npos; at = text.find(parameter, at + value.size()))
    text.replace(at, parameter.size(), value);
  return text;
}

struct Scene : Bed {
  const Uuid id = make_as("Running");
  const std::string fold = with(sql::fold.sql, "$1", "1000");

  Scene() {
    set(id, "started_at = now(), audience_done = true");
    add("Targets", 1'000'000, "epoch", 0);
  }
  // As a transaction that counts does it, of this version and of those before.
  std::string adding(const std::string& what, int n, const std::string& quarter = kPast, int slot = 3) const {
    return "INSERT INTO campaign_count AS c (organization_id, campaign_id, quarter, what, slot, n) VALUES (" +
           quoted(organization) + "," + quoted(id) + ", '" + quarter + "', '" + what + "', " + std::to_string(slot) +
           ", " + std::to_string(n) +
           ") ON CONFLICT (organization_id, campaign_id, quarter, what, slot) DO UPDATE SET n = c.n + excluded.n";
  }
  void add(const std::string& what, int n, const std::string& quarter = kPast, int slot = 3) {
    database.execute(adding(what, n, quarter, slot));
  }
  // Ten days of it, by the quarter of an hour, as many writers at once count.
  void send_for_ten_days() {
    database.execute(
        "INSERT INTO campaign_count SELECT " + quoted(organization) + ", " + quoted(id) +
        ", timestamptz '2026-01-31T12:00:00Z' + q * interval '15 minutes', w, s, q + s FROM generate_series(0, 959) q, "
        "generate_series(0, 15) s, unnest(ARRAY['Queued', 'Sent', 'Delivered', 'Read', 'Failed', 'Conversations', "
        "'RepliesAt']) w; ANALYZE campaign_count");
  }
  void fold_all() {
    const auto left = [&] {
      return database.number(
          "SELECT count(*) FROM campaign_count WHERE slot >= 0 AND quarter > 'epoch' AND quarter < now() - interval '1 "
          "hour'");
    };
    for (int i = 0; i < 1'000 && left() > 0; ++i) run(worker.fold());
    REQUIRE_EQ(left(), 0);
  }
  std::string figures() { return boost::json::serialize(campaign(id).at("progress")); }
  std::int64_t delivered() { return progress(id, "delivered"); }
  // What versions before this one take the sum of, and analytics is told.
  std::string sums() {
    return database.execute(
        "SELECT string_agg(what || ' ' || n, ', ' ORDER BY what) FROM (SELECT what, sum(n) AS n "
        "FROM campaign_count WHERE what NOT LIKE 'Folded %' GROUP BY what) s");
  }
  std::string told_to_analytics() {
    const Uuid zero;
    const auto text = with(with(conversations::snapshot::sql::campaigns.sql, "$1", quoted(zero) + "::uuid"), "$2",
                           quoted(zero) + "::uuid");
    return database.execute("SELECT md5(string_agg(line, '' ORDER BY line)) FROM (" + text +
                            ") s, regexp_split_to_table(s.lines, E'\\n') line");
  }
  // Rows of counts that one look at how it stands goes through, by the plan that is made for it now.
  std::int64_t rows_walked() {
    const auto text =
        with(with(sql::standing.sql, "$1", quoted(organization) + "::uuid"), "$2", "ARRAY[" + quoted(id) + "]::uuid[]");
    const auto plan = Session(database).execute("EXPLAIN (ANALYZE, FORMAT JSON) " + text);
    return database.number(
        "SELECT sum((n ->> 'Actual Rows')::float + coalesce((n ->> 'Rows Removed by Filter')::float, 0))::int8 FROM "
        "jsonb_path_query($plan$" +
        plan + "$plan$::jsonb, '$.** ? (@.\"Relation Name\" == \"campaign_count\")') n");
  }
};

}  // namespace

TEST_CASE("campaigns: what ten days have counted is a few rows to look at, and no figure is another") {
  Scene scene;
  scene.send_for_ten_days();
  const auto figures = scene.figures(), sums = scene.sums(), told = scene.told_to_analytics();
  scene.fold_all();
  CHECK_EQ(scene.figures(), figures);
  CHECK_EQ(scene.sums(), sums);
  CHECK_EQ(scene.told_to_analytics(), told);
  scene.database.execute("ANALYZE campaign_count");
  CHECK_LT(scene.rows_walked(), 100);
  // The quarter that goes on is left alone; what comes late for others is folded too.
  scene.database.execute(with(scene.adding("Delivered", 5, "now"), "'now'", "date_bin('15 minutes', now(), 'epoch')"));
  scene.add("Delivered", -3);
  const auto later = scene.figures();
  CHECK_NE(later, figures);
  scene.fold_all();
  CHECK_EQ(scene.figures(), later);
  CHECK_EQ(scene.database.number("SELECT count(*) FROM campaign_count WHERE slot = 3 AND quarter > 'epoch'"), 1);
  scene.run(scene.worker.fold());
  CHECK_EQ(scene.figures(), later);
}

TEST_CASE("campaigns: counting and folding at the same moment, whoever is first and whatever becomes of it") {
  for (const std::string end : {"COMMIT", "ROLLBACK"}) {
    CAPTURE(end);
    Scene scene;
    scene.add("Delivered", 100);
    scene.add("Delivered", 10, kPast, 5);
    const auto more = [&](int n) { return end == "COMMIT" ? n : 0; };
    {  // Somebody counts: the row is left, and the others are folded.
      Session counting(scene.database);
      counting.execute("BEGIN");
      counting.execute(scene.adding("Delivered", 7));
      scene.run(scene.worker.fold());
      CHECK_EQ(scene.delivered(), 110);
      CHECK_EQ(scene.database.number("SELECT count(*) FROM campaign_count WHERE slot IN (3, 5)"), 1);
      counting.execute(end);
      CHECK_EQ(scene.delivered(), 110 + more(7));
    }
    const auto before = scene.delivered();
    {  // Somebody folds: who counts waits for it, or has a row of his own, and others who fold wait too.
      Session folding(scene.database), counting(scene.database), other(scene.database), second(scene.database);
      folding.execute("BEGIN");
      CHECK_EQ(folding.execute(scene.fold), "1");
      counting.start(scene.adding("Delivered", 30));
      counting.wait_until_locked();
      other.execute(scene.adding("Delivered", 500, kPast, 9));
      second.start(scene.fold);
      second.wait_until_locked();
      CHECK_EQ(scene.delivered(), before + 500);
      folding.execute(end);
      counting.finish();
      CHECK_EQ(second.finish(), "1");
      CHECK_EQ(scene.delivered(), before + 530);
    }
    scene.fold_all();
    CHECK_EQ(scene.delivered(), before + 530);
    CHECK_EQ(scene.database.number("SELECT count(*) FROM campaign_count WHERE slot BETWEEN 1 AND 15"), 0);
  }
}

TEST_CASE("campaigns: a crowd that counts while others fold loses nothing") {
  Scene scene;
  std::vector<std::future<void>> crowd;
  for (int one = 0; one < 4; ++one)
    crowd.push_back(std::async(std::launch::async, [&, one] {
      Session session(scene.database);
      for (int i = 0; i < 200; ++i)
        session.execute(scene.adding("Delivered", 1 + i % 3, i % 2 ? kPast : "2026-01-31T12:15:00Z", (one + i) % 4));
    }));
  for (int one = 0; one < 2; ++one)
    crowd.push_back(std::async(std::launch::async, [&] {
      Session session(scene.database);
      for (int i = 0; i < 100; ++i) session.execute(scene.fold);
    }));
  for (auto& each : crowd) each.get();
  CHECK_EQ(scene.delivered(), 4 * (66 * 6 + 1 + 2));
  scene.fold_all();
  CHECK_EQ(scene.delivered(), 4 * (66 * 6 + 1 + 2));
}

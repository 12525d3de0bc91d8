// The recipients of an experiment: who is in the test part, and who waits for the winner.
#include "conversations/campaigns/experiments/store.hpp"
#include "tests/integration/audience_bed.hpp"

using namespace parley;
using namespace parley::audience_tests;

namespace {

Uuid experiment(Bed& bed, int people) {
  bed.add_people(people);
  const auto campaign = bed.run_campaign(
      {.lists = {bed.add_list(1, people)},
       .variants = R"([{"name": "B", "share": 50, "message": {"type": "Text", "text": "Hi {{name|you}}"}}])"});
  bed.value("UPDATE campaign SET experiment = '{\"share\": 20, \"rule\": \"Read\", \"minimum\": 1}'");
  return campaign;
}

}  // namespace

TEST_SUITE("integration: audience") {
  TEST_CASE("experiments: a share of the recipients is the test part, in which each variant has its share") {
    Bed bed;
    const auto campaign = experiment(bed, 1'000);
    bed.start();
    bed.until_done(campaign);
    CHECK_EQ(bed.faults(campaign), "");
    const auto tested = bed.targets(campaign, "variant >= 0"), other = bed.targets(campaign, "variant = 1");
    CHECK_GT(tested, 120);  // fewer than once in a billion times
    CHECK_LT(tested, 280);
    CHECK_GT(other, tested / 5);
    CHECK_LT(other, tested * 4 / 5);
    CHECK_EQ(bed.targets(campaign, "variant = -1"), 1'000 - tested);
    CHECK_EQ(bed.value("SELECT count(*) FROM chunk WHERE rest"), "0");
    CHECK_EQ(bed.value("SELECT sum(n) FROM campaign_figure WHERE variant = -1 AND what = 'Targets'"),
             std::to_string(1'000 - tested));
  }

  TEST_CASE("experiments: who misses a value of one of the messages is in neither part") {
    Bed bed;
    bed.add_people(40);
    bed.change("UPDATE contact SET attributes = attributes - 'city' WHERE phone LIKE '%1'");
    const auto campaign = bed.run_campaign(
        {.lists = {bed.add_list(1, 40)},
         .message = R"({"type": "Text", "text": "{{name|you}}"})",
         .variants = R"([{"name": "B", "share": 10, "message": {"type": "Text", "text": "{{city}}"}}])"});
    bed.value("UPDATE campaign SET experiment = '{\"share\": 50, \"rule\": \"Read\", \"minimum\": 1}'");
    bed.start();
    bed.until_done(campaign);
    CHECK_EQ(bed.targets(campaign, "skipped = 'MissingValue'"), 4);
  }

  TEST_CASE(
      "experiments: with a winner that was picked before all were gathered, the rest can be sent with the others") {
    Bed bed;
    const auto campaign = experiment(bed, 600);
    CHECK(bed.run([](Bed& scene, Uuid id) -> awaitable<bool> {
      auto transaction = co_await scene.pool.begin();
      const bool decided = co_await conversations::experiments::Store::decide(
          transaction, scene.organization, id, 1, conversations::experiments::DecidedBy::Member);
      co_await transaction.commit();
      co_return decided;
    }(bed, campaign)));
    CHECK_EQ(bed.value("SELECT count(*) FROM chunk"), "0");
    bed.start();
    bed.until_done(campaign);
    CHECK_EQ(bed.value("SELECT string_agg(first || '-' || last, ' ' ORDER BY first) FROM chunk WHERE NOT rest"),
             "1-500 501-600");
    CHECK_EQ(bed.value("SELECT string_agg(first || '-' || last, ' ' ORDER BY first) FROM chunk WHERE rest"),
             "0-499 500-600");
  }
}

// What a deletion of an organization leaves of its figures: nothing, whatever of it is told later.
#include "analytics/deletions/kinds.hpp"
#include "analytics/rollups/store.hpp"
#include "common/events/campaign_changes.hpp"
#include "common/events/contact_changes.hpp"
#include "common/events/organization_changes.hpp"
#include "common/removals/organizations.hpp"
#include "tests/integration/events_bed.hpp"
#include "tests/integration/new_database.hpp"

using namespace parley;
using namespace parley::events_tests;
using model::Uuid;

namespace {

using Apply = awaitable<void> (*)(pg::Transaction&, std::span<const events::Event>);

struct Bed {
  Bed() {
    url = pg_tests::new_database("analytics");
    pg::Settings settings;
    settings.url = url;
    loop = std::make_unique<Loop>(settings);
    loop->wait_until_available();
  }
  template <class... Change>
  void apply(Apply work, const Change&... change) {
    events::Changes changes;
    (changes.add(change), ...);
    loop->run([](Loop& loop, Apply work, events::Event event) -> awaitable<void> {
      auto transaction = co_await loop.pool.begin();
      co_await work(transaction, {&event, 1});
      co_await transaction.commit();
    }(*loop, work, {1, changes.json()}));
  }
  std::int64_t rows(const Uuid& organization) const {
    std::int64_t out = 0;
    for (const std::string table :
         {"campaign", "campaign_rollup", "organization_rollup", "message_rollup", "contact_rollup"})
      out += std::stoll(support::execute(
          url, "SELECT count(*) FROM " + table + " WHERE organization_id = '" + organization.text() + "'"));
    return out;
  }

  std::string url;
  std::unique_ptr<Loop> loop;
};

events::CampaignMessages sent(const Uuid& organization, std::int64_t quarter) {
  return {organization, organization, {quarter * 900'000}, std::nullopt, model::MessageStatus::Sent, 5};
}

}  // namespace

TEST_SUITE("integration: analytics removals") {
  TEST_CASE("an organization's figures go, others' stay, and what is told of it later is not counted") {
    Bed bed;
    const auto gone = model::new_uuid(), other = model::new_uuid();
    for (int i = 0; i < 20; ++i) bed.apply(analytics::rollups::apply_conversations, sent(gone, i), sent(other, i));
    const auto describe = [&](const Uuid& organization) {
      bed.apply(analytics::rollups::apply_conversations,
                events::CampaignDescribed{organization, model::new_uuid(), "Spring", {}, {}});
      bed.apply(analytics::rollups::apply_contacts, events::ContactsCreated{organization, {model::new_uuid()}});
    };
    describe(gone);
    describe(other);
    bed.apply(removals::apply_organizations, events::OrganizationDeleted{gone},
              events::AccessChanged{other, {}, {}, {}});
    bed.apply(analytics::rollups::apply_conversations, sent(gone, 100), sent(other, 100));
    describe(gone);
    CHECK(bed.rows(gone) == 62);
    CHECK(bed.rows(other) == 65);

    support::execute(bed.url, "UPDATE removal SET started_at = now() - interval '3 minutes'");
    removals::Worker worker(bed.loop->context(), bed.loop->pool, analytics::deletions::kinds(),
                            [](std::string_view what) { FAIL_CHECK(what); },
                            {.most = 7, .busy_pause = 1ms, .idle_pause = 5ms});
    bed.loop->launch(worker.run());
    bed.loop->until([&] { return worker.stats().finished == 1; });
    worker.stop();
    bed.loop->finish();
    CHECK(bed.rows(gone) == 0);
    bed.apply(analytics::rollups::apply_conversations, sent(gone, 200), sent(other, 200));
    CHECK(bed.rows(gone) == 0);
    CHECK(bed.rows(other) == 68);
    CHECK(support::execute(bed.url, "SELECT sum(sent) FROM organization_rollup") == "110");
  }
}

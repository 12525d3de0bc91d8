#include <doctest/doctest.h>

#include "common/events/campaign_changes.hpp"
#include "common/events/event.hpp"

using namespace parley;

TEST_SUITE("unit: events") {
  TEST_CASE("changes are written with their type first") {
    events::Changes changes;
    CHECK(changes.empty());
    CHECK(changes.json().text == "[]");
    const auto moment = *model::Timestamp::parse("2026-01-31T12:00:00Z");
    changes.add(events::CampaignMessages{{}, {}, moment, std::nullopt, model::MessageStatus::Sent, 3});
    changes.add(events::CampaignConversations{{}, {}, moment, std::nullopt});
    CHECK(changes.json().text ==
          R"([{"type":"campaign.messages","organizationId":"00000000-0000-0000-0000-000000000000",)"
          R"("campaignId":"00000000-0000-0000-0000-000000000000","sentAt":"2026-01-31T12:00:00.000Z","from":null,)"
          R"("to":"Sent","count":3},{"type":"campaign.conversations",)"
          R"("organizationId":"00000000-0000-0000-0000-000000000000",)"
          R"("campaignId":"00000000-0000-0000-0000-000000000000","sentAt":"2026-01-31T12:00:00.000Z","count":null}])");
  }
}

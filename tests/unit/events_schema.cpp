// Services copy the tables of common/events and common/removals into their migrations: word for word.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/events/campaign_changes.hpp"
#include "common/events/event.hpp"

using namespace parley;
namespace fs = std::filesystem;

namespace {

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string migrations_of(const std::string& service) {
  std::string text;
  for (const auto& file : fs::directory_iterator(fs::path(PARLEY_SOURCE_DIR) / "services" / service / "migrations"))
    text += read_text(file.path());
  return text;
}

// Without the first line, which says what to do with it.
std::string tables(const std::string& name, const std::string& folder = "events") {
  const auto text = read_text(fs::path(PARLEY_SOURCE_DIR) / "common" / folder / name);
  REQUIRE_FALSE(text.empty());
  return text.substr(text.find('\n') + 1);
}

}  // namespace

TEST_SUITE("unit: events") {
  TEST_CASE("who tells has the outbox, who follows has the inbox, as common/events has them") {
    CHECK(migrations_of("conversations").find(tables("outbox.sql")) != std::string::npos);
    CHECK(migrations_of("analytics").find(tables("inbox.sql")) != std::string::npos);
    for (const std::string service : {"contacts", "conversations", "organizations", "analytics"}) {
      CAPTURE(service);
      const auto migrations = migrations_of(service);
      if (migrations.find("CREATE TABLE outbox") != migrations.npos) {
        CHECK(migrations.find(tables("outbox.sql")) != migrations.npos);
        CHECK(migrations.find(tables("outbox_queue.sql")) != migrations.npos);
      }
      if (migrations.find("CREATE TABLE feed_cursor") != migrations.npos) {
        CHECK(migrations.find(tables("inbox.sql")) != migrations.npos);
        CHECK(migrations.find(tables("inbox_due.sql")) != migrations.npos);
      }
      const auto removal = tables("removal.sql", "removals");
      CHECK(migrations.find(removal.substr(removal.find("CREATE TABLE"))) != migrations.npos);
    }
  }

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

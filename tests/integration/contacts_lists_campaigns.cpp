// Lists as conversations uses them: campaigns that are sent to them, and those that it makes and fills itself.
#include "common/events/campaign_changes.hpp"
#include "contacts/lists/campaigns.hpp"
#include "tests/integration/contacts_collections_bed.hpp"
#include "tests/integration/recipients_bed.hpp"

using namespace parley;

namespace {

using contacts_tests::Collections;
using events::CampaignStatusChanged;

events::Event event_of(const std::vector<CampaignStatusChanged>& changes) {
  events::Changes told;
  for (const auto& change : changes) told.add(change);
  return {1, told.json()};
}

void apply(Collections& bed, std::vector<events::Event> events) {
  bed.loop.run(contacts_tests::transact(bed.a.pool, [events](pg::Transaction& transaction) {
    return contacts::lists::apply_conversations(transaction, events);
  }));
}

CampaignStatusChanged started(Collections& bed, const model::Uuid& campaign, std::vector<model::Uuid> lists) {
  return {bed.organization, campaign, model::CampaignStatus::Draft, model::CampaignStatus::Running, "", true,
          std::move(lists)};
}

}  // namespace

TEST_SUITE("integration: lists and campaigns") {
  TEST_CASE("a campaign counts in each of its lists once, when it first starts, however often that is told") {
    Collections bed;
    const auto a = bed.create("a").uniqueId, b = bed.create("b").uniqueId;
    const auto theirs = bed.database.add_list(bed.other, "theirs");
    const auto first = model::new_uuid(), second = model::new_uuid();
    const auto counts = [&] {
      const auto of = [&](const model::Uuid& id) {
        return bed.database.sql().number("SELECT campaigns_sent FROM list WHERE id = $1", {id.text()});
      };
      return std::vector{of(a), of(b), of(theirs)};
    };
    using Counts = std::vector<std::int64_t>;

    apply(bed, {event_of({started(bed, first, {b, a, theirs, model::new_uuid()})})});
    CHECK_EQ(counts(), Counts{1, 1, 0});
    // Again; as another feed tells it after a backup; twice in one batch; with what is no first start.
    apply(bed, {event_of({started(bed, first, {a, b})}), event_of({started(bed, first, {a})})});
    auto resumed = started(bed, second, {a});
    resumed.first = false;
    apply(bed, {event_of({resumed})});
    CHECK_EQ(counts(), Counts{1, 1, 0});
    apply(bed, {event_of({started(bed, second, {a, a}), started(bed, second, {a, b})})});
    CHECK_EQ(counts(), Counts{2, 2, 0});
    CHECK_EQ(bed.find(a)->numberOfCampaignsSent, 2);
    apply(bed, {event_of({})});

    // A list goes with what it was counted by.
    bed.loop.run([](Collections& all, model::Uuid id) -> boost::asio::awaitable<void> {
      co_await all.remove_list(all.a, id);
    }(bed, a));
    CHECK_EQ(bed.database.sql().number("SELECT count(*) FROM list_campaign"), 2);
    apply(bed, {event_of({started(bed, model::new_uuid(), {a, b})})});
    CHECK_EQ(bed.database.sql().number("SELECT campaigns_sent FROM list WHERE id = $1", {b.text()}), 3);
  }

  TEST_CASE("a bad event is told from good ones") {
    Collections bed;
    const events::Event bad{1, {R"([{"type":"campaign.status","organizationId":"nonsense"}])"}};
    CHECK_THROWS_AS(apply(bed, {bad}), events::BadEvent);
  }

  TEST_CASE("conversations makes a list under its own id, and fills it, however often it asks") {
    recipients_tests::Bed bed;
    const auto id = model::new_uuid();
    const auto contacts = bed.contacts.add_contacts(bed.organization, 3);
    const auto other = bed.contacts.add_contacts(model::new_uuid(), 1);
    const auto made = R"({"organizationId":")" + bed.organization.text() + R"(","id":")" + id.text() +
                      R"(","name":"Again","description":"","tags":["vip"]})";
    for (const auto* key : {"", "key", "key"})
      CHECK_EQ(bed.as_service("conversations", "/internal/lists", made, key).status, 204);
    CHECK_EQ(bed.contacts.sql().number("SELECT count(*) FROM list"), 1);

    const auto add = [&](const std::vector<model::Uuid>& ids) {
      std::string text;
      for (const auto& each : ids) text += (text.empty() ? "\"" : ",\"") + each.text() + "\"";
      return bed.as_service("conversations", "/internal/lists/" + id.text() + "/contacts",
                            R"({"organizationId":")" + bed.organization.text() + R"(","contactIds":[)" + text + "]}");
    };
    CHECK_EQ(add({contacts[2], contacts[0], contacts[0]}).body, R"({"contacts":2})");
    CHECK_EQ(add({contacts[0], contacts[1], model::new_uuid(), other[0]}).body, R"({"contacts":2})");
    CHECK_EQ(add({}).body, R"({"contacts":0})");
    const auto list = bed.get("/api/lists/" + id.text()).json().at("list");
    CHECK_EQ(list.at("numberOfContacts").as_int64(), 3);
    CHECK_EQ(list.at("tags").as_array().size(), 1);
    CHECK_EQ(bed.contacts.drifted(), 0);

    // What it has deleted since stays deleted for who asks with the key again.
    REQUIRE_EQ(bed.ask(http::Method::del, "/api/lists/" + id.text()).status, 204);
    CHECK_EQ(add({contacts[0]}).status, 404);
    CHECK_EQ(bed.as_service("conversations", "/internal/lists", made, "key").status, 204);
    CHECK_EQ(bed.get("/api/lists/" + id.text()).status, 404);
  }

  TEST_CASE("nobody else may, and what is too much is refused") {
    recipients_tests::Bed bed;
    const auto id = model::new_uuid();
    const auto made = R"({"organizationId":")" + bed.organization.text() + R"(","id":")" + id.text() +
                      R"(","name":"","description":"","tags":[]})";
    CHECK_EQ(bed.as_service("analytics", "/internal/lists", made).status, 404);
    CHECK_EQ(bed.post("/internal/lists", made).status, 404);
    CHECK_EQ(bed.as_service("conversations", "/internal/lists", made).pointer(), "/name");
    std::string ids;
    for (int i = 0; i <= 10'000; ++i) ids += (i == 0 ? "\"" : ",\"") + model::new_uuid().text() + "\"";
    const auto many =
        bed.as_service("conversations", "/internal/lists/" + id.text() + "/contacts",
                       R"({"organizationId":")" + bed.organization.text() + R"(","contactIds":[)" + ids + "]}");
    CHECK_EQ(many.pointer(), "/contactIds");
  }
}

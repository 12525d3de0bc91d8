// What contacts did, as conversations tells it, and the segments that ask for it.
#include "common/events/changes.hpp"
#include "common/events/conversation_changes.hpp"
#include "common/events/engagement_changes.hpp"
#include "contacts/activity/activity.hpp"
#include "contacts/identities/store.hpp"
#include "contacts/segments/filter.hpp"
#include "tests/integration/contacts_collections_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;
using model::MessageStatus;

namespace {

constexpr std::int64_t kDay = 86'400'000;

model::Timestamp days_ago(std::int64_t days) {
  return {model::Timestamp::now().milliseconds_since_epoch - days * kDay};
}

template <class... Changes>
events::Event event_of(const Changes&... changes) {
  events::Changes told;
  (told.add(changes), ...);
  return {1, told.json()};
}

struct Bed : Collections {
  void apply(const std::vector<events::Event>& events) {
    loop.run(transact(a.pool, [events](pg::Transaction& transaction) {
      return contacts::activity::apply_conversations(transaction, events);
    }));
  }
  events::MessageCreated wrote(const Uuid& contact, model::Timestamp at, bool is_inbound = true) const {
    return {organization,
            model::new_uuid(),
            contact,
            model::new_uuid(),
            is_inbound ? model::MessageDirection::InBound : model::MessageDirection::OutBound,
            at};
  }
  events::MessageStatusChanged rose(const Uuid& contact, std::optional<Uuid> campaign, MessageStatus from,
                                    MessageStatus to, model::Timestamp at = model::Timestamp::now()) const {
    return {organization, model::new_uuid(), contact, model::new_uuid(), campaign, from, to, {}, {}, at};
  }
  events::CampaignEngaged engaged(std::vector<Uuid> of, const Uuid& campaign, events::Engagement did) const {
    return {organization, campaign, std::move(of), did};
  }
  std::int64_t count(const std::string& filter) {
    return loop.run(a.contacts.count(organization, contacts::segments::read_stored(filter)));
  }
  std::int64_t count_did(const Uuid& campaign, const std::string& did) {
    return count(R"({"type":"campaign","campaignIds":[")" + campaign.text() + R"("],"did":")" + did + R"("})");
  }
  // What all four conditions find of a campaign.
  std::vector<std::int64_t> counts(const Uuid& campaign) {
    return {count_did(campaign, "received"), count_did(campaign, "read"), count_did(campaign, "clicked"),
            count_did(campaign, "replied")};
  }
  std::string rows() {
    return database.sql().value(
        "SELECT concat_ws(' | ', (SELECT string_agg(concat_ws(' ', contact_id, inbound_on, campaign_on), ', ' ORDER BY "
        "contact_id) FROM contact_activity), (SELECT string_agg(concat_ws(' ', campaign_id, contact_id, read, clicked, "
        "replied), ', ' "
        "ORDER BY campaign_id, contact_id) FROM campaign_recipient))");
  }
  std::int64_t number(const std::string& of) { return database.sql().number("SELECT count(*) FROM " + of); }
};

using Counts = std::vector<std::int64_t>;
constexpr auto kEverInbound = R"({"type":"lastInbound"})";
constexpr auto kNeverInbound = R"({"type":"not","condition":{"type":"lastInbound"}})";

}  // namespace

TEST_SUITE("integration: what contacts did") {
  TEST_CASE("who wrote when is known by the day, in whatever order it is told") {
    Bed bed;
    const auto people = bed.database.add_contacts(bed.organization, 4);
    const auto first = bed.wrote(people[0], days_ago(40)), last = bed.wrote(people[0], days_ago(3));
    bed.apply({event_of(last), event_of(first, bed.wrote(people[1], days_ago(40)))});
    bed.apply(
        {event_of(bed.wrote(people[2], days_ago(1), false)), event_of(bed.wrote(model::new_uuid(), days_ago(0)))});
    CHECK_EQ(bed.count(kEverInbound), 2);
    CHECK_EQ(bed.count(kNeverInbound), 2);
    CHECK_EQ(bed.count(R"({"type":"lastInbound","fromDays":-30})"), 1);
    CHECK_EQ(bed.count(R"({"type":"lastInbound","toDays":-30})"), 1);
    CHECK_EQ(bed.count(R"({"type":"not","condition":{"type":"lastInbound","fromDays":-30}})"), 3);
    CHECK_EQ(bed.count(R"({"type":"lastInbound","from":"2000-01-01","toDays":0})"), 2);
    CHECK_EQ(bed.count(R"({"type":"lastCampaign"})"), 0);

    const auto before = bed.rows();
    bed.apply({event_of(first, first), event_of(last)});  // again
    CHECK_EQ(bed.rows(), before);
    CHECK_EQ(bed.number("activity_version WHERE changes = 1"), 1);  // what was known left totals valid
  }

  TEST_CASE("what recipients did is known by campaign, in whatever order it is told, also twice") {
    Bed bed;
    const auto people = bed.database.add_contacts(bed.organization, 5);
    const auto campaign = model::new_uuid(), other = model::new_uuid();
    const std::vector<events::Event> told{
        event_of(bed.rose(people[0], campaign, MessageStatus::Queued, MessageStatus::Sent, days_ago(2)),
                 bed.rose(people[1], campaign, MessageStatus::Queued, MessageStatus::Delivered, days_ago(2)),
                 bed.rose(people[2], campaign, MessageStatus::Queued, MessageStatus::Failed),
                 bed.rose(people[4], {}, MessageStatus::Queued, MessageStatus::Read)),
        event_of(bed.rose(people[1], campaign, MessageStatus::Delivered, MessageStatus::Read)),
        event_of(bed.engaged({people[1]}, campaign, events::Engagement::Clicked),
                 bed.engaged({people[3], people[1], model::new_uuid()}, campaign, events::Engagement::Replied)),
        event_of(bed.engaged({people[0]}, other, events::Engagement::Replied))};
    bed.apply({told.rbegin(), told.rend()});
    CHECK_EQ(bed.counts(campaign), Counts{2, 1, 1, 2});
    CHECK_EQ(bed.counts(other), Counts{1, 0, 0, 1});
    CHECK_EQ(bed.counts(model::new_uuid()), Counts{0, 0, 0, 0});
    CHECK_EQ(bed.count(R"({"type":"lastCampaign"})"), 2);  // which a message is sent on, not read
    CHECK_EQ(bed.count(R"({"type":"lastCampaign","fromDays":-1})"), 0);
    CHECK_EQ(bed.count(R"({"type":"all","conditions":[{"type":"lastCampaign","toDays":-2},{"type":"not","condition":)"
                       R"({"type":"campaign","did":"read","campaignIds":[")" +
                       campaign.text() + R"("]}}]})"),
             1);

    const auto before = bed.rows();
    for (const auto& event : told) bed.apply({event, event});
    CHECK_EQ(bed.rows(), before);
  }

  TEST_CASE("a page may have as many facts of a campaign as events have room for") {
    constexpr std::size_t kPeople = 6'000;
    Bed bed;
    const auto people = bed.database.add_contacts(bed.organization, kPeople);
    const auto campaign = model::new_uuid();
    events::Changes sent, read;
    for (const auto& person : people) {
      sent.add(bed.rose(person, campaign, MessageStatus::Queued, MessageStatus::Delivered));
      read.add(bed.rose(person, campaign, MessageStatus::Delivered, MessageStatus::Read));
    }
    bed.apply({{1, sent.json()}, {2, read.json()}});
    CHECK_EQ(bed.counts(campaign), Counts{kPeople, kPeople, 0, 0});
    CHECK_EQ(bed.count(R"({"type":"lastCampaign"})"), std::int64_t(kPeople));
  }

  TEST_CASE("a total counts what was told since it was last asked for") {
    Bed bed;
    const auto people = bed.database.add_contacts(bed.organization, 3);
    for (std::size_t i = 0; i < people.size(); ++i) {
      CHECK_EQ(bed.count(kEverInbound), std::int64_t(i));
      CHECK_EQ(bed.count(kNeverInbound), std::int64_t(people.size() - i));
      bed.apply({event_of(bed.wrote(people[i], days_ago(0)))});
    }
    CHECK_EQ(bed.count(kEverInbound), 3);
  }

  TEST_CASE("one organization's campaigns and people are not another's") {
    Bed bed;
    const auto theirs = bed.database.add_contacts(bed.other, 1).front();
    const auto ours = bed.database.add_contacts(bed.organization, 1).front();
    const auto campaign = model::new_uuid();
    bed.apply({event_of(bed.wrote(theirs, days_ago(0)), bed.engaged({theirs}, campaign, events::Engagement::Clicked))});
    CHECK_EQ(bed.rows(), "");  // a contact of another organization is none of this one
    bed.apply({event_of(bed.engaged({ours}, campaign, events::Engagement::Clicked))});
    auto told = bed.wrote(theirs, days_ago(0));
    told.organizationId = bed.other;
    bed.apply({event_of(told)});
    CHECK_EQ(bed.count(kEverInbound), 0);
    CHECK_EQ(bed.counts(campaign), Counts{1, 0, 1, 0});
  }

  TEST_CASE("contacts that are merged did what both did, and of one that is deleted nothing is left") {
    Bed bed;
    const auto kept = bed.database.add_contact(bed.organization, "Ada", "+491701");
    bed.database.sql().rows(
        "INSERT INTO contact (organization_id, id, name, channel_user_id) VALUES ($1, $2, 'DE.1', 'DE.1')",
        {bed.organization.text(), model::new_uuid().text()});
    const auto gone = *Uuid::parse(bed.database.sql().value("SELECT id FROM contact WHERE channel_user_id = 'DE.1'"));
    const auto campaign = model::new_uuid(), other = model::new_uuid();
    bed.apply({event_of(bed.wrote(kept, days_ago(9)), bed.wrote(gone, days_ago(2)),
                        bed.rose(kept, campaign, MessageStatus::Queued, MessageStatus::Read, days_ago(3)),
                        bed.engaged({gone}, campaign, events::Engagement::Replied),
                        bed.engaged({gone}, other, events::Engagement::Clicked))});
    contacts::identities::Store people(bed.a.pool);
    const std::vector<contacts::identities::Person> both{{"+491701", "DE.1", {}, {}}};
    CHECK_EQ(bed.loop.run(people.resolve(bed.organization, both)).at(0).contactId, kept);
    CHECK_EQ(bed.number("contact"), 1);
    CHECK_EQ(bed.counts(campaign), Counts{1, 1, 0, 1});
    CHECK_EQ(bed.counts(other), Counts{1, 0, 1, 0});
    CHECK_EQ(bed.count(R"({"type":"lastInbound","fromDays":-2})"), 1);
    CHECK_EQ(bed.count(R"({"type":"lastCampaign","fromDays":-3,"toDays":-3})"), 1);

    // What comes later is told of the one that is gone, until conversations has moved its messages.
    bed.apply({event_of(bed.wrote(gone, days_ago(0)), bed.rose(gone, other, MessageStatus::Sent, MessageStatus::Read),
                        bed.engaged({gone}, campaign, events::Engagement::Clicked))});
    CHECK_EQ(bed.number("contact_activity"), 1);
    CHECK_EQ(bed.count(R"({"type":"lastInbound","fromDays":0})"), 1);
    CHECK_EQ(bed.counts(campaign), Counts{1, 1, 1, 1});
    CHECK_EQ(bed.counts(other), Counts{1, 1, 1, 0});
    bed.database.sql().rows("UPDATE merged_contact SET merged_at = now() - interval '31 days'");
    bed.apply({event_of(bed.wrote(kept, days_ago(-1)))});
    CHECK_EQ(bed.number("merged_contact"), 0);
    bed.database.sql().rows("DELETE FROM contact");
    CHECK_EQ(bed.rows(), "");
  }

  TEST_CASE("what is known of a campaign goes 400 days after it was first known") {
    Bed bed;
    const auto people = bed.database.add_contacts(bed.organization, 250);
    const auto old = model::new_uuid(), recent = model::new_uuid();
    bed.apply({event_of(bed.engaged(people, old, events::Engagement::Clicked))});
    CHECK_EQ(bed.counts(old), Counts{250, 0, 250, 0});
    bed.database.sql().rows("UPDATE campaign_known SET since = now() - interval '401 days'");
    bed.apply({event_of(bed.engaged({people[0]}, recent, events::Engagement::Clicked))});
    CHECK_EQ(bed.number("campaign_known"), 1);
    CHECK_EQ(bed.number("removal WHERE kind = 'campaign'"), 1);
    bed.sweep();
    CHECK_EQ(bed.counts(old), Counts{0, 0, 0, 0});
    CHECK_EQ(bed.counts(recent), Counts{1, 0, 1, 0});
    CHECK_EQ(bed.number("campaign_recipient"), 1);
  }
}

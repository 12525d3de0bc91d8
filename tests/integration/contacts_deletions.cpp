// A deletion of a list, a tag or an organization is whole at once though its rows go bit by bit.
#include "tests/integration/contacts_collections_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;

TEST_CASE("deletions: a deleted list is gone at once, while its memberships still are") {
  Collections bed;
  const auto contacts = bed.database.add_contacts(bed.organization, 1'234);
  const auto doomed = bed.create("doomed", {"tag"}, contacts), kept = bed.create("kept", {}, contacts);
  CHECK(bed.loop.run(bed.remove_list(bed.a, doomed.uniqueId)));
  CHECK_FALSE(bed.loop.run(bed.remove_list(bed.b, doomed.uniqueId)));
  const auto memberships = [&] {
    return bed.database.sql().number("SELECT count(*) FROM membership WHERE list_id = $1", {doomed.uniqueId.text()});
  };
  const auto check_gone = [&] {
    CHECK_FALSE(bed.find(doomed.uniqueId).has_value());
    CHECK_EQ(names(bed.page(lists::Filter{})), Texts{"kept"});
    CHECK_EQ(bed.page(lists::Filter{}).total, 1);
    CHECK_EQ(bed.contacts_in(doomed.uniqueId).total, 0);
    CHECK(bed.contacts_in(doomed.uniqueId).contacts.empty());
    const auto contact = bed.contact(contacts[7]);
    REQUIRE_EQ(contact.lists.size(), 1);
    CHECK_EQ(contact.lists[0].uniqueId, kept.uniqueId);
    const auto page = bed.contacts_in(kept.uniqueId);
    CHECK_EQ(page.total, 1'234);
    for (const auto& each : page.contacts) CHECK_EQ(read_back(each).lists.size(), 1);
  };
  CHECK_EQ(memberships(), 1'234);
  check_gone();
  // Nobody joins it any more.
  const auto late = bed.database.add_contacts(bed.organization, 1)[0];
  CHECK_THROWS_WITH(bed.database.sql().rows("INSERT INTO membership VALUES ($1, $2, $3)",
                                            {bed.organization.text(), doomed.uniqueId.text(), late.text()}),
                    doctest::Contains("does not exist"));
  bed.sweep();
  CHECK_EQ(memberships(), 0);
  CHECK_EQ(bed.database.sql().number("SELECT count(*) FROM tally WHERE list_id = $1", {doomed.uniqueId.text()}), 0);
  check_gone();
  CHECK_EQ(bed.database.sql().number("SELECT count(*) FROM contact"), 1'235);
  CHECK_EQ(bed.database.drifted(), 0);
}

TEST_CASE("deletions: a deleted tag is gone at once from all that bore it, and its label is free again") {
  Collections bed;
  const auto contacts = bed.database.add_contacts(bed.organization, 300);
  const auto list = bed.create("list", {"doomed", "kept"});
  const auto by_label = [&](const std::string& label) {
    return *model::Uuid::parse(bed.database.sql().value("SELECT id FROM tag WHERE label = $1", {label}));
  };
  const auto doomed = by_label("doomed"), kept = by_label("kept");
  for (const auto& contact : contacts) {
    bed.database.tag_contact(bed.organization, contact, doomed);
    bed.database.tag_contact(bed.organization, contact, kept);
  }
  CHECK(bed.loop.run(bed.remove_tag(doomed)));
  CHECK_FALSE(bed.loop.run(bed.remove_tag(doomed)));
  const auto check_gone = [&] {
    CHECK_EQ(labels(bed.find(list.uniqueId)->tags), Texts{"kept"});
    CHECK_EQ(labels(bed.contact(contacts[3]).tags), Texts{"kept"});
    contacts::contacts::PageFilter oldest;
    oldest.descending = false;
    for (const auto& each : bed.loop.run(bed.a.contacts.list(bed.organization, oldest)).contacts)
      CHECK_EQ(labels(read_back(each).tags), Texts{"kept"});
    CHECK_EQ(bed.page(tags::Filter{}).total, 1);
  };
  CHECK_EQ(bed.database.sql().number("SELECT count(*) FROM contact_tag"), 600);
  check_gone();
  const auto late = bed.database.add_contacts(bed.organization, 1)[0];
  CHECK_THROWS_WITH(bed.database.sql().rows("INSERT INTO contact_tag VALUES ($1, $2, $3)",
                                            {bed.organization.text(), late.text(), doomed.text()}),
                    doctest::Contains("does not exist"));
  bed.sweep();
  CHECK_EQ(bed.database.sql().number("SELECT count(*) FROM contact_tag"), 300);
  check_gone();
  CHECK_NE(bed.create("again", {"doomed"}).tags.at(0).uniqueId, doomed);
}

TEST_CASE("deletions: members, contacts and lists change and go at the same time, and no count is ever wrong") {
  Collections bed;
  for (int round = 0; round < 12; ++round) {
    const auto contacts = bed.database.add_contacts(bed.organization, 60);
    std::vector<Uuid> ids;
    for (int i = 0; i < 4; ++i) ids.push_back(bed.create("list " + std::to_string(i), {}, contacts).uniqueId);
    int refused = 0;
    const auto attempt = [](awaitable<void> work, int& refused) -> awaitable<void> {
      try {
        co_await std::move(work);
      } catch (const http::Problem&) {
        ++refused;
      }
    };
    const auto change = [](Collections& bed, Replica& replica, Uuid id,
                           lists::MemberChanges changes) -> awaitable<void> {
      co_await bed.change(replica, id, std::move(changes));
    };
    const auto remove_contact = [](Collections& bed, Replica& replica, Uuid id) -> awaitable<void> {
      auto transaction = co_await replica.pool.begin();
      const auto there = co_await replica.contacts.lock_to_delete(transaction, bed.organization, id);
      if (!there) co_return;
      co_await replica.contacts.remove(transaction, bed.organization, id);
      co_await transaction.commit();
    };
    const auto remove_list = [](Collections& bed, Replica& replica, Uuid id) -> awaitable<void> {
      co_await bed.remove_list(replica, id);
    };
    for (std::size_t i = 0; i < 24; ++i) {
      auto& replica = i % 2 ? bed.a : bed.b;
      const auto at = contacts.begin() + long(i * 2);
      bed.loop.launch(attempt(change(bed, replica, ids[i % 4], {{at, at + 5}, {at + 5, at + 10}}), refused));
      bed.loop.launch(attempt(change(bed, replica, ids[(i + 1) % 4], {{}, {at, at + 4}}), refused));
      if (i % 6 == 0) bed.loop.launch(remove_contact(bed, replica, contacts[i * 2 + 3]));
      if (i == 12) bed.loop.launch(remove_list(bed, replica, ids[round % 4]));
    }
    bed.loop.finish();
    CHECK_EQ(bed.database.sql().number(
                 "SELECT count(*) FROM (SELECT list_id, sum(contacts) AS contacts FROM tally GROUP BY 1) t "
                 "WHERE list_id <> '00000000-0000-0000-0000-000000000000' "
                 "AND contacts <> (SELECT count(*) FROM membership m WHERE m.list_id = t.list_id) "
                 "AND EXISTS (SELECT FROM list WHERE id = t.list_id)"),
             0);
    bed.sweep();
    REQUIRE_EQ(bed.database.drifted(), 0);
    CHECK_EQ(bed.database.sql().number("SELECT count(*) FROM membership m WHERE NOT EXISTS (SELECT FROM list l WHERE "
                                       "l.id = m.list_id)"),
             0);
  }
}

TEST_CASE("deletions: nothing of an organization is left once it is removed, and nothing of others is touched") {
  Collections bed;
  const auto contacts = bed.database.add_contacts(bed.organization, 500);
  bed.create("list", {"tag"}, contacts);
  bed.database.tag_contact(bed.organization, contacts[0], bed.page(tags::Filter{}).tags[0].uniqueId);
  const auto others = bed.database.add_contacts(bed.other, 7);
  bed.database.add_list(bed.other, "theirs", others);
  auto& sql = bed.database.sql();
  sql.rows(
      "INSERT INTO removal (organization_id, kind, id, started_at) VALUES ($1, 'organization', $1, "
      "now() - interval '3 minutes')",
      {bed.organization.text()});
  sql.rows("INSERT INTO contact_activity SELECT $1, id, '2026-01-31' FROM contact WHERE organization_id = $1",
           {bed.organization.text()});
  sql.rows("INSERT INTO segment (organization_id, id, name, filter) VALUES ($1, $1, 'segment', $2)",
           {bed.organization.text(), R"({"type":"number","attribute":"age","atLeast":1})"});
  sql.rows("UPDATE contact SET attributes = '{\"age\": 30}' WHERE organization_id = $1", {bed.organization.text()});
  CHECK_EQ(sql.number("SELECT count(*) FROM attribute_value"), 500);
  for (const auto* table : {"campaign_recipient (organization_id, campaign_id, contact_id) SELECT $1, $1, id",
                            "campaign_known SELECT DISTINCT $1::uuid, $1::uuid, now()",
                            "merged_contact (organization_id, gone_id, into_id) SELECT $1, id, id",
                            "activity_version SELECT DISTINCT $1::uuid, 1"})
    sql.rows("INSERT INTO " + std::string(table) + " FROM contact WHERE organization_id = $1",
             {bed.organization.text()});
  bed.sweep();
  for (const auto& table : sql.column("SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' "
                                      "AND column_name = 'organization_id' AND table_name <> 'removal'")) {
    CAPTURE(table);
    CHECK_EQ(sql.number("SELECT count(*) FROM " + table + " WHERE organization_id = $1", {bed.organization.text()}), 0);
  }
  CHECK_EQ(sql.number("SELECT count(*) FROM membership WHERE organization_id = $1", {bed.other.text()}), 7);
  CHECK_EQ(sql.number("SELECT count(*) FROM removal WHERE finished_at IS NOT NULL"), 1);
  CHECK_EQ(bed.database.drifted(), 0);
}

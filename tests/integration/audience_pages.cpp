// Contacts' answers about audiences, page by page.
#include <algorithm>
#include <random>
#include <set>

#include "tests/integration/audience_bed.hpp"

using namespace parley;
using namespace parley::audience_tests;
using contacts::audience::AudienceQuestion;
using contacts::audience::Page;
using pg_tests::Loop;

namespace {

struct Asked {
  std::vector<contacts::audience::RecipientRow> people;
  int pages = 0;
  std::size_t longest = 0;
};

Asked ask_all(Loop& loop, AudienceQuestion body) {
  contacts::audience::Store store(loop.pool);
  Asked out;
  for (bool more = true; more;) {
    const auto page = loop.run(store.page(body));
    ++out.pages;
    out.longest = std::max(out.longest, page.people.size());
    out.people.insert(out.people.end(), page.people.begin(), page.people.end());
    more = page.next.has_value();
    if (more) CHECK_GT(*page.next, body.after.value_or(Uuid{}));
    body.after = page.next;
  }
  return out;
}

std::vector<std::string> ids_of(const Asked& asked) {
  std::vector<std::string> out;
  for (const auto& person : asked.people) out.push_back(person.id.text());
  return out;
}

}  // namespace

TEST_CASE("audience: pages give every member of the lists once, in order, and nobody of the excluded ones") {
  World world;
  world.add_people(3'000);
  Loop loop(world.people.settings());
  std::mt19937 random(20261121);
  const auto pick = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  for (int round = 0; round < 12; ++round) {
    std::vector<Uuid> lists, excluded;
    for (int list = pick(round < 6 ? 3 : 40); list >= 0; --list) {  // some dense, some with few, some with nobody
      std::set<Uuid> members;
      for (int n = pick(1) == 0 ? pick(20) : pick(1'500); n > 0; --n) members.insert(World::person(1 + pick(2'999)));
      const auto id = world.people.add_list(world.organization, "one", {members.begin(), members.end()});
      (pick(4) == 0 && !lists.empty() ? excluded : lists).push_back(id);
    }
    const auto gone = pick(2) == 0 ? lists.back() : Uuid{};  // whose members are still there
    world.change("DELETE FROM list WHERE id = " + quoted(gone));
    const auto array = [](const std::vector<Uuid>& ids) {
      return "ARRAY(SELECT id FROM list WHERE id = ANY ('" + support::sql_array(contacts_tests::texts(ids)) + "'))";
    };
    const auto expected = world.people.sql().column(
        "SELECT id FROM contact WHERE id IN (SELECT contact_id FROM "
        "membership WHERE list_id = ANY (" +
        array(lists) +
        ")) AND id NOT IN (SELECT contact_id FROM membership WHERE list_id "
        "= ANY (" +
        array(excluded) + ")) ORDER BY id");
    const auto limit = 1 + pick(round % 2 == 0 ? 50 : 900);
    CAPTURE(lists.size());
    CAPTURE(excluded.size());
    CAPTURE(limit);
    const auto asked = ask_all(loop, {world.organization, lists, excluded, {}, limit, {}});
    CHECK_EQ(ids_of(asked), expected);
  }
}

TEST_CASE("audience: pages bear the values that are asked for, and are bounded by their octets too") {
  World world;
  world.add_people(600);
  world.change(
      "UPDATE contact SET attributes = '{\"city\": \"\", \"age\": 7, \"so, or \\\"so\\\"\": [1, null]}', name = '' "
      "WHERE id = " +
      quoted(World::person(2)));
  world.change("UPDATE contact SET phone = NULL, channel_user_id = 'DE.3', status = 'OptedOut' WHERE id = " +
               quoted(World::person(3)));
  const auto list = world.add_list(1, 600);
  Loop loop(world.people.settings());
  const std::vector<std::string> variables{"phone", "city", "age", "so, or \"so\"", "name"};
  const auto asked = ask_all(loop, {world.organization, {list, list}, {}, {}, 100, variables});
  REQUIRE_EQ(asked.people.size(), 600);
  contacts::audience::Page page{asked.people, {}};
  page.people.resize(3);
  CHECK_EQ(
      contacts::audience::lines_of(page).text,
      World::person(1).text() +
          R"( {"phone":"+4915100000001","channelUserId":null,"status":"Active","values":["+4915100000001","City 1",null,null,"Person 1"]})"
          "\n" +
          World::person(2).text() +
          R"( {"phone":"+4915100000002","channelUserId":null,"status":"Active","values":["+4915100000002",null,"7","[1, null]",null]})"
          "\n" +
          World::person(3).text() +
          R"( {"phone":null,"channelUserId":"DE.3","status":"OptedOut","values":[null,"City 3",null,null,"Person 3"]})"
          "\nend\n");

  contacts::audience::Store store(loop.pool);
  const auto given =
      loop.run(store.people(world.organization, {World::person(3), model::new_uuid(), World::person(1)}, {"name"}));
  REQUIRE_EQ(given.size(), 2);
  CHECK_EQ(given[0].id, World::person(1));
  CHECK_EQ(loop.run(store.people(model::new_uuid(), {World::person(1)}, {})).size(), 0);

  world.change("UPDATE contact SET attributes = jsonb_build_object('long', repeat('x', 15000))");
  world.add_people(3'000, 1'001);
  world.change("UPDATE contact SET attributes = jsonb_build_object('long', repeat('x', 5000))");
  const auto all = world.add_list(1'001, 4'000);
  const auto long_ones = ask_all(loop, {world.organization, {all, list}, {}, {}, 5'000, {"long"}});
  CHECK_EQ(long_ones.people.size(), 3'600);
  CHECK_LE(long_ones.longest, 500);
}

TEST_CASE("audience: a page of many lists with few members in some reads no more than a page of one") {
  World world;
  world.add_people(4'000);
  std::vector<Uuid> lists{world.add_list(1, 4'000)};
  for (int n = 1; n <= 80; ++n) lists.push_back(world.add_list(n * 50, n * 50));
  Loop loop(world.people.settings());
  const auto asked = ask_all(loop, {world.organization, lists, {}, {}, 1'000, {}});
  CHECK_EQ(asked.people.size(), 4'000);
  CHECK_LE(asked.pages, 5);
  CHECK_LE(asked.longest, 2'000);
}

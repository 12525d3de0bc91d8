// Lists and tags: their pages, their changes, and that every count of them is true.
#include <set>

#include "tests/integration/contacts_collections_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;

namespace {

lists::Filter sorted(lists::SortBy sort_by, bool descending) {
  lists::Filter filter;
  filter.sort_by = sort_by;
  filter.descending = descending;
  return filter;
}

}  // namespace

TEST_CASE("collections: lists come in every order, whole by pages and by cursors, with true totals") {
  Collections bed;
  const auto contacts = bed.database.add_contacts(bed.organization, 5);
  const Texts made{"beta", "Alpha", "gamma", "alpha", "Épsilon", "100% wool"};
  for (std::size_t i = 0; i < made.size(); ++i)
    bed.create(made[i], i % 2 ? Texts{"odd"} : Texts{}, {contacts.begin(), contacts.begin() + long(i) % 5});
  bed.database.add_list(bed.other, "theirs");

  CHECK_EQ(names(bed.page(lists::Filter{})), Texts{"100% wool", "Épsilon", "alpha", "gamma", "Alpha", "beta"});
  CHECK_EQ(names(bed.page(sorted(lists::SortBy::createdAt, false))), made);
  // Names that differ in case alone are in order of creation.
  CHECK_EQ(names(bed.page(sorted(lists::SortBy::name, false))),
           Texts{"100% wool", "Alpha", "alpha", "beta", "gamma", "Épsilon"});
  CHECK_EQ(names(bed.page(sorted(lists::SortBy::numberOfContacts, true))),
           Texts{"Épsilon", "alpha", "gamma", "Alpha", "100% wool", "beta"});

  for (const auto sort_by : {lists::SortBy::createdAt, lists::SortBy::name, lists::SortBy::numberOfContacts})
    for (const bool descending : {false, true}) {
      auto filter = sorted(sort_by, descending);
      const auto all = names(bed.page(filter));
      filter.paging.per_page = 2;
      Texts by_skip, by_cursor;
      for (filter.paging.skip = 0; filter.paging.skip < 6; filter.paging.skip += 2)
        for (const auto& name : names(bed.page(filter))) by_skip.push_back(name);
      filter.paging.skip = 0;
      for (int pages = 0; pages < 4; ++pages) {
        const auto page = bed.page(filter, pages % 2);
        CHECK_EQ(page.total, 6);
        if (page.lists.empty()) break;
        for (const auto& name : names(page)) by_cursor.push_back(name);
        const auto& last = page.lists.back();
        filter.after = http::Cursor{last.uniqueId,
                                    sort_by == lists::SortBy::name ? last.name : std::to_string(last.numberOfContacts)};
      }
      CHECK_EQ(by_skip, all);
      CHECK_EQ(by_cursor, all);
    }
}

TEST_CASE("collections: lists are searched by any part of their names and filtered by a tag's id or label") {
  Collections bed;
  const auto first = bed.create("Événement à Lyon", {"VIP"});
  bed.create("even more", {"other"});
  bed.create("100% wool_", {"vip", "other"});
  bed.database.add_tag(bed.other, "theirs");
  const auto search = [&](const std::string& text, const std::optional<std::string>& tag = {}) {
    lists::Filter filter;
    filter.search = text;
    filter.tag = tag;
    filter.descending = false;
    for (const bool away : {false, false, true}) {  // counted, from Redis, and without it
      const auto page = bed.page(filter, away);
      CHECK_EQ(page.total, std::int64_t(page.lists.size()));
    }
    return names(bed.page(filter));
  };
  CHECK_EQ(search("EVEN"), Texts{"Événement à Lyon", "even more"});
  CHECK_EQ(search("à l"), Texts{"Événement à Lyon"});
  CHECK_EQ(search("%"), Texts{"100% wool_"});
  CHECK_EQ(search("_"), Texts{"100% wool_"});
  CHECK_EQ(search("nothing"), Texts{});
  CHECK_EQ(search("", "vip"), Texts{"Événement à Lyon", "100% wool_"});
  CHECK_EQ(search("", first.tags[0].uniqueId.text()), Texts{"Événement à Lyon", "100% wool_"});
  CHECK_EQ(search("even", "OTHER"), Texts{"even more"});
  CHECK_EQ(search("", "theirs"), Texts{});
  CHECK_EQ(search("", model::new_uuid().text()), Texts{});
}

TEST_CASE("collections: an update changes what it names and nothing else") {
  Collections bed;
  const auto contacts = bed.database.add_contacts(bed.organization, 3);
  const auto made = bed.create("name", {"one", "two"}, contacts);
  auto list = bed.update(made.uniqueId, {.name = "other", .description = {}, .tags = {}});
  CHECK_EQ(list.name, "other");
  CHECK_EQ(labels(list.tags), labels(made.tags));
  CHECK_EQ(list.numberOfContacts, 3);
  CHECK_EQ(list.createdAt.text(), made.createdAt.text());
  list = bed.update(made.uniqueId, {.name = {}, .description = "told", .tags = Texts{"TWO", "three"}});
  CHECK_EQ(list.name, "other");
  CHECK_EQ(list.description, "told");
  CHECK_EQ(std::set<std::string>{"two", "three"}, std::set<std::string>{list.tags.at(0).label, list.tags.at(1).label});
  list = bed.update(made.uniqueId, {.name = {}, .description = "", .tags = Texts{}});
  CHECK_EQ(list.description, "");
  CHECK(list.tags.empty());
  CHECK_EQ(model::to_json(bed.find(made.uniqueId).value()), model::to_json(list));
}

TEST_CASE("collections: members are a set, and every count of them is true") {
  Collections bed;
  const auto contacts = bed.database.add_contacts(bed.organization, 10'000);
  const auto foreign = bed.database.add_contacts(bed.other, 1);
  const auto id = bed.create("list").uniqueId;
  const auto change = [&](std::vector<Uuid> add, std::vector<Uuid> remove) {
    return bed.loop.run(bed.change(bed.a, id, {std::move(add), std::move(remove)})).numberOfContacts;
  };
  CHECK_EQ(change(contacts, {}), 10'000);
  CHECK_EQ(change(contacts, {}), 10'000);
  CHECK_EQ(change({contacts[0]}, {contacts[1], contacts[2]}), 9'998);
  CHECK_EQ(change({contacts[1]}, {contacts[2]}), 9'999);
  CHECK_EQ(change({}, {}), 9'999);
  CHECK_EQ(bed.contacts_in(id).total, 9'999);
  CHECK_EQ(bed.database.drifted(), 0);

  const auto nowhere = model::new_uuid();
  const auto problem = bed.refused([&] { change({contacts[2], nowhere}, {contacts[0], foreign[0]}); });
  CHECK_EQ(problem.status, 400);
  REQUIRE_EQ(problem.errors.size(), 2);
  CHECK_EQ(problem.errors[0].pointer, "/add");
  CHECK_EQ(problem.errors[0].detail, "there is no contact " + nowhere.text());
  CHECK_EQ(problem.errors[1].pointer, "/remove");
  CHECK_EQ(problem.errors[1].detail, "there is no contact " + foreign[0].text());
  CHECK_EQ(change({}, contacts), 0);
  CHECK_EQ(bed.database.drifted(), 0);
}

TEST_CASE("collections: tags have one spelling each, and a second one is told of the first") {
  Collections bed;
  const auto make = [&](const std::string& label) {
    return bed.loop.run(
        transact(bed.a.pool, [&](pg::Transaction& t) { return bed.a.tags.create(t, bed.organization, label); }));
  };
  const auto rename = [&](const Uuid& id, const std::string& label) {
    return bed.loop.run(
        transact(bed.a.pool, [&](pg::Transaction& t) { return bed.a.tags.rename(t, bed.organization, id, label); }));
  };
  bed.database.add_tag(bed.other, "VIP");
  const auto vip = make("vip"), lead = make("Žluť");
  auto problem = bed.refused([&] { make("VIP"); });
  CHECK_EQ(problem.status, 409);
  CHECK(problem.detail.find("vip, " + vip.uniqueId.text()) != std::string::npos);
  problem = bed.refused([&] { rename(vip.uniqueId, "žLUť"); });
  CHECK_EQ(problem.status, 409);
  CHECK(problem.detail.find(lead.uniqueId.text()) != std::string::npos);
  CHECK_EQ(rename(vip.uniqueId, "VIP").label, "VIP");

  tags::Filter filter;
  CHECK_EQ(labels(bed.page(filter).tags), Texts{"Žluť", "VIP"});
  filter.sort_by = tags::SortBy::label;
  filter.descending = false;
  filter.paging.per_page = 1;
  auto page = bed.page(filter);
  CHECK_EQ(labels(page.tags), Texts{"VIP"});
  CHECK_EQ(page.total, 2);
  filter.after = http::Cursor{page.tags[0].uniqueId, page.tags[0].label};
  page = bed.page(filter, true);
  CHECK_EQ(labels(page.tags), Texts{"Žluť"});
  CHECK_EQ(page.total, 2);
  tags::Filter search;
  search.search = "ZLUT";
  CHECK_EQ(labels(bed.page(search).tags), Texts{"Žluť"});
  CHECK_EQ(bed.page(search).total, 1);
}

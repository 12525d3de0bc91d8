// Random filters of segments against a plain evaluation of the same contacts.
#include <doctest/doctest.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <random>
#include <set>

#include "contacts/audience/store.hpp"
#include "contacts/indexing/store.hpp"
#include "contacts/segments/use.hpp"
#include "tests/integration/contacts_bed.hpp"
#include "tests/integration/segments_model.hpp"

using namespace parley;
using namespace parley::contacts_tests;
namespace json = boost::json;
namespace segments = parley::contacts::segments;

namespace {

constexpr int kPeople = 150;
constexpr int kFilters = 60;  // with each way to find them

json::value json_of(const std::string& text) { return json::value(json::string(text)); }

// ---- contacts, and filters about them -------------------------------------------------------------------------------

struct World {
  World() {
    for (const auto* name : {"vip", "new", "deleted"}) tags.push_back(database.add_tag(organization, name));
    for (const auto* name : {"odd", "few", "deleted"}) lists.push_back(database.add_list(organization, name));
    for (int i = 0; i < kPeople; ++i) people.push_back(add(organization));
    for (int i = 0; i < kPeople; ++i) add(other);  // whoever of these is found has leaked
    join();
    for (auto& person : people) act(person);
    for (const auto& id : {tags.back(), lists.back()}) {  // their rows stay
      database.sql().rows("DELETE FROM tag WHERE id = $1", {id.text()});
      database.sql().rows("DELETE FROM list WHERE id = $1", {id.text()});
    }
  }

  int pick(int most) { return std::uniform_int_distribution<int>(0, most)(random); }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(pick(static_cast<int>(all.size()) - 1))];
  }

  json::value value() {
    switch (pick(9)) {
      case 0:
        return pick(1) == 0;
      case 1:
        return nullptr;
      case 2:
        return json::array{json_of(one_of(texts)), 1};
      case 3:
        return json_of(day(pick(60) - 30) + one_of(std::vector<std::string>{"", "T23:00:00-05:00", " x", "!"}));
      case 4:
      case 5:
        return pick(20) - 5;
      default:
        return json_of(one_of(texts));
    }
  }

  Person add(const Uuid& of) {
    Person person;
    for (const auto& name : names)
      if (pick(3) > 0) person.attributes[name] = value();
    person.status = one_of(statuses);
    person.id = database.add_contact(of, "Ada", "", person.status, json::serialize(person.attributes));
    return person;
  }

  void join() {
    for (auto& person : people)
      for (std::size_t i = 0; i < tags.size(); ++i) {
        const bool is_there = i + 1 < tags.size();
        if (pick(2) == 0) {
          database.tag_contact(organization, person.id, tags[i]);
          if (is_there) person.tags.insert(tags[i]);
        }
        if (pick(2) != 0) continue;
        database.sql().rows("INSERT INTO membership VALUES ($1, $2, $3)",
                            {organization.text(), lists[i].text(), person.id.text()});
        if (is_there) person.lists.insert(lists[i]);
      }
  }

  void act(Person& person) {
    const auto some_day = [&]() -> std::optional<std::int64_t> {
      return pick(2) == 0 ? std::nullopt : std::optional<std::int64_t>(-pick(60));
    };
    person.inbound = some_day();
    person.campaign = some_day();
    const auto text = [](std::optional<std::int64_t> of) { return of ? day(*of) : "-infinity"; };
    if (person.inbound || person.campaign)
      database.sql().rows("INSERT INTO contact_activity VALUES ($1, $2, $3, $4)",
                          {organization.text(), person.id.text(), text(person.inbound), text(person.campaign)});
    for (const auto& campaign : campaigns) {
      if (pick(1) == 0) continue;
      auto& did = person.did[campaign] = {"received"};
      for (const auto* what : {"read", "clicked", "replied"})
        if (pick(1) == 0) did.insert(what);
      const auto is = [&](const char* what) { return std::string(did.contains(what) ? "true" : "false"); };
      database.sql().rows(
          "INSERT INTO campaign_recipient VALUES ($1, $2, $3, $4, $5, $6)",
          {organization.text(), campaign.text(), person.id.text(), is("read"), is("clicked"), is("replied")});
    }
  }

  json::object last(const char* type) {
    json::object out{{"type", type}};
    if (pick(2) == 0)
      out["from"] = json_of(day(-pick(60)));
    else if (pick(1) == 0)
      out["fromDays"] = -pick(60);
    if (pick(1) == 0) out["toDays"] = -pick(60);
    return out;
  }

  json::array ids(const std::vector<Uuid>& all) {
    json::array out;
    for (int i = pick(1); i >= 0; --i) out.push_back(json_of(one_of(all).text()));
    return out;
  }

  json::object leaf() {
    const auto& name = one_of(names);
    switch (pick(11)) {
      case 0:
        return {{"type", "tag"}, {"tagIds", ids(tags)}};
      case 1:
        return {{"type", "list"}, {"listIds", ids(lists)}};
      case 2:
        return {{"type", "status"}, {"statuses", json::array{json_of(one_of(statuses))}}};
      case 3:
        return {{"type", "yesNo"}, {"attribute", name}, {"is", pick(1) == 0}};
      case 4:
        return {{"type", "present"}, {"attribute", name}};
      case 5: {
        json::object out{{"type", "number"}, {"attribute", name}};
        if (pick(1) == 0) out[pick(1) == 0 ? "atLeast" : "moreThan"] = pick(20) / 2.0 - 5;
        if (out.size() == 2 || pick(1) == 0) out[pick(1) == 0 ? "atMost" : "lessThan"] = pick(20) - 5;
        return out;
      }
      case 6: {
        json::object out{{"type", "date"}, {"attribute", name}};
        if (pick(1) == 0)
          out["from"] = json_of(day(pick(60) - 30));
        else
          out["fromDays"] = pick(60) - 30;
        if (pick(1) == 0) out["toDays"] = pick(60) - 30;
        return out;
      }
      case 7:
        return last("lastInbound");
      case 8:
        return last("lastCampaign");
      case 9:
        return {{"type", "campaign"},
                {"campaignIds", ids(campaigns)},
                {"did", json_of(one_of(std::vector<std::string>{"received", "read", "clicked", "replied"}))}};
      default: {
        const auto op = one_of(std::vector<std::string>{"is", "is", "contains", "startsWith"});
        json::array values;
        for (int i = pick(2); i >= 0; --i) values.push_back(json_of(one_of(texts)));
        if (op != "is")  // everything would contain it
          std::ranges::replace(values, json::value(""), json::value("i"));
        return {{"type", "text"}, {"attribute", name}, {"operator", op}, {"values", values}};
      }
    }
  }

  json::object filter(int depth) {
    const auto kind = depth == 0 ? 9 : pick(7);
    if (kind > 4) return leaf();
    if (kind == 4) return {{"type", "not"}, {"condition", filter(depth - 1)}};
    json::array conditions;
    for (int i = pick(2); i >= 0; --i) conditions.push_back(filter(depth - 1));
    return {{"type", kind < 2 ? "all" : "any"}, {"conditions", conditions}};
  }

  Uuid add_segment(const json::object& filter) {
    const auto id = model::new_uuid();
    database.sql().rows("INSERT INTO segment (organization_id, id, name, filter) VALUES ($1, $2, $2::uuid::text, $3)",
                        {organization.text(), id.text(), json::serialize(filter)});
    return id;
  }

  // Others come, go and change, as statements of services write them.
  void change_people() {
    auto& sql = database.sql();
    for (int i = 0; i < 10; ++i) {
      sql.rows("DELETE FROM contact WHERE id = $1", {people[static_cast<std::size_t>(i)].id.text()});
      people[static_cast<std::size_t>(i)] = add(organization);
    }
    for (auto& person : people) {
      if (pick(2) > 0) continue;
      for (const auto& name : names) {
        const auto kind = pick(3);
        if (kind == 0) person.attributes[name] = value();
        if (kind == 1) person.attributes.erase(name);
      }
      const std::string insert =
          "INSERT INTO contact (organization_id, id, name, attributes) VALUES ($1, $2, 'Ada', $3) ON CONFLICT "
          "(organization_id, id) DO UPDATE SET attributes = excluded.attributes";
      sql.rows(pick(1) == 0 ? insert : "UPDATE contact SET attributes = $3 WHERE organization_id = $1 AND id = $2",
               {organization.text(), person.id.text(), json::serialize(person.attributes)});
    }
    sql.rows("UPDATE tally SET changes = changes + 1 WHERE organization_id = $1", {organization.text()});
  }

  std::vector<Uuid> expected(const json::object& filter) const {
    std::vector<Uuid> out;
    for (const auto& person : people)
      if (holds(person, filter)) out.push_back(person.id);
    std::ranges::sort(out);
    return out;
  }

  Database database;
  support::RedisServer redis;
  std::mt19937 random{20261126};
  const Uuid organization = model::new_uuid(), other = model::new_uuid();
  const std::vector<std::string> names{"city", "age", "born", "vip", "it's \"n\\"},
      texts{"Lima", "lima", "1", "12", "-3.5", "true", "No", "YES", "100%", "a_b", "x\\y", "", "Ünder", "2026-13-01"},
      statuses{"Active", "Inactive", "Blocked", "OptedOut"};
  const std::vector<Uuid> campaigns{model::new_uuid(), model::new_uuid(), model::new_uuid()};
  std::vector<Uuid> tags, lists;
  std::vector<Person> people;
};

World& world() {
  static World the_world;
  return the_world;
}

// ---- the ways to ask ------------------------------------------------------------------------------------------------

struct Ways {
  explicit Ways(const std::string& options) : loop(settings(options)), replica(loop, settings(options), url()) {}

  static std::string url() { return world().redis.url(); }
  static pg::Settings settings(const std::string& options) {
    auto out = patient(world().database.settings());
    if (!options.empty()) out.url += (out.url.find('?') == out.url.npos ? "?" : "&") + ("options=" + options);
    return out;
  }

  std::vector<Uuid> pages(const Uuid& segment, SortBy sort_by) {
    Filter filter;
    filter.segment_id = segment;
    filter.sort_by = sort_by;
    filter.paging.per_page = 40;
    std::vector<Uuid> out;
    for (;;) {
      const auto page = loop.run(replica.contacts.list(world().organization, filter));
      for (const auto& contact : page.contacts) out.push_back(contact.uniqueId);
      totals.insert(page.total);
      if (std::ssize(page.contacts) < filter.paging.per_page) break;
      filter.after = http::Cursor{page.contacts.back().uniqueId, page.contacts.back().name};
    }
    std::ranges::sort(out);
    return out;
  }

  std::vector<Uuid> exported(const Uuid& segment) {
    contacts::contacts::Filter filter;
    filter.segment_id = segment;
    loop.run(replica.contacts.find_segment(world().organization, filter));
    std::vector<Uuid> out;
    std::optional<Uuid> after;
    do {
      const auto step = loop.run(replica.contacts.export_step(world().organization, filter, after, 70));
      for (const auto& row : step.rows) out.push_back(row.uniqueId);
      after = step.end;
    } while (after);
    return out;
  }

  std::vector<Uuid> recipients(const std::vector<Uuid>& segments, const std::vector<Uuid>& lists,
                               const std::vector<Uuid>& excluded) {
    contacts::audience::AudienceQuestion question;
    question.organizationId = world().organization;
    question.listIds = lists;
    question.excludedListIds = excluded;
    question.segmentIds = segments;
    question.limit = 50;
    std::vector<Uuid> out;
    do {
      const auto page = loop.run(audience.page(question));
      for (const auto& person : page.people) out.push_back(person.id);
      question.after = page.next;
    } while (question.after);
    contacts::audience::AudienceCountQuestion count;
    count.organizationId = world().organization;
    count.listIds = lists;
    count.excludedListIds = excluded;
    count.segmentIds = segments;
    std::int64_t counted = 0;
    for (const auto& group : loop.run(audience.count(count)).groups) counted += group.contacts;
    CHECK_EQ(counted, std::ssize(out));
    return out;
  }

  Loop loop;
  Replica replica;
  contacts::audience::Store audience{replica.pool};
  std::set<std::int64_t> totals;
};

void compare(const std::string& options) {
  auto& w = world();
  Ways ways(options);
  std::set<std::size_t> sizes;
  for (int i = 0; i < kFilters; ++i) {
    const auto filter = w.filter(3);
    const auto text = json::serialize(filter);
    INFO(options << " " << text);
    const auto expected = w.expected(filter);
    sizes.insert(expected.size());
    const auto segment = w.add_segment(filter);
    CHECK_EQ(texts(ways.pages(segment, SortBy::createdAt)), texts(expected));
    CHECK_EQ(texts(ways.pages(segment, SortBy::name)), texts(expected));
    CHECK_EQ(ways.totals, std::set<std::int64_t>{std::ssize(expected)});
    ways.totals.clear();
    CHECK_EQ(ways.loop.run(ways.replica.contacts.count(w.organization, segments::read_stored(text))),
             std::ssize(expected));
    CHECK_EQ(texts(ways.exported(segment)), texts(expected));
    CHECK_EQ(texts(ways.recipients({segment}, {}, {})), texts(expected));
    const json::object either{
        {"type", "all"},
        {"conditions",
         json::array{json::object{{"type", "any"},
                                  {"conditions", json::array{filter, json::object{{"type", "list"},
                                                                                  {"listIds", {w.lists[0].text()}}}}}},
                     json::object{{"type", "not"},
                                  {"condition", json::object{{"type", "list"}, {"listIds", {w.lists[1].text()}}}}}}}};
    CHECK_EQ(texts(ways.recipients({segment}, {w.lists[0]}, {w.lists[1]})), texts(w.expected(either)));
  }
  CHECK_GT(sizes.size(), 20);  // the filters are not all of nobody or everybody
}

}  // namespace

TEST_CASE("segments: each filter finds the contacts that fulfil it, by pages, counts, exports and as an audience") {
  world().database.sql().rows("ANALYZE");  // half of the contacts are this organization's
  compare("");
  compare("-c%20enable_seqscan%3Doff");
}

TEST_CASE("segments: a small organization among many finds the same") {
  world().database.add_contacts(model::new_uuid(), 5'000);
  world().database.sql().rows("ANALYZE");
  compare("");
  compare("-c%20enable_seqscan%3Doff");
}

TEST_CASE("segments: indexes of attributes find the same, all or some of them, while contacts come, go and change") {
  auto& w = world();
  for (const auto& name : w.names)
    w.add_segment({{"type", "all"},
                   {"conditions", json::array{json::object{{"type", "number"}, {"attribute", name}, {"atLeast", 1}},
                                              json::object{{"type", "date"}, {"attribute", name}, {"fromDays", 1}},
                                              json::object{{"type", "text"},
                                                           {"attribute", name},
                                                           {"operator", "contains"},
                                                           {"values", json::array{"i"}}}}}});
  Ways ways("");
  contacts::indexing::Store store(ways.replica.pool);
  while (ways.loop.run(store.open()) > 0) {
    ways.loop.run(store.fill(17));
    w.change_people();
  }
  const auto complete = [&] {
    return w.database.sql().number("SELECT count(*) FROM indexed_attribute WHERE stage = 'Complete'");
  };
  CHECK_EQ(complete(), 13);  // as texts no more than three
  compare("");
  w.change_people();
  w.database.sql().rows("ANALYZE");
  compare("-c%20enable_seqscan%3Doff");
  w.database.sql().rows("UPDATE indexed_attribute SET stage = 'New' WHERE name IN ('city', 'born')");
  CHECK_EQ(complete(), 7);
  compare("");
}

TEST_CASE("segments: one that does not exist, and another organization's, has no contacts") {
  auto& w = world();
  Ways ways("");
  const auto everybody =
      w.add_segment({{"type", "status"}, {"statuses", json::array{"Active", "Inactive", "Blocked", "OptedOut"}}});
  CHECK_EQ(ways.pages(everybody, SortBy::createdAt).size(), kPeople);
  CHECK(ways.pages(model::new_uuid(), SortBy::createdAt).empty());
  CHECK(ways.recipients({model::new_uuid()}, {}, {}).empty());
  Filter filter;
  filter.segment_id = everybody;
  CHECK(ways.loop.run(ways.replica.contacts.list(w.other, filter)).contacts.empty());
}

// Pages of contacts against what plain SQL of this test's own says of the same rows.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "common/model/json.hpp"
#include "contacts/lists/sql.hpp"
#include "tests/integration/contacts_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;

namespace {

constexpr std::string_view kRedisAway = "redis://127.0.0.1:1/0";

const std::vector<std::string> kNames{
    "Ada",    "ada",    "ÁDA Lovelace", "100% wool", "10x wool", "a_b", "axb",      "back\\slash",
    "O'Hara", "Жанна",  "жАННА",        "Straße",    "STRASSE",  "",    "％ wide",  "Ωmega",
    "ωMEGA",  "日本語", "tab\there",    "zz top",    "Zoë",      "zoe", "emoji 😀", "\"quoted\""};
const std::vector<std::string> kSearches{
    "", "ada", "ÀDÁ", "%", "_", "\\", "'", "+4916", "жанн", "strasse", "％", "ω", "語", "zoe", "zzzzz", "contact",
    "%_\\'", "160", "a", "zo", "Zo ", "日本", "0", "+4", "ada\\", "---",
    // numbers as people write them
    "+49 (160) 10", "0160 1000", "0160", "00 49 160", "(160)/100-0", "16010000", "491601"};
const std::vector<std::string> kStatuses{"", "Active", "Inactive", "Blocked", "OptedOut"};

// Two organizations with the same people, phones and labels, so that whatever leaks would show.
struct World {
  World() {
    for (auto& organization : organizations) fill(organization);
  }

  struct Organization {
    Uuid id = model::new_uuid();
    std::vector<Uuid> contacts;
    std::vector<Uuid> lists;  // all, every third, the first ten, none
    std::vector<Uuid> tags;
  };

  static std::string attributes_of(std::size_t i) {
    return R"({"n": )" + std::to_string(i) + R"(, "kind": ")" + (i % 2 ? "odd" : "even") + R"(", "three": )" +
           (i % 3 ? "false" : "true") + R"(, "text": ")" + (i % 4 ? "7" : "true") + R"(", "mixed": )" +
           (i % 5 == 0   ? "[\"one\", 1]"
            : i % 5 == 1 ? "1"
            : i % 5 == 2 ? "\"1\""
                         : "\"one\"") +
           "}";
  }

  void fill(Organization& o) {
    auto& tags = o.tags;
    for (const char* label : {"vip", "new", "cold"}) tags.push_back(database.add_tag(o.id, label));
    for (std::size_t i = 0; i < kNames.size() * 5; ++i) {
      const auto phone = i % 7 == 0 ? "" : "+49160" + std::to_string(1000000 + i * 37);
      o.contacts.push_back(database.add_contact(o.id, kNames[i % kNames.size()], phone, kStatuses[1 + (i * i / 3) % 4],
                                                attributes_of(i)));
      for (std::size_t t = 0; t < tags.size(); ++t)
        if (i % (t + 2) == 0) database.tag_contact(o.id, o.contacts.back(), tags[t]);
    }
    std::vector<Uuid> third;
    for (std::size_t i = 0; i < o.contacts.size(); i += 3) third.push_back(o.contacts[i]);
    o.lists.push_back(database.add_list(o.id, "all", o.contacts));
    o.lists.push_back(database.add_list(o.id, "third", third));
    o.lists.push_back(database.add_list(o.id, "ten", {o.contacts.begin(), o.contacts.begin() + 10}));
    o.lists.push_back(database.add_list(o.id, "none"));
    database.tag_list(o.id, o.lists[1], tags[0]);
    database.tag_list(o.id, o.lists[1], tags[2]);
  }

  // What a search that looks like a number finds beside itself.
  static std::string naive_number(const std::string& search) {
    std::string digits;
    for (const char c : search) {
      if (c >= '0' && c <= '9') digits += c;
      if (!std::strchr("0123456789+ -./()", c)) return "";
    }
    if (digits.size() < 3) return "";
    if (search.front() == '+') return " OR starts_with(c.phone, '+" + digits + "')";
    auto sql = " OR strpos(c.phone, '" + digits + "') > 0";
    if (digits.size() < 4) return sql;
    if (digits.starts_with("00")) return sql + " OR starts_with(c.phone, '+" + digits.substr(2) + "')";
    if (digits.starts_with("0") && digits.size() >= 7) return " OR strpos(c.phone, '" + digits.substr(1) + "') > 0";
    if (digits.starts_with("0")) return sql + " OR c.phone ~ '^.[0-9]{1,3}" + digits.substr(1) + "'";
    return sql;
  }

  // The ids that the filter lets through, in its order: no skip, no cursor, no limit.
  std::vector<std::string> naive(const Uuid& organization, const Filter& filter) {
    std::string sql = "SELECT c.id FROM contact c WHERE c.organization_id = $1";
    Sql::Parameters parameters{organization.text()};
    const auto add = [&](const std::string& value) {
      parameters.push_back(value);
      return "$" + std::to_string(parameters.size());
    };
    if (filter.list_id)
      sql +=
          " AND EXISTS (SELECT 1 FROM membership m WHERE m.organization_id = $1 AND m.contact_id = c.id AND m.list_id "
          "= " +
          add(filter.list_id->text()) + ")";
    if (!filter.search.empty()) {
      const auto text = add(filter.search) + "::text";
      sql += " AND (strpos(lower(unaccent(c.name)), lower(unaccent(" + text + "))) > 0 OR strpos(c.phone, " + text +
             ") > 0" + naive_number(filter.search) + ")";
    }
    if (filter.tag)
      sql +=
          " AND EXISTS (SELECT FROM contact_tag x JOIN tag t ON t.id = x.tag_id WHERE x.contact_id = c.id AND "
          "t.organization_id = $1 AND " +
          add(*filter.tag) + "::text IN (t.id::text, t.label))";
    for (const auto& [name, value] : filter.attributes)
      sql += " AND jsonb_typeof(c.attributes -> " + add(name) + "::text) <> 'array' AND c.attributes ->> " + add(name) +
             "::text = " + add(value);
    if (filter.status) sql += " AND c.status = " + add(std::string(model::name_of(*filter.status)));
    const std::string direction = filter.descending ? " DESC" : " ASC";
    sql += std::string(" ORDER BY ") + (filter.sort_by == SortBy::name ? "lower(c.name)" : "c.created_at") + direction +
           ", c.id" + direction;
    return database.sql().column(sql, parameters);
  }

  // One contact, its lists and its tags as one line.
  std::string naive_line(const Uuid& organization, const std::string& id) {
    return database.sql().value(
        "SELECT concat_ws('|', c.id, c.name, coalesce(c.phone, ''), c.attributes, "
        "to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), c.status, "
        "(SELECT string_agg(l.id || ':' || l.name || ':' || (SELECT count(*) FROM membership n WHERE n.list_id = l.id) "
        "|| ':' || "
        "coalesce((SELECT string_agg(t.label || t.id, ',' ORDER BY t.id) FROM list_tag x JOIN tag t ON t.id = x.tag_id "
        "WHERE x.list_id = l.id), ''), ';' ORDER BY l.id) FROM membership m JOIN list l ON l.id = m.list_id WHERE "
        "m.contact_id = c.id), "
        "(SELECT string_agg(t.label || t.id, ',' ORDER BY t.id) FROM contact_tag x JOIN tag t ON t.id = x.tag_id "
        "WHERE x.contact_id = c.id)) FROM contact c WHERE c.organization_id = $1 AND c.id = $2",
        {organization.text(), id});
  }

  Database database;
  std::vector<Organization> organizations{2};
};

std::string joined(const std::vector<model::Tag>& tags) {
  std::string out;
  for (const auto& tag : tags) out += (out.empty() ? "" : ",") + tag.label + tag.uniqueId.text();
  return out;
}

std::string line_of(const Contact& contact) {
  std::string lists;
  for (const auto& list : contact.lists)
    lists += (lists.empty() ? "" : ";") + list.uniqueId.text() + ":" + list.name + ":" +
             std::to_string(list.numberOfContacts) + ":" + joined(list.tags);
  std::string out = contact.uniqueId.text() + "|" + contact.name + "|" + contact.phone + "|" + contact.attributes.text +
                    "|" + contact.createdAt.text() + "|" + std::string(model::name_of(contact.status));
  if (!lists.empty()) out += "|" + lists;  // concat_ws leaves out what is NULL
  if (!contact.tags.empty()) out += "|" + joined(contact.tags);
  return out;
}

std::vector<std::string> ids_of(const Page& page) {
  std::vector<std::string> out;
  for (const auto& contact : page.contacts) out.push_back(contact.uniqueId.text());
  return out;
}

std::string shown(const Filter& filter) {
  return "list " + (filter.list_id ? filter.list_id->text() : "-") + " search '" + filter.search + "' status " +
         (filter.status ? std::string(model::name_of(*filter.status)) : "-") +
         (filter.sort_by == SortBy::name ? " by name" : " by createdAt") + (filter.descending ? " desc" : " asc") +
         " skip " + std::to_string(filter.paging.skip) + " per_page " + std::to_string(filter.paging.per_page) +
         (filter.after ? " after " + filter.after->id.text() : "");
}

World& world() {
  static World the_world;
  return the_world;
}

using Attributes = std::vector<std::pair<std::string, std::string>>;
const std::vector<Attributes> kAttributes{{},
                                          {{"n", "7"}},
                                          {{"kind", "odd"}},
                                          {{"kind", "odd"}, {"three", "true"}},
                                          {{"n", "7"}, {"three", "false"}},
                                          {{"text", "7"}},
                                          {{"text", "true"}},
                                          {{"kind", "od"}},
                                          {{"no such \"name\\", "odd"}},
                                          {{"mixed", "1"}},
                                          {{"mixed", "one"}}};

// With tags, by id, by label, another organization's, unknown; and with attributes.
void add_tagged(std::vector<Filter>& out, const World::Organization& own, const World::Organization& other) {
  const std::vector<std::optional<std::string>> tags{std::nullopt, "vip", own.tags[1].text(), other.tags[0].text(),
                                                     "no such tag"};
  std::size_t at = 0;
  for (const auto& tag : tags)
    for (const auto& attributes : kAttributes)
      for (const auto& search : {"", "ada", "zo", "0160 1000"})
        for (const bool descending : {false, true}) {
          Filter filter;
          filter.tag = tag;
          filter.attributes = attributes;
          filter.search = search;
          filter.descending = descending;
          if (++at % 3 == 0) filter.sort_by = SortBy::name;
          if (at % 5 == 0) filter.status = ContactStatus::Active;
          if (at % 7 == 0) filter.list_id = own.lists[at % 2];
          out.push_back(std::move(filter));
        }
}

// Every combination of filters and sorts, each once.
std::vector<Filter> all_filters(const World::Organization& own, const World::Organization& other) {
  // The nil id is no list's, but the key of the tally of all contacts.
  std::vector<std::optional<Uuid>> lists{std::nullopt, other.lists[0], model::new_uuid(), Uuid{}};
  lists.insert(lists.end(), own.lists.begin(), own.lists.end());
  std::vector<Filter> out;
  for (std::size_t l = 0; l < lists.size(); ++l)
    for (std::size_t s = 0; s < kSearches.size(); ++s)
      for (const auto& status : kStatuses) {
        if (l > 0 && s % 3 != l % 3 && s > 0) continue;  // beside a list a third of the searches will do
        for (const auto sort_by : {SortBy::createdAt, SortBy::name})
          for (const bool descending : {false, true}) {
            Filter filter;
            filter.list_id = lists[l];
            filter.search = kSearches[s];
            ContactStatus value{};
            if (boost::describe::enum_from_string(status.c_str(), value)) filter.status = value;
            filter.sort_by = sort_by;
            filter.descending = descending;
            out.push_back(std::move(filter));
          }
      }
  add_tagged(out, own, other);
  return out;
}

// Follows the cursor from page to page, as a client follows Link.
std::vector<std::string> walk(Loop& loop, Replica& replica, const Uuid& organization, Filter filter) {
  std::vector<std::string> seen;
  for (;;) {
    const auto page = loop.run(replica.contacts.list(organization, filter));
    const auto ids = ids_of(page);
    seen.insert(seen.end(), ids.begin(), ids.end());
    if (static_cast<std::int64_t>(ids.size()) < filter.paging.per_page) return seen;
    if (seen.size() > 10'000) return seen;  // goes round in circles
    const auto& last = page.contacts.back();
    filter.after = http::Cursor{last.uniqueId, filter.sort_by == SortBy::name ? last.name : ""};
  }
}

}  // namespace

TEST_CASE("contacts: every combination of filters, order and skip is what plain SQL says, and so is its total") {
  auto& [database, organizations] = world();
  Loop loop(patient(database.settings()));
  Replica replica(loop, patient(database.settings()), std::string(kRedisAway));
  const auto& own = organizations[0];
  std::size_t at = 0;
  for (auto& filter : all_filters(own, organizations[1])) {
    const auto expected = world().naive(own.id, filter);
    ++at;
    for (const std::int64_t skip : {std::int64_t{0}, std::int64_t{3}, static_cast<std::int64_t>(expected.size())}) {
      if (skip > 0 && at % 3 != 0) continue;
      filter.paging.skip = skip;
      filter.paging.per_page = std::array{1, 7, 100}[(at + static_cast<std::size_t>(skip)) % 3];
      INFO(shown(filter));
      const auto page = loop.run(replica.contacts.list(own.id, filter));
      REQUIRE_EQ(page.total, static_cast<std::int64_t>(expected.size()));
      const auto begin = std::min(expected.size(), static_cast<std::size_t>(skip));
      const auto end = std::min(expected.size(), begin + static_cast<std::size_t>(filter.paging.per_page));
      REQUIRE_EQ(ids_of(page), std::vector(expected.begin() + static_cast<std::ptrdiff_t>(begin),
                                           expected.begin() + static_cast<std::ptrdiff_t>(end)));
      if (end < expected.size() && at % 4 == 0) {
        const auto& last = page.contacts.back();
        auto behind = filter;
        behind.after = http::Cursor{last.uniqueId, filter.sort_by == SortBy::name ? last.name : ""};
        behind.paging = {.skip = static_cast<std::int64_t>((expected.size() - end) / 2), .per_page = 1};
        const auto at_once = ids_of(loop.run(replica.contacts.list(own.id, behind)));
        REQUIRE_EQ(at_once, std::vector{expected[end + static_cast<std::size_t>(behind.paging.skip)]});
      }
      if (at % 50 == 0)
        for (const auto& contact : page.contacts)
          REQUIRE_EQ(line_of(read_back(contact)), world().naive_line(own.id, contact.uniqueId.text()));
    }
  }
}

TEST_CASE("contacts: of a list that does not exist there is nobody, and nobody is counted, whatever its id") {
  auto& [database, organizations] = world();
  Loop loop(patient(database.settings()));
  Replica replica(loop, patient(database.settings()), std::string(kRedisAway));
  const auto& own = organizations[0];
  for (const auto& id : {Uuid{}, model::new_uuid(), organizations[1].lists[0]}) {
    INFO(id.text());
    Filter filter;
    filter.list_id = id;
    CHECK_EQ(loop.run(replica.contacts.count(own.id, filter)), 0);
    CHECK(loop.run(replica.contacts.export_step(own.id, filter, std::nullopt)).rows.empty());
    for (const auto sort_by : {SortBy::createdAt, SortBy::name}) {
      filter.sort_by = sort_by;
      const auto page = loop.run(replica.contacts.list(own.id, filter));
      CHECK_EQ(page.total, 0);
      CHECK(page.contacts.empty());
    }
  }
  CHECK_EQ(loop.run(replica.contacts.count(own.id, Filter{})), std::ssize(own.contacts));
}

TEST_CASE("contacts: each found alone is the same as on a page, and another organization's is not found") {
  auto& [database, organizations] = world();
  Loop loop(patient(database.settings()));
  Replica replica(loop, patient(database.settings()), std::string(kRedisAway));
  const auto& own = organizations[0];
  for (const auto& id : own.contacts) {
    const auto contact = loop.run(replica.contacts.found(own.id, id, replica.contacts.start_find(own.id, id)));
    REQUIRE(contact);
    CHECK_EQ(line_of(read_back(*contact)), world().naive_line(own.id, id.text()));
  }
  CHECK_FALSE(loop.run(replica.contacts.found(own.id, organizations[1].contacts[0],
                                              replica.contacts.start_find(own.id, organizations[1].contacts[0]))));
  CHECK_FALSE(loop.run(replica.contacts.found(own.id, {}, replica.contacts.start_find(own.id, model::new_uuid()))));
}

TEST_CASE("contacts: the parts for other contexts are those of the organization's ids that exist") {
  auto& [database, organizations] = world();
  Loop loop(patient(database.settings()));
  Replica replica(loop, patient(database.settings()), std::string(kRedisAway));
  const auto &own = organizations[0], &other = organizations[1];
  const auto tag = Uuid::parse(
      database.sql().value("SELECT id FROM tag WHERE organization_id = $1 AND label = 'vip'", {own.id.text()}));
  const auto foreign = Uuid::parse(
      database.sql().value("SELECT id FROM tag WHERE organization_id = $1 AND label = 'vip'", {other.id.text()}));
  const auto parts = loop.run(replica.contacts.parts(
      own.id, {own.contacts[3], other.contacts[3], own.contacts[1], model::new_uuid()}, {*foreign, *tag}));
  std::set<Uuid> found;
  for (const auto& contact : parts.contacts) found.insert(contact.uniqueId);
  CHECK_EQ(found, std::set<Uuid>{own.contacts[3], own.contacts[1]});
  REQUIRE_EQ(parts.tags.size(), 1);
  CHECK_EQ(parts.tags[0].uniqueId, *tag);
  CHECK_EQ(parts.tags[0].label, "vip");
}

TEST_CASE("contacts: a walk by cursor sees every row once, in order, whatever the filter") {
  auto& [database, organizations] = world();
  Loop loop(patient(database.settings()));
  Replica replica(loop, patient(database.settings()), std::string(kRedisAway));
  const auto& own = organizations[0];
  std::size_t at = 0;
  for (auto& filter : all_filters(own, organizations[1])) {
    if (++at % 4 != 0 && !(filter.search.empty() && !filter.status)) continue;
    filter.paging.per_page = std::array{1, 3, 10, 29}[at / 4 % 4];
    const auto expected = world().naive(own.id, filter);
    if (expected.size() > 40 && filter.paging.per_page == 1) filter.paging.per_page = 11;
    INFO(shown(filter));
    REQUIRE_EQ(walk(loop, replica, own.id, filter), expected);
  }
}

TEST_CASE("contacts: rows that come and go meanwhile neither hide others from a cursor nor show them twice") {
  Database database;
  const auto organization = model::new_uuid();
  const auto old = database.add_contacts(organization, 60);
  Loop loop(patient(database.settings()));
  Replica replica(loop, patient(database.settings()), std::string(kRedisAway));
  for (const bool descending : {false, true}) {
    Filter filter;
    filter.descending = descending;
    filter.paging.per_page = 7;
    std::multiset<std::string> seen;
    for (;;) {
      const auto page = loop.run(replica.contacts.list(organization, filter));
      const auto ids = ids_of(page);
      seen.insert(ids.begin(), ids.end());
      if (ids.size() < 7) break;
      filter.after = http::Cursor{page.contacts.back().uniqueId, {}};
      database.add_contact(organization, "newcomer");
      database.sql().rows("DELETE FROM contact WHERE organization_id = $1 AND id = $2", {organization.text(), ids[3]});
      database.sql().rows(contacts::lists::sql::add_to_tally.sql, {organization.text(), Uuid{}.text(), "1", "-1"});
    }
    for (const auto& id : database.sql().column("SELECT id FROM contact WHERE name <> 'newcomer'"))
      CHECK_EQ(seen.count(id), 1);
    for (const auto& id : seen) CHECK_EQ(seen.count(id), 1);
    CHECK_EQ(database.drifted(), 0);
  }
}

// What a process keeps of lists and tags: never older than the contacts beside it, whoever changes them.
#include <doctest/doctest.h>

#include <random>

#include "contacts/contacts/catalogue.hpp"
#include "contacts/contacts/sql.hpp"
#include "tests/integration/contacts_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;
using contacts::contacts::Catalogue;
using contacts::contacts::CatalogueCache;
using contacts::contacts::Store;
namespace sql = contacts::contacts::sql;

namespace {

constexpr std::string_view kRedisAway = "redis://127.0.0.1:1/0";

struct Bed {
  Database database;
  Uuid organization = model::new_uuid();
  Loop loop{patient(database.settings())};
  Replica replica{loop, patient(database.settings()), std::string(kRedisAway)};
  Store& kept = replica.contacts;  // reads again and again
  Uuid contact = database.add_contact(organization, "Ana");

  std::string page(Store& store) { return model::to_json(loop.run(store.list(organization, Filter{})).contacts); }
  std::string contact_of(Store& store) {
    auto asked = store.start_find(organization, contact);
    const auto found = loop.run(store.found(organization, contact, std::move(asked))).value();
    return model::to_json(static_cast<const contacts::contacts::PageContact&>(found)) + found.version;
  }
  // Compares with a store that has read nothing before.
  void check_fresh(const std::string& what) {
    CAPTURE(what);
    Store fresh(replica.pool, replica.counts);
    CHECK_EQ(page(kept), page(fresh));
    CHECK_EQ(contact_of(kept), contact_of(fresh));
  }
  void change(const std::string& statement) {
    database.sql().rows(statement, {organization.text()});
    check_fresh(statement);
  }
};

}  // namespace

TEST_CASE("contacts that are asked for at once are read by one statement, each as if alone") {
  Bed bed;
  auto& database = bed.database;
  std::vector<Uuid> contacts;
  for (int i = 0; i < 5; ++i) contacts.push_back(database.add_contact(bed.organization, "Ben " + std::to_string(i)));
  database.add_list(bed.organization, "customers", {contacts[0], contacts[1]});
  database.tag_contact(bed.organization, contacts[1], database.add_tag(bed.organization, "vip"));
  const auto others = database.add_contact(model::new_uuid(), "of others");
  const auto ids = [&] {
    auto out = contacts;
    out.insert(out.end(), {model::new_uuid(), others, contacts[1]});
    return out;
  }();
  const auto told = [&](std::optional<contacts::contacts::VersionedContact> found) {
    if (!found) return std::string("none");
    return model::to_json(static_cast<const contacts::contacts::PageContact&>(*found)) + found->version;
  };
  std::vector<std::string> alone;
  for (const auto& id : ids)
    alone.push_back(
        told(bed.loop.run(bed.kept.found(bed.organization, id, bed.kept.start_find(bed.organization, id)))));
  CHECK_EQ(alone[5] + alone[6], "nonenone");

  const auto before = bed.replica.pool.stats(pg::Lane::read).batches;
  std::vector<Store::Finding::Asked> asked;
  for (const auto& id : ids) asked.push_back(bed.kept.start_find(bed.organization, id));
  const auto foreign = bed.kept.start_find(model::new_uuid(), contacts[0]);  // not of its organization
  for (std::size_t i = 0; i < ids.size(); ++i)
    CHECK_EQ(told(bed.loop.run(bed.kept.found(bed.organization, ids[i], asked[i]))), alone[i]);
  CHECK_EQ(told(bed.loop.run(bed.kept.found(model::new_uuid(), contacts[0], foreign))), "none");
  CHECK_EQ(bed.replica.pool.stats(pg::Lane::read).batches, before + 2);  // one an organization
}

TEST_CASE(
    "catalogue: every kind of change to lists and tags is seen by the next read, and by no write is it forgotten") {
  Bed bed;
  auto& database = bed.database;
  bed.check_fresh("without lists");
  const auto list = database.add_list(bed.organization, "customers", {bed.contact});
  const auto other = database.add_list(bed.organization, "others", {bed.contact});
  const auto tag = database.add_tag(bed.organization, "vip");
  const auto other_tag = database.add_tag(bed.organization, "new");
  database.tag_contact(bed.organization, bed.contact, tag);
  bed.check_fresh("made");
  CHECK(bed.page(bed.kept).find(R"("name":"customers","description":"","numberOfContacts":1,)") != std::string::npos);
  database.tag_list(bed.organization, list, other_tag);
  bed.check_fresh("a list got a tag");
  CHECK(bed.page(bed.kept).find(R"("label":"new")") != std::string::npos);
  bed.change("UPDATE list SET name = name || '\"numberOfContacts\":0,' WHERE organization_id = $1");
  bed.change("UPDATE list SET description = 'all of them' WHERE organization_id = $1");
  bed.change("UPDATE list SET campaigns_sent = campaigns_sent + 1 WHERE organization_id = $1");
  bed.change("UPDATE tag SET label = label || '!' WHERE organization_id = $1");
  bed.change("DELETE FROM list_tag WHERE organization_id = $1");
  database.tag_contact(bed.organization, bed.contact, other_tag);
  bed.check_fresh("a known tag was given");
  database.sql().rows("DELETE FROM list WHERE id = $1", {other.text()});
  bed.check_fresh("a list was deleted");
  CHECK_EQ(bed.page(bed.kept).find("others"), std::string::npos);
  database.sql().rows("DELETE FROM tag WHERE id = $1", {tag.text()});
  bed.check_fresh("a tag was deleted");
  CHECK_EQ(bed.page(bed.kept).find("vip"), std::string::npos);
}

TEST_CASE("catalogue: a list's number of contacts is not kept") {
  Bed bed;
  bed.database.add_list(bed.organization, "customers", {bed.contact});
  bed.check_fresh("made");
  bed.database.add_contact(bed.organization, "Bo");
  const auto before = bed.database.sql().value("SELECT version FROM catalogue_version");
  bed.change(
      "WITH one AS (INSERT INTO membership (organization_id, list_id, contact_id) "
      "SELECT $1, l.id, c.id FROM list l, contact c WHERE l.organization_id = $1 AND c.organization_id = $1 "
      "ON CONFLICT DO NOTHING) "
      "UPDATE tally SET contacts = contacts + 1 WHERE organization_id = $1 AND list_id IN (SELECT id FROM list)");
  CHECK(bed.contact_of(bed.kept).find(R"("numberOfContacts":2)") != std::string::npos);
  CHECK_EQ(bed.database.sql().value("SELECT version FROM catalogue_version"), before);
}

TEST_CASE("catalogue: reads between changes of several writers, some rolled back, are never stale") {
  Bed bed;
  for (const auto* name : {"a", "b", "c"}) bed.database.add_list(bed.organization, name, {bed.contact});
  bed.check_fresh("made");
  std::vector<std::unique_ptr<Sql>> writers;
  for (int i = 0; i < 4; ++i) writers.push_back(std::make_unique<Sql>(bed.database.url()));
  std::vector<bool> is_open(writers.size());
  std::minstd_rand random(7);
  for (int step = 0; step < 120; ++step) {
    const auto i = random() % writers.size();
    auto& writer = *writers[i];
    if (is_open[i]) {
      writer.rows(random() % 3 == 0 ? "ROLLBACK" : "COMMIT");
    } else {  // each changes another list: nobody waits for a lock
      const auto name = std::string(1, static_cast<char>('a' + i)) + std::to_string(step);
      writer.rows("BEGIN");
      writer.rows("SAVEPOINT s");
      writer.rows("INSERT INTO tag (organization_id, id, label) VALUES ($1, gen_random_uuid(), $2)",
                  {bed.organization.text(), name});
      if (random() % 2 == 0) writer.rows("ROLLBACK TO s");
      writer.rows(
          "UPDATE list SET description = $2 WHERE organization_id = $1 AND id = "
          "(SELECT id FROM list WHERE organization_id = $1 ORDER BY id OFFSET $3::int % 4 LIMIT 1)",
          {bed.organization.text(), name, std::to_string(i)});
    }
    is_open[i] = !is_open[i];
    bed.check_fresh("step " + std::to_string(step));
  }
  CHECK_LE(bed.database.sql().number("SELECT count(*) FROM catalogue_version"), 5);
}

TEST_CASE("catalogue: after a restored backup, another change is not taken for the one that was lost") {
  Bed bed;
  bed.database.add_list(bed.organization, "customers", {bed.contact});
  bed.check_fresh("made");
  const auto backup = bed.database.sql().value("SELECT version FROM catalogue_version");
  bed.change("UPDATE list SET name = 'lost' WHERE organization_id = $1");
  bed.database.sql().rows("UPDATE list SET name = 'customers'");
  bed.database.sql().rows("UPDATE catalogue_version SET version = $1", {backup});
  bed.check_fresh("restored");
  bed.change("UPDATE list SET name = 'new' WHERE organization_id = $1");
  CHECK(bed.page(bed.kept).find(R"("name":"new")") != std::string::npos);
}

TEST_CASE("catalogue: another organization's changes leave the version as it is") {
  Bed bed;
  bed.database.add_list(bed.organization, "customers", {bed.contact});
  const auto version = [&] {
    return bed.database.sql().value("SELECT version FROM catalogue_version WHERE organization_id = $1",
                                    {bed.organization.text()});
  };
  const auto before = version();
  bed.database.add_list(model::new_uuid(), "theirs");
  CHECK_EQ(version(), before);
  bed.database.sql().rows("UPDATE list SET name = 'all' WHERE name = 'theirs'");
  CHECK_EQ(version(), before);
}

TEST_CASE("catalogue: what is kept stays within its bound, and one organization has a quarter of it at most") {
  Bed bed;
  std::vector<Uuid> lists;
  for (int i = 0; i < 4; ++i) lists.push_back(bed.database.add_list(bed.organization, std::string(10'000, 'x')));
  const auto read = [&](std::size_t count) {
    bed.database.sql().rows("DELETE FROM membership");
    for (std::size_t i = 0; i < count; ++i)
      bed.database.sql().rows("INSERT INTO membership VALUES ($1, $2, $3)",
                              {bed.organization.text(), lists[i].text(), bed.contact.text()});
    const std::vector<Uuid> contacts{bed.contact};
    pg::Batch batch(sql::chosen_lists[{}], bed.organization, contacts);
    batch.add(sql::chosen_tags, bed.organization, contacts);
    return Catalogue(bed.loop.run(bed.replica.pool.read(std::move(batch))), 0);
  };
  const auto one = read(1), all = read(4);
  constexpr std::size_t kBound = 100'000;
  CatalogueCache cache(kBound);
  cache.add(bed.organization, "0", one);
  const auto first = cache.find(bed.organization, "0");
  for (int version = 1; version < 100; ++version) {
    cache.add(bed.organization, std::to_string(version), one);
    CHECK_LE(cache.octets(), kBound);
    CHECK(cache.find(bed.organization, std::to_string(version))->knows({lists.front()}, {}));
  }
  CHECK_GE(cache.octets(), kBound - 15'000);
  CHECK_FALSE(cache.find(bed.organization, "0"));
  CHECK_FALSE(cache.find(model::new_uuid(), "99"));
  CHECK(first->list(lists.front()));
  cache.add(bed.organization, "99", all);
  CHECK_FALSE(cache.find(bed.organization, "99"));
  CHECK(cache.find(bed.organization, "98"));
  CHECK_LE(cache.octets(), kBound);
}

TEST_CASE("catalogue: emptied tables, and tags of lists that are replaced, change the version, too") {
  Bed bed;
  const auto list = bed.database.add_list(bed.organization, "customers", {bed.contact});
  const auto vip = bed.database.add_tag(bed.organization, "vip"), other = bed.database.add_tag(bed.organization, "new");
  bed.database.tag_list(bed.organization, list, vip);
  bed.check_fresh("made");
  bed.database.sql().rows("UPDATE list_tag SET tag_id = $1", {other.text()});
  bed.check_fresh("replaced");
  for (const auto* table : {"list_tag", "tag", "list"}) {
    bed.database.sql().rows(std::string("TRUNCATE ") + table + " CASCADE");
    bed.check_fresh(table);
  }
  CHECK(bed.page(bed.kept).find(R"("lists":[])") != std::string::npos);
}

TEST_CASE("catalogue: contacts are found on connections that chose pages before and plan anew") {
  Bed bed;
  bed.database.add_list(bed.organization, "customers", {bed.contact});
  for (int i = 0; i < 10; ++i) {
    bed.check_fresh("pages");  // on each connection of the lane
    bed.database.sql().rows("ANALYZE list, membership, contact, tag, contact_tag, list_tag, tally");
    Store fresh(bed.replica.pool, bed.replica.counts);
    CHECK_EQ(bed.contact_of(fresh), bed.contact_of(bed.kept));
  }
}

// What an audience is before it is gathered, and that it is gathered as it was counted.
#include <cstdlib>
#include <random>

#include "common/model/text.hpp"
#include "conversations/campaigns/audience/count.hpp"
#include "conversations/campaigns/rendering/message.hpp"
#include "tests/integration/audience_bed.hpp"

using namespace parley;
using namespace parley::audience_tests;
namespace audience = conversations::audience;

namespace {

// Contacts' side of the count, in the bed's process.
struct Counter {
  explicit Counter(Bed& bed_) : bed(bed_), pool(bed.process.context(), bed.people.settings()), store(pool) {
    pool.start();
    bed.until([&] { return pg_tests::is_connected(pool); });
  }

  // As GET audience counts a draft.
  audience::Count count(const Uuid& id) {
    model::Campaign campaign;
    campaign.uniqueId = id;
    campaign.listIds = ids(id, "list_ids");
    campaign.excludedListIds = ids(id, "excluded_list_ids");
    const conversations::rendering::Composition composition(
        {bed.campaign(id, "message")}, conversations::rendering::read_variants({bed.campaign(id, "variants")}));
    const auto answer = bed.run(store.count(audience::question_of(bed.organization, campaign, composition)));
    CHECK(answer.isWhole);
    return audience::count_of(answer, composition);
  }
  std::vector<Uuid> ids(const Uuid& id, const std::string& column) const {
    const auto json = bed.campaign(id, "to_json(" + column + ")");
    return *model::from_json<std::vector<Uuid>>(json);
  }

  Bed& bed;
  pg::Pool pool;
  contacts::audience::Store store;
};

std::string spelled(const audience::Count& count) { return model::to_json(count); }

// What was gathered, told in the same way.
audience::Count gathered(const Bed& bed, const Uuid& id) {
  audience::Count out;
  out.recipients = bed.targets(id);
  out.messages = bed.targets(id, "skipped IS NULL");
  out.skipped.total = bed.targets(id, "skipped IS NOT NULL");
  auto& reasons = out.skipped.byReason;
  reasons = {bed.targets(id, "skipped = 'OptedOut'"), bed.targets(id, "skipped = 'Blocked'"),
             bed.targets(id, "skipped = 'Inactive'"), bed.targets(id, "skipped = 'Invalid'"),
             bed.targets(id, "skipped = 'MissingValue'")};
  return out;
}

// Values of all kinds, of several writings and lengths about the limits.
void add_strange_people(Bed& bed, int count) {
  bed.add_people(count);
  bed.change(
      "UPDATE contact SET attributes = (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM (SELECT "
      "'v' || i AS key, (ARRAY['', ' ', E'\\u00A0\\u2003', 'x', 'Ünïcode', '%', E'\\u3000字', '字', "
      "repeat('x', 85), repeat('x', 86), repeat('x', 256), repeat('x', 257), repeat('ü', 42), repeat('ü', 43), "
      "repeat('%', 85), repeat('%', 86), repeat('字', 85), repeat('字', 86), repeat('-', 254) || '%', "
      "repeat('-', 253) || '%', repeat(' ', 300)])[1 + (hashtext(c.id::text || i) & 65535) % 21] AS value FROM "
      "generate_series(1, 5) AS i WHERE (hashtext(i || c.id::text) & 7) > 0) v) FROM contact c WHERE c.id = "
      "contact.id AND c.organization_id = contact.organization_id");
  bed.change(
      "UPDATE contact SET status = (ARRAY['OptedOut', 'Blocked', 'Inactive'])[1 + (hashtext(id::text) & 255) % "
      "3] WHERE (hashtext('s' || id::text) & 7) = 0");
  bed.change(
      "UPDATE contact SET phone = NULL, channel_user_id = CASE WHEN (hashtext(id::text) & 1) = 0 THEN 'DE.' || "
      "id END WHERE (hashtext('p' || id::text) & 7) = 0");
  bed.change("UPDATE contact SET name = '' WHERE (hashtext('n' || id::text) & 3) = 0");
}

std::string of_template(const std::string& more) {
  return R"({"type": "Template", "template": {"name": "t", "language": "en")" + more + "}}";
}

const std::vector<std::string> kMessages{
    R"({"type": "Text", "text": "Hello {{v1}}"})",
    R"({"type": "Text", "text": "{{v1}}{{v2}}"})",
    R"({"type": "Text", "text": "{{v1}} {{v2|you}}"})",
    of_template(R"(, "parameters": {"1": "{{v1}}", "2": "{{name}}", "3": "{{v2|x}}"})"),
    of_template(R"(, "parameters": {"1": "{{v1}} and {{v3}}"}, "header": {"type": "Text", "text": "{{phone}}"})"),
    of_template(R"(, "buttons": [{"index": 0, "payload": "{{v1}}"}, {"index": 1, "url": "{{v2}}"},)"
                R"( {"index": 2, "code": "{{v4}}"}])"),
    of_template(R"(, "buttons": [{"index": 0, "url": "{{v5}}"}, {"index": 1, "payload": "{{v5}}"}])"),
};

}  // namespace

TEST_CASE("audience: what is counted before the start is exactly what the start gathers, with the reasons") {
  Bed bed;
  Counter counter(bed);
  add_strange_people(bed, 2'000);
  std::mt19937 random(20261126);
  const auto pick = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  std::vector<Uuid> lists;
  for (int list = 0; list < 6; ++list) {
    std::vector<Uuid> members;
    for (int n = 1; n <= 2'000; ++n)
      if (pick(list) == 0) members.push_back(World::person(n));
    lists.push_back(bed.people.add_list(bed.organization, "one", members));
  }
  bed.change("DELETE FROM list WHERE id = " + quoted(lists[4]));  // its members are still there
  std::map<Uuid, audience::Count> counts;
  for (const auto& message : kMessages)
    for (const bool varied : {false, true}) {
      Bed::Draft draft{.lists = {lists[1 + static_cast<std::size_t>(pick(1))], lists[3], lists[4]}, .excluded = {}};
      if (pick(2) > 0) draft.excluded = {lists[5], lists[4]};
      draft.message = message;
      if (varied)
        draft.variants = R"([{"name": "a", "share": 30, "message": )" + kMessages[static_cast<std::size_t>(pick(6))] +
                         R"(}, {"name": "b", "share": 33, "message": )" + kMessages[static_cast<std::size_t>(pick(6))] +
                         "}]";
      const auto id = bed.run_campaign(draft);
      counts.emplace(id, counter.count(id));
    }
  bed.start();
  std::int64_t missing = 0;
  for (const auto& [id, counted] : counts) {
    bed.until_done(id);
    CAPTURE(bed.campaign(id, "message"));
    CAPTURE(bed.campaign(id, "variants"));
    CHECK_EQ(spelled(counted), spelled(gathered(bed, id)));
    CHECK_EQ(counted.recipients, counted.messages + counted.skipped.total);
    missing += counted.skipped.byReason.MissingValue;
  }
  CHECK_GT(missing, 0);
}

TEST_CASE("audience: a value is blank to who counts when it is blank to who renders") {
  Bed bed;
  Counter counter(bed);
  bed.add_people(0x3010);
  bed.change(
      "UPDATE contact SET attributes = jsonb_build_object('v', CASE n WHEN " + std::to_string(0x3010) +
      " THEN E'\\uFEFF' ELSE chr(n::int) END) FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM contact) c "
      "WHERE c.id = contact.id");
  const auto list = bed.add_list(1, 0x3010);
  const auto id = bed.run_campaign({.lists = {list}, .message = of_template(R"(, "parameters": {"1": "{{v}}"})")});
  std::int64_t blank = 0;
  for (const auto& value : bed.people.sql().column("SELECT attributes ->> 'v' FROM contact"))
    blank += model::is_blank(value);
  CHECK_GT(blank, 50);
  CHECK_EQ(counter.count(id).skipped.byReason.MissingValue, blank);
}

TEST_CASE("audience: another organization's lists count nobody, nor do lists that are gone") {
  Bed bed;
  Counter counter(bed);
  bed.add_people(10);
  const auto list = bed.add_list(1, 10);
  const auto id = bed.run_campaign({.lists = {list, model::new_uuid()}});
  CHECK_EQ(counter.count(id).recipients, 10);
  CHECK_EQ(bed.run(counter.store.count({model::new_uuid(), {list}, {}, {}, 256, {}, {}})).groups.size(), 0);
  bed.change("DELETE FROM list WHERE id = " + quoted(list));
  CHECK_EQ(counter.count(id).recipients, 0);
}

TEST_CASE("audience: values that are missing in too many ways are said not to be counted") {
  Bed bed;
  Counter counter(bed);
  bed.add_people(16'384);
  bed.change(
      "UPDATE contact SET attributes = (SELECT coalesce(jsonb_object_agg('v' || i, 'x'), '{}') FROM "
      "generate_series(0, 13) i WHERE (right(contact.id::text, 8)::int >> i & 1) = 1)");
  std::vector<std::string> variables;
  for (int i = 0; i < 14; ++i) variables.push_back("v" + std::to_string(i));
  const auto list = bed.add_list(1, 16'384);
  const auto answer = bed.run(counter.store.count({bed.organization, {list}, {}, variables, 256, {}, {}}));
  CHECK_FALSE(answer.isWhole);
  CHECK_LE(answer.groups.size(), 10'001);
}

TEST_CASE("audience: a count has its time, and an organization that counts much leaves a place to others") {
  Bed bed;
  Counter counter(bed);
  bed.add_people(10);
  const auto list = bed.add_list(1, 10);
  support::Sql holder(bed.people.url());
  holder.rows("BEGIN; LOCK TABLE membership IN ACCESS EXCLUSIVE MODE");
  std::vector<std::string> outcomes(4, "");
  const auto count = [&](std::size_t i, const Uuid& organization) {
    bed.process.spawn("a count", [](Counter& of, std::string& outcome, Uuid whose, Uuid what) -> awaitable<void> {
      try {
        co_await of.store.count({whose, {what}, {}, {}, 256, {}, {}});
        outcome = "counted";
      } catch (const http::Problem& problem) {
        outcome = std::to_string(problem.status);
      } catch (const pg::SqlError& error) {
        outcome = error.state;
      }
    }(counter, outcomes[i], organization, list));
  };
  const auto other = model::new_uuid();
  count(0, bed.organization);
  count(1, bed.organization);  // waits for the first
  count(2, other);
  count(3, model::new_uuid());  // both places are taken
  bed.until([&] { return !outcomes[1].empty() && !outcomes[3].empty(); });
  CHECK_EQ(outcomes, std::vector<std::string>{"", "503", "", "503"});
  // Nobody lets the lists go: the server ends them.
  bed.until([&] { return !outcomes[0].empty() && !outcomes[2].empty(); });
  CHECK_EQ(outcomes, std::vector<std::string>{"57014", "503", "57014", "503"});
  holder.rows("ROLLBACK");
  count(0, bed.organization);
  bed.until([&] { return outcomes[0] == "counted"; });
}

// The number is told by PARLEY_TEST_AUDIENCE; the time, by a message.
TEST_CASE("audience: however many contacts there are, they are counted in one statement") {
  Bed bed;
  Counter counter(bed);
  const auto* given = std::getenv("PARLEY_TEST_AUDIENCE");
  const int people = given ? std::stoi(given) : 20'000;
  if (given)  // what takes longest to fill, and does not matter here
    bed.change("DROP INDEX contact_search, contact_characters, contact_attributes");
  bed.add_people(people);
  const auto some = bed.people.add_list(bed.organization, "one"), others = bed.people.add_list(bed.organization, "two");
  const auto without = bed.people.add_list(bed.organization, "three");
  const auto fill = [&](const Uuid& list, const std::string& condition) {
    bed.change("INSERT INTO membership SELECT organization_id, " + quoted(list) + ", id FROM contact WHERE " +
               condition);
  };
  fill(some, "right(id::text, 1) < '7'");
  fill(others, "right(id::text, 1) > '2'");
  fill(without, "right(id::text, 3) = '007'");
  bed.change("UPDATE contact SET status = 'OptedOut' WHERE right(id::text, 2) = '11'");
  bed.change("VACUUM ANALYZE contact");
  bed.change("VACUUM ANALYZE membership");
  const std::vector<std::pair<std::string, std::string>> messages{
      {R"({"type": "Text", "text": "Hello {{name}}"})", "[]"},
      {of_template(R"(, "parameters": {"1": "{{name}}", "2": "{{city}}"})"), "[]"},
      {of_template(R"(, "parameters": {"1": "{{name}}", "2": "{{city}}"})"),
       R"([{"name": "b", "share": 30, "message": {"type": "Text", "text": "{{name}}"}}])"}};
  for (const auto& [message, variants] : messages) {
    const auto id =
        bed.run_campaign({.lists = {some, others}, .excluded = {without}, .message = message, .variants = variants});
    for (int times = 0; times < 2; ++times) {
      const auto begin = std::chrono::steady_clock::now();
      const auto counted = counter.count(id);
      const auto time = std::chrono::steady_clock::now() - begin;
      CHECK_EQ(counted.recipients, people - people / 1'000);
      CHECK_EQ(counted.skipped.byReason.OptedOut, people / 100);
      CHECK_EQ(counted.messages, people - people / 1'000 - people / 100);
      if (given) MESSAGE(std::chrono::duration_cast<std::chrono::milliseconds>(time).count() << " ms: " << message);
    }
  }
}

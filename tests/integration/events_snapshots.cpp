// Snapshots: what one sees is what the events up to its position told, however many write meanwhile.
#include <algorithm>
#include <set>

#include "common/events/snapshots.hpp"
#include "tests/integration/events_bed.hpp"

using namespace parley;
using namespace parley::events_tests;

namespace {

const pg::Statement insert_note("tests.events.insert_note", "INSERT INTO note (n) VALUES ($1)", pg::Lane::write,
                                {pg::oid::int8}, pg::Statement::Kind::unlisted);
const pg::Statement dawdle("tests.events.dawdle", "SELECT FROM pg_sleep($1)", pg::Lane::write, {pg::oid::float8},
                           pg::Statement::Kind::unlisted);
const pg::Statement notes("tests.events.notes", "SELECT n FROM note", pg::Lane::write, {},
                          pg::Statement::Kind::unlisted);
const pg::Statement told_up_to("tests.events.told_up_to",
                               "SELECT position, changes, created_at AS at FROM outbox WHERE position <= $1",
                               pg::Lane::read, {pg::oid::int8}, pg::Statement::Kind::unlisted);
// As the services' walks, three rows a step, with a line for each that is odd.
const pg::Statement walk("tests.events.walk", R"(
WITH page AS (SELECT organization_id, id, n FROM thing WHERE (organization_id, id) > ($1, $2) ORDER BY 1, 2 LIMIT 3)
SELECT last.organization_id, last.id, (SELECT string_agg(n || E'\n', '' ORDER BY n) FROM page WHERE n % 2 = 1) AS lines
FROM (SELECT) one LEFT JOIN (SELECT * FROM page ORDER BY organization_id DESC, id DESC LIMIT 1) last ON true)",
                         pg::Lane::write, {pg::oid::uuid, pg::oid::uuid}, pg::Statement::Kind::unlisted);

std::multiset<std::int64_t> as_set(std::vector<std::int64_t> numbers) { return {numbers.begin(), numbers.end()}; }

// Transactions of any length: the outbox's ids are not in the order of the commits.
awaitable<void> write_notes(pg::Pool& pool, events::Feed& feed, std::int64_t n, const bool& enough) {
  while (!enough) {
    ++n;
    auto transaction = co_await pool.begin();
    co_await transaction.run(pg::Batch(insert_note, n).add(events::outbox::append, number_event(n)));
    if (n % 3 == 0) co_await transaction.run(pg::Batch(dawdle, double(n % 7) / 1000));
    co_await transaction.commit();
    if (n % 2 == 0) feed.notify();
  }
}

struct Answer {
  events::SnapshotHead head;
  std::vector<std::string> lines;
};

class Pieces final : public http::BodySource {
 public:
  explicit Pieces(std::shared_ptr<http::BodySource> source) : source_(std::move(source)) {}
  awaitable<std::string_view> next() override { co_return co_await source_->next(); }

 private:
  std::shared_ptr<http::BodySource> source_;
};

awaitable<Answer> read(http::Response response) {
  events::SnapshotReader reader(std::make_unique<Pieces>(response.stream));
  co_await reader.begin();
  Answer answer{reader.head(), {}};
  for (auto lines = co_await reader.next(); !lines.empty(); lines = co_await reader.next())
    answer.lines.insert(answer.lines.end(), lines.begin(), lines.end());
  co_return answer;
}

class Text final : public http::BodySource {
 public:
  explicit Text(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}
  awaitable<std::string_view> next() override { co_return at_ < pieces_.size() ? pieces_[at_++] : std::string_view{}; }

 private:
  std::vector<std::string> pieces_;
  std::size_t at_ = 0;
};

awaitable<std::vector<std::string>> lines_of(std::vector<std::string> pieces) {
  events::SnapshotReader reader(std::make_unique<Text>(std::move(pieces)));
  co_await reader.begin();
  co_return co_await reader.next();
}

}  // namespace

TEST_SUITE("integration: events snapshots") {
  TEST_CASE("a snapshot sees just what the events up to its position told") {
    const Database database;
    database.execute("CREATE TABLE note (n bigint PRIMARY KEY)");
    auto settings = database.settings();
    settings.write_connections = 12;
    Loop loop(settings);
    loop.wait_until_available();
    events::Feed feed(loop.context(), loop.pool, quick_feed(), quiet()),
        other(loop.context(), loop.pool, quick_feed(), quiet());
    int background = 0;
    start_beside(loop, feed.run(), background);
    start_beside(loop, other.run(), background);
    bool enough = false;
    for (int writer = 0; writer < 8; ++writer) loop.launch(write_notes(loop.pool, feed, writer * 1'000'000, enough));
    int with_some = 0;
    for (int taken = 0; taken < 40; ++taken) {
      auto snapshot = loop.run([](events::Feed& from) -> awaitable<std::shared_ptr<events::Feed::Snapshot>> {
        co_return std::make_shared<events::Feed::Snapshot>(co_await from.take_snapshot());
      }(taken % 2 == 0 ? feed : other));
      const auto seen = loop.run(snapshot->transaction.run(pg::Batch(notes))).rows<std::int64_t>();
      std::vector<std::int64_t> told;
      const auto found = loop.run(loop.pool.read(pg::Batch(told_up_to, snapshot->position)));
      for (const auto& event : found.rows<events::Event>()) told.push_back(number_of(event));
      with_some += !seen.empty();
      REQUIRE(as_set(seen) == as_set(told));
    }
    CHECK(with_some > 30);
    enough = true;
    loop.finish();
    feed.stop();
    other.stop();
    loop.until([&] { return background == 0; });
  }

  TEST_CASE("it is told step by step, one at a time, as of its moment") {
    const Database database;
    database.execute(R"(CREATE TABLE thing (organization_id uuid, id uuid, n int, PRIMARY KEY (organization_id, id));
      INSERT INTO thing SELECT md5((n % 3)::text)::uuid, gen_random_uuid(), n FROM generate_series(1, 20) n)");
    Loop loop(database.settings());
    loop.wait_until_available();
    events::Feed feed(loop.context(), loop.pool, quick_feed(), quiet());
    loop.run([](pg::Pool& pool) -> awaitable<void> {
      co_await pool.write(pg::Batch(events::outbox::append, number_event(1)));
    }(loop.pool));
    events::Snapshots whole(feed, {.walks = {&walk, &walk}}, quiet());
    auto response = loop.run(whole.serve());
    CHECK_THROWS_AS(loop.run(whole.serve()), http::Problem);
    database.execute("DELETE FROM thing WHERE n > 5");
    auto answer = loop.run(read(std::move(response)));
    CHECK(answer.head.position == 1);
    CHECK_FALSE(answer.head.exactFrom);
    CHECK(answer.lines.size() == 20);  // the odd ones, twice
    CHECK(std::set<std::string>(answer.lines.begin(), answer.lines.end()).size() == 10);
    CHECK(database.number("SELECT position FROM outbox") == 1);

    events::Snapshots partial(feed, {.walks = {&walk}, .is_whole = false}, quiet());
    answer = loop.run(read(loop.run(partial.serve())));
    CHECK(answer.head.position == 1);
    CHECK(answer.head.exactFrom);
    std::sort(answer.lines.begin(), answer.lines.end());
    CHECK(answer.lines == std::vector<std::string>{"1", "3", "5"});
    loop.run(whole.serve());  // let go unread
    loop.until([&] { return loop.pool.stats(pg::Lane::write).active == 0; });
    loop.run(whole.serve());
  }

  TEST_CASE("a transaction that holds the lock for long keeps snapshots waiting") {
    const Database database;
    Loop loop(database.settings());
    loop.wait_until_available();
    events::Feed feed(loop.context(), loop.pool, quick_feed(), quiet());
    auto holder = loop.run([](pg::Pool& pool) -> awaitable<std::shared_ptr<pg::Transaction>> {
      auto transaction = std::make_shared<pg::Transaction>(co_await pool.begin());
      co_await transaction->run(pg::Batch(events::outbox::lock_sequencer));
      co_return transaction;
    }(loop.pool));
    int waiting = 0;
    start_beside(loop, [](events::Feed& from) -> awaitable<void> { co_await from.take_snapshot(); }(feed), waiting);
    loop.run(pause_for(100ms));
    CHECK(waiting == 1);
    holder.reset();
    loop.until([&] { return waiting == 0; });
  }

  TEST_CASE("an answer is read whatever its pieces, and one that is cut off is not taken for whole") {
    Loop loop(shared_server());
    const std::string head = R"({"epoch":"00000000-0000-7000-8000-000000000001","position":7,"exactFrom":null})";
    CHECK(loop.run(lines_of({head + "\n"})).empty());
    CHECK(loop.run(lines_of({head.substr(0, 9), head.substr(9), "\n\n", "{\"a\"", ":1}\n", "\n{}\n"})) ==
          std::vector<std::string>{"{\"a\":1}", "{}"});
    CHECK_THROWS(loop.run(lines_of({head + "\n{}\n{"})));
    CHECK_THROWS(loop.run(lines_of({head})));
    CHECK_THROWS(loop.run(lines_of({"{}\n"})));
    CHECK_THROWS(loop.run(lines_of({"no\n"})));
    CHECK_THROWS(loop.run(lines_of({})));
  }
}

// The queue of what is to be sent, when it is long, and when much has passed it.
#include "conversations/dispatch/sql.hpp"
#include "tests/integration/dispatch_bed.hpp"
#include "tests/integration/queue_bed.hpp"

using namespace parley;
using namespace parley::dispatch_tests;
using namespace parley::queue_tests;

namespace {

namespace sql = dispatch::sql;

const dispatch::NumberId kNobody{};

// Due since then.
std::string add_rows(const Bed& bed, std::int64_t count, const std::string& due = "clock_timestamp()") {
  return "INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, expires_at, "
         "created_at, due_at) SELECT " +
         quoted(bed.organization) +
         ", gen_random_uuid(), 'Message', '1', gen_random_uuid(), '+49' || random(), 'infinity', now() - n * interval "
         "'1 "
         "s', " +
         due + " FROM generate_series(1, " + std::to_string(count) + ") n";
}

// Looks until the floor is behind all that was written.
void follow(Bed& bed) {
  const auto now = std::stoll(bed.value("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8"));
  bed.until([&] {
    bed.get(bed.store.numbers(bed.stranger, kNobody, 100));
    return bed.store.floor().value() > now;
  });
}

// So many messages are queued, made Sending and gone.
void pass(Bed& bed, std::int64_t count) {
  Session session(bed.database.url());
  constexpr std::int64_t kBatch = 1'000;
  for (std::int64_t i = 0; i < count; i += kBatch) {
    const auto rows =
        session.execute("WITH w AS (" + add_rows(bed, kBatch) + " RETURNING ctid) SELECT array_agg(ctid) FROM w");
    const auto sending = session.execute(
        "WITH w AS (UPDATE outgoing SET state = 'Sending', due_at = clock_timestamp() WHERE ctid = ANY ('" + rows +
        "'::tid[]) RETURNING ctid) SELECT array_agg(ctid) FROM w");
    session.execute("DELETE FROM outgoing WHERE ctid = ANY ('" + sending + "'::tid[])");
  }
  follow(bed);
}

struct Costs {
  double numbers = 0, first = 0, look = 0, edge = 0, forgotten = 0, unknown = 0;
};

Costs costs(const Bed& bed) {
  const auto floor = std::to_string(bed.store.floor().value());
  const auto from = floor + ", '" + bed.store.floor().world() + "'";
  const auto nil = quoted(Uuid());
  const auto queue = quoted(bed.organization) + ", '1', " + floor + ", " + nil + ", 2000";
  Session session(bed.database.url());
  session.execute("BEGIN");
  session.execute(add_rows(bed, 100, "now()"));
  Costs out;
  out.numbers = session.cost(sql::numbers, nil + ", " + nil + ", '', 1000, " + from);
  out.first = session.cost(sql::first, from);
  out.look = session.cost(sql::look, queue + ", 100");
  out.edge = session.cost(sql::edge, queue);
  out.forgotten = session.cost(sql::doubt_forgotten, "60000, 900000, 500, " + from);
  out.unknown = session.cost(sql::fail_unknown, "500");
  session.execute("ROLLBACK");
  return out;
}

}  // namespace

TEST_SUITE("integration: dispatch, queued") {
  TEST_CASE("a look goes through what it gives and not through the queue, though the planner thinks that empty") {
    const Bed bed;
    Session session(bed.database.url());
    session.execute("VACUUM ANALYZE outgoing");
    session.execute("BEGIN");
    session.execute(add_rows(bed, 2'000, "now()"));
    const auto cost = session.cost(sql::look, quoted(bed.organization) + ", '1', 0, " + quoted(Uuid()) + ", 2000, 100");
    MESSAGE("pages of a look that gives 100 of 2000 messages: " << cost);
    CHECK(cost < 10 * 100);
  }

  TEST_CASE("a snapshot that stays open makes no step longer") {
    Bed bed;
    bed.take();
    Session snapshot(bed.database.url());
    snapshot.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT FROM outgoing");
    pass(bed, 1'000);
    const auto before = costs(bed);
    pass(bed, many());
    const auto after = costs(bed);
    MESSAGE(many() << " messages: pages of finding numbers " << before.numbers << " then " << after.numbers
                   << ", of the floor's row " << before.first << " then " << after.first << ", of a look "
                   << before.look << " then " << after.look << ", of its edge " << before.edge << " then " << after.edge
                   << ", of finding forgotten ones " << before.forgotten << " then " << after.forgotten
                   << ", of unknown ones " << before.unknown << " then " << after.unknown);
    CHECK(within(after.numbers, before.numbers));
    CHECK(within(after.first, before.first));
    CHECK(within(after.look, before.look));
    CHECK(within(after.edge, before.edge));
    CHECK(within(after.forgotten, before.forgotten));
    CHECK(within(after.unknown, before.unknown));
  }

  TEST_CASE("one number's backlog is not gone through for another, though the planner knows of it") {
    const Bed bed;
    Session session(bed.database.url());
    session.execute("BEGIN");
    session.execute(add_rows(bed, 20'000, "now()"));
    session.execute("UPDATE outgoing SET due_at = due_at - interval '1 hour'");
    session.execute("INSERT INTO sender (organization_id, phone_number_id) SELECT " + quoted(bed.organization) +
                    ", 'other ' || n FROM generate_series(1, 100) n; ANALYZE outgoing; ANALYZE sender");
    const auto nil = quoted(Uuid());
    const auto cost = session.cost(sql::numbers, nil + ", " + nil + ", '', 1000, 0, ''");
    MESSAGE("pages of finding a number that has 20000 messages among 100: " << cost);
    CHECK(cost < 2'000);
  }

  TEST_CASE("a message whose commit takes long is found when others have long been sent") {
    Bed bed;
    bed.take();
    follow(bed);
    Session late(bed.database.url());
    late.execute("BEGIN");
    late.execute(add_rows(bed, 1));
    const auto due = std::stoll(late.execute("SELECT (extract(epoch FROM due_at) * 1000000)::int8 FROM outgoing"));
    bed.until([&] {  // the floor would have come so far
      bed.value(add_rows(bed, 1) + "; DELETE FROM outgoing");
      bed.get(bed.store.numbers(bed.stranger, kNobody, 100));
      return bed.value("SELECT clock_timestamp() > 'epoch'::timestamptz + (" + std::to_string(due) +
                       " + 7000000) * interval '1 microsecond'") == "t";
    });
    CHECK(bed.store.floor().value() < due);
    late.execute("COMMIT");
    bed.until([&] { return bed.get(bed.store.numbers(bed.stranger, kNobody, 100)).size() == 1; });
    for (int i = 0; i < 20; ++i) bed.get(bed.store.numbers(bed.stranger, kNobody, 100));
    CHECK(bed.store.floor().value() == due - 1);
    CHECK(bed.get(bed.store.look({bed.organization, "1"}, {}, 10)).due.size() == 1);
  }
}

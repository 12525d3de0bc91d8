// The queue of what is to be sent, when it is long.
#include <doctest/doctest.h>

#include "conversations/dispatch/sql.hpp"
#include "tests/integration/conversations_bed.hpp"
#include "tests/integration/queue_bed.hpp"

using namespace parley;

TEST_SUITE("integration: dispatch, queued") {
  TEST_CASE("a look goes through what it gives and not through the queue, though the planner thinks that empty") {
    const conversations_tests::Database database;
    const auto organization = conversations_tests::quoted(model::new_uuid());
    queue_tests::Session session(database.url());
    session.execute("VACUUM ANALYZE outgoing");
    session.execute("BEGIN");
    session.execute(
        "INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, "
        "expires_at, created_at) SELECT " +
        organization +
        ", gen_random_uuid(), 'Message', 'number', gen_random_uuid(), '+49' || n, 'infinity', now() - n * "
        "interval '1 second' FROM generate_series(1, 2000) n");
    const auto cost = session.cost(conversations::dispatch::sql::look,
                                   organization + ", 'number', 0, '00000000-0000-0000-0000-000000000000', 2000, 100");
    MESSAGE("pages of a look that gives 100 of 2000 messages: " << cost);
    CHECK(cost < 10 * 100);
  }
}

#pragma once
// What conversations hear of contacts, applied as their consumer does it, and what is then done in the background.

#include <doctest/doctest.h>

#include "common/events/changes.hpp"
#include "common/events/contact_changes.hpp"
#include "common/removals/worker.hpp"
#include "conversations/recovery/deletions/store.hpp"
#include "conversations/recovery/reconciliation/feed.hpp"
#include "tests/integration/conversations_bed.hpp"

namespace parley::conversations_tests {

using namespace std::chrono_literals;
using pg_tests::Loop;

using Apply = awaitable<void> (*)(pg::Transaction&, std::span<const events::Event>);

struct Hearing {
  Database database;
  Uuid organization = model::new_uuid(), other = model::new_uuid();
  Uuid contact = model::new_uuid(), neighbour = model::new_uuid();
  Loop loop{database.settings()};
  Uncached uncached{loop.context().get_executor()};
  conversations::conversations::Store store{loop.pool, uncached.counts};

  Hearing() { loop.wait_until_available(); }

  // As the consumer of the feed does it.
  template <class... Change>
  void apply(Apply work, const Change&... change) {
    events::Changes changes;
    (changes.add(change), ...);
    loop.run([](Loop& loop, Apply work, events::Event event) -> awaitable<void> {
      auto transaction = co_await loop.pool.begin();
      co_await work(transaction, {&event, 1});
      co_await transaction.commit();
    }(loop, work, {1, changes.json()}));
  }
  // As long after it was heard as those who write late may take.
  void sweep(std::int64_t most = 3) {
    database.execute("UPDATE removal SET started_at = now() - interval '3 minutes'");
    removals::Worker worker(loop.context(), loop.pool, conversations::deletions::kinds(),
                            [](std::string_view what) { FAIL_CHECK(what); },
                            {.most = most, .busy_pause = 1ms, .idle_pause = 5ms});
    const auto pending = database.number("SELECT count(*) FROM removal WHERE finished_at IS NULL AND due_at <= now()");
    loop.launch(worker.run());
    loop.until([&] { return worker.stats().finished == static_cast<std::uint64_t>(pending); });
    worker.stop();
    loop.finish();
  }
  std::optional<conversations::conversations::Found> find(const Uuid& id) {
    return loop.run(store.find(organization, id));
  }
  std::string words(const Uuid& contact_id) const {
    return database.execute(
        "SELECT string_agg(DISTINCT data::text || coalesce(channel_message_id, '') || "
        "coalesce(error_text, ''), ' ') FROM message WHERE contact_id = " +
        quoted(contact_id));
  }
  // What was told, in its order, without ids and without what streams alone hear of contacts; nothing of it is left.
  std::string told() const {
    const auto out = database.execute(
        "SELECT coalesce(string_agg(concat_ws(' ', c ->> 'type', c ->> 'from', c ->> 'to'), ', ' ORDER BY o.id, n), "
        "'') "
        "FROM outbox o, jsonb_array_elements(changes) WITH ORDINALITY AS e (c, n) WHERE c ->> 'type' <> 'relayed'");
    database.execute("DELETE FROM outbox");
    return out;
  }
};

}  // namespace parley::conversations_tests

#include "tests/integration/stream_bed.hpp"

namespace parley::stream_tests {

std::vector<Heard> read_events(std::string_view text, std::string& last) {
  std::vector<Heard> out;
  while (!text.empty()) {
    const auto end = text.find("\n\n");
    if (end == text.npos) throw std::runtime_error("a stream ends amid an event: " + std::string(text));
    auto block = text.substr(0, end + 1);
    text.remove_prefix(end + 2);
    Heard heard;
    while (!block.empty()) {
      const auto line = block.substr(0, block.find('\n'));
      block.remove_prefix(line.size() + 1);
      if (line.starts_with("id: ")) heard.id = line.substr(4);
      if (line.starts_with("event: ")) heard.event = line.substr(7);
      if (line.starts_with("data: ")) heard.data = line.substr(6);
    }
    if (!heard.id.empty()) last = heard.id;
    if (!heard.data.empty()) out.push_back(std::move(heard));
  }
  return out;
}

Teller::Teller(const Database& database, StreamSettings settings)
    : loop(database.settings()),
      feed(loop.context(), loop.pool, events_tests::quick_feed({}), events_tests::quiet()),
      hub(loop.context(), feed, loop.pool, settings, [this](std::string_view what) { reports.emplace_back(what); }) {
  loop.wait_until_available();
  events_tests::start_beside(loop, feed.run(), running);
  events_tests::start_beside(loop, hub.follow(), running);
  events_tests::start_beside(loop, hub.catch_up(), running);
}

Teller::~Teller() {
  hub.stop();
  feed.stop();
  loop.until([this] { return running == 0; });
}

std::string Teller::listen(const Uuid& organization, std::optional<Position> after, std::chrono::seconds wait,
                           bool lost) {
  const auto read = [](Teller& teller, Uuid of, std::optional<Position> from, std::chrono::seconds time,
                       bool is_lost) -> awaitable<std::string> {
    const auto listener = co_await teller.hub.listen(of, teller.choice, from, is_lost, time);
    std::string out;
    for (;;) {
      const auto piece = co_await listener->next();
      if (piece.empty()) co_return out;
      out += piece;
    }
  };
  return loop.run(read(*this, organization, after, wait, lost));
}

void Teller::tell(const std::vector<Uuid>& organizations, const Uuid& conversation) {
  events::Changes changes;
  for (const auto& organization : organizations)
    changes.add(conversations::conversations::StatusChange{organization, conversation, model::new_uuid(),
                                                           model::ConversationStatus::Active,
                                                           model::ConversationStatus::Closed});
  tell(changes);
}

void Teller::tell(const model::RawJson& changes) {
  const auto write = [](pg::Pool& pool, model::RawJson json) -> awaitable<bool> {
    co_await pool.write(pg::Batch(events::outbox::append, json));
    co_return true;
  };
  loop.run(write(loop.pool, changes));
}

void Teller::settle() {
  const auto look = [](events::Feed& from) -> awaitable<bool> {
    co_await pg_tests::pause_for(1ms);
    const auto page = co_await from.look();
    co_return !page.unsequenced;
  };
  while (!loop.run(look(feed))) {
  }
}

}  // namespace parley::stream_tests

#pragma once
// What happens in organizations, and those who listen: a feed, a hub, and streams read as clients read them.
#include <map>
#include <memory>
#include <vector>

#include "common/events/conversation_changes.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"
#include "conversations/events/stream/hub.hpp"
#include "conversations/inbox/conversations/shapes.hpp"
#include "tests/integration/conversations_bed.hpp"
#include "tests/integration/events_bed.hpp"

namespace parley::stream_tests {

using namespace std::chrono_literals;
using boost::asio::awaitable;
using conversations::stream::Hub;
using conversations::stream::Listener;
using conversations::stream::Position;
using conversations::stream::StreamSettings;
using conversations_tests::Database;
using conversations_tests::quoted;
using model::Uuid;

// One event as a client reads it.
struct Heard {
  std::string id, event, data;
};
// The events of what a stream said, in order; comments and lone ids move `last` on.
std::vector<Heard> read_events(std::string_view text, std::string& last);

inline StreamSettings quick_stream() {
  StreamSettings settings;
  settings.catch_up_pause = 1ms;
  settings.failure_pause = 1ms;
  return settings;
}

// A replica of the service, as far as it tells what happens.
class Teller {
 public:
  explicit Teller(const Database& database, StreamSettings settings = quick_stream());
  ~Teller();

  // Reads a stream to its end.
  std::string listen(const Uuid& organization, std::optional<Position> after = {}, std::chrono::seconds wait = 0s,
                     bool lost = false);
  awaitable<std::shared_ptr<Listener>> open(Uuid organization, std::optional<Position> after,
                                            std::chrono::seconds wait) {
    return hub.listen(organization, choice, after, false, wait);
  }
  // Tells that a conversation was closed, once for each of the organizations, in one event.
  void tell(const std::vector<Uuid>& organizations, const Uuid& conversation = model::new_uuid());
  void tell(const events::Changes& changes) { tell(changes.json()); }
  void tell(const model::RawJson& changes);
  // Until all that was told has a position.
  void settle();

  conversations::stream::Choice choice{.permissions = identity::PermissionSet::all(),
                                       .campaign_messages = true};  // of those who listen
  pg_tests::Loop loop;
  events::Feed feed;
  Hub hub;
  std::vector<std::string> reports;
  int running = 0;
};

inline boost::json::value json_of(const std::string& text) {
  model::Fault fault;
  const auto json = model::parse(text, fault);
  REQUIRE_MESSAGE(json, text);
  return *json;
}

// The data of the events that a text tells.
inline std::vector<boost::json::value> heard_in(const std::string& text) {
  std::string last;
  std::vector<boost::json::value> out;
  for (const auto& heard : read_events(text, last)) out.push_back(json_of(heard.data));
  return out;
}

using Types = std::vector<std::string>;
inline Types types_in(const std::string& text) {
  Types out;
  for (const auto& each : heard_in(text)) out.emplace_back(each.at("type").as_string().c_str());
  return out;
}

// Where a client stands after a text.
inline std::optional<Position> place_after(const std::string& text) {
  std::string last;
  read_events(text, last);
  const auto place = Position::parse(last);
  REQUIRE(place);
  return place;
}

}  // namespace parley::stream_tests

// Whatever the channel repeats, reorders and splits, and whoever dies meanwhile: the tables become the same.
#include <algorithm>
#include <cstdlib>
#include <random>
#include <thread>

#include "tests/integration/webhooks_bed.hpp"

using namespace parley;
using namespace parley::webhooks_tests;

namespace {

constexpr auto kAda = "4915100000001", kBob = "4915100000002";
constexpr auto kShy = "US.13491208655302741918";

struct Piece {
  json::object object;
  enum class Kind { message, status, preference } kind = Kind::message;
};

json::object preference(const std::string& from, bool opts_out, std::int64_t seconds) {
  return {{from.find('.') == from.npos ? "wa_id" : "user_id", from},
          {"category", "marketing_messages"},
          {"value", opts_out ? "stop" : "resume"},
          {"timestamp", std::to_string(kNoon + seconds)}};
}

// Of an organization of its own, so that histories do not meet.
struct History {
  History(World& world_, const std::string& number_)
      : world(world_), number(number_), organization(world.connect(number)) {
    world.database.execute("INSERT INTO opt_out_settings VALUES (" + quoted(organization) +
                           ", '{stop}', '{start}', '', '')");
    const auto campaign = model::new_uuid();
    offer = world.add_outbound(organization, "+" + std::string(kAda), "offer", campaign);
    notice = world.add_outbound(organization, "+" + std::string(kBob), "notice");
  }

  std::vector<Piece> pieces() const {
    const auto edit = [](const std::string& id, const std::string& from, std::int64_t at, const std::string& of) {
      return message(
          id, from, at, "edit",
          {{"original_message_id", of},
           {"message", json::object{{"type", "text"}, {"text", json::object{{"body", "edited by " + id}}}}}});
    };
    return {{status("w1", "sent", 1, offer), Piece::Kind::status},
            {status("w1", "delivered", 2, offer), Piece::Kind::status},
            {reply(text("a1", kAda, 3, "Yes"), "w1")},
            {status("w1", "read", 4), Piece::Kind::status},
            {text("b1", kBob, 5, "Hello")},
            {status("w2", "failed", 6, notice), Piece::Kind::status},
            {status("w2", "sent", 5, notice), Piece::Kind::status},
            {text("s1", kShy, 7, "I have no number")},
            {message("a2", kAda, 8, "reaction", {{"message_id", "w1"}, {"emoji", "👍"}})},
            {edit("b2", kBob, 10, "b1")},
            {edit("b3", kBob, 12, "b1")},
            {text("a3", kAda, 13, "oops")},
            {message("a4", kAda, 14, "revoke", {{"original_message_id", "a3"}})},
            {edit("a5", kAda, 15, "a3")},
            {message("s2", kShy, 16, "image", {{"id", "1"}, {"caption", "look"}})},
            {reply(text("b4", kBob, 17, "as I said"), "b1")},
            {text("a6", kAda, 18, "Stop")},
            {text("a7", kAda, 20, "START")},
            {text("b5", kBob, 21, "stop!")},
            {message("b6", kBob, 22, "hologram", {{"x", 1}})},
            {message("s3", kShy, 23, "reaction", {{"message_id", "s2"}, {"emoji", "🙂"}})}};
  }

  // In one body; what are settings, in one of their own.
  void receive(const std::vector<Piece>& pieces) {
    json::array messages, statuses, preferences;
    for (const auto& piece : pieces)
      (piece.kind == Piece::Kind::message  ? messages
       : piece.kind == Piece::Kind::status ? statuses
                                           : preferences)
          .push_back(piece.object);
    if (!messages.empty() || !statuses.empty()) world.receive(body_of(messages, statuses, number));
    if (!preferences.empty()) world.receive(preferences_of(preferences, number));
  }

  // All that a reader could see, with names for ids.
  std::string tables() {
    std::string out = world.text(
        "SELECT string_agg(concat_ws('|', channel_message_id, data ->> 'text', direction, status, status_at, "
        "message_type, "
        "replace(data::text, coalesce(data ->> 'messageId', '?'), coalesce((SELECT r.channel_message_id FROM message r "
        "WHERE r.id::text = m.data ->> 'messageId'), '?')), "
        "error_code, error_text, created_at = '2026-01-31T11:00:00Z' OR created_at = "
        "'2026-01-31T12:00:00Z'::timestamptz + "
        "make_interval(secs => extract(epoch FROM created_at) - extract(epoch FROM "
        "'2026-01-31T12:00:00Z'::timestamptz)), extract(epoch FROM created_at)::int, "
        "(SELECT r.channel_message_id FROM message r WHERE r.id = m.reply_to_message_id)), E'\\n' ORDER BY "
        "channel_message_id) FROM message m WHERE organization_id = " +
        quoted(organization));
    out += world.text(
        "SELECT string_agg(concat_ws('|', status, total_messages, unread_messages, last_inbound_at, last_message_at), "
        "E'\\n' ORDER BY last_inbound_at) FROM conversation WHERE organization_id = " +
        quoted(organization));
    for (const auto& who : {"+" + std::string(kAda), "+" + std::string(kBob), std::string(kShy)})
      out += world.text("SELECT concat_ws('|', opted_out, opted_out_at) FROM suppression WHERE contact_id = " +
                        quoted(world.contact_of(organization, who)));
    out += world.text("SELECT count(*) || ' ' || count(DISTINCT key) FROM channel_message WHERE organization_id = " +
                      quoted(organization));
    out += world.text("SELECT concat_ws('|', replies, replied_at, clicks) FROM engagement WHERE organization_id = " +
                      quoted(organization));
    out += world.text(
        "SELECT string_agg(concat_ws('|', what, quarter, n), E'\\n' ORDER BY what, quarter) FROM (SELECT what, "
        "quarter, "
        "sum(n) AS n FROM campaign_count WHERE organization_id = " +
        quoted(organization) + " GROUP BY what, quarter HAVING sum(n) <> 0) c");
    out += world.text("SELECT ' ' || count(*) FROM outgoing WHERE organization_id = " + quoted(organization));
    out += world.text("SELECT ' ' || count(*) FROM parked_element");
    return out;
  }

  World& world;
  std::string number;
  Uuid organization, offer, notice;
};

// What nobody thought of: events of three people over some hours, each at a moment of its own and about what was before
// it. The same for the same random numbers.
class Invention {
 public:
  Invention(const History& history, std::uint32_t seed) : history_(history), random_(seed) {}

  std::vector<Piece> pieces() {
    add_statuses("w1", history_.offer);
    add_statuses("w2", history_.notice);
    for (auto left = 10 + below(25); left > 0; --left) {
      add_event();
      if (below(2) == 0) add_status();
    }
    while (!statuses_.empty()) add_status();
    return std::move(pieces_);
  }

 private:
  struct Said {
    std::string id, from;
    bool is_text;
  };

  std::size_t below(std::size_t count) { return random_() % count; }
  std::int64_t later() { return now_ += 1 + static_cast<std::int64_t>(below(3'000)); }

  // What becomes of a message of ours, in this order; the channel tells ours by the first one alone, or by all.
  void add_statuses(const std::string& id, const Uuid& message) {
    const std::vector<std::vector<std::string>> fates{
        {"sent", "delivered", "read"}, {"sent", "failed"}, {"delivered"}, {"sent", "read", "played"}, {"sent"}};
    std::optional<Uuid> opaque = message;
    for (const auto& word : fates[below(fates.size())]) {
      statuses_.push_back({id, word, opaque});
      if (below(2) == 0) opaque.reset();
    }
  }
  void add_status() {
    if (statuses_.empty()) return;
    const auto [id, word, opaque] = statuses_.front();
    statuses_.erase(statuses_.begin());
    pieces_.push_back({status(id, word, later(), opaque), Piece::Kind::status});
  }

  // What somebody does about what they or we said before.
  void add_event() {
    const std::string from = std::vector{kAda, kBob, kShy}[below(3)], id = "m" + std::to_string(pieces_.size());
    const auto at = later(), what = static_cast<std::int64_t>(below(12));
    std::vector<std::string> own, texts;
    for (const auto& said : said_) {
      if (said.from != from) continue;
      own.push_back(said.id);
      if (said.is_text) texts.push_back(said.id);  // an edit leaves a message what it is
    }
    auto quotable = own;
    if (from != kShy) quotable.emplace_back(from == kAda ? "w1" : "w2");
    const json::object edited{{"type", "text"}, {"text", json::object{{"body", "edited by " + id}}}};
    if (what == 0) return pieces_.push_back({preference(from, below(2) == 0, at), Piece::Kind::preference});
    if (what == 1 && !quotable.empty())
      return add(
          message(id, from, at, "reaction", {{"message_id", one_of(quotable)}, {"emoji", one_of({"👍", "🙂", ""})}}));
    if (what == 2 && !texts.empty())
      return add(message(id, from, at, "edit", {{"original_message_id", one_of(texts)}, {"message", edited}}));
    if (what == 3 && !own.empty()) return add(message(id, from, at, "revoke", {{"original_message_id", one_of(own)}}));
    said_.push_back({id, from, what < 4 || what > 6});
    if (what == 4) return add(message(id, from, at, "image", {{"id", "1"}, {"caption", "look"}}));
    if (what == 5) return add(message(id, from, at, "button", {{"payload", one_of({"stop", "p"})}, {"text", "Yes"}}));
    if (what == 6) return add(message(id, from, at, "hologram", {{"x", 1}}));
    auto said = text(id, from, at, one_of({"Hello", "Stop", "START", "stop!", ""}));
    if (what == 7 && !quotable.empty()) said = reply(std::move(said), one_of(quotable));
    add(std::move(said));
  }
  void add(json::object message) { pieces_.push_back({std::move(message)}); }
  std::string one_of(const std::vector<std::string>& texts) { return texts[below(texts.size())]; }

  struct Told {
    std::string id, word;
    std::optional<Uuid> opaque;
  };
  const History& history_;
  std::mt19937 random_;
  std::int64_t now_ = 0;
  std::vector<Piece> pieces_;
  std::vector<Said> said_;
  std::vector<Told> statuses_;  // to come
};

void finish(World& world, Replica& replica) {
  do {
    replica.drain();
    world.pass_time();
  } while (world.number("SELECT count(*) FROM parked_element WHERE due_at IS NOT NULL") > 0);
}

// The tables once each piece came alone, in its turn.
std::string in_order(World& world, History& history, const std::vector<Piece>& pieces) {
  Replica replica(world);
  for (const auto& piece : pieces) {
    history.receive({piece});
    replica.drain();
  }
  finish(world, replica);
  return history.tables();
}

std::string expected(World& world) {
  History history(world, "1");
  return in_order(world, history, history.pieces());
}

// In random bodies of random lengths, some of it more than once.
void shuffle_in(History& history, std::vector<Piece> pieces, std::mt19937& random) {
  for (int i = 0; i < 8; ++i) pieces.push_back(pieces[random() % pieces.size()]);
  std::shuffle(pieces.begin(), pieces.end(), random);
  for (std::size_t at = 0; at < pieces.size();) {
    const auto count = std::min(pieces.size() - at, 1 + random() % 6);
    const auto first = pieces.begin() + static_cast<std::ptrdiff_t>(at);
    history.receive({first, first + static_cast<std::ptrdiff_t>(count)});
    at += count;
  }
}

}  // namespace

TEST_SUITE("integration: webhooks in disorder") {
  TEST_CASE("any order, repetition and split of a history gives the same tables") {
    World world;
    const auto wanted = expected(world);
    CAPTURE(wanted);
    CHECK(wanted.find("edited by b3") != std::string::npos);
    CHECK(wanted.ends_with(" 0 0"));
    CHECK(wanted.find("Engaged|2026-01-31 11:00:00+00|1\n") != std::string::npos);
    std::mt19937 random(20260131);
    for (int round = 2; round < 14; ++round) {
      CAPTURE(round);
      History history(world, std::to_string(round));
      Replica replica(world, 3);
      shuffle_in(history, history.pieces(), random);
      if (round % 2 == 0) replica.run_until_empty();
      Replica calm(world);
      finish(world, calm);
      CHECK_EQ(history.tables(), wanted);
    }
    CHECK_EQ(world.database.drifted(), 0);
  }

  // As many as PARLEY_TEST_HISTORIES says, from PARLEY_TEST_SEED on: see tests/fuzz/run.
  TEST_CASE("so does any history that nobody thought of") {
    const auto setting = [](const char* name, std::uint32_t usual) {
      const char* const given = std::getenv(name);
      return given ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10)) : usual;
    };
    const auto first = setting("PARLEY_TEST_SEED", 1), count = setting("PARLEY_TEST_HISTORIES", 8);
    World world;
    for (auto seed = first; seed != first + count; ++seed) {
      CAPTURE(seed);
      History calm(world, std::to_string(seed) + "01"), wild(world, std::to_string(seed) + "02");
      const auto wanted = in_order(world, calm, Invention(calm, seed).pieces());
      CHECK(wanted.ends_with(" 0"));
      std::mt19937 random(seed);
      shuffle_in(wild, Invention(wild, seed).pieces(), random);
      Replica replica(world, 3);
      if (seed % 2 == 0) replica.run_until_empty();
      finish(world, replica);
      REQUIRE_EQ(wild.tables(), wanted);
    }
    CHECK_EQ(world.database.drifted(), 0);
  }

  TEST_CASE("killed at any moment, another goes on and nothing is done twice") {
    World world;
    const auto wanted = expected(world);
    std::mt19937 random(4711);
    for (int round = 2; round < 6; ++round) {
      CAPTURE(round);
      History history(world, std::to_string(round));
      shuffle_in(history, history.pieces(), random);
      for (int i = 0; i < 8; ++i)
        run_and_kill(
            world, [](Replica&) {},
            [&] { std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 60)); });
      Replica last(world);
      finish(world, last);
      CHECK_EQ(history.tables(), wanted);
    }
    // Of each message and status one change, though many had begun to tell of it.
    CHECK_EQ(world.number("SELECT count(*) - count(DISTINCT c ->> 'messageId') FROM outbox, "
                          "jsonb_array_elements(changes) c WHERE c ->> 'type' = 'message.created'"),
             0);
    CHECK_EQ(world.number("SELECT count(*) - count(DISTINCT c ->> 'conversationId') FROM outbox, "
                          "jsonb_array_elements(changes) c WHERE c ->> 'type' = 'conversation.created'"),
             0);
    CHECK_EQ(world.number("SELECT count(*) - count(DISTINCT concat(c ->> 'messageId', c ->> 'from')) FROM outbox, "
                          "jsonb_array_elements(changes) c WHERE c ->> 'type' = 'message.status'"),
             0);
  }

  TEST_CASE("the same ten times at once, and albums of strangers, by several processes") {
    World world;
    const auto organization = world.connect(kNumber);
    const int people = 12;
    for (int i = 0; i < people; ++i) {
      const auto from = "49151000001" + std::to_string(10 + i);
      const auto id = std::to_string(i);
      for (int times = 0; times < 10; ++times) {
        world.receive(body_of({text("one" + id, from, i, "first")}));
        world.receive(body_of({text("two" + id, from, i, "second")}));
      }
    }
    Replica first(world, 4), second(world, 4);
    first.start();
    second.start();
    first.until([&] {
      second.process().context().restart();
      second.process().context().run_one_for(1ms);
      return world.number("SELECT count(*) FROM inbox") == 0;
    });
    CHECK_EQ(world.number("SELECT count(*) FROM conversation WHERE organization_id = " + quoted(organization)), people);
    CHECK_EQ(world.number("SELECT count(*) FROM conversation WHERE (total_messages, unread_messages) = (2, 2)"),
             people);
    CHECK_EQ(world.number("SELECT count(*) FROM message"), 2 * people);
    CHECK_EQ(world.contacts.sql().number("SELECT count(*) FROM contact"), people);
    CHECK_EQ(world.number("SELECT count(*) FROM parked_element"), 0);
  }
}

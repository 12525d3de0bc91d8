#pragma once
// What applies webhooks, between a database of its own, contacts that are real and organizations that are played.
#include <doctest/doctest.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <functional>
#include <map>

#include "contacts/identities/store.hpp"
#include "conversations/inbox/webhooks/worker.hpp"
#include "tests/integration/contacts_bed.hpp"
#include "tests/integration/conversations_bed.hpp"

namespace parley::webhooks_tests {

namespace json = boost::json;
using namespace std::chrono_literals;
using boost::asio::awaitable;
using conversations_tests::quoted;
using model::Uuid;

// What stays when processes die.
struct World {
  conversations_tests::Database database;
  contacts_tests::Database contacts;
  std::map<std::string, Uuid> organizations;  // by phone number
  std::string business_account = "7";         // of all of them

  // An organization with an account of this phone number's id.
  Uuid connect(const std::string& phone_number_id);
  // A body in the inbox.
  void receive(const std::string& body) const;
  // So many texts from one person, each another message, whose ids have these numbers.
  void receive_texts(const std::string& from, std::int64_t first, std::int64_t count) const;
  std::int64_t number(const std::string& sql) const { return database.number(sql); }
  std::string text(const std::string& sql) const { return database.execute(sql); }
  // What is to be tried again later is to be tried now, unless it just is; what somebody asked about is held no longer.
  void pass_time() const {
    database.execute(
        "UPDATE parked_element SET due_at = now() WHERE id IN (SELECT id FROM parked_element WHERE due_at IS NOT NULL "
        "FOR UPDATE SKIP LOCKED);"
        "UPDATE inbox SET asked_until = now() WHERE id IN (SELECT id FROM inbox WHERE asked_until IS NOT NULL "
        "FOR UPDATE SKIP LOCKED)");
  }

  // An outbound message of a conversation that a contact with this number has, Queued and waiting to be sent.
  Uuid add_outbound(const Uuid& organization, const std::string& phone, const std::string& text,
                    std::optional<Uuid> campaign = {});
  Uuid contact_of(const Uuid& organization, const std::string& phone_or_user_id);
};

// A process with workers.
class Replica {
 public:
  explicit Replica(World& world, int workers = 1);
  ~Replica();

  // Works until nothing is left that could be done now.
  void drain();
  // One batch; what it threw.
  std::exception_ptr work();
  // All workers at once, until the inbox is empty.
  void run_until_empty();
  // All workers, beside whatever turns the loop; for good.
  void start();
  void run();
  void until(const std::function<bool()>& condition);
  // To its end. What it throws ends it.
  void run(awaitable<void> work);

  chassis::Process& process() { return process_; }
  pg::Pool& database() { return database_; }
  conversations::channel::Accounts& accounts() { return accounts_; }
  conversations::webhooks::Worker& worker() { return *workers_.front(); }
  // What the gateway shows for itself.
  static std::string gateway_token();

  // What contacts answer instead, by somebody in the question; 0: never.
  std::map<std::string, unsigned> refusals;
  std::string refusal = "not them";  // in words
  bool contacts_down = false;
  // Instead of people, contacts answer this with a 200, by somebody in the question.
  std::map<std::string, std::string> senseless;
  int questions = 0, hanging = 0;  // that contacts were asked; about nobody: only whether they are there
  int about_nobody = 0;
  // Contacts answer nobody before so many questions are there; the transactions that were open then without a word.
  int answers_together = 0, open_transactions = 0;
  bool organizations_down = false;
  std::string untold;                       // organizations fails when asked about this number
  std::vector<std::string> accounts_asked;  // queries that organizations were asked

 private:
  static chassis::ProcessSettings settings();
  awaitable<http::Response> serve(http::Request& request);
  awaitable<void> end(bool& over);
  awaitable<http::Response> resolve(std::string body);
  http::Response verify_token(std::string_view path) const;
  http::Response account(std::string_view query) const;
  http::Response owners(std::string_view query) const;

  World& world_;
  chassis::Process process_;
  http::Server neighbours_;
  pg::Pool database_, contacts_database_;
  contacts::identities::Store people_;
  chassis::EventFeed feed_;
  chassis::ServiceClient contacts_peer_, organizations_peer_;
  conversations::channel::Accounts accounts_;
  std::vector<std::unique_ptr<conversations::webhooks::Worker>> workers_;
};

// Runs a replica in a process of its own, which is killed as soon as `wait` returns. What it held is free then.
void run_and_kill(World& world, const std::function<void(Replica&)>& prepare, const std::function<void()>& wait);

// ---- bodies ---------------------------------------------------------------------------------------------------------

inline constexpr auto kNumber = "100200300";
inline constexpr std::int64_t kNoon = 1'769'860'800;  // 2026-01-31T12:00:00Z

// Messages of a user with a phone number, `seconds` after noon.
json::object message(const std::string& id, const std::string& from, std::int64_t seconds, const std::string& type,
                     json::object content);
json::object text(const std::string& id, const std::string& from, std::int64_t seconds, const std::string& body);
json::object reply(json::object message, const std::string& to);
json::object status(const std::string& id, const std::string& word, std::int64_t seconds,
                    std::optional<Uuid> opaque = {});
// One body with all of them, to one number.
std::string body_of(const json::array& messages, const json::array& statuses = {}, const std::string& number = kNumber,
                    const json::array& contacts = {});
// One body with settings of users, which came to one number.
std::string preferences_of(const json::array& preferences, const std::string& number = kNumber);

// An organization with a number, and a process that applies what comes to it.
struct Applying {
  World world;
  Uuid organization = world.connect(kNumber);
  Replica replica{world};

  void apply(const std::string& body) {
    world.receive(body);
    replica.drain();
  }
};

// The same, and what it left.
struct Applied : Applying {
  void apply(const json::array& messages, const json::array& statuses = {}, const json::array& contacts = {}) {
    Applying::apply(body_of(messages, statuses, kNumber, contacts));
  }
  std::string message_of(const std::string& id, const std::string& columns) const {
    return world.text("SELECT concat_ws(' ', " + columns + ") FROM message WHERE channel_message_id = '" + id + "'");
  }
  // Types of the changes told since this was asked last, in their order.
  std::string told() {
    const auto out = world.text(
        "SELECT string_agg(c ->> 'type', ' ' ORDER BY o.id, n) FROM outbox o, jsonb_array_elements(changes) WITH "
        "ORDINALITY c (c, n) WHERE o.id > " +
        std::to_string(told_));
    told_ = world.number("SELECT coalesce(max(id), 0) FROM outbox");
    return out;
  }

 private:
  std::int64_t told_ = 0;
};

}  // namespace parley::webhooks_tests

#pragma once
// Databases with an outbox and an inbox, and what the tests of events do with them again and again.

#include <fstream>
#include <sstream>

#include "common/events/consumer.hpp"
#include "common/events/feed.hpp"
#include "common/events/inbox/sql.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"
#include "tests/integration/pg_loop.hpp"
#include "tests/support/sql.hpp"

namespace parley::events_tests {

using namespace std::chrono_literals;
using boost::asio::awaitable;
using pg_tests::Loop;
using pg_tests::pause_for;
using pg_tests::shared_server;

inline std::string read_text(const std::string& path) {
  std::ifstream file(std::string(PARLEY_SOURCE_DIR) + "/" + path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A database of its own on the shared server. It outlives its object: the server goes with the tests.
class Database {
 public:
  Database() {
    static int count = 0;
    name_ = "events_" + std::to_string(::getpid()) + "_" + std::to_string(++count);
    shared_server().execute("CREATE DATABASE " + name_);
    execute(read_text("common/events/outbox.sql"));
    execute(read_text("common/events/functions.sql"));
    execute(read_text("common/events/inbox.sql"));
    // What a test's consumer has applied; duplicates would show.
    execute("CREATE TABLE applied (n bigint NOT NULL CHECK (n < 1000000000), by_whom int NOT NULL)");
  }

  std::string url() const { return shared_server().url("postgres", name_); }
  pg::Settings settings() const {
    pg::Settings settings;
    settings.url = url();
    return settings;
  }
  std::string execute(const std::string& sql) const { return support::execute(url(), sql); }
  std::int64_t number(const std::string& sql) const { return std::stoll(execute(sql)); }

 private:
  std::string name_;
};

// Starts what runs until it is stopped, which Loop::run does not wait for; `running` counts it.
inline void start_beside(Loop& loop, awaitable<void> work, int& running) {
  ++running;
  boost::asio::co_spawn(loop.context(), std::move(work), [&running](std::exception_ptr error) {
    --running;
    if (error) std::rethrow_exception(error);
  });
}

// An event that says "n".
struct Number {
  static constexpr std::string_view type = "number";
  std::int64_t n = 0;
};
BOOST_DESCRIBE_STRUCT(Number, (), (n))

inline model::RawJson number_event(std::int64_t n) {
  events::Changes changes;
  changes.add(Number{n});
  return changes.json();
}
std::int64_t number_of(const events::Event& event);

inline events::Report quiet() {
  return [](std::string_view) {};
}

// Settings with pauses so short that tests are quick.
inline events::FeedSettings quick_feed(std::vector<std::string> consumers = {"reader"}) {
  events::FeedSettings settings;
  settings.consumers = std::move(consumers);
  settings.min_age = 0s;
  settings.min_pause = 1ms;
  settings.max_pause = 20ms;
  settings.longest_pause_followed = 10ms;
  settings.housekeeping_pause = 20ms;
  return settings;
}

inline events::ConsumerSettings quick_consumer() {
  events::ConsumerSettings settings;
  settings.name = "reader";
  settings.producer = "writer";
  settings.wait = 1;
  settings.limit = 7;
  settings.min_pause = 1ms;
  settings.max_pause = 20ms;
  return settings;
}

// Inserts each number into `applied`; the ones that the table's check refuses are bad.
events::ConsumerWork recording_work(int whom);
awaitable<void> record(pg::Transaction& transaction, std::span<const events::Event> events, int whom);

// One page of a feed, read as a consumer does.
events::FeedPage page_of(const http::Response& response);

}  // namespace parley::events_tests

#pragma once
// The adapter to the channel in a process of its own, and an organizations service that tells the account.
#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>

#include "common/chassis/process.hpp"
#include "common/chassis/service_client.hpp"
#include "common/events/event.hpp"
#include "common/events/organization_changes.hpp"
#include "common/http/query.hpp"
#include "conversations/channel/client.hpp"
#include "tests/support/loop.hpp"

namespace parley::channel_tests {

using boost::asio::awaitable;
using namespace std::chrono_literals;
namespace channel = conversations::channel;

inline const identity::Seed& seed() {
  static const identity::Seed made = [] {
    identity::start_cryptography();
    return identity::new_seed();
  }();
  return made;
}

// One loop for all that is on it.
class Loop {
 public:
  Loop() : process(settings()) {}

  void turn_until(const std::function<bool()>& condition) { support::run_until(process.context(), condition); }
  template <class T>
  T run(awaitable<T> work) {
    return support::run(process.context(), std::move(work));
  }

  chassis::Process process;

 private:
  static chassis::ProcessSettings settings() {
    chassis::ProcessSettings out;
    out.name = "conversations";
    out.log_level = chassis::Level::error;
    out.identity_key = seed();
    out.trusted = {{"gateway", identity::public_key_of(seed())}};
    return out;
  }
};

// Answers GET /internal/accounts, and remembers what it was asked of these; tells events.
class Organizations {
 public:
  explicit Organizations(Loop& loop)
      : loop_(loop),
        server_(loop.process.context(), loop.process.wheel(), {boost::asio::ip::make_address("127.0.0.1"), 0}, {},
                {[this](http::Request& request) { return serve(request); },
                 [](unsigned status, std::string_view, std::string_view) {
                   return http::to_response({.status = status, .detail{}}, "", "");
                 }}),
        peer(loop.process, "organizations", "http://127.0.0.1:" + std::to_string(server_.endpoint().port())),
        accounts(loop.process, peer, {.min_pause = 1ms, .max_pause = 10ms}) {
    server_.start();
    account.organizationId = model::new_uuid();
    account.businessAccountId = "100000000000001";
    account.phoneNumberId = "200000000000001";
    account.displayPhoneNumber = "+1 555-000-0001";
    account.verifiedName = "Engines";
    account.accessToken = "the-token";
    account.webhookSecret = "the-secret";
  }
  ~Organizations() {
    accounts.stop();
    hold_accounts = hold_polls = false;
    stop();
    loop_.turn_until([&] { return server_.stats().connections == 0; });
  }
  void stop() {
    server_.stop_accepting();
    server_.close_all();
  }

  // It sends through something else now, and so does whoever has one of these numbers. Heard of by questions that are
  // answered later.
  void tell(const model::Uuid& organization, std::vector<std::string> numbers) {
    events::Changes changes;
    changes.add(events::AccountChanged{organization, std::move(numbers)});
    events.push_back({page.head + 1, changes.json()});
    if (!page.unsequenced) ++page.head;
  }
  // Until the accounts follow what is told from now on.
  void follow() {
    accounts.start();
    loop_.turn_until([this] { return polls > 0; });
  }

  channel::Account account;
  unsigned status = 200;  // 404: none is connected
  std::vector<std::string> asked;
  bool hold_accounts = false, hold_polls = false;  // their answers, which are as things are now
  int held = 0, polls = 0;                         // polls: questions to the feed that wait for events
  bool feed_fails = false;
  events::FeedPage page{model::new_uuid(), 7, 0, false, {}};
  std::vector<events::Event> events;

 private:
  awaitable<http::Response> serve(http::Request& request) {
    if (request.path == "/internal/events") co_return co_await feed(std::string(request.query));
    asked.emplace_back(request.target);
    auto response = http::json_response(account, status);
    ++held;
    while (hold_accounts) co_await pause();
    --held;
    co_return response;
  }
  awaitable<http::Response> feed(std::string query) {
    std::int64_t after = -1, wait = 0;
    for (const auto& [name, value] : http::parse_query(query)) {
      if (name == "after") after = std::stoll(value);
      if (name == "wait") wait = std::stoll(value);
    }
    if (wait > 0) ++polls;
    for (int i = 0; wait > 0 && (hold_polls || (i < 20 && after >= page.head)); ++i) co_await pause();
    if (feed_fails) co_return http::to_response({.status = 503, .detail = "not now"}, "", "");
    auto answer = page;
    for (const auto& event : events)
      if (after >= 0 && event.position > after && event.position <= page.head) answer.events.push_back(event);
    co_return http::json_response(answer);
  }
  awaitable<void> pause() {
    boost::asio::steady_timer timer(loop_.process.context(), 2ms);
    co_await timer.async_wait(boost::asio::deferred);
  }
  Loop& loop_;
  http::Server server_;

 public:
  chassis::ServiceClient peer;
  channel::Accounts accounts;
};

}  // namespace parley::channel_tests

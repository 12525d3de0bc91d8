#pragma once
// The adapter to the channel in a process of its own, and an organizations service that tells the account.
#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>

#include "common/chassis/peer.hpp"
#include "common/chassis/process.hpp"
#include "conversations/channel/client.hpp"

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

  void turn_until(const std::function<bool()>& condition) {
    const auto limit = std::chrono::steady_clock::now() + 60s;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > limit) throw std::runtime_error("waited a minute in vain");
      process.context().restart();
      process.context().run_one_for(10ms);
    }
  }
  template <class T>
  T run(awaitable<T> work) {
    std::exception_ptr broken;
    std::optional<T> result;
    bool ended = false;
    boost::asio::co_spawn(process.context(), std::move(work), [&](std::exception_ptr error, T value) {
      broken = error;
      if (!error) result = std::move(value);
      ended = true;
    });
    turn_until([&] { return ended; });
    if (broken) std::rethrow_exception(broken);
    return std::move(*result);
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

// Answers GET /internal/accounts, and remembers what it was asked.
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
        accounts(loop.process, peer) {
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
    stop();
    loop_.turn_until([&] { return server_.stats().connections == 0; });
  }
  void stop() {
    server_.stop_accepting();
    server_.close_all();
  }

  channel::Account account;
  unsigned status = 200;  // 404: none is connected
  std::vector<std::string> asked;

 private:
  awaitable<http::Response> serve(http::Request& request) {
    asked.emplace_back(request.target);
    co_return http::json_response(account, status);
  }
  Loop& loop_;
  http::Server server_;

 public:
  chassis::Peer peer;
  channel::Accounts accounts;
};

}  // namespace parley::channel_tests

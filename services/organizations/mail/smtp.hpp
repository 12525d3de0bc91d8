#pragma once
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "organizations/mail/settings.hpp"

namespace parley::organizations::mail {

using boost::asio::awaitable;

// What became of an attempt. `refused`: the server will not take this mail (a reply 5xx to its sender, recipient or
// text). `failed`: it may be tried again; the server may have taken it all the same, where its answer did not come.
struct Sent {
  enum class Result { sent, refused, failed };
  Result result = Result::failed;
  std::string error{};  // without addresses and texts
};

// Hands mails to an SMTP server (RFC 5321), by libcurl in threads of its own, a connection each.
class Smtp {
 public:
  struct Limits {
    std::chrono::milliseconds connect{10'000};
    std::chrono::milliseconds attempt{30'000};  // all of it, however slowly the server answers
  };
  static constexpr std::size_t kThreads = 4;

  Smtp(boost::asio::io_context& context, Settings settings, Limits limits);
  ~Smtp();  // breaks off what is being sent
  Smtp(const Smtp&) = delete;
  Smtp& operator=(const Smtp&) = delete;

  // `to` is is_mailable(); `message` is of message_of().
  awaitable<Sent> send(std::string to, std::string message);
  // Breaks off what is being sent, within about a second.
  void stop() { stopping_ = true; }

 private:
  struct Job;
  Sent deliver(const std::string& to, std::string_view message) const;

  boost::asio::io_context& context_;
  const Settings settings_;
  const Limits limits_;
  std::atomic<bool> stopping_ = false;
  boost::asio::thread_pool threads_;
};

}  // namespace parley::organizations::mail

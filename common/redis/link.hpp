#pragma once
#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/redis/reader.hpp"
#include "common/redis/tls.hpp"

namespace parley::redis {

// One connection, plain or TLS, not to be reopened. Its owner must keep it until `gone`.
class Link : public std::enable_shared_from_this<Link> {
 public:
  // Events may call send() and close(); they must not throw or resume a coroutine.
  struct Events {
    std::function<void()> connected;                 // with TLS, after the certificate was verified
    std::function<void(const redisReply*)> reply;    // one per send(), in order; null: lost with the connection
    std::function<void(std::string_view why)> gone;  // called once, as the last event
  };
  // Null context: plain. The context must outlive the link; the certificate must match `name`.
  struct Tls {
    boost::asio::ssl::context* context = nullptr;
    std::string name;
  };

  Link(boost::asio::any_io_executor executor, Events events);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  // Starts to connect; the outcome is reported from the loop.
  void dial(const boost::asio::ip::tcp::endpoint& server, const Tls& tls);
  // Returns false if not connected. No SUBSCRIBE or MONITOR, whose replies have no order.
  bool send(std::span<const std::string_view> words);
  // Closes at once: each outstanding command gets its null reply, then `gone` is called.
  void close(std::string_view why);

 private:
  void shake_hands(const Tls& tls);
  void begin();
  void write();
  void read();
  void take(std::size_t octets);
  bool take_reply();

  boost::asio::ip::tcp::socket socket_;
  std::unique_ptr<TlsStream> tls_;  // null: plain
  Events events_;
  ReplyReader reader_;
  std::size_t outstanding_ = 0;
  bool connected_ = false, writing_ = false, closed_ = false;
  std::string queued_, leaving_;  // the next write; the one in progress
  std::array<char, 16'384> came_{};
};

}  // namespace parley::redis

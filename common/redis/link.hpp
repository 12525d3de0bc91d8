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

// One connection, plain or by TLS, from dial() to its end; there is no second life. Whoever dialled keeps the link
// until `gone`, if need be by close().
class Link : public std::enable_shared_from_this<Link> {
 public:
  // They may send() and close(); they must not throw or resume a coroutine.
  struct Events {
    std::function<void()> connected;               // and, with TLS, the server is who it should be
    std::function<void(const redisReply*)> reply;  // one for each send(), in that order; null: lost with the connection
    std::function<void(std::string_view why)> gone;  // once and last
  };
  // Nothing: plain. The context outlives the link; the name is what the certificate must be for.
  struct Tls {
    boost::asio::ssl::context* context = nullptr;
    std::string name;
  };

  Link(boost::asio::any_io_executor executor, Events events);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  // Starts to connect. What comes of it is told from the loop.
  void dial(const boost::asio::ip::tcp::endpoint& server, const Tls& tls);
  // Queues a command; false if the link is at its end. Never SUBSCRIBE or MONITOR, whose replies have no order.
  bool send(std::span<const std::string_view> words);
  // Ends the link at once: what is outstanding gets its null, then comes `gone`.
  void close(std::string_view why);

 private:
  void shake_hands(const Tls& tls);
  void begin();
  void write();
  void read();
  void take(std::size_t octets);
  bool take_reply();

  boost::asio::ip::tcp::socket socket_;
  std::unique_ptr<TlsStream> tls_;  // none: plain
  Events events_;
  ReplyReader reader_;
  std::size_t outstanding_ = 0;
  bool connected_ = false, writing_ = false, closed_ = false;
  std::string queued_, leaving_;  // to be written after what is being written
  std::array<char, 16'384> came_{};
};

}  // namespace parley::redis

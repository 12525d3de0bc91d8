#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct redisAsyncContext;
struct redisReply;

namespace parley::redis {

// One connection of hiredis 0.14 driven by Asio, from dial() to its end; there is no second life. hiredis frees its
// context by itself on any error; every way of ending comes through the `cleanup` hook, so that alone forgets it.
// Whoever dialled keeps the link until `gone`, if need be by close().
class Link : public std::enable_shared_from_this<Link> {
 public:
  // Called with hiredis on the stack: they may send() and, but for `connected`, close(); they must not throw or resume
  // a coroutine.
  struct Events {
    std::function<void()> connected;
    std::function<void(const redisReply*)> reply;  // one for each send(), in that order; null: lost with the connection
    std::function<void(std::string_view why)> gone;  // once and last, if dial() did not fail
  };

  Link(boost::asio::any_io_executor executor, Events events);
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  // Starts to connect; `ip` is an address, for hiredis would block on a name. Gives why it failed, or "".
  std::string dial(const std::string& ip, unsigned short port);
  // Queues a command; false if the link is at its end. Never SUBSCRIBE or MONITOR, whose replies have no order.
  bool send(std::span<const std::string_view> words);
  // Ends the link: what is outstanding gets its null, then comes `gone`; at once, or after the running callback.
  void close(std::string_view why);

 private:
  static void add_read(void* self) { static_cast<Link*>(self)->want_read(); }
  static void del_read(void* self) { static_cast<Link*>(self)->wants_read_ = false; }
  static void add_write(void* self) { static_cast<Link*>(self)->want_write(); }
  static void del_write(void* self) { static_cast<Link*>(self)->wants_write_ = false; }
  static void cleanup(void* self) { static_cast<Link*>(self)->forget(); }
  static void on_connect(const redisAsyncContext* context, int status);
  static void on_reply(redisAsyncContext* context, void* reply, void*);

  void want_read();
  void want_write();
  void read();
  void write();
  void forget();
  bool unasked();

  boost::asio::posix::stream_descriptor descriptor_;
  Events events_;
  redisAsyncContext* context_ = nullptr;
  std::string why_;
  std::size_t outstanding_ = 0;
  bool connected_ = false;
  bool wants_read_ = false, wants_write_ = false;  // what hiredis last asked for
  bool reading_ = false, writing_ = false;         // a wait is under way
  bool blocked_ = false;                           // inside a write: asking again means that the socket is full
  std::vector<const char*> words_;
  std::vector<std::size_t> lengths_;
};

}  // namespace parley::redis

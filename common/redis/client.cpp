#include "common/redis/client.hpp"

#include <hiredis/hiredis.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <utility>

#include "common/async/waiter.hpp"
#include "common/redis/link.hpp"
#include "common/redis/sentinel.hpp"
#include "common/redis/url.hpp"

namespace parley::redis {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

struct Command {
  Clock::time_point sent, due;
  bool done = false;
  Reply reply;
  async::Waiter<> waiter;  // empty while no coroutine waits
};

namespace {

constexpr std::chrono::milliseconds tick{5};
constexpr std::chrono::milliseconds stall{20};

awaitable<Reply> reply_of(std::shared_ptr<Command> command) {
  if (!command) co_return Reply{};
  if (!command->done)
    co_await async::sleep_until_called([&](async::Waiter<> waiter) { command->waiter = std::move(waiter); });
  co_return std::move(command->reply);
}

}  // namespace

awaitable<Reply> Pending::get() { return reply_of(std::move(command_)); }

class Client::Core : public std::enable_shared_from_this<Core> {
 public:
  Core(asio::any_io_executor executor, Settings settings)
      : settings_(std::move(settings)),
        address_(parse_url(settings_.url)),
        tls_(address_.tls ? tls_context(settings_.ca_file) : nullptr),
        breaker_(settings_.breaker_failures, settings_.breaker_pause),
        executor_(std::move(executor)),
        resolver_(executor_),
        connect_timer_(executor_),
        tick_timer_(executor_),
        backoff_(settings_.min_backoff) {}
  ~Core();

  void open();
  void close();
  std::shared_ptr<Command> start(std::span<const std::string_view> words,
                                 std::optional<std::chrono::milliseconds> deadline);
  bool up() const { return up_; }
  Stats stats() const;
  void observe(Observer observer) { observer_ = std::move(observer); }
  const asio::any_io_executor& executor() const { return executor_; }

 private:
  void connect();
  void search(unsigned attempt);
  void approach(const Endpoint& server);
  bool is_master(const redisReply& role) const;
  void dial(const tcp::endpoint& server, const std::string& name);
  void greet();
  void greeted(const redisReply* reply);
  void replied(const redisReply* reply);
  void gone(std::string_view why);
  void give_up(std::string_view why);
  void connect_later();
  void watch();
  void classify(Clock::time_point now);
  void took(const Command& command, Clock::time_point now) const;
  void finish(const std::shared_ptr<Command>& command, Reply reply);
  void wake();

  Settings settings_;
  Address address_;
  std::shared_ptr<asio::ssl::context> tls_;  // null: plain
  Breaker breaker_;
  asio::any_io_executor executor_;
  tcp::resolver resolver_;
  asio::steady_timer connect_timer_;  // limits an attempt, then delays the next one
  asio::steady_timer tick_timer_;
  std::shared_ptr<MasterSearch> search_;
  std::size_t sentinel_ = 0;  // asked first: the one that knew the master last
  std::shared_ptr<Link> link_;
  std::deque<std::shared_ptr<Command>> line_;      // on the wire; replies come in this order
  std::deque<std::shared_ptr<Command>> finished_;  // waiters to be resumed by wake()
  std::chrono::milliseconds backoff_;
  Clock::time_point up_since_{};
  unsigned attempt_ = 0;    // callbacks of an earlier attempt are ignored
  unsigned greetings_ = 0;  // replies expected before the link is up
  bool open_ = false, up_ = false;
  bool ticking_ = false, forgave_ = false, waking_ = false;
  Stats counts_;
  Observer observer_;
};

// If the context ends before wake() has run, a sleeping coroutine and its command own each other: breaks the cycle.
Client::Core::~Core() {
  for (auto& command : finished_) async::Waiter<> destroyed = std::move(command->waiter);
}

void Client::Core::open() {
  if (std::exchange(open_, true)) return;
  connect();
}

void Client::Core::close() {
  open_ = false;
  ++attempt_;
  if (search_) search_->cancel();
  resolver_.cancel();
  connect_timer_.cancel();
  tick_timer_.cancel();
  if (link_) link_->close("closed");
}

// Connecting: find the master, resolve, dial, greet; connect_later() after any failure.

void Client::Core::connect() {
  const auto attempt = ++attempt_;
  if (address_.sentinels.empty()) return approach(address_);
  search(attempt);
}

void Client::Core::search(unsigned attempt) {
  ++counts_.searches;
  search_ = std::make_shared<MasterSearch>(executor_, address_, tls_, sentinel_, settings_.sentinel_deadline);
  search_->start([self = shared_from_this(), attempt](std::optional<Endpoint> master, std::string_view why) {
    if (attempt != self->attempt_) return;
    self->sentinel_ = self->search_->asked();
    self->search_.reset();
    master ? self->approach(*master) : self->give_up(why);
  });
}

void Client::Core::approach(const Endpoint& server) {
  const auto attempt = attempt_;
  connect_timer_.expires_after(settings_.connect_deadline);
  connect_timer_.async_wait([self = shared_from_this(), attempt](error_code error) {
    if (!error && attempt == self->attempt_ && !self->up_) self->give_up("no connection within the deadline");
  });
  error_code not_literal;
  const auto literal = asio::ip::make_address(server.host, not_literal);
  if (!not_literal) return dial({literal, server.port}, server.host);
  resolver_.async_resolve(
      server.host, std::to_string(server.port), tcp::resolver::numeric_service,
      [self = shared_from_this(), attempt, name = server.host](error_code error, tcp::resolver::results_type found) {
        if (attempt != self->attempt_) return;
        if (error || found.empty()) return self->give_up("the host's name does not resolve");
        self->dial(std::next(found.begin(), attempt % found.size())->endpoint(), name);
      });
}

// The events hold a plain `this`: the last event is `gone`, before which the core is not destroyed (see ~Client).
void Client::Core::dial(const tcp::endpoint& server, const std::string& name) {
  Link::Events events;
  events.connected = [this] { greet(); };
  events.reply = [this](const redisReply* reply) { greetings_ > 0 ? greeted(reply) : replied(reply); };
  events.gone = [this](std::string_view why) { gone(why); };
  link_ = std::make_shared<Link>(executor_, std::move(events));
  link_->dial(server, {tls_.get(), name});
}

// Sends PING last, because hung and loading servers accept connections too.
void Client::Core::greet() {
  auto database = std::to_string(address_.database);
  auto send = [this](std::initializer_list<std::string_view> words) { greetings_ += link_->send(words) ? 1 : 0; };
  if (!address_.password.empty() && address_.user.empty()) send({"AUTH", address_.password});
  if (!address_.password.empty() && !address_.user.empty()) send({"AUTH", address_.user, address_.password});
  if (address_.database != 0) send({"SELECT", database});
  if (!address_.sentinels.empty()) send({"ROLE"});  // the sentinels may not know yet that it was demoted
  send({"PING"});
}

// Only ROLE's reply is an array; true for the others. https://redis.io/docs/latest/commands/role/
bool Client::Core::is_master(const redisReply& role) const {
  return role.type != REDIS_REPLY_ARRAY || (role.elements > 0 && role.element[0]->type == REDIS_REPLY_STRING &&
                                            std::string_view(role.element[0]->str, role.element[0]->len) == "master");
}

void Client::Core::greeted(const redisReply* reply) {
  if (!reply) return;  // the link is closing
  if (reply->type == REDIS_REPLY_ERROR) {
    std::string_view why(reply->str, reply->len);
    bool tells = !address_.password.empty() && why.find(address_.password) != why.npos;  // errors can quote args
    return link_->close(tells ? "AUTH is refused" : why);
  }
  if (!is_master(*reply)) return link_->close("it is not the master any more");
  if (--greetings_ > 0) return;
  up_ = true;
  up_since_ = Clock::now();
  ++counts_.connects;
  connect_timer_.cancel();
  breaker_.succeeded();
}

void Client::Core::gone(std::string_view why) {
  link_.reset();
  greetings_ = 0;
  const bool was_up = std::exchange(up_, false);
  if (was_up && Clock::now() - up_since_ > settings_.max_backoff) backoff_ = settings_.min_backoff;
  if (!was_up) ++sentinel_;  // its answer may be out of date: start with the next one
  counts_.last_fault = why;
  if (open_) connect_later();
}

void Client::Core::give_up(std::string_view why) {
  if (link_) return link_->close(why);  // calls gone()
  resolver_.cancel();
  counts_.last_fault = why;
  connect_later();
}

void Client::Core::connect_later() {
  auto attempt = ++attempt_;
  connect_timer_.expires_after(backoff_);
  backoff_ = std::min(backoff_ * 2, settings_.max_backoff);
  connect_timer_.async_wait([self = shared_from_this(), attempt](error_code error) {
    if (!error && attempt == self->attempt_) self->connect();
  });
}

std::shared_ptr<Command> Client::Core::start(std::span<const std::string_view> words,
                                             std::optional<std::chrono::milliseconds> deadline) {
  auto now = Clock::now();
  if (!up_ || line_.size() >= settings_.max_outstanding || !breaker_.admit(now)) {
    ++counts_.refused;
    return nullptr;
  }
  if (!link_->send(words)) {
    breaker_.failed(now);
    ++counts_.refused;
    return nullptr;
  }
  ++counts_.commands;
  auto command = std::make_shared<Command>();
  command->sent = now;
  command->due = now + deadline.value_or(settings_.deadline);
  line_.push_back(command);
  watch();
  return command;
}

void Client::Core::replied(const redisReply* reply) {
  if (line_.empty()) return;
  auto command = std::move(line_.front());
  line_.pop_front();
  if (command->done) {
    if (reply) ++counts_.late;
    return;
  }
  Reply copy = reply ? copy_of(*reply) : Reply{};
  bool error = copy.kind == Reply::Kind::error;
  if (reply) took(*command, Clock::now());
  if (!reply) ++counts_.lost;
  if (error) ++counts_.errors;
  if (!reply || (error && is_refusal(copy.text)))
    breaker_.failed(Clock::now());
  else
    breaker_.succeeded();
  const bool demoted = error && is_another_master(copy.text);
  finish(command, std::move(copy));
  if (demoted) link_->close("another server is to be the master");
}

void Client::Core::watch() {
  if (ticking_) return;
  ticking_ = true;
  tick_timer_.expires_after(tick);
  tick_timer_.async_wait([self = shared_from_this()](error_code) {
    self->ticking_ = false;
    auto now = Clock::now();
    // If this process was held up, replies may lie unread in the socket: skips one check so that they are read first.
    self->forgave_ = !self->forgave_ && now - self->tick_timer_.expiry() > stall;
    if (!self->forgave_) self->classify(now);
    if (!self->line_.empty()) self->watch();
  });
}

void Client::Core::classify(Clock::time_point now) {
  for (auto& command : line_) {
    if (command->done || command->due > now) continue;
    ++counts_.timeouts;
    took(*command, now);
    breaker_.failed(now);
    Reply late;
    late.kind = Reply::Kind::timeout;
    finish(command, std::move(late));
  }
  if (link_ && !line_.empty() && now - line_.front()->due > settings_.hung_after) link_->close("Redis does not answer");
}

void Client::Core::took(const Command& command, Clock::time_point now) const {
  if (observer_) observer_(std::chrono::duration<double>(now - command.sent).count());
}

void Client::Core::finish(const std::shared_ptr<Command>& command, Reply reply) {
  command->done = true;
  command->reply = std::move(reply);
  if (!command->waiter) return;
  finished_.push_back(command);
  wake();
}

// Posts, as the link is on the stack. If a resumed coroutine throws, another post handles the rest.
void Client::Core::wake() {
  if (std::exchange(waking_, true)) return;
  asio::post(executor_, [self = shared_from_this()] {
    self->waking_ = false;
    while (!self->finished_.empty()) {
      auto command = std::move(self->finished_.front());
      self->finished_.pop_front();
      if (!self->finished_.empty()) self->wake();
      auto waiter = std::move(command->waiter);
      command.reset();
      waiter();
    }
  });
}

Stats Client::Core::stats() const {
  Stats out = counts_;
  out.up = up_;
  out.breaker = breaker_.state();
  out.outstanding = line_.size();
  out.breaker_openings = breaker_.openings();
  return out;
}

Client::Client(asio::any_io_executor executor, Settings settings)
    : core_(std::make_shared<Core>(std::move(executor), std::move(settings))) {}

Client::~Client() { core_->close(); }

void Client::open() { core_->open(); }
void Client::close() { core_->close(); }

Pending Client::start(std::span<const std::string_view> words, std::optional<std::chrono::milliseconds> deadline) {
  return Pending(core_->start(words, deadline));
}

Pending Client::start(std::initializer_list<std::string_view> words,
                      std::optional<std::chrono::milliseconds> deadline) {
  return start(std::span(words.begin(), words.size()), deadline);
}

awaitable<Reply> Client::command(std::span<const std::string_view> words,
                                 std::optional<std::chrono::milliseconds> deadline) {
  return start(words, deadline).get();
}

awaitable<Reply> Client::command(std::initializer_list<std::string_view> words,
                                 std::optional<std::chrono::milliseconds> deadline) {
  return start(words, deadline).get();
}

bool Client::up() const { return core_->up(); }
Stats Client::stats() const { return core_->stats(); }
void Client::observe(Observer observer) { core_->observe(std::move(observer)); }
asio::any_io_executor Client::executor() const { return core_->executor(); }

}  // namespace parley::redis

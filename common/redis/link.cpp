#include "common/redis/link.hpp"

#include <hiredis/async.h>
#include <signal.h>
#include <sys/socket.h>

#include <boost/asio/post.hpp>
#include <utility>

namespace parley::redis {

using boost::asio::posix::descriptor_base;
using boost::system::error_code;

namespace {

// hiredis writes with write(2): to a connection that the other side has reset, that would end the process.
void ignore_broken_pipes() {
  struct sigaction action{};
  if (::sigaction(SIGPIPE, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &action, nullptr);
}

}  // namespace

Link::Link(boost::asio::any_io_executor executor, Events events)
    : descriptor_(std::move(executor)), events_(std::move(events)) {
  ignore_broken_pipes();
}

std::string Link::dial(const std::string& ip, unsigned short port) {
  redisAsyncContext* context = redisAsyncConnect(ip.c_str(), port);
  if (!context) return "out of memory";
  error_code error;
  if (!context->err) descriptor_.assign(context->c.fd, error);
  if (context->err || error) {
    std::string why = error ? error.message() : context->errstr;
    redisAsyncFree(context);
    return why;
  }
  context_ = context;
  context->data = this;
  context->ev = {this, add_read, del_read, add_write, del_write, cleanup};
  redisAsyncSetConnectCallback(context, on_connect);  // asks for a write, so the hooks must stand by now
  return {};
}

bool Link::send(std::span<const std::string_view> words) {
  if (!context_) return false;
  words_.clear();
  lengths_.clear();
  for (auto word : words) {
    words_.push_back(word.data());
    lengths_.push_back(word.size());
  }
  ++outstanding_;
  if (redisAsyncCommandArgv(context_, on_reply, nullptr, static_cast<int>(words_.size()), words_.data(),
                            lengths_.data()) == REDIS_OK)
    return true;
  --outstanding_;
  return false;
}

void Link::close(std::string_view why) {
  if (!context_) return;
  auto keep = shared_from_this();
  if (why_.empty()) why_ = why;
  redisAsyncFree(context_);
}

// hiredis asks for a write at every command. A connected socket nearly always takes it, so a turn of the loop is
// enough: all commands of this turn leave in one write, and without a call to epoll.
void Link::want_write() {
  wants_write_ = true;
  if (writing_) return;
  writing_ = true;
  if (connected_ && !blocked_)
    boost::asio::post(descriptor_.get_executor(), [self = shared_from_this()] { self->write(); });
  else
    descriptor_.async_wait(descriptor_base::wait_write, [self = shared_from_this()](error_code error) {
      if (!error) self->write();
    });
}

void Link::write() {
  writing_ = false;
  if (!context_ || !wants_write_) return;
  blocked_ = connected_;
  redisAsyncHandleWrite(context_);  // may end in forget()
  blocked_ = false;
}

void Link::want_read() {
  wants_read_ = true;
  if (reading_) return;
  reading_ = true;
  descriptor_.async_wait(descriptor_base::wait_read, [self = shared_from_this()](error_code error) {
    if (!error) self->read();
  });
}

void Link::read() {
  reading_ = false;
  if (!context_ || !wants_read_) return;
  if (outstanding_ == 0 && unasked()) return close("a reply that nothing asked for");
  redisAsyncHandleRead(context_);  // may end in forget()
}

// hiredis asserts, that is ends the process, when a reply comes that nothing asked for: whatever a broken server or
// proxy says must not do that. Here before it reads; in on_reply() for what it has read already.
bool Link::unasked() {
  char byte = 0;
  return connected_ && ::recv(context_->c.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1 && byte != '-';
}

void Link::on_connect(const redisAsyncContext* context, int status) {
  auto& self = *static_cast<Link*>(context->data);
  if (status != REDIS_OK) return;  // it is about to free itself
  self.connected_ = true;
  self.events_.connected();
}

void Link::on_reply(redisAsyncContext* context, void* reply, void*) {
  auto& self = *static_cast<Link*>(context->data);
  --self.outstanding_;
  self.events_.reply(static_cast<const redisReply*>(reply));
  const auto& reader = *context->c.reader;
  if (reply && self.outstanding_ == 0 && reader.pos < reader.len) self.close("a reply that nothing asked for");
}

void Link::forget() {
  auto keep = shared_from_this();
  if (why_.empty()) why_ = context_->c.err ? context_->c.errstr : "closed";
  context_ = nullptr;
  descriptor_.release();  // hiredis closes it
  if (events_.gone) events_.gone(why_);
}

}  // namespace parley::redis

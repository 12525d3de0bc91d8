#include "common/redis/sentinel.hpp"

#include <hiredis/hiredis.h>

#include <boost/asio/post.hpp>
#include <charconv>
#include <iterator>
#include <utility>

namespace parley::redis {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// Two bulk strings; nil for an unknown master.
std::optional<Endpoint> read_master(const redisReply& reply) {
  if (reply.type != REDIS_REPLY_ARRAY || reply.elements != 2) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i)
    if (reply.element[i]->type != REDIS_REPLY_STRING) return std::nullopt;
  const std::string_view port(reply.element[1]->str, reply.element[1]->len);
  Endpoint out{std::string(reply.element[0]->str, reply.element[0]->len), 0};
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), out.port);
  if (error != std::errc() || end != port.data() + port.size() || out.port == 0 || out.host.empty())
    return std::nullopt;
  return out;
}

}  // namespace

MasterSearch::MasterSearch(asio::any_io_executor executor, const Address& address,
                           std::shared_ptr<asio::ssl::context> tls, std::size_t first,
                           std::chrono::milliseconds deadline)
    : executor_(std::move(executor)),
      address_(address),
      tls_(std::move(tls)),
      deadline_(deadline),
      resolver_(executor_),
      timer_(executor_),
      turn_(first) {}

void MasterSearch::start(Found found) {
  found_ = std::move(found);
  ask();
}

void MasterSearch::cancel() {
  found_ = nullptr;
  end_question();
}

void MasterSearch::end_question() {
  ++question_;
  resolver_.cancel();
  timer_.cancel();
  auto link = std::exchange(link_, nullptr);
  if (!link) return;
  link->close("the search is over");
}

void MasterSearch::ask() {
  const auto question = ++question_;
  const auto& sentinel = address_.sentinels[asked()];
  timer_.expires_after(deadline_);
  timer_.async_wait([self = shared_from_this(), question](error_code error) {
    if (!error && question == self->question_) self->pass_over("no answer within the deadline");
  });
  error_code not_literal;
  const auto literal = asio::ip::make_address(sentinel.host, not_literal);
  if (!not_literal) return dial({literal, sentinel.port});
  resolver_.async_resolve(sentinel.host, std::to_string(sentinel.port), tcp::resolver::numeric_service,
                          [self = shared_from_this(), question](error_code error, tcp::resolver::results_type found) {
                            if (question != self->question_) return;
                            if (error || found.empty()) return self->pass_over("its name does not resolve");
                            const auto turn =
                                std::next(found.begin(), self->turn_ / self->address_.sentinels.size() % found.size());
                            self->dial(turn->endpoint());
                          });
}

void MasterSearch::dial(const tcp::endpoint& server) {
  const auto question = question_;
  Link::Events events;
  const auto is_on = [self = shared_from_this(), question] { return question == self->question_; };
  events.connected = [this, is_on] {
    if (is_on()) send_question();
  };
  events.reply = [this, is_on](const redisReply* reply) {
    if (is_on()) answered(reply);
  };
  events.gone = [this, is_on](std::string_view why) {
    if (is_on()) pass_over(why);
  };
  link_ = std::make_shared<Link>(executor_, std::move(events));
  link_->dial(server, {tls_.get(), address_.sentinels[asked()].host});
}

void MasterSearch::send_question() {
  replies_ = 0;
  const auto send = [this](std::initializer_list<std::string_view> words) { replies_ += link_->send(words) ? 1 : 0; };
  if (!address_.password.empty() && address_.user.empty()) send({"AUTH", address_.password});
  if (!address_.password.empty() && !address_.user.empty()) send({"AUTH", address_.user, address_.password});
  send({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", address_.master});
}

// Only the last reply counts; the reply to AUTH does not matter if the question is answered.
void MasterSearch::answered(const redisReply* reply) {
  if (!reply || --replies_ > 0) return;  // null: the link is closing
  auto master = read_master(*reply);
  if (master) return finish(std::move(master));
  const bool refused = reply->type == REDIS_REPLY_ERROR;
  pass_over(refused ? std::string_view(reply->str, reply->len) : "it does not know the master " + address_.master);
}

// Posts the next question, as a link is on the stack.
void MasterSearch::pass_over(std::string_view why) {
  const auto& sentinel = address_.sentinels[asked()];
  faults_ += (faults_.empty() ? "" : "; ") + sentinel.host + ":" + std::to_string(sentinel.port) + ": ";
  faults_ += why;
  end_question();
  ++turn_;
  if (++tries_ >= address_.sentinels.size()) return finish(std::nullopt);
  asio::post(executor_, [self = shared_from_this(), question = question_] {
    if (question == self->question_) self->ask();
  });
}

void MasterSearch::finish(std::optional<Endpoint> master) {
  end_question();
  asio::post(executor_, [self = shared_from_this(), master = std::move(master)] {
    const auto found = std::exchange(self->found_, nullptr);
    if (found) found(master, "no sentinel tells where the master is (" + self->faults_ + ")");
  });
}

}  // namespace parley::redis

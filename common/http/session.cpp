#include "common/http/session.hpp"

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/write.hpp>
#include <charconv>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "common/http/peer.hpp"
#include "common/http/problem.hpp"
#include "common/http/resume_in.hpp"
#include "common/model/text.hpp"

namespace parley::http {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr auto kLingerTime = 2s;
constexpr std::size_t kLingerOctets = 32 << 20;
constexpr std::size_t kSmallAnswer = 4 << 10;
constexpr auto kTimeOfOctet = std::chrono::nanoseconds(1s) / 1024;  // lowest speed of a streamed body

bool is_bodiless(unsigned status) { return status == 204 || status == 304; }

template <class Integer>
void append_number(std::string& out, Integer value, int base = 10) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, value, base).ptr);
}

}  // namespace

Session::Session(Server& server, asio::ip::tcp::socket socket, std::string remote_address)
    : server_(server),
      socket_(std::move(socket)),
      remote_address_(std::move(remote_address)),
      reader_limits_{server.limits_.head, server.limits_.fields, server.limits_.target, server.limits_.body,
                     server.limits_.streamed},
      reader_(reader_limits_),
      deadline_(server.wheel_, [this] { expire(); }) {}

Session::~Session() { server_.forget(*this); }

awaitable<void> Session::run() {
  for (bool open = true; open;) {
    const bool there = co_await read_head();
    if (!there) co_return;
    open = co_await serve();
    reader_.next_message();
    count_buffers();
  }
  co_await linger();
}

awaitable<bool> Session::read_head() {
  state_ = reader_.has_octets() ? State::reading_head : State::idle;
  waits_since_ = server_.wheel_.now();
  if (closing_ && state_ == State::idle && served_ && !has_arrived()) co_return false;
  // The first request on a new connection has the head's deadline from the opening, as if it had begun.
  deadline_.set(state_ == State::reading_head || !served_ ? server_.limits_.head_time : server_.limits_.idle_time);
  if (closing_ && state_ == State::idle) deadline_.set(kLingerTime);
  for (;;) {
    switch (reader_.step()) {
      case Step::head:
        waits_since_ = kItsTurn;
        co_return true;
      case Step::fault:
        co_return co_await answer_fault(reader_.fault_status(), reader_.fault_reason());
      default:
        break;
    }
    const auto space = reader_.space();
    if (!count_buffers()) co_return co_await answer_fault(503, kNoRoom);
    const auto [error, octets] =
        co_await socket_.async_read_some(asio::buffer(space.data(), space.size()), asio::as_tuple(asio::deferred));
    if (error) {
      const bool begun = state_ == State::reading_head;
      if (expired_ && begun) co_return co_await answer_fault(408, "timeout");
      co_return false;
    }
    reader_.commit(octets);
    if (state_ == State::idle) {
      state_ = State::reading_head;
      waits_since_ = server_.wheel_.now();
      deadline_.set(server_.limits_.head_time);
    }
  }
}

// Returns false when the buffers find no room: see Server::hold.
bool Session::count_buffers() {
  const auto octets = reader_.held();
  return octets == held_ || server_.hold(*this, octets);
}

void Session::count_answer(std::size_t octets) {
  if (octets > kSmallAnswer) server_.hold(*this, reader_.held() + octets);
}

awaitable<bool> Session::answer_fault(unsigned status, std::string_view reason) {
  ++server_.stats_.faults[std::string(reason)];
  Response response = server_.handler_.fault(status, reason, remote_address_);
  response.close = true;
  expired_ = false;
  const bool written = co_await write(response, false);
  if (!written) co_return false;
  co_await linger();
  co_return false;
}

Request Session::request_of(const Head& head) {
  Request request;
  request.method = head.method;
  request.target = head.target;
  const auto mark = head.target.find('?');
  request.path = head.target.substr(0, mark);
  if (mark != head.target.npos) request.query = head.target.substr(mark + 1);
  request.fields = head.fields();
  request.content_length = head.content_length;
  request.has_body = head.chunked || head.content_length.value_or(0) > 0;
  request.streamed = head.streamed;
  request.remote_address = remote_address_;
  request.body_source = this;
  request.body_room = &server_.stats_.bodies;
  request.answer_room = &server_.stats_.answers;
  request.reader = this;
  return request;
}

awaitable<bool> Session::serve() {
  state_ = State::serving;
  served_ = true;
  deadline_.clear();  // the handler's own waits have deadlines
  body_begun_ = false;
  received_ = sent_ = 0;
  waited_ = {};
  const Head& head = reader_.head();
  Request request = request_of(head);
  const auto expect = request.field("Expect");
  continue_owed_ = request.has_body && model::equals_ignoring_case(expect, "100-continue");

  Response response;
  ++server_.stats_.serving;
  if (!expect.empty() && !model::equals_ignoring_case(expect, "100-continue")) {
    response = server_.handler_.fault(417, "expectation", remote_address_);
    response.close = true;  // the client may never send the body
  } else {
    response = co_await handle(request);
    request.forget_body();  // the client may take long to read the response
  }
  --server_.stats_.serving;
  request.begin_answer(response.body.size());

  // An unread body would be parsed as the next request. A body that awaits 100 Continue never comes.
  if (continue_owed_) response.close = true;
  if (reader_.fault_status() != 0) response.close = true;
  if (!head.keep_alive || server_.draining_ || closing_) response.close = true;
  if (!response.close && !reader_.done()) {
    const bool finished = co_await finish_body();
    if (!finished) response.close = true;
  }
  // HTTP/1.0 has no chunked coding: a response without length ends with the connection.
  if (response.stream && !response.stream_length && head.version < 11) response.close = true;
  const bool close = response.close;
  count_answer(response.body.capacity());
  const bool written = co_await write(response, head.method == Method::head);
  if (server_.handler_.answered) server_.handler_.answered(received_, sent_);
  co_return written && !close;
}

awaitable<Response> Session::handle(Request& request) {
  try {
    co_return co_await server_.handler_.serve(request);
  } catch (const Problem& problem) {
    co_return to_response(problem, request.path, "");
  } catch (...) {
    ++server_.stats_.faults[kHandlerFault];
  }
  co_return server_.handler_.fault(500, "handler", remote_address_);
}

awaitable<std::string_view> Session::next() {
  const auto trace = model::current_trace;
  const bool is_streamed = reader_.head().streamed;
  if (!body_begun_) {
    body_begun_ = true;
    body_since_ = server_.wheel_.now();
    timeout_ = server_.limits_.body_time;
    deadline_.set(timeout_);
    if (continue_owed_) {
      continue_owed_ = false;
      static constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
      co_await asio::async_write(socket_, asio::buffer(go_on), asio::as_tuple(asio::deferred));
    }
  }
  if (is_streamed) deadline_.set(timeout_);
  for (;;) {
    switch (reader_.step()) {
      case Step::body:
        received_ += reader_.piece().size();
        if (is_streamed) count_timeout(reader_.piece().size());
        if (reader_.done() || is_streamed) deadline_.clear();
        co_return reader_.piece();
      case Step::done:
        deadline_.clear();
        co_return std::string_view{};
      case Step::fault: {
        ++server_.stats_.faults[std::string(reader_.fault_reason())];
        const bool large = reader_.fault_status() == 413;
        throw Problem({.status = reader_.fault_status(),
                       .detail = large ? "the body is larger than this server takes" : "the body's framing is broken",
                       .close = true});
      }
      default:
        break;
    }
    const auto space = reader_.space();
    if (!count_buffers()) {
      ++server_.stats_.faults[kNoRoom];
      throw Problem({.status = 503,
                     .detail = "too many bodies arrive at once: try again",
                     .head = "Retry-After: 1\r\n",
                     .close = true});
    }
    boost::system::error_code error = asio::error::timed_out;
    std::size_t octets = 0;
    if (!expired_) {  // the deadline may have passed while the handler used the last piece
      waits_since_ = is_streamed ? server_.wheel_.now() : body_since_;
      const auto since = Clock::now();
      std::tie(error, octets) =
          co_await socket_.async_read_some(asio::buffer(space.data(), space.size()), asio::as_tuple(asio::deferred));
      waited_ += Clock::now() - since;
      waits_since_ = kItsTurn;
    }
    if (trace) co_await resume_in(trace);
    if (error && expired_) {
      expired_ = false;
      ++server_.stats_.faults["timeout"];
      throw Problem({.status = 408, .detail = "the body did not arrive in time", .close = true});
    }
    if (error) throw Problem({.status = 400, .detail = "the body ended early", .close = true});
    reader_.commit(octets);
  }
}

// Waiting uses the allowance up, and octets restore it: a pause is tolerated, a client that trickles octets is not.
void Session::count_timeout(std::size_t octets) {
  const auto left = deadline_.is_set() ? deadline_.left() : Clock::duration{};
  timeout_ = left + static_cast<Clock::rep>(octets) * kTimeOfOctet;
  timeout_ = std::min<Clock::duration>(timeout_, server_.limits_.body_time);
}

awaitable<bool> Session::finish_body() {
  // A hostile client could send without end.
  std::uint64_t left = 256 * 1024;
  try {
    for (;;) {
      const auto piece = co_await next();
      if (piece.empty()) co_return true;
      if (piece.size() > left) co_return false;
      left -= piece.size();
    }
  } catch (const Problem&) {
    co_return false;
  }
}

void Session::write_head(const Response& response, bool chunked) {
  head_.clear();
  head_ += "HTTP/1.1 ";
  append_number(head_, response.status);
  head_ += ' ';
  head_ += reason_of(response.status);
  head_ += "\r\n";
  if (!response.content_type.empty()) head_.append("Content-Type: ").append(response.content_type).append("\r\n");
  if (chunked) {
    head_ += "Transfer-Encoding: chunked\r\n";
  } else if (!is_bodiless(response.status) && (!response.stream || response.stream_length)) {
    head_ += "Content-Length: ";
    append_number(head_, response.stream ? *response.stream_length : response.body.size());
    head_ += "\r\n";
  }
  head_ += response.head;
  head_ += response.close ? "Connection: close\r\n\r\n" : "\r\n";
}

awaitable<bool> Session::write(Response& response, bool head_only) {
  state_ = State::writing;
  const bool is_chunked =
      response.stream && !response.stream_length && !is_bodiless(response.status) && reader_.head().version == 11;
  write_head(response, is_chunked);
  deadline_.set(server_.limits_.write_time);
  if (is_bodiless(response.status)) head_only = true;
  if (response.stream && !head_only) co_return co_await write_stream(response, is_chunked);
  const std::array<asio::const_buffer, 2> both{asio::buffer(head_),
                                               head_only ? asio::const_buffer() : asio::buffer(response.body)};
  sent_ = both[1].size();
  waits_since_ = server_.wheel_.now();
  const auto [error, octets] = co_await asio::async_write(socket_, both, asio::as_tuple(asio::deferred));
  waits_since_ = kItsTurn;
  co_return !error;
}

awaitable<bool> Session::write_stream(Response& response, bool chunked) {
  // Does not own the stream: it lasts as long as this function, which is what watch() asks for.
  const std::shared_ptr<BodySource> watched(response.stream.get(), [](BodySource*) {});
  if (!response.stream_length) watch(watched);
  std::uint64_t left = response.stream_length.value_or(std::numeric_limits<std::uint64_t>::max());
  try {
    for (;;) {
      const auto piece = co_await response.stream->next();
      const bool is_short = piece.empty() && response.stream_length && left > 0;
      if (is_short || piece.size() > left) throw std::length_error("a stream is not as long as it said");
      left -= piece.size();
      sent_ += piece.size();
      if (chunked) {
        if (!piece.empty()) append_number(head_, piece.size(), 16);
        head_ += piece.empty() ? "0\r\n\r\n" : "\r\n";
      }
      const std::array<asio::const_buffer, 3> parts{
          asio::buffer(head_), asio::buffer(piece.data(), piece.size()),
          chunked && !piece.empty() ? asio::buffer("\r\n", 2) : asio::const_buffer()};
      deadline_.set(server_.limits_.write_time);
      waits_since_ = server_.wheel_.now();
      const auto [error, octets] = co_await asio::async_write(socket_, parts, asio::as_tuple(asio::deferred));
      waits_since_ = kItsTurn;
      if (error) co_return false;
      if (piece.empty()) co_return true;
      head_.clear();
    }
  } catch (const std::exception&) {
    // The head has been sent: only an early close can tell the client that the response is incomplete.
    close();
    co_return false;
  }
}

// Tells the stream when its client closes: while the next piece is awaited, there is no write whose failure would show
// it. A client that has sent its next request is not watched any longer.
void Session::watch(std::weak_ptr<BodySource> stream) {
  socket_.async_wait(asio::ip::tcp::socket::wait_read, [this, stream](boost::system::error_code error) {
    // An expired stream may mean that this session is gone, too.
    if (error || stream.expired()) return;
    const auto client = look_at_peer(socket_.native_handle());
    if (client == Peer::quiet)
      watch(stream);
    else if (client == Peer::closed)
      std::shared_ptr<BodySource>(stream)->reader_left();
  });
}

// Closing with unread input would reset the connection, and the reset can overtake the response (RFC 9112 9.6).
awaitable<void> Session::linger() {
  state_ = State::lingering;
  boost::system::error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  deadline_.set(kLingerTime);
  waits_since_ = server_.wheel_.now();
  static thread_local std::array<char, 4096> unread;  // shared by all sessions, as its content is not used
  for (std::size_t left = kLingerOctets; left > 0;) {
    const auto [error, octets] = co_await socket_.async_read_some(asio::buffer(unread), asio::as_tuple(asio::deferred));
    if (error) break;
    left -= std::min(left, octets);
  }
}

bool Session::has_arrived() {
  boost::system::error_code error;
  return socket_.available(error) > 0;
}

// A request that has arrived is answered; a new connection gets a moment to send its first one.
void Session::close_when_idle() {
  closing_ = true;
  if (state_ != State::idle) return;
  if (!served_)
    deadline_.set(kLingerTime);
  else if (!has_arrived())
    close();
}

void Session::close() {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

void Session::cut_off() {
  boost::system::error_code ignored;
  if (state_ == State::writing) socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  waits_since_ = kItsTurn;
  close();
}

void Session::expire() {
  // A session that reads can still answer 408; one whose client does not read is cut off.
  expired_ = true;
  boost::system::error_code ignored;
  if (state_ == State::writing)
    cut_off();
  else
    socket_.cancel(ignored);
}

}  // namespace parley::http

#pragma once
#include <boost/asio/ip/tcp.hpp>

#include "common/http/message_reader.hpp"
#include "common/http/server.hpp"

namespace parley::http {

// One connection of a server, from its opening to its end.
class Session final : public BodySource, public Reader {
 public:
  Session(Server& server, boost::asio::ip::tcp::socket socket, std::string remote_address);
  ~Session() override;

  awaitable<void> run();
  // The connection's end, if it is waiting for another request; otherwise after the answer being made.
  void close_when_idle();
  void close();
  // Closes it whatever it is doing; nor does the kernel keep an answer that nobody reads.
  void cut_off() override;

  // Whether it is its client's turn: to ask, to go on with what it has begun, to read.
  bool waits() const { return waits_since_ != kItsTurn; }
  bool is_idle() const { return state_ == State::idle && waits(); }
  // Whether it can be spared rather than another one, if there is one.
  bool is_before(const Session* other) const {
    return !other || (is_idle() != other->is_idle() ? is_idle() : waits_since_ < other->waits_since_);
  }

  // The request's body, for Request::body_source.
  awaitable<std::string_view> next() override;

 private:
  friend class Server;
  using Step = MessageReader<true>::Step;
  enum class State { idle, reading_head, serving, writing, lingering };

  awaitable<bool> read_head();                                             // false: nobody is there any more
  awaitable<bool> answer_fault(unsigned status, std::string_view reason);  // always false: the connection ends
  awaitable<bool> serve();
  awaitable<Response> handle(Request& request);
  awaitable<bool> write(Response& response, bool head_only);
  awaitable<bool> write_stream(Response& response, bool chunked);
  void count_timeout(std::size_t octets);
  awaitable<bool> finish_body();  // reads on past a body that the handler left
  awaitable<void> linger();
  void write_head(const Response& response, bool chunked);
  Request request_of(const Head& head);
  void expire();
  bool has_arrived();  // something that was not read yet
  bool count_buffers();
  void count_answer(std::size_t octets);

  Server& server_;
  boost::asio::ip::tcp::socket socket_;
  std::string remote_address_;
  ReaderLimits reader_limits_;
  MessageReader<true> reader_;
  Deadline deadline_;
  State state_ = State::idle;
  static constexpr auto kItsTurn = Clock::time_point::max();
  Clock::time_point waits_since_ = kItsTurn, body_since_;
  bool expired_ = false, closing_ = false, served_ = false, continue_owed_ = false, body_begun_ = false;
  bool is_counted_ = true;      // as one of the server's: not any more once it was closed for another
  std::uint64_t held_ = 0;      // octets of its buffers, as the server knows
  Network* network_ = nullptr;  // none: it counts for nobody
  std::list<Session*>::iterator in_network_;
  Clock::duration timeout_{};              // with who sends a streamed body
  std::uint64_t received_ = 0, sent_ = 0;  // octets of the request's body, and of its answer's
  std::string head_;                       // of the answer; reused
  Session* before_ = nullptr;
  Session* after_ = nullptr;
};

}  // namespace parley::http

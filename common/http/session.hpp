#pragma once
#include <boost/asio/ip/tcp.hpp>

#include "common/http/message_reader.hpp"
#include "common/http/server.hpp"

namespace parley::http {

class Session final : public BodySource, public Reader {
 public:
  Session(Server& server, boost::asio::ip::tcp::socket socket, std::string remote_address);
  ~Session() override;

  awaitable<void> run();
  // Closes the connection when it is idle; otherwise after the response in progress.
  void close_when_idle();
  void close();
  // Closes the connection at once and makes the kernel drop a response that is not read.
  void cut_off() override;

  // Whether the connection waits for its client: to send a request or its rest, or to read.
  bool waits() const { return waits_since_ != kItsTurn; }
  bool is_idle() const { return state_ == State::idle && waits(); }
  // Whether to evict this connection rather than `other`, if any.
  bool is_before(const Session* other) const {
    return !other || (is_idle() != other->is_idle() ? is_idle() : waits_since_ < other->waits_since_);
  }

  awaitable<std::string_view> next() override;
  std::chrono::nanoseconds waited() const override { return waited_; }

 private:
  friend class Server;
  using Step = MessageReader<true>::Step;
  enum class State { idle, reading_head, serving, writing, lingering };

  awaitable<bool> read_head();                                             // false: the connection is closed
  awaitable<bool> answer_fault(unsigned status, std::string_view reason);  // always false: the connection ends
  awaitable<bool> serve();
  awaitable<Response> handle(Request& request);
  awaitable<bool> write(Response& response, bool head_only);
  awaitable<bool> write_stream(Response& response, bool chunked);
  void watch(std::weak_ptr<BodySource> stream);
  void count_timeout(std::size_t octets);
  awaitable<bool> finish_body();  // reads and drops what the handler left of the body
  awaitable<void> linger();
  void write_head(const Response& response, bool chunked);
  Request request_of(const Head& head);
  void expire();
  bool has_arrived();  // there is unread input
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
  bool is_counted_ = true;      // counts for the server; false after eviction
  std::uint64_t held_ = 0;      // octets of its buffers, as the server counted them
  Network* network_ = nullptr;  // null: exempt from bounds
  std::list<Session*>::iterator in_network_;
  Clock::duration timeout_{};              // current allowance of a streamed body
  Clock::duration waited_{};               // for octets of this request's body
  std::uint64_t received_ = 0, sent_ = 0;  // octets of the request's and the response's body
  std::string head_;                       // of the response; reused
  Session* before_ = nullptr;
  Session* after_ = nullptr;
};

}  // namespace parley::http

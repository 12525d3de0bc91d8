#pragma once
#include <boost/asio/ip/tcp.hpp>

#include "common/http/message_reader.hpp"
#include "common/http/server.hpp"

namespace parley::http {

// One connection of a server, from its opening to its end.
class Session final : public BodySource {
 public:
  Session(Server& server, boost::asio::ip::tcp::socket socket, std::string remote_address);
  ~Session() override;

  awaitable<void> run();
  // The connection's end, if it is waiting for another request; otherwise after the answer being made.
  void close_when_idle();
  void close();

  // The request's body, for Request::body_source.
  awaitable<std::string_view> next() override;

 private:
  friend class Server;
  using Step = MessageReader<true>::Step;
  enum class State { idle, reading_head, serving, writing, lingering };

  awaitable<bool> read_head();     // false: nobody is there any more
  awaitable<bool> answer_fault();  // always false: the connection ends
  awaitable<bool> serve();
  awaitable<Response> handle(Request& request);
  awaitable<bool> write(Response& response, bool head_only);
  awaitable<bool> write_stream(Response& response, bool chunked);
  void count_patience(std::size_t octets);
  awaitable<bool> finish_body();  // reads on past a body that the handler left
  awaitable<void> linger();
  void write_head(const Response& response, bool chunked);
  Request request_of(const Head& head);
  void expire();
  bool has_arrived();  // something that was not read yet

  Server& server_;
  boost::asio::ip::tcp::socket socket_;
  std::string remote_address_;
  ReaderLimits reader_limits_;
  MessageReader<true> reader_;
  Deadline deadline_;
  State state_ = State::idle;
  bool expired_ = false, closing_ = false, served_ = false, continue_owed_ = false, body_begun_ = false;
  Clock::duration patience_{};             // with who sends a streamed body
  std::uint64_t received_ = 0, sent_ = 0;  // octets of the request's body, and of its answer's
  std::string head_;                       // of the answer; reused
  Session* before_ = nullptr;
  Session* after_ = nullptr;
};

}  // namespace parley::http

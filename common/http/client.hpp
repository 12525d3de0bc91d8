#pragma once
#include "common/http/upstream.hpp"

namespace parley::http {

// What became of a request: a status, or none and why.
struct ClientOutcome {
  unsigned status = 0;
  std::optional<Unreachable::Why> failure{};
};

struct ClientRequest {
  Method method = Method::get;
  std::string target;            // path and query, after the upstream's base path
  std::string head{};            // further fields, each "Name: value\r\n"
  std::string body{};            // with a Content-Type in `head`
  BodySource* source = nullptr;  // instead of `body`: read to its end, which comes after `source_size` octets
  std::uint64_t source_size = 0;
  std::optional<bool> replayable{};  // may be sent again when a connection broke: see Outgoing; none: if it reads
  std::chrono::milliseconds answer_time{0};  // 0: the upstream's own
  std::string owner{};                       // whose it is: see Outgoing
  std::uint64_t most_octets = 0;             // of an answer that is gathered; 0: the upstream's own
  std::shared_ptr<BodyRoom> room{};  // where the answer counts, as its owner's, while it is in memory; none: nowhere
  // For who measures: called when as much of the answer is there as is waited for, or none will be. Must not throw.
  std::function<void(const ClientOutcome&)> done{};
};

struct ClientResponse {
  unsigned status = 0;
  std::string body;
  std::shared_ptr<const BodyHold> hold{};  // of ClientRequest::room
};

// An answer on its way. May be dropped unawaited: the request runs to its end all the same.
class PendingResponse {
 public:
  struct State;
  class Completion;
  explicit PendingResponse(std::shared_ptr<State> state) : state_(std::move(state)) {}
  // Throws Unreachable.
  awaitable<ClientResponse> get();

 private:
  std::shared_ptr<State> state_;
};

// Requests and answers over an Upstream. Outlives them, as that does.
class Client {
 public:
  Client(boost::asio::io_context& context, DeadlineSweeper& wheel, UpstreamSettings settings);
  awaitable<ClientResponse> send(ClientRequest request);
  // The same, but the answer's body is left to be read piece by piece.
  awaitable<std::unique_ptr<Exchange>> open(ClientRequest request);
  // Sends now, so that the caller can do other work until it awaits the answer.
  PendingResponse start(ClientRequest request);
  Upstream& upstream() { return upstream_; }

 private:
  boost::asio::io_context& context_;
  Upstream upstream_;
};

}  // namespace parley::http

#pragma once
#include "common/http/upstream.hpp"

namespace parley::http {

struct ClientOutcome {
  unsigned status = 0;
  std::optional<Unreachable::Why> failure{};
};

struct ClientRequest {
  Method method = Method::get;
  std::string target;            // path and query, after the upstream's base path
  std::string head{};            // further fields, each "Name: value\r\n"
  std::string body{};            // requires a Content-Type in `head`
  BodySource* source = nullptr;  // instead of `body`; yields `source_size` octets
  std::uint64_t source_size = 0;
  std::optional<bool> replayable{};          // see Outgoing; nullopt: only if the method is a read
  std::chrono::milliseconds answer_time{0};  // 0: the upstream's
  std::string owner{};                       // see Outgoing
  std::uint64_t most_octets = 0;             // of a gathered response; 0: the upstream's limit
  std::shared_ptr<BodyRoom> room{};          // counts the response for its owner while it is in memory; null: none
  // For metrics: called when the part of the response that is waited for has arrived, or has failed. Must not throw.
  std::function<void(const ClientOutcome&)> done{};
};

struct ClientResponse {
  unsigned status = 0;
  std::string body;
  std::shared_ptr<const BodyHold> hold{};  // of ClientRequest::room
};

// A response in flight. May be destroyed without being awaited; the request then still runs to its end.
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

// Must outlive its requests and responses, as an Upstream must.
class Client {
 public:
  Client(boost::asio::io_context& context, DeadlineSweeper& wheel, UpstreamSettings settings);
  awaitable<ClientResponse> send(ClientRequest request);
  // The same, but leaves the response's body to be read piece by piece.
  awaitable<std::unique_ptr<Exchange>> open(ClientRequest request);
  // Sends at once, so that the caller can do other work before it awaits the response.
  PendingResponse start(ClientRequest request);
  Upstream& upstream() { return upstream_; }

 private:
  boost::asio::io_context& context_;
  Upstream upstream_;
};

}  // namespace parley::http

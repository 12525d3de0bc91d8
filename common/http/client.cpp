#include "common/http/client.hpp"

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>

#include "common/http/resume_in.hpp"

namespace parley::http {

namespace asio = boost::asio;

struct PendingResponse::State {
  std::exception_ptr error;
  ClientResponse response;
  bool done = false;
  asio::any_completion_handler<void()> waiter;
};

// If the loop ends first, destroys the waiting coroutine, which owns the state that owns its handler: breaks the cycle.
class PendingResponse::Completion {
 public:
  explicit Completion(std::shared_ptr<State> state) : state_(std::move(state)) {}
  Completion(Completion&&) noexcept = default;
  ~Completion() {
    if (state_ && !state_->done) auto abandoned = std::move(state_->waiter);
  }
  void operator()(std::exception_ptr error, ClientResponse response) {
    state_->error = error;
    state_->response = std::move(response);
    state_->done = true;
    auto waiter = std::move(state_->waiter);
    if (waiter) std::move(waiter)();
  }

 private:
  std::shared_ptr<State> state_;
};

awaitable<ClientResponse> PendingResponse::get() {
  const auto trace = model::current_trace;
  if (!state_->done)
    co_await asio::async_initiate<const asio::deferred_t, void()>(
        [state = state_.get()](auto handler) {
          // Boost 1.81: move assignment of any_completion_handler recurses without end.
          asio::any_completion_handler<void()> waiter(std::move(handler));
          state->waiter.swap(waiter);
        },
        asio::deferred);
  if (trace) co_await resume_in(trace);
  if (state_->error) std::rethrow_exception(state_->error);
  co_return std::move(state_->response);
}

Client::Client(asio::io_context& context, DeadlineSweeper& wheel, UpstreamSettings settings)
    : context_(context), upstream_(context, wheel, std::move(settings)) {}

namespace {

void report(const std::function<void(const ClientOutcome&)>& done, unsigned status, const std::exception_ptr& thrown) {
  if (!done) return;
  ClientOutcome outcome{status};
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Unreachable& unreachable) {
    outcome = {0, unreachable.why};
  } catch (...) {
    outcome = {0, Unreachable::Why::bad_answer};
  }
  done(outcome);
}

}  // namespace

awaitable<std::unique_ptr<Exchange>> Client::open(ClientRequest request) {
  std::string head;
  head.reserve(256 + request.head.size());
  head.append(name_of(request.method)).append(" ").append(upstream_.base_path()).append(request.target);
  head.append(" HTTP/1.1\r\nHost: ").append(upstream_.host()).append("\r\n").append(request.head);
  const bool has_content =
      request.method == Method::post || request.method == Method::put || request.method == Method::patch;
  const std::uint64_t size = request.source ? request.source_size : request.body.size();
  if (size > 0 || has_content) head.append("Content-Length: ").append(std::to_string(size)).append("\r\n");
  head.append("\r\n");
  Outgoing outgoing;
  outgoing.head = head;
  outgoing.body = request.body;
  outgoing.source = request.source;
  outgoing.replayable = request.replayable.value_or(request.method == Method::get || request.method == Method::head);
  outgoing.head_only = request.method == Method::head;
  outgoing.answer_time = request.answer_time;
  outgoing.owner = request.owner;

  const auto trace = model::current_trace;
  std::unique_ptr<Exchange> exchange;
  std::exception_ptr thrown;
  try {
    exchange = co_await upstream_.exchange(outgoing);
  } catch (...) {
    thrown = std::current_exception();
  }
  if (trace) co_await resume_in(trace);
  report(request.done, exchange ? exchange->status() : 0, thrown);
  if (thrown) std::rethrow_exception(thrown);
  co_return exchange;
}

namespace {

awaitable<std::string> gather(Exchange& exchange, std::uint64_t most, BodyHold* hold) {
  std::string body;
  const auto refuse_beyond = [most, hold](std::uint64_t octets) {
    if (most > 0 && octets > most)
      throw Unreachable(Unreachable::Why::bad_answer, "the answer is longer than " + std::to_string(most) + " octets",
                        false);
    if (hold && hold->grow_to(octets) != BodyRoom::Verdict::fits)
      throw Unreachable(Unreachable::Why::overloaded, "the answers that were gathered take too much memory", false);
  };
  if (const auto length = exchange.content_length(); length && exchange.has_body()) {
    refuse_beyond(*length);
    body.reserve(*length);
  }
  for (bool more = true; more;) {
    const auto piece = co_await exchange.next();
    refuse_beyond(body.size() + piece.size());
    body.append(piece);
    more = !piece.empty();
  }
  co_return body;
}

}  // namespace

awaitable<ClientResponse> Client::send(ClientRequest request) {
  const auto trace = model::current_trace;
  const auto done = std::exchange(request.done, {});
  ClientResponse response;
  std::exception_ptr thrown;
  try {
    const auto most = request.most_octets;
    std::shared_ptr<BodyHold> hold;
    if (request.room) hold = std::make_shared<BodyHold>(request.room, RequestOwner{request.owner, false});
    const auto exchange = co_await open(std::move(request));
    response.status = exchange->status();
    response.body = co_await gather(*exchange, most, hold.get());
    response.hold = std::move(hold);
  } catch (...) {
    thrown = std::current_exception();
  }
  if (trace) co_await resume_in(trace);
  report(done, response.status, thrown);
  if (thrown) std::rethrow_exception(thrown);
  co_return response;
}

PendingResponse Client::start(ClientRequest request) {
  auto state = std::make_shared<PendingResponse::State>();
  auto sending = send(std::move(request));
  asio::co_spawn(context_, std::move(sending), PendingResponse::Completion(state));
  return PendingResponse(std::move(state));
}

}  // namespace parley::http

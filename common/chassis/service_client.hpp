#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/chassis/boundary.hpp"
#include "common/chassis/operation.hpp"
#include "common/http/answer.hpp"
#include "common/identity/token.hpp"

namespace parley::chassis {

class Process;

// The parts of several things from another context: Lines as received. The JSON is spliced into a response unchanged.
// Any other text throws http::Unreachable: read as no lines, it would say that the other context knows none of them.
class Fragments {
 public:
  explicit Fragments(std::string body = {}, std::shared_ptr<const http::BodyHold> hold = {});
  // The JSON of one id, or nullopt.
  std::optional<std::string_view> of(const model::Uuid& id) const;

 private:
  std::string body_;
  std::shared_ptr<const http::BodyHold> hold_;  // reserves the process's memory for responses
  std::unordered_map<model::Uuid, std::pair<std::size_t, std::size_t>> places_;  // offset and length in the body
};

// The other service refused the request with a status of 400 to 499. A caller that does not handle a Refusal treats it
// like any http::Unreachable.
struct Refusal : http::Unreachable {
  Refusal(const std::string& context, http::ClientResponse response)
      : Unreachable(Why::bad_answer, context + " answered " + std::to_string(response.status), false),
        status(response.status),
        body(std::move(response.body)) {}
  // About this process and not the question: its key is not trusted there yet, or it asks too much.
  bool is_temporary() const { return status == 401 || status == 429; }

  unsigned status;
  std::string body;  // a Problem
};

// A client for another service, called in this process's name.
class ServiceClient {
 public:
  // `context` is the name in Parley-Degraded; `answer_limit` is the maximum response size in octets.
  ServiceClient(Process& process, std::string context, const std::string& url, std::uint64_t answer_limit = 64 << 20);

  // Sends the request and reads the response. Throws http::Unreachable, or Refusal, which derives from
  // http::Unreachable.
  template <http::Method method, class Question, class Answer>
  awaitable<Answer> ask(const Operation<method, Question, Answer>& operation,
                        const std::type_identity_t<Question>& question, const RequestContext& scope,
                        const Asking& asking = {}) {
    return read<Answer>(send(request_of(operation, question, asking), scope));
  }
  // Sends the request at once, so that the caller can work until it awaits the response, by parts() or directly.
  template <http::Method method, class Question, class... T>
  http::PendingResponse start(const Operation<method, Question, Lines<T...>>& operation,
                              const std::type_identity_t<Question>& question, const RequestContext& scope) {
    return start(request_of(operation, question, {}), scope);
  }
  // The parts, or nullopt if the other service is unreachable, failed, or timed out.
  awaitable<std::optional<Fragments>> parts(http::PendingResponse pending);

  // Sends a request that is no Operation. Throws http::Unreachable, also for statuses 300 to 399 and from 500 on.
  awaitable<http::ClientResponse> send(http::ClientRequest request, const RequestContext& scope);
  // Like send(), but leaves the response's body to be read piece by piece. Throws for any status but 200.
  awaitable<std::unique_ptr<http::Exchange>> open(http::ClientRequest request, const RequestContext& scope);

  const std::string& context() const { return context_; }
  http::Client& client() { return client_; }

 private:
  template <class Answer>
  awaitable<Answer> read(awaitable<http::ClientResponse> asked) {
    auto response = co_await std::move(asked);
    if (response.status >= 400) throw Refusal(context_, std::move(response));
    if constexpr (std::same_as<Answer, Nothing>)
      co_return Nothing{};
    else if constexpr (requires(Answer lines) { lines.stream; })
      co_return Answer{.text = std::move(response.body), .hold = std::move(response.hold)};
    else
      co_return http::read_answer<Answer>(response, context_);
  }
  http::PendingResponse start(http::ClientRequest request, const RequestContext& scope);
  void add_identity(http::ClientRequest& request, const RequestContext& scope);
  Process& process_;
  std::string context_;
  http::Client client_;
};

}  // namespace parley::chassis

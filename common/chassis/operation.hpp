#pragma once
#include <boost/describe/class.hpp>
#include <chrono>
#include <concepts>

#include "common/http/body.hpp"
#include "common/http/client.hpp"
#include "common/http/query.hpp"

namespace parley::chassis {

// A call between two services, declared once in common/contracts: one service serves it (Routes::serve), the other
// calls it (ServiceClient::ask, ServiceClient::start). The question is the query of a `get`, with std::optional
// members, or the body of a `post`. Every operation may be retried, so a change must take effect once.
template <http::Method method, class Question, class Answer>
struct Operation {
  std::string_view caller;                   // the only service that may call
  std::string_view path;                     // may contain {id}: see Asking
  std::chrono::milliseconds answer_time{0};  // 0: the upstream's default
  bool is_secret = false;                    // the response must not be stored (Cache-Control: no-store)
};
template <class Question, class Answer>
using Get = Operation<http::Method::get, Question, Answer>;
template <class Question, class Answer>
using Post = Operation<http::Method::post, Question, Answer>;

// For parts spliced into other responses: a late part is left out, so that the rest is not delayed.
inline constexpr std::chrono::milliseconds kPartTime{1500};

// An empty question, or a response without a body.
struct Nothing {};
BOOST_DESCRIBE_STRUCT(Nothing, (), ())

// A response with one line per thing, each a T: `id SP json LF`. The caller reads the lines as Fragments.
template <class... T>
struct Lines {
  std::string text{};
  std::shared_ptr<http::BodySource> stream{};    // set by the serving side, instead of `text`
  std::shared_ptr<const http::BodyHold> hold{};  // set on the calling side: see http::ClientResponse

  template <class One>
    requires(std::same_as<One, T> || ...)
  void append(const model::Uuid& id, const One& value) {
    id.append_to(text);
    text += ' ';
    model::write(text, value);
    text += '\n';
  }
};

// The optional parameters of a call.
struct Asking {
  std::optional<model::Uuid> id{};           // for the path's {id}
  std::string idempotency_key{};             // "": none
  std::chrono::milliseconds answer_time{0};  // 0: the operation's
};

template <http::Method method, class Question, class Answer>
http::ClientRequest request_of(const Operation<method, Question, Answer>& operation, const Question& question,
                               const Asking& asking) {
  http::ClientRequest request{.method = method, .target = std::string(operation.path), .replayable = true};
  request.answer_time = asking.answer_time.count() > 0 ? asking.answer_time : operation.answer_time;
  if (asking.id) request.target.replace(request.target.find("{id}"), 4, asking.id->text());
  if (!asking.idempotency_key.empty()) request.head = "Idempotency-Key: " + asking.idempotency_key + "\r\n";
  if constexpr (method == http::Method::get) {
    http::append_query(request.target, question);
  } else {
    request.head += "Content-Type: application/json\r\n";
    request.body = model::to_json(question);
  }
  return request;
}

template <class Answer>
http::Response response_of(const Answer& answer) {
  return http::json_response(answer);
}
inline http::Response response_of(const Nothing&) { return http::no_content(); }
template <class... T>
http::Response response_of(Lines<T...> lines) {
  return {.content_type = "text/plain",
          .head{},
          .body = std::move(lines.text),
          .stream = std::move(lines.stream),
          .stream_length{}};
}

}  // namespace parley::chassis

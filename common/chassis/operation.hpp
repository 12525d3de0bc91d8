#pragma once
#include <boost/describe/class.hpp>
#include <chrono>
#include <concepts>

#include "common/http/body.hpp"
#include "common/http/client.hpp"
#include "common/http/query.hpp"

namespace parley::chassis {

// What one of our services asks of another. It stands in common/contracts, once for both: the one serves it
// (Routes::serve), the other calls it (ServiceClient::ask, ServiceClient::start). The question is the query of a `get`,
// whose members are std::optional, and the body of a `post`. Whatever is asked may be asked again: what changes
// something does so once.
template <http::Method method, class Question, class Answer>
struct Operation {
  std::string_view caller;                   // the one service that may ask
  std::string_view path;                     // may have an {id}: see Asking
  std::chrono::milliseconds answer_time{0};  // 0: as long as an upstream has for any answer
  bool is_secret = false;                    // the answer is to be stored nowhere
};
template <class Question, class Answer>
using Get = Operation<http::Method::get, Question, Answer>;
template <class Question, class Answer>
using Post = Operation<http::Method::post, Question, Answer>;

// For answers that are spliced into others: what is late is left out, as the whole is worth more now.
inline constexpr std::chrono::milliseconds kPartTime{1500};

// A question without parameters, an answer without a body.
struct Nothing {};
BOOST_DESCRIBE_STRUCT(Nothing, (), ())

// An answer that tells of several things, each a T: a line each, `id SP json LF`. Read as Fragments.
template <class... T>
struct Lines {
  std::string text{};
  std::shared_ptr<http::BodySource> stream{};    // of who answers: instead of `text`
  std::shared_ptr<const http::BodyHold> hold{};  // of who asked: see http::ClientResponse

  template <class One>
    requires(std::same_as<One, T> || ...)
  void append(const model::Uuid& id, const One& value) {
    id.append_to(text);
    text += ' ';
    model::write(text, value);
    text += '\n';
  }
};

// What else there is to a call.
struct Asking {
  std::optional<model::Uuid> id{};           // of the path
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

#pragma once
// The unit of work of a request that changes something: a handler that takes one neither begins nor commits.
//
//   routes.post("/api/lists/{id}", Permission::update_list, &Api::update);
//
//   awaitable<http::Response> Api::update(Call& call, Change& change) {
//     auto body = check(co_await call.body<UpdateList>());
//     const auto old = co_await store_.lock(change, call.organization(), call.id());
//     if (!old) throw no_list();
//     call.require_version(old->version);
//     co_return http::json_response(ListResponse{co_await store_.update(change, ...)});
//   }
//
// The pipeline lends it to the handler and commits the effect, the events and the answer in one transaction. What the
// handler throws rolls it back. A request with an Idempotency-Key takes effect once however often it is repeated: for
// 24 hours a repetition is answered with the recorded answer (draft-ietf-httpapi-idempotency-key-header).
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/chassis/audit.hpp"
#include "common/chassis/pipeline.hpp"
#include "common/events/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::chassis {

class Change {
 public:
  Change(Call& call, pg::Pool& database, ReplayBudget& budget);
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

  // For the stores. It takes a connection, and claims the request's key, with its first statement: before that a
  // handler may ask others and take its time. The first statement throws pg::Unavailable, and with an Idempotency-Key a
  // Problem 409 while a request with it is in progress, or 422 if the key was used for another request.
  pg::Transaction& transaction() { return transaction_; }
  operator pg::Transaction&() { return transaction_; }

  // Tells the consumers of this service's events, if the transaction commits.
  template <model::Described T>
  void emit(const T& event) {
    if (is_committed_) throw std::logic_error("an event is emitted after the commit");
    events_.add(event);
  }
  // Emits an entry of the audit; see audit_entry().
  void audit(model::AuditAction action, std::optional<model::Uuid> subject_id = {}, std::string subject = {}) {
    emit(audit_entry(call_, action, subject_id, std::move(subject)));
  }

  // The answer holds a secret, which is shown once: a repetition gets a Problem 409 instead.
  void answer_is_secret() { is_secret_ = true; }
  // What tells a body that the handler took piece by piece from others, such as its hash: a body that was read whole
  // is part of what makes a request the same one, and this takes its place. To be called before the first statement.
  void identify_body(std::string by) { streamed_ = std::move(by); }

  // Commits, for handlers that have something to do after it; the answer is what they then return. Errors as
  // pg::Transaction::commit: after an OutcomeUnknown the same request again tells what became of it.
  awaitable<void> commit(const http::Response& response);
  // Ends the transaction, unless it was committed, until nothing of it is left: for handlers that clean up in another
  // one after a failure, and would wait for the locks of this one. Throws nothing.
  awaitable<void> roll_back();

 private:
  friend class Pipeline;
  // Thrown by the first statement of a repeated request: its answer.
  struct Replay {
    http::Response response;
  };
  struct Key {
    std::string hash;
    std::string fingerprint;  // of the request, once it is needed
  };
  using First = std::function<awaitable<void>()>;
  std::optional<Key> key_of(const http::Request& request) const;
  // What the key is known by among all organizations'.
  std::string key_id() const { return call_.organization().text() + key_->hash; }
  const std::string& fingerprint();
  // The recorded answer, if there is one already.
  awaitable<std::optional<http::Response>> find();
  awaitable<void> claim();

  Call& call_;
  pg::Pool& database_;
  ReplayBudget& budget_;
  std::optional<Key> key_;
  pg::Transaction transaction_;
  events::Changes events_;
  std::string streamed_;
  bool is_secret_ = false, is_committed_ = false;
};

}  // namespace parley::chassis

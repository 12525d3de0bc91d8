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
// The pipeline passes the Change to the handler, and commits the effect, the events and the response in one
// transaction. An exception from the handler rolls back. A request with an Idempotency-Key takes effect once: for 24
// hours a repetition gets the recorded response (draft-ietf-httpapi-idempotency-key-header).
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

  // The transaction, for stores. The first statement takes a connection and claims the idempotency key; before that, a
  // handler may make slow calls to other services. The first statement throws pg::Unavailable; with an Idempotency-Key
  // also a Problem 409 while a request with the same key is in progress, or 422 if the key was used for another
  // request.
  pg::Transaction& transaction() { return transaction_; }
  operator pg::Transaction&() { return transaction_; }

  // Emits an event to this service's consumers; takes effect if the transaction commits.
  template <model::Described T>
  void emit(const T& event) {
    if (is_committed_) throw std::logic_error("an event is emitted after the commit");
    events_.add(event);
  }
  // Emits an entry of the audit; see audit_entry(). `details` is a JSON object without secrets.
  void audit(model::AuditAction action, std::optional<model::Uuid> subject_id = {}, std::string subject = {},
             std::optional<model::RawJson> details = {}) {
    auto entry = audit_entry(call_, action, subject_id, std::move(subject));
    entry.details = std::move(details);
    emit(entry);
  }

  // Marks the response as holding a secret that is shown once: a repetition gets a Problem 409 instead.
  void answer_is_secret() { is_secret_ = true; }
  // Adds a field to the response that is neither recorded nor given to a repetition.
  void add_once(std::string_view name, std::string_view value) {
    once_.append(name).append(": ").append(value).append("\r\n");
  }
  // Identifies a streamed body, such as by its hash: `by` takes the place of the body in the request's fingerprint.
  // Must be called before the first statement.
  void identify_body(std::string by) { streamed_ = std::move(by); }

  // Commits early, for handlers that have work to do afterwards and then return the same response. Throws like
  // pg::Transaction::commit; after an OutcomeUnknown, repeating the request tells whether it committed.
  awaitable<void> commit(const http::Response& response);
  // Rolls back, unless committed, and waits until the rollback is complete: for handlers that clean up in another
  // transaction, which would otherwise wait for this one's locks. Does not throw.
  awaitable<void> roll_back();

 private:
  friend class Pipeline;
  // Thrown by the first statement of a repeated request; holds the recorded response.
  struct Replay {
    http::Response response;
  };
  struct Key {
    std::string hash;
    std::string fingerprint;  // of the request, computed on first use
  };
  using First = std::function<awaitable<void>()>;
  std::optional<Key> key_of(const http::Request& request) const;
  // Identifies the key across all organizations.
  std::string key_id() const { return call_.organization().text() + key_->hash; }
  const std::string& fingerprint();
  // The recorded response, if there is one.
  awaitable<std::optional<http::Response>> find();
  awaitable<void> claim();

  Call& call_;
  pg::Pool& database_;
  ReplayBudget& budget_;
  std::optional<Key> key_;
  pg::Transaction transaction_;
  events::Changes events_;
  std::string streamed_, once_;
  bool is_secret_ = false, is_committed_ = false;
};

}  // namespace parley::chassis

#pragma once
// The transaction of one changing request, which takes effect once however often the request is repeated.
//
//   awaitable<http::Response> Api::create(chassis::Call& call) {
//     auto list = check(co_await call.body<CreateList>());
//     auto once = co_await call.begin(database_);
//     if (const auto* kept = once.kept()) co_return *kept;
//     const ListAnswer answer{co_await store_.create(once.transaction(), call.organization(), std::move(list))};
//     co_return co_await once.commit(http::created(answer, "/api/lists/" + answer.list.uniqueId.text()));
//   }
//
// Without an Idempotency-Key it is a plain transaction. With one, the key is claimed first in the transaction and the
// answer is written into it last, so that effect and answer are there together or not at all: whoever lost the answer
// asks again and gets it, for 24 hours. What is thrown in between is rolled back and keeps nothing.
#include <optional>
#include <string>
#include <utility>

#include "common/http/message.hpp"
#include "common/pg/pool.hpp"

namespace parley::chassis {

using boost::asio::awaitable;

class Call;

// What a repeated request gets.
enum class Keep : unsigned char {
  answer,  // the first one's answer, byte for byte; if OnceRoom had no room for it, as for a secret
  secret   // a Problem 409: it was done, and what it answered was shown once
};

class Once {
 public:
  Once(Once&& other) noexcept
      : call_(std::exchange(other.call_, nullptr)),
        transaction_(std::move(other.transaction_)),
        claim_(std::move(other.claim_)),
        kept_(std::move(other.kept_)) {}
  Once& operator=(Once&&) = delete;
  // Without a commit all is rolled back. The request is answered when that is done: its key is then free.
  ~Once();

  // For the stores, who neither begin nor commit.
  pg::Transaction& transaction() { return transaction_; }
  // The answer that this request was given before: to be handed out, and nothing else done. nullptr when the work is to
  // be done.
  const http::Response* kept() const { return kept_ ? &*kept_ : nullptr; }
  // Keeps the answer, if there is a key to keep it under, and commits, in one write; gives the answer back. Errors as
  // pg::Transaction::commit: after an OutcomeUnknown the same request again tells what became of it.
  awaitable<http::Response> commit(http::Response response);

 private:
  friend class Call;
  struct Claim {
    std::string key_hash;
    std::string fingerprint;  // of the request
    Keep keep = Keep::answer;
  };
  Once(Call& call, pg::Transaction transaction, std::optional<Claim> claim)
      : call_(&call), transaction_(std::move(transaction)), claim_(std::move(claim)) {}
  static std::optional<Claim> claim_of(const Call& call, Keep keep, const std::string& streamed);
  // Takes the claim and looks for a kept answer. Throws the Problems that Call::begin() names.
  awaitable<void> take();

  Call* call_;
  pg::Transaction transaction_;
  std::optional<Claim> claim_;
  std::optional<http::Response> kept_;
};

}  // namespace parley::chassis

#include "common/chassis/change.hpp"

#include <sodium/crypto_hash_sha256.h>

#include <algorithm>

#include "common/chassis/idempotency/sql.hpp"
#include "common/chassis/replay_budget.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/model/text.hpp"

namespace parley::chassis {

namespace {

constexpr std::string_view kHeader = "Idempotency-Key";
constexpr std::size_t kMaxKeyLength = 255;

struct RecordedRow {
  std::string fingerprint;
  int status = 0;
  std::string head;
  std::optional<std::string> body;
};
BOOST_DESCRIBE_STRUCT(RecordedRow, (), (fingerprint, status, head, body))

// SHA-256 over parts, each prefixed with its length, so that different lists of parts cannot collide.
class Hash {
 public:
  Hash() { crypto_hash_sha256_init(&state_); }
  Hash& add(std::string_view part) {
    const std::uint64_t length = part.size();
    crypto_hash_sha256_update(&state_, reinterpret_cast<const unsigned char*>(&length), sizeof length);
    crypto_hash_sha256_update(&state_, reinterpret_cast<const unsigned char*>(part.data()), part.size());
    return *this;
  }
  std::string finish() {
    std::string out(crypto_hash_sha256_BYTES, '\0');
    crypto_hash_sha256_final(&state_, reinterpret_cast<unsigned char*>(out.data()));
    return out;
  }

 private:
  crypto_hash_sha256_state state_;
};

// The request's idempotency key, nullopt if absent.
std::optional<std::string_view> header_of(const http::Request& request) {
  std::optional<std::string_view> key;
  for (const auto& field : request.fields) {
    if (!model::equals_ignoring_case(field.name, kHeader)) continue;
    const bool printable =
        std::all_of(field.value.begin(), field.value.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (key || !printable || field.value.empty() || field.value.size() > kMaxKeyLength)
      throw http::Problem(
          {.status = 400, .detail = "Idempotency-Key must be given once, as 1 to 255 printable ASCII characters"});
    key = field.value;
  }
  return key;
}

http::Problem in_progress() {
  return http::Problem({.status = 409,
                        .detail = "a request with this Idempotency-Key is in progress: ask again for its answer",
                        .head = "Retry-After: 1\r\n"});
}

http::Problem other_request() {
  return http::Problem({.status = 422, .detail = "this Idempotency-Key was used for another request: take a new one"});
}

http::Problem not_recorded() {
  return http::Problem(
      {.status = 409,
       .detail =
           "the request with this Idempotency-Key was done; its answer is not kept, as it held a secret, which is "
           "shown once, or was longer than is kept"});
}

// Holds a key among those in progress for its lifetime; throws a Problem if the key is there already.
class UnderWay {
 public:
  UnderWay(std::unordered_set<std::string>& keys, std::string key) : keys_(keys), key_(std::move(key)) {
    if (!keys_.insert(key_).second) throw in_progress();
  }
  ~UnderWay() { keys_.erase(key_); }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;

 private:
  std::unordered_set<std::string>& keys_;
  const std::string key_;
};

// The response's fields, including its content type.
std::string head_of(const http::Response& response, const std::string& degraded) {
  std::string head;
  if (!response.content_type.empty()) head.append("Content-Type: ").append(response.content_type).append("\r\n");
  head += response.head;
  if (!degraded.empty()) head.append("Parley-Degraded: ").append(degraded).append("\r\n");
  return head;
}

// The recorded response of a request; the fingerprints must match.
http::Response answer_of(RecordedRow row, const std::string& fingerprint) {
  if (row.fingerprint != fingerprint) throw other_request();
  if (!row.body) throw not_recorded();
  http::Response response;
  response.status = static_cast<unsigned>(row.status);
  response.content_type = {};  // included in the head
  response.head = std::move(row.head);
  response.body = std::move(*row.body);
  response.add("Idempotency-Replayed", "true");
  return response;
}

}  // namespace

Change::Change(Call& call, pg::Pool& database, ReplayBudget& budget)
    : call_(call),
      database_(database),
      budget_(budget),
      key_(key_of(call.request)),
      transaction_(database.begin_later(call.organization(), key_ ? First([this] { return claim(); }) : First())) {}

std::optional<Change::Key> Change::key_of(const http::Request& request) const {
  const auto key = header_of(request);
  if (!key) return std::nullopt;
  std::string anybody;
  if (call_.organization().is_nil()) {  // separates the keys of people without an organization, which may be equal
    call_.identity.person_id.append_to(anybody);
    anybody += call_.scope.client_address;
  }
  return Key{Hash().add(*key).add(anybody).finish(), {}};
}

const std::string& Change::fingerprint() {
  if (!key_->fingerprint.empty()) return key_->fingerprint;
  const auto& request = call_.request;
  std::string member;
  call_.identity.member_id.append_to(member);
  Hash hash;
  hash.add(*header_of(request)).add(http::name_of(request.method)).add(request.target);
  hash.add(request.body_read()).add(streamed_).add(member);
  return key_->fingerprint = hash.finish();
}

// The body is part of the fingerprint even where the handler does not read it. A streamed body is known only after the
// handler took it, so the first statement looks then.
awaitable<std::optional<http::Response>> Change::find() {
  if (!key_ || call_.request.streamed) co_return std::nullopt;
  co_await call_.request.body();
  auto results = co_await database_.read(pg::Batch(idempotency::find, call_.organization(), key_->hash));
  auto row = results.optional<RecordedRow>();
  if (!row) co_return std::nullopt;
  co_return answer_of(std::move(*row), fingerprint());
}

// Claim and look-up are separate statements: a look-up inside the locking statement would use a snapshot from before
// the previous holder of the lock committed.
awaitable<void> Change::claim() {
  pg::Batch batch(idempotency::claim, call_.organization(), key_->hash);
  batch.add(idempotency::find, call_.organization(), key_->hash);
  const auto results = co_await transaction_.run(std::move(batch));
  if (!results.one<bool>(0)) throw in_progress();
  if (auto row = results.optional<RecordedRow>(1)) throw Replay{answer_of(std::move(*row), fingerprint())};
}

awaitable<void> Change::commit(const http::Response& response) {
  if (is_committed_) co_return;
  pg::Batch last;
  if (!events_.empty()) last.add(events::outbox::append, events_.json());
  if (key_) {
    if (response.stream) throw std::logic_error("an answer that is streamed cannot be recorded");
    std::optional<std::string_view> body;
    if (!is_secret_ && budget_.take(call_.organization(), response.body.size())) body = response.body;
    last.add(idempotency::record, call_.organization(), key_->hash, fingerprint(), response.status,
             head_of(response, call_.degraded_contexts()), body);
  }
  if (last.empty())
    co_await transaction_.commit();
  else
    co_await transaction_.commit(std::move(last));
  is_committed_ = true;
}

awaitable<void> Change::roll_back() {
  if (!is_committed_) co_await transaction_.roll_back().wait();
}

// Responds only after the transaction has ended: a client may reuse its key after the response, or send a corrected
// request with the same key after a Problem.
awaitable<http::Response> Pipeline::change(Call& call, std::function<awaitable<http::Response>(Change&)> work) {
  Change change(call, *database_, *replay_budget_);
  const auto replay = [&call](http::Response recorded) {
    call.degraded_.clear();  // the recorded response has its own Parley-Degraded
    return recorded;
  };
  auto recorded = co_await change.find();
  if (recorded) co_return replay(std::move(*recorded));
  // Stops concurrent repetitions in this process before the handler does expensive work; the first statement claims the
  // key across processes. A streamed request is not held here, so that a slow upload does not block a retry.
  std::optional<UnderWay> under_way;
  if (change.key_ && !call.request.streamed) under_way.emplace(keys_under_way_, change.key_id());
  std::exception_ptr thrown;
  bool is_refused = false;
  try {
    auto response = co_await work(change);
    co_await change.commit(response);
    response.head += change.once_;
    co_return response;
  } catch (Change::Replay& found) {
    recorded = std::move(found.response);
  } catch (const http::Problem&) {
    thrown = std::current_exception();
    is_refused = true;
  } catch (const pg::SqlError& error) {
    // The Boundary retries a transaction that lost a conflict, unless the body was streamed and is gone.
    const http::Problem again({.status = 503, .detail = "try again", .head = "Retry-After: 1\r\n"});
    const bool is_over = error.is_retryable() && call.request.streamed;
    thrown = is_over ? std::make_exception_ptr(again) : std::current_exception();
  } catch (...) {
    thrown = std::current_exception();
  }
  if (change.key_) co_await change.roll_back();
  if (is_refused) recorded = co_await change.find();  // a concurrent repetition may have committed meanwhile
  if (recorded) co_return replay(std::move(*recorded));
  std::rethrow_exception(thrown);
}

}  // namespace parley::chassis

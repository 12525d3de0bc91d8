#include "common/chassis/once.hpp"

#include <sodium/crypto_hash_sha256.h>

#include <algorithm>

#include "common/chassis/once/sql.hpp"
#include "common/chassis/pipeline.hpp"
#include "common/model/text.hpp"

namespace parley::chassis {

namespace {

constexpr std::string_view kField = "Idempotency-Key";
constexpr std::size_t kLongestKey = 255;

struct KeptRow {
  std::string fingerprint;
  int status = 0;
  std::string head;
  std::optional<std::string> body;
};
BOOST_DESCRIBE_STRUCT(KeptRow, (), (fingerprint, status, head, body))

// SHA-256 over parts, each after its length, so that no two lists of parts read alike.
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

// The request's key, nullopt if it has none.
std::optional<std::string_view> key_of(const http::Request& request) {
  std::optional<std::string_view> key;
  for (const auto& field : request.fields) {
    if (!model::equals_ignoring_case(field.name, kField)) continue;
    const bool printable =
        std::all_of(field.value.begin(), field.value.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (key || !printable || field.value.empty() || field.value.size() > kLongestKey)
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

http::Problem not_kept() {
  return http::Problem(
      {.status = 409,
       .detail =
           "the request with this Idempotency-Key was done; its answer is not kept, as it held a secret, which is "
           "shown once, or was longer than is kept"});
}

// An answer's fields, its content type among them.
std::string head_of(const http::Response& response, const std::string& degraded) {
  std::string head;
  if (!response.content_type.empty()) head.append("Content-Type: ").append(response.content_type).append("\r\n");
  head += response.head;
  if (!degraded.empty()) head.append("Parley-Degraded: ").append(degraded).append("\r\n");
  return head;
}

// What is kept for a request, whose fingerprint it has to have.
http::Response answer_of(KeptRow row, const std::string& fingerprint) {
  if (row.fingerprint != fingerprint) throw other_request();
  if (!row.body) throw not_kept();
  http::Response response;
  response.status = static_cast<unsigned>(row.status);
  response.content_type = {};  // it is in the head
  response.head = std::move(row.head);
  response.body = std::move(*row.body);
  response.add("Idempotency-Replayed", "true");
  return response;
}

}  // namespace

std::optional<Once::Claim> Once::claim_of(const Call& call, Keep keep, const std::string& streamed) {
  const auto key = key_of(call.request);
  if (!key) return std::nullopt;
  std::string member, anybody;
  call.identity.member_id.append_to(member);
  if (call.organization().is_nil()) {  // strangers' keys must not meet: they may well be the same
    call.identity.person_id.append_to(anybody);
    anybody += call.scope.client_address;
  }
  Hash fingerprint;
  fingerprint.add(*key).add(http::name_of(call.request.method)).add(call.request.target);
  fingerprint.add(call.request.body_read()).add(streamed).add(member);
  return Claim{Hash().add(*key).add(anybody).finish(), fingerprint.finish(), keep};
}

// The claim and the look are statements of their own: a look inside the statement that locks would see what was there
// before the one who held the lock committed.
awaitable<void> Once::take() {
  pg::Batch batch;
  batch.add(once::claim[{pg::part(call_->has_looked_, "waits")}], call_->organization(), claim_->key_hash);
  batch.add(once::find, call_->organization(), claim_->key_hash);
  const auto results = co_await transaction_.run(std::move(batch));
  if (!results.one<bool>(0)) throw in_progress();
  if (auto row = results.optional<KeptRow>(1)) kept_ = answer_of(std::move(*row), claim_->fingerprint);
}

Once::~Once() {
  if (call_ && claim_) call_->ending_ = transaction_.roll_back();
}

awaitable<http::Response> Once::commit(http::Response response) {
  if (!claim_) {
    co_await transaction_.commit();
    co_return response;
  }
  if (response.stream) throw std::logic_error("an answer that is streamed cannot be kept");
  std::optional<std::string_view> body;
  if (claim_->keep == Keep::answer && call_->once_room_->take(call_->organization(), response.body.size()))
    body = response.body;
  co_await transaction_.commit(pg::Batch(once::keep, call_->organization(), claim_->key_hash, claim_->fingerprint,
                                         response.status, head_of(response, call_->degraded_contexts()), body));
  co_return response;
}

awaitable<Once> Call::begin(pg::Pool& database, Keep keep, std::string streamed) {
  auto claim = Once::claim_of(*this, keep, streamed);
  co_await ending_.wait();  // if this is not the first one: of the claim before
  auto transaction = co_await database.begin(organization());
  Once once(*this, std::move(transaction), std::move(claim));
  if (once.claim_) co_await once.take();
  if (once.kept_) degraded_.clear();  // that answer says itself what it lacks
  co_return once;
}

awaitable<std::optional<http::Response>> Call::kept(pg::Pool& database, Keep keep) {
  std::optional<http::Response> answer;
  if (!request.has(kField)) co_return answer;
  const auto once = co_await begin(database, keep);
  if (const auto* kept = once.kept()) answer = *kept;
  has_looked_ = true;
  co_return answer;
}

}  // namespace parley::chassis

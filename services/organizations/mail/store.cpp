#include "organizations/mail/store.hpp"

#include "common/http/problem.hpp"
#include "organizations/mail/sql.hpp"

namespace parley::organizations::mail {

namespace {
constexpr std::int64_t kMostWaiting = 10'000;
}

awaitable<void> Store::request(pg::Transaction& transaction, std::string email) const {
  co_await put(transaction, Kind::Request, std::move(email), kLinkSeconds);
}

awaitable<void> Store::invite(pg::Transaction& transaction, std::string token) const {
  co_await put(transaction, Kind::Invitation, std::move(token), kInvitationSeconds);
}

awaitable<void> Store::put(pg::Transaction& transaction, Kind kind, std::string secret,
                           std::int64_t life_seconds) const {
  const auto id = model::new_uuid();
  const auto results = co_await transaction.run(
      pg::Batch(sql::put, id, kind, keys_.seal(id, kField, secret), life_seconds, kMostWaiting));
  if (results.affected() == 0)
    throw http::Problem({.status = 503, .detail = "too many mails wait to be sent: try again later"});
}

chassis::SealedTable sealed_table() {
  return {"mail", sql::sealed, sql::reseal,
          [](const model::Uuid&) { return std::vector<std::string>{std::string(kField)}; }};
}

}  // namespace parley::organizations::mail

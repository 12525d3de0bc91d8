#include "organizations/people/attempts.hpp"

#include <algorithm>

#include "common/http/address.hpp"
#include "common/http/problem.hpp"
#include "common/identity/api_key.hpp"
#include "organizations/people/sql.hpp"

namespace parley::organizations::people {

namespace {

http::Problem locked(std::int64_t seconds) {
  return http::Problem({.status = 429,
                        .detail =
                            "too many attempts have failed: wait before the next one, which is refused until then "
                            "whether it is right or not",
                        .head = "Retry-After: " + std::to_string(std::max<std::int64_t>(1, seconds)) + "\r\n"});
}

// What is counted cannot be read from what is stored.
std::string subject(std::string_view kind, std::string_view account, std::string_view network) {
  std::string text(kind);
  text.append("|").append(account).append("|").append(network);
  return identity::sha256(text);
}

}  // namespace

Attempts::Subjects Attempts::sign_in(std::string_view account, std::string_view address) const {
  const auto network = http::network_of(address);
  return {{subject("account from address", account, network), subject("account", account, ""),
           subject("address", "", network)},
          {limits_.of_account_from_address, limits_.of_account, limits_.of_address}};
}

Attempts::Subjects Attempts::sign_up(std::string_view address) const {
  return {{subject("sign-up", "", http::network_of(address))}, {limits_.of_sign_up}};
}

awaitable<void> Attempts::refuse_if_locked(const Subjects& subjects) {
  const auto results = co_await database_.read(pg::Batch(sql::attempts_locked, subjects.hashes));
  const auto seconds = results.one<std::int64_t>();
  if (seconds > 0) throw locked(seconds);
}

awaitable<void> Attempts::begin(const Subjects& subjects) {
  // Most of what a guesser sends ends here, without a write.
  co_await refuse_if_locked(subjects);
  auto transaction = co_await database_.begin();
  const auto counted = co_await transaction.run(pg::Batch(sql::attempts_count, subjects.hashes, subjects.free,
                                                          limits_.window_seconds, limits_.first_pause_seconds));
  // Locked since the look: then this attempt counts for nothing.
  if (counted.row_count() < subjects.hashes.size()) throw locked(1);
  co_await transaction.commit(pg::Batch(sql::attempts_prune, limits_.window_seconds));
}

awaitable<void> Attempts::succeeded(const Subjects& subjects) {
  const std::vector<std::string> cleared(subjects.hashes.begin(), subjects.hashes.begin() + 1);
  const std::vector<std::string> taken_back(subjects.hashes.begin() + 1, subjects.hashes.end());
  pg::Batch batch(sql::attempts_lock, subjects.hashes);
  batch.add(sql::attempts_forget, cleared, taken_back);
  co_await database_.write(std::move(batch));
}

}  // namespace parley::organizations::people

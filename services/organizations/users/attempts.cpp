#include "organizations/users/attempts.hpp"

#include <algorithm>

#include "common/http/address.hpp"
#include "common/http/problem.hpp"
#include "common/identity/api_key.hpp"
#include "organizations/users/sql.hpp"

namespace parley::organizations::users {

namespace {

constexpr std::int64_t kDay = 24 * 3600;

http::Problem locked(const Attempts::Subjects& subjects, std::int64_t seconds) {
  return http::Problem({.status = 429,
                        .detail = subjects.are_mails
                                      ? "too many mails were asked for: wait before the next one"
                                      : "too many attempts have failed: wait before the next one, which is refused "
                                        "until then whether it is right or not",
                        .head = "Retry-After: " + std::to_string(std::max<std::int64_t>(1, seconds)) + "\r\n"});
}

// Hashed, so that the table reveals no accounts and networks.
std::string subject(std::string_view kind, std::string_view account, std::string_view network) {
  std::string text(kind);
  text.append("|").append(account).append("|").append(network);
  return identity::sha256(text);
}

std::string known_network(const model::Uuid& person, std::string_view address) {
  return subject("known network", person.text(), http::network_of(address));
}

}  // namespace

Attempts::Subjects Attempts::sign_in(std::string_view account, std::string_view address, bool is_known) const {
  const auto network = http::network_of(address);
  Subjects out{{subject("account from address", account, network), subject("address", "", network)},
               {limits_.of_account_from_address, limits_.of_address}};
  if (is_known) return out;
  out.add(subject("account", account, ""), limits_.of_account);
  if (const auto site = http::site_of(address); site != network) {
    out.add(subject("account from site", account, site), limits_.of_site * limits_.of_account_from_address);
    out.add(subject("site", "", site), limits_.of_site * limits_.of_address);
  }
  return out;
}

Attempts::Subjects Attempts::code(std::string_view account, std::string_view address, bool is_known) const {
  const auto network = http::network_of(address);
  Subjects out{{subject("code from address", account, network)}, {limits_.of_account_from_address}};
  out.window_seconds = std::max(limits_.window_seconds, kDay);
  if (!is_known) out.add(subject("code", account, ""), limits_.of_account_from_address);
  return out;
}

Attempts::Subjects Attempts::sign_up(std::string_view address) const {
  const auto network = http::network_of(address);
  Subjects out{{subject("sign-up", "", network)}, {limits_.of_sign_up}};
  if (const auto site = http::site_of(address); site != network)
    out.add(subject("sign-up from site", "", site), limits_.of_site * limits_.of_sign_up);
  return out;
}

Attempts::Subjects Attempts::mails_from(std::string_view address) const {
  const auto network = http::network_of(address);
  Subjects out{{subject("mails", "", network)}, {limits_.of_address}};
  out.are_mails = true;
  if (const auto site = http::site_of(address); site != network)
    out.add(subject("mails from site", "", site), limits_.of_site * limits_.of_address);
  return out;
}

Attempts::Subjects Attempts::mails_to(std::string_view account, std::string_view address, bool is_known) const {
  Subjects out{{subject("mails to from", account, http::network_of(address))}, {limits_.of_account_from_address}};
  out.window_seconds = std::max(limits_.window_seconds, kDay);
  out.are_mails = true;
  if (!is_known) out.add(subject("mails to", account, ""), limits_.of_account_from_address);
  return out;
}

Attempts::Subjects Attempts::invitation(const model::Uuid& organization, std::string_view account) const {
  Subjects out{{subject("invitations to", account, organization.text())}, {limits_.of_account_from_address}};
  out.window_seconds = std::max(limits_.window_seconds, kDay);
  out.are_mails = true;
  out.add(subject("invitations to", account, ""), limits_.of_site * limits_.of_account_from_address);
  out.add(subject("invitations", "", organization.text()), limits_.of_inviter);
  return out;
}

awaitable<void> Attempts::refuse_if_locked(const Subjects& subjects) {
  const auto results = co_await database_.read(pg::Batch(sql::attempts_locked, subjects.hashes));
  const auto seconds = results.one<std::int64_t>();
  if (seconds > 0) throw locked(subjects, seconds);
}

awaitable<void> Attempts::begin(const Subjects& subjects) {
  // Refuses most of a guesser's requests without a write.
  co_await refuse_if_locked(subjects);
  auto transaction = co_await database_.begin();
  co_await count(transaction, subjects);
  co_await transaction.commit(pg::Batch(sql::attempts_prune, limits_.window_seconds));
}

awaitable<void> Attempts::count(pg::Transaction& transaction, const Subjects& subjects) {
  const auto counted = co_await transaction.run(pg::Batch(sql::attempts_count, subjects.hashes, subjects.free,
                                                          std::max(subjects.window_seconds, limits_.window_seconds),
                                                          limits_.first_pause_seconds));
  // Locked meanwhile: the rollback uncounts this attempt.
  if (counted.row_count() < subjects.hashes.size()) throw locked(subjects, 1);
}

awaitable<void> Attempts::failed(const Subjects& subjects, model::Uuid person, audit::Actor from) {
  pg::Batch batch(sql::attempts_touch, subjects.hashes);
  audit::record_failed_sign_in(batch, person, from);
  co_await database_.write(std::move(batch));
}

awaitable<void> Attempts::succeeded(const Subjects& subjects) {
  const std::vector<std::string> cleared(subjects.hashes.begin(), subjects.hashes.begin() + 1);
  const std::vector<std::string> taken_back(subjects.hashes.begin() + 1, subjects.hashes.end());
  pg::Batch batch(sql::attempts_lock, subjects.hashes);
  batch.add(sql::attempts_forget, cleared, taken_back);
  co_await database_.write(std::move(batch));
}

awaitable<bool> Attempts::knows(model::Uuid person, std::string address) {
  const auto results = co_await database_.read(
      pg::Batch(sql::networks_find, person, known_network(person, address), limits_.network_days));
  co_return results.one<bool>();
}

awaitable<void> Attempts::remember(pg::Transaction& transaction, model::Uuid person, std::string address) {
  pg::Batch batch(sql::networks_remember, person, known_network(person, address));
  batch.add(sql::networks_prune, person, limits_.networks, limits_.network_days);
  co_await transaction.run(std::move(batch));
}

}  // namespace parley::organizations::users

#include "organizations/second_factor/store.hpp"

#include "common/http/problem.hpp"
#include "organizations/authorization/authorization.hpp"
#include "organizations/second_factor/codes.hpp"
#include "organizations/second_factor/sql.hpp"
#include "organizations/second_factor/totp.hpp"
#include "organizations/sessions/store.hpp"
#include "organizations/users/sql.hpp"

namespace parley::organizations::second_factor {

namespace {

constexpr std::string_view kField = "second_factor";  // of the sealed secret

struct FactorRow {
  model::Uuid id;
  std::string secret;
  std::int64_t last_step = 0;
  bool is_on = false;
  bool is_recovery_code = false;
};
BOOST_DESCRIBE_STRUCT(FactorRow, (), (id, secret, last_step, is_on, is_recovery_code))

struct PersonRow {
  std::string email;
  bool is_on = false;
};
BOOST_DESCRIBE_STRUCT(PersonRow, (), (email, is_on))

http::Problem conflict(std::string detail) { return http::Problem({.status = 409, .detail = std::move(detail)}); }

http::Problem is_off() { return conflict("you have no second factor: POST /api/user/second-factor begins one"); }
http::Problem is_on_already() {
  return conflict("your second factor is on: POST /api/user/second-factor/disable switches it off first");
}
http::Problem taken() {
  return conflict("another request has changed the second factor, or used this code, meanwhile");
}

awaitable<PersonRow> lock(pg::Transaction& transaction, const model::Uuid& person) {
  const auto results = co_await transaction.run(pg::Batch(sql::lock_person, person));
  auto row = results.optional<PersonRow>();
  if (!row) throw chassis::not_found("this account is no more");
  co_return std::move(*row);
}

// What gateways know of the person's sessions depends on the second factor, where an organization requires one.
void tell(pg::Batch& batch, const model::Uuid& person, audit::By by, const audit::Actor& from,
          model::AuditAction action) {
  audit::record_of_person(batch, person, by, from, action);
  authorization::announce(batch, {{}, {}, person, {}});
}

}  // namespace

awaitable<std::optional<Proof>> Store::check(model::Uuid person, std::string code, std::string address, State state) {
  const auto read = read_code(code);
  const auto hash = read && read->is_recovery ? hash_of(person, *read) : std::string();
  const auto results = co_await database_.read(pg::Batch(sql::find, person, hash));
  const auto row = results.optional<FactorRow>();
  if (state == State::begun && row && row->is_on) throw is_on_already();
  if (!row || row->is_on != (state == State::on)) throw is_off();

  const bool is_known = co_await attempts_.knows(person, address);
  const auto subjects = attempts_.code(person.text(), address, is_known);
  co_await attempts_.begin(subjects);
  if (!read) co_return std::nullopt;
  Proof proof{row->id, 0, hash};
  if (!read->is_recovery) {
    const auto secret = keys_.open(person, kField, row->secret);
    proof.step = step_of(secret, read->text, step_at(std::chrono::system_clock::now()), row->last_step).value_or(0);
  }
  if (proof.step == 0 && !row->is_recovery_code) co_return std::nullopt;
  co_await attempts_.succeeded(subjects);
  co_return proof;
}

awaitable<bool> Store::use(pg::Transaction& transaction, model::Uuid person, Proof proof) {
  pg::Batch batch;
  if (proof.step > 0)
    batch.add(sql::use_step, person, proof.id, proof.step);
  else
    batch.add(sql::use_recovery_code, person, proof.code_hash);
  const auto results = co_await transaction.run(std::move(batch));
  co_return results.affected() == 1;
}

awaitable<Begun> Store::begin(pg::Transaction& transaction, model::Uuid person) {
  const auto holder = co_await lock(transaction, person);
  if (holder.is_on) throw is_on_already();
  const auto secret = new_secret();
  co_await transaction.run(pg::Batch(sql::begin, person, model::new_uuid(), keys_.seal(person, kField, secret)));
  co_return Begun{base32(secret), otpauth_url(holder.email, secret)};
}

awaitable<std::vector<std::string>> Store::confirm(pg::Transaction& transaction, model::Uuid person, Proof proof,
                                                   audit::Actor from) {
  const auto holder = co_await lock(transaction, person);
  if (holder.is_on) throw is_on_already();
  const bool is_used = co_await use(transaction, person, proof);
  if (!is_used) throw taken();
  pg::Batch batch(sql::switch_on, person);
  sessions::Store::close_others(batch, person, model::Uuid::parse(from.credential_id));
  tell(batch, person, audit::By::themselves, from, model::AuditAction::SecondFactorEnabled);
  co_return co_await put_codes(transaction, std::move(batch), person);
}

awaitable<std::vector<std::string>> Store::replace_codes(pg::Transaction& transaction, model::Uuid person,
                                                         std::optional<Proof> proof, audit::Actor from) {
  co_await lock_on(transaction, person, std::move(proof));
  pg::Batch batch(sql::forget_recovery_codes, person);
  audit::record_of_person(batch, person, audit::By::themselves, from, model::AuditAction::RecoveryCodesReplaced);
  co_return co_await put_codes(transaction, std::move(batch), person);
}

awaitable<void> Store::switch_off(pg::Transaction& transaction, model::Uuid person, std::optional<Proof> proof,
                                  audit::Actor from) {
  co_await lock_on(transaction, person, std::move(proof));
  pg::Batch batch;
  forget(batch, person);
  tell(batch, person, audit::By::themselves, from, model::AuditAction::SecondFactorDisabled);
  co_await transaction.run(std::move(batch));
}

awaitable<std::vector<std::string>> Store::put_codes(pg::Transaction& transaction, pg::Batch batch,
                                                     model::Uuid person) {
  auto codes = new_recovery_codes();
  std::vector<std::string> hashes;
  for (const auto& code : codes) hashes.push_back(hash_of(person, read_code(code).value()));
  batch.add(sql::insert_recovery_codes, person, hashes);
  co_await transaction.run(std::move(batch));
  co_return codes;
}

awaitable<void> Store::lock_on(pg::Transaction& transaction, model::Uuid person, std::optional<Proof> proof) {
  const auto holder = co_await lock(transaction, person);
  if (!holder.is_on) throw is_off();
  if (!proof) co_return;
  const bool is_used = co_await use(transaction, person, std::move(*proof));
  if (!is_used) throw taken();
}

void forget(pg::Batch& batch, const model::Uuid& person) {
  batch.add(sql::forget, person);
  batch.add(sql::switch_off, person);
}

awaitable<void> switch_off(pg::Pool& database, std::string email) {
  auto transaction = co_await database.begin();
  const auto found = co_await transaction.run(pg::Batch(users::sql::lock_by_email, email));
  const auto person = found.optional<model::Uuid>();
  if (!person) throw http::Problem({.status = 404, .detail = "there is no account with the address " + email});
  const auto holder = co_await lock(transaction, *person);
  if (!holder.is_on) throw http::Problem({.status = 404, .detail = email + " has no second factor that is on"});
  pg::Batch batch;
  forget(batch, *person);
  tell(batch, *person, audit::By::operators, {{}, {}, "", "", "second-factor-off"},
       model::AuditAction::SecondFactorDisabled);
  co_await transaction.commit(std::move(batch));
}

chassis::SealedTable sealed_table() {
  return {"second_factor", sql::sealed, sql::reseal,
          [](const model::Uuid&) { return std::vector<std::string>{std::string(kField)}; }};
}

}  // namespace parley::organizations::second_factor

#include "organizations/users/ownership.hpp"

#include "common/http/problem.hpp"
#include "common/identity/api_key.hpp"
#include "organizations/credentials/sql.hpp"
#include "organizations/second_factor/store.hpp"
#include "organizations/sessions/store.hpp"
#include "organizations/users/sql.hpp"

namespace parley::organizations::users {

namespace {

struct HolderRow {
  model::Uuid id;
  bool is_proved = false;
  bool has_password = false;
};
BOOST_DESCRIBE_STRUCT(HolderRow, (), (id, is_proved, has_password))

// Ends all access as the person, but for what signing in takes. The person must be locked, so that none appears
// meanwhile (authorization::require_live()).
void end_access(pg::Batch& batch, const model::Uuid& person, const audit::Actor& by) {
  batch.add(sql::forget_token, person);
  batch.add(sql::networks_forget, person);
  batch.add(credentials::sql::revoke_of_person, person, by.address, by.request_id);
  sessions::Store::close_others(batch, person, std::nullopt);
}

}  // namespace

awaitable<Holder> hold(pg::Transaction& transaction, std::string email, std::string name, std::string command) {
  const auto results = co_await transaction.run(pg::Batch(sql::ensure, model::new_uuid(), email, name));
  const auto row = results.one<HolderRow>();
  if (row.is_proved) co_return Holder{.id = row.id, .has_password = row.has_password};
  const audit::Actor by{{}, {}, "", "", std::move(command)};
  pg::Batch batch(sql::take_over, row.id, email, name);
  end_access(batch, row.id, by);
  second_factor::forget(batch, row.id);
  audit::record_of_person(batch, row.id, audit::By::operators, by, model::AuditAction::AccountTakenOver);
  co_await transaction.run(std::move(batch));
  co_return Holder{.id = row.id, .is_taken_over = true};
}

awaitable<IssuedToken> issue_token(pg::Transaction& transaction, model::Uuid person, std::int64_t life_seconds) {
  const auto token = PasswordToken::create(person);
  const auto results = co_await transaction.run(pg::Batch(sql::put_token, person, token.secret_hash(), life_seconds));
  co_return IssuedToken{token.text(), results.one<model::Timestamp>()};
}

awaitable<IssuedToken> issue_token(pg::Pool& database, std::string email, std::int64_t life_seconds) {
  auto transaction = co_await database.begin();
  const auto results = co_await transaction.run(pg::Batch(sql::lock_by_email, email));
  const auto person = results.optional<model::Uuid>();
  if (!person) throw http::Problem({.status = 404, .detail = "there is no account with the address " + email});
  auto issued = co_await issue_token(transaction, *person, life_seconds);
  co_await transaction.commit();
  co_return issued;
}

http::Problem bad_password_token() {
  return http::Problem(
      {.status = 400,
       .detail = "this token sets no password: it is unknown, expired, was replaced or was used before",
       .errors = {{"/token", "sets no password"}}});
}

awaitable<void> check_token(pg::Pool& database, PasswordToken token) {
  static const std::string nobodys(32, '\0');
  const auto results = co_await database.read(pg::Batch(sql::find_token, token.person_id));
  const auto stored = results.optional<std::string>();
  if (!identity::equal_in_constant_time(token.secret_hash(), stored.value_or(nobodys))) throw bad_password_token();
}

awaitable<void> set_password(pg::Transaction& transaction, PasswordToken token, std::string password_hash,
                             audit::Actor from) {
  const auto& person = token.person_id;
  pg::Batch taking(sql::lock, person);
  taking.add(sql::remove_token, person, token.secret_hash());
  const auto taken = co_await transaction.run(std::move(taking));
  const auto is_proved = taken.optional<bool>(0);
  if (!is_proved || taken.affected(1) == 0) throw bad_password_token();
  pg::Batch batch(sql::reset_password, person, password_hash);
  if (*is_proved)
    sessions::Store::close_others(batch, person, std::nullopt);
  else
    end_access(batch, person, from);  // a second factor stays: who reads the mails is not let in by that alone
  audit::record_of_person(batch, person, audit::By::themselves, from, model::AuditAction::PasswordChanged);
  co_await transaction.run(std::move(batch));
}

}  // namespace parley::organizations::users

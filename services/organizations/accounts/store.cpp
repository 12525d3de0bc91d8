#include "organizations/accounts/store.hpp"

#include <sodium.h>

#include "common/events/event.hpp"
#include "common/events/organization_changes.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"
#include "common/identity/api_key.hpp"
#include "organizations/accounts/rows.hpp"
#include "organizations/accounts/sql.hpp"

namespace parley::organizations::accounts {

namespace {

// Exceeds the sum of the deadlines of a request's four calls.
constexpr int kLeaseSeconds = 90;

http::Problem under_way() {
  return http::Problem(
      {.status = 409,
       .detail = "another request is connecting this organization's account: try again when it is done",
       .head = "Retry-After: 5\r\n"});
}

http::Problem taken() {
  return http::Problem({.status = 409,
                        .detail = "this phone number is connected to another organization",
                        .errors = {{"/phoneNumberId", "is connected to another organization"}}});
}

std::string new_webhook_secret() {
  std::string octets(32, '\0');
  randombytes_buf(octets.data(), octets.size());
  return identity::to_hex(octets);
}

std::string new_pin() {
  const auto digits = std::to_string(randombytes_uniform(1'000'000));
  return std::string(6 - digits.size(), '0') + digits;
}

// The audit's copy of an account, without secrets.
struct Kept {
  std::string businessAccountId;
  std::string phoneNumberId;
  model::VerificationStatus verificationStatus = model::VerificationStatus::Unverified;
  bool isPhoneNumberRegisteredToCloudApi = false;
};
BOOST_DESCRIBE_STRUCT(Kept, (),
                      (businessAccountId, phoneNumberId, verificationStatus, isPhoneNumberRegisteredToCloudApi))

void check_lease(const pg::Results& results, std::size_t statement = 0) {
  if (results.affected(statement) == 0) throw under_way();
}

}  // namespace

awaitable<std::optional<Account>> Store::find(model::Uuid organization) {
  const auto results = co_await database_.read(pg::Batch(sql::find_account, organization));
  auto row = results.optional<AccountRow>();
  if (!row) co_return std::nullopt;
  co_return Account{row->organization_id,
                    std::move(row->business_account_id),
                    std::move(row->phone_number_id),
                    std::move(row->display_phone_number),
                    std::move(row->verified_name),
                    keys_.open(organization, "access_token", row->access_token),
                    keys_.open(organization, "webhook_secret", row->webhook_secret)};
}

// The directory names the number's organization, which may use another number by now.
awaitable<std::optional<Account>> Store::find(std::string phone_number_id) {
  const auto results = co_await database_.read(pg::Batch(sql::phone_owner, phone_number_id));
  const auto owner = results.optional<model::Uuid>();
  if (!owner) co_return std::nullopt;
  auto account = co_await find(*owner);
  if (account && account->phoneNumberId != phone_number_id) co_return std::nullopt;
  co_return account;
}

awaitable<std::vector<model::Uuid>> Store::owners_of(std::string business_account_id) {
  const auto results = co_await database_.read(pg::Batch(sql::business_account_owners, business_account_id));
  co_return results.rows<model::Uuid>();
}

awaitable<std::optional<std::string>> Store::find_webhook_secret(model::Uuid organization) {
  const auto results = co_await database_.read(pg::Batch(sql::find_webhook_secret, organization));
  auto sealed = results.optional<std::string>();
  if (!sealed) co_return std::nullopt;
  co_return keys_.open(organization, "webhook_secret", *sealed);
}

awaitable<void> Store::check_phone_number_is_free(model::Uuid organization, std::string phone_number_id) {
  const auto results = co_await database_.read(pg::Batch(sql::phone_owner, phone_number_id));
  const auto owner = results.optional<model::Uuid>();
  if (owner && *owner != organization) throw taken();
}

awaitable<Setup> Store::claim(model::Uuid organization) {
  Setup setup;
  setup.lease = model::new_uuid();
  pg::Batch batch(sql::claim, organization, setup.lease,
                  keys_.seal(organization, "webhook_secret", new_webhook_secret()),
                  keys_.seal(organization, "pin", new_pin()), kLeaseSeconds);
  const auto results = co_await database_.write(std::move(batch));
  const auto row = results.optional<SetupRow>();
  if (!row) throw under_way();
  setup.state = row->state;
  setup.code_hash = row->code_hash.value_or("");
  if (row->access_token) setup.access_token = keys_.open(organization, "access_token", *row->access_token);
  setup.business_account_id = row->business_account_id.value_or("");
  setup.phone_number_id = row->phone_number_id.value_or("");
  setup.webhook_secret = keys_.open(organization, "webhook_secret", row->webhook_secret);
  setup.pin = keys_.open(organization, "pin", row->pin);
  co_return setup;
}

awaitable<void> Store::save_token(model::Uuid organization, const Setup& setup) {
  const auto sealed = keys_.seal(organization, "access_token", setup.access_token);
  const auto results =
      co_await database_.write(pg::Batch(sql::save_token, organization, setup.lease, setup.code_hash, sealed));
  check_lease(results);
}

awaitable<void> Store::save_subscription(model::Uuid organization, const Setup& setup,
                                         std::string business_account_id) {
  const auto results =
      co_await database_.write(pg::Batch(sql::save_subscription, organization, setup.lease, business_account_id));
  check_lease(results);
}

awaitable<void> Store::finish(pg::Transaction& transaction, audit::Actor actor, std::string business_account_id,
                              std::string phone_number_id, const Setup& setup, PhoneNumber phone_number,
                              bool is_registered) {
  const auto& organization = actor.organization_id;
  pg::Batch first;
  const auto state = is_registered ? State::Registered : State::Subscribed;
  const auto registered = is_registered ? std::optional(phone_number_id) : std::nullopt;
  first.add(sql::close_setup, organization, setup.lease, state, registered);
  first.add(sql::take_phone_number, organization, phone_number_id);
  first.add(sql::leave_other_phone_numbers, organization, phone_number_id);
  const auto results = co_await transaction.run(std::move(first));
  check_lease(results);
  if (results.row_count(1) == 0) throw taken();
  events::AccountChanged told{organization, results.rows<std::string>(2)};
  told.phoneNumberIds.push_back(phone_number_id);
  events::Changes changes;
  changes.add(told);
  pg::Batch rest;
  rest.add(sql::save_account, organization, business_account_id, phone_number_id, phone_number.display_phone_number,
           phone_number.verified_name, keys_.seal(organization, "access_token", setup.access_token),
           keys_.seal(organization, "webhook_secret", setup.webhook_secret), phone_number.verification_status,
           is_registered);
  rest.add(sql::complete_onboarding, organization);
  const Kept kept{business_account_id, phone_number_id, phone_number.verification_status, is_registered};
  audit::record(rest, actor,
                {.action = model::AuditAction::MessagingAccountConnected,
                 .subject = phone_number.display_phone_number,
                 .after = model::RawJson{model::to_json(kept)}});
  rest.add(events::outbox::append, changes.json());
  co_await transaction.run(std::move(rest));
}

awaitable<void> Store::release(model::Uuid organization, model::Uuid lease) {
  co_await database_.write(pg::Batch(sql::release, organization, lease));
}

}  // namespace parley::organizations::accounts

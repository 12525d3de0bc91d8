#include "organizations/accounts/api.hpp"

#include "common/chassis/change.hpp"

namespace parley::organizations::accounts {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store, Connector& connector) : store_(store), connector_(connector) {
  auto routes = process.pipeline().mount(*this);
  routes.post("/api/organization/messagingBusinessAccount", Permission::update_messaging_business_account,
              &Api::connect);
  routes.serve(contracts::organizations::account, &Api::find);
  routes.serve(contracts::organizations::business_account_owners, &Api::find_owners);
  routes.serve(contracts::organizations::verify_token, &Api::find_verify_token);
}

namespace {

constexpr std::size_t kMaxIdLength = 64;
constexpr std::size_t kMaxCodeLength = 2048;

// The channel's ids become part of a URL path.
void check_id(http::Faults& faults, std::string_view pointer, std::string_view id) {
  if (id.empty() || id.size() > kMaxIdLength || id.find_first_not_of("0123456789") != id.npos)
    faults.add(std::string(pointer), "must be an id of the messaging channel: 1 to 64 digits");
}

Connect check(Connect body) {
  http::Faults faults;
  check_id(faults, "/businessAccountId", body.businessAccountId);
  faults.check_text("/code", body.code, 1, kMaxCodeLength);
  check_id(faults, "/phoneNumberId", body.phoneNumberId);
  faults.throw_if_any();
  return body;
}

}  // namespace

// No transaction is open during calls to the channel. The connector commits each step, so that a later request resumes;
// the last step commits together with the idempotency record.
awaitable<http::Response> Api::connect(chassis::Call& call, chassis::Change& change) {
  auto request = check(co_await call.body<Connect>());
  change.answer_is_secret();
  http::Response response;
  const Connector::Conclude conclude = [&](model::MessagingBusinessAccountDetails details,
                                           Connector::Finish finish) -> awaitable<void> {
    std::exception_ptr broken;
    try {
      co_await finish(change);
      response = http::json_response(details);
      response.add("Cache-Control", "no-store");
      co_return co_await change.commit(response);
    } catch (...) {
      broken = std::current_exception();
    }
    co_await change.roll_back();
    std::rethrow_exception(broken);
  };
  co_await connector_.connect(audit::actor_of(call), std::move(request), conclude);
  co_return response;
}

awaitable<Account> Api::find(chassis::Call&, AccountQuery query) {
  http::Faults faults;
  if (query.organization_id.has_value() == query.phone_number_id.has_value())
    faults.add("?organization_id", "is needed, or else phone_number_id");
  faults.throw_if_any();
  std::optional<Account> account;
  if (query.organization_id)
    account = co_await store_.find(*query.organization_id);
  else
    account = co_await store_.find(std::move(*query.phone_number_id));
  if (!account) throw chassis::not_found("no account is connected there");
  co_return std::move(*account);
}

awaitable<BusinessAccountOwners> Api::find_owners(chassis::Call&, BusinessAccountQuery query) {
  http::Faults faults;
  if (!query.business_account_id) faults.add("?business_account_id", "is needed");
  faults.throw_if_any();
  co_return BusinessAccountOwners{co_await store_.owners_of(std::move(*query.business_account_id))};
}

// The channel verifies the callback URL while the account is being connected, before an account row exists.
awaitable<VerifyToken> Api::find_verify_token(chassis::Call& call, chassis::Nothing) {
  auto secret = co_await store_.find_webhook_secret(call.id());
  if (!secret) throw chassis::not_found("this organization has never begun to connect an account");
  co_return VerifyToken{std::move(*secret)};
}

}  // namespace parley::organizations::accounts

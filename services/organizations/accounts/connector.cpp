#include "organizations/accounts/connector.hpp"

#include "common/http/problem.hpp"
#include "common/identity/api_key.hpp"

namespace parley::organizations::accounts {

using cloud_api::ErrorClass;

namespace {

http::Problem refusal(const Refused& refused, const std::string& step, const std::string& pointer) {
  return http::Problem({.status = 400,
                        .detail = "the messaging channel refused to " + step + ": " + refused.what(),
                        .errors = {{pointer, refused.what()}}});
}

}  // namespace

awaitable<void> Connector::connect(audit::Actor actor, Connect request, Conclude conclude) {
  const auto organization = actor.organization_id;
  // An early check, before the code is consumed; store_.finish() decides.
  co_await store_.check_phone_number_is_free(organization, request.phoneNumberId);
  auto setup = co_await store_.claim(organization);
  const auto lease = setup.lease;
  std::exception_ptr broken;
  try {
    co_return co_await run(std::move(actor), std::move(request), std::move(setup), conclude);
  } catch (...) {
    broken = std::current_exception();
  }
  co_await store_.release(organization, lease);
  std::rethrow_exception(broken);
}

awaitable<void> Connector::run(audit::Actor actor, Connect request, Setup setup, const Conclude& conclude) {
  const auto organization = actor.organization_id;
  if (setup.code_hash != identity::sha256(request.code)) co_await exchange(organization, request, setup);
  if (setup.state >= State::Subscribed && setup.business_account_id != request.businessAccountId)
    setup.state = State::Exchanged;
  if (setup.state < State::Subscribed) co_await subscribe(organization, request, setup);
  const auto phone_number = co_await find_phone_number(request, setup);
  bool registered = setup.state == State::Registered && setup.phone_number_id == request.phoneNumberId;
  if (!registered) registered = co_await register_phone_number(organization, request, setup);
  const Finish finish = [&](pg::Transaction& transaction) {
    return store_.finish(transaction, actor, request.businessAccountId, request.phoneNumberId, setup, phone_number,
                         registered);
  };
  co_await conclude({request.businessAccountId, request.phoneNumberId, setup.access_token, setup.webhook_secret,
                     phone_number.verification_status, registered},
                    finish);
}

awaitable<void> Connector::exchange(model::Uuid organization, const Connect& request, Setup& setup) {
  try {
    setup.access_token = co_await channel_.exchange(request.code);
  } catch (const Refused& refused) {
    if (refused.meaning != ErrorClass::application && refused.meaning != ErrorClass::unknown)
      throw refusal(refused, "exchange the code", "/code");
    log_.error("the channel refuses this application").with("code", refused.code).with("error", refused.what());
    throw http::Problem({.status = 502, .detail = "the messaging channel does not know this application"});
  }
  setup.code_hash = identity::sha256(request.code);
  setup.state = State::Exchanged;
  co_await store_.save_token(organization, setup);
}

awaitable<void> Connector::subscribe(model::Uuid organization, const Connect& request, Setup& setup) {
  const auto callback = callback_.empty() ? std::string() : callback_ + organization.text();
  try {
    co_await channel_.subscribe(request.businessAccountId, setup.access_token, callback, setup.webhook_secret);
  } catch (const Refused& refused) {
    throw refusal(refused, "subscribe to the business account", "/businessAccountId");
  }
  setup.state = State::Subscribed;
  co_await store_.save_subscription(organization, setup, request.businessAccountId);
}

awaitable<PhoneNumber> Connector::find_phone_number(const Connect& request, const Setup& setup) {
  try {
    co_return co_await channel_.find_phone_number(request.phoneNumberId, setup.access_token);
  } catch (const Refused& refused) {
    throw refusal(refused, "show the phone number", "/phoneNumberId");
  }
}

awaitable<bool> Connector::register_phone_number(model::Uuid organization, const Connect& request, const Setup& setup) {
  try {
    co_await channel_.register_phone_number(request.phoneNumberId, setup.access_token, setup.pin);
    co_return true;
  } catch (const Refused& refused) {
    if (refused.meaning != ErrorClass::registration)
      throw refusal(refused, "register the phone number", "/phoneNumberId");
    log_.warn("the channel did not register a phone number")
        .with("org_id", organization)
        .with("code", refused.code)
        .with("error", refused.what());
    co_return setup.phone_number_id == request.phoneNumberId;  // a registration made with an earlier code still holds
  }
}

}  // namespace parley::organizations::accounts

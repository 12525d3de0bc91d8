#include "organizations/accounts/api.hpp"

namespace parley::organizations::accounts {

using identity::Permission;

Api::Api(chassis::Process& process, pg::Pool& database, Connector& connector)
    : database_(database), connector_(connector) {
  auto routes = process.pipeline().mount(*this);
  routes.post("/api/organization/messagingBusinessAccount", Permission::update_messaging_business_account,
              &Api::connect);
}

namespace {

constexpr std::size_t kLongestId = 64;
constexpr std::size_t kLongestCode = 2048;

// The channel's ids are digits; they become part of a path there.
void check_id(http::Faults& faults, std::string_view pointer, std::string_view id) {
  if (id.empty() || id.size() > kLongestId || id.find_first_not_of("0123456789") != id.npos)
    faults.add(std::string(pointer), "must be an id of the messaging channel: 1 to 64 digits");
}

Connect check(Connect body) {
  http::Faults faults;
  check_id(faults, "/businessAccountId", body.businessAccountId);
  faults.check_text("/code", body.code, 1, kLongestCode);
  check_id(faults, "/phoneNumberId", body.phoneNumberId);
  faults.throw_if_any();
  return body;
}

}  // namespace

// No transaction stays open while the channel is talked to. The connector stores each step by itself and goes on where
// a request was cut off; the last one is stored together with what is kept under the request's key.
awaitable<http::Response> Api::connect(chassis::Call& call) {
  auto request = check(co_await call.body<Connect>());
  if (auto kept = co_await call.kept(database_, chassis::Keep::secret)) co_return std::move(*kept);
  http::Response answer;
  const Connector::Conclude conclude = [&](model::MessagingBusinessAccountDetails details,
                                           Connector::Finish finish) -> awaitable<void> {
    auto once = co_await call.begin(database_, chassis::Keep::secret);
    co_await finish(once.transaction());
    auto response = http::json_response(details);
    response.add("Cache-Control", "no-store");
    answer = co_await once.commit(std::move(response));
  };
  co_await connector_.connect(audit::actor_of(call), std::move(request), conclude);
  co_return answer;
}

}  // namespace parley::organizations::accounts

#include "organizations/accounts/api.hpp"

namespace parley::organizations::accounts {

using identity::Permission;

Api::Api(chassis::Process& process, Connector& connector) : connector_(connector) {
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

awaitable<http::Response> Api::connect(chassis::Call& call) {
  auto request = check(co_await call.body<Connect>());
  const auto details = co_await connector_.connect(call.organization(), std::move(request));
  auto response = http::json_response(details);
  response.add("Cache-Control", "no-store");
  co_return response;
}

}  // namespace parley::organizations::accounts

#include "analytics/usage/api.hpp"

#include <array>

#include "analytics/usage/sql.hpp"
#include "common/async/all.hpp"
#include "common/contracts/quotas.hpp"

namespace parley::analytics::usage {

namespace {

constexpr std::string_view kMessagesADay = "messages-a-day";
constexpr std::int64_t kDay = std::int64_t{24} * 3600 * 1000;  // of UTC, in milliseconds

}  // namespace

Api::Api(chassis::Process& process, pg::Pool& database, chassis::ServiceClient& organizations,
         chassis::ServiceClient& contacts, chassis::ServiceClient& conversations)
    : database_(database), organizations_(organizations), contacts_(contacts), conversations_(conversations) {
  process.pipeline().mount(*this).get("/api/organization/usage", identity::Permission::get_organization, &Api::tell);
  for (auto* service : {&organizations, &contacts, &conversations}) {
    process.pipeline().composes(service->context());
    process.watch(service->context(), service->client().upstream());
  }
}

awaitable<http::Response> Api::tell(chassis::Call& call) {
  call.query<UsageQuery>();
  std::array parts{Part{organizations_, contracts::quotas::of_organizations},
                   Part{contacts_, contracts::quotas::of_contacts},
                   Part{conversations_, contracts::quotas::of_conversations}};
  std::vector<awaitable<void>> questions;
  for (auto& part : parts) questions.push_back(ask(call, part));
  co_await async::all(std::move(questions), parts.size());

  UsageResponse answer;
  for (auto& part : parts) {
    if (part.answer) {
      for (auto& quota : part.answer->quotas) answer.usage.push_back({std::move(quota.name), quota.limit, quota.used});
    } else {
      call.degraded(part.service.context());
      answer.missing.push_back(part.service.context());
    }
  }
  answer.usage.push_back({std::string(kMessagesADay), std::nullopt, co_await messages_of_today(call.organization())});
  co_return http::json_response(answer);
}

awaitable<void> Api::ask(const chassis::Call& call, Part& part) {
  try {
    part.answer = co_await part.service.ask(part.operation, {call.organization()}, call.scope);
  } catch (const http::Unreachable&) {  // the answer is without it, and says so
  }
}

awaitable<std::int64_t> Api::messages_of_today(model::Uuid organization) {
  const auto now = model::Timestamp::now().milliseconds_since_epoch;
  const model::Timestamp midnight{now - now % kDay};
  const auto results = co_await database_.read_anywhere(pg::Batch(sql::messages_of_day, organization, midnight));
  co_return results.one<std::int64_t>();
}

}  // namespace parley::analytics::usage

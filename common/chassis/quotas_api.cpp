#include "common/chassis/quotas_api.hpp"

namespace parley::chassis {

namespace {
struct NoParameters {};
BOOST_DESCRIBE_STRUCT(NoParameters, (), ())
}  // namespace

QuotasApi::QuotasApi(Process& process, pg::Pool& database, const Quotas& quotas, std::string_view path,
                     const TellQuotas& told, More more)
    : database_(database), quotas_(quotas), more_(std::move(more)) {
  auto routes = process.pipeline().mount(*this);
  routes.get(path, identity::Permission::get_organization, &QuotasApi::list);
  routes.serve(told, &QuotasApi::tell);
  quotas_.show(process.metrics());
}

awaitable<http::Response> QuotasApi::list(Call& call) {
  call.query<NoParameters>();
  QuotasResponse answer;
  if (more_) answer.quotas = co_await more_(call);
  for (auto& use : co_await quotas_.uses(database_, call.organization())) answer.quotas.push_back(std::move(use));
  co_return http::json_response(answer);
}

awaitable<QuotasResponse> QuotasApi::tell(Call&, QuotasQuery query) {
  co_return QuotasResponse{co_await quotas_.uses(database_, query.organization_id.value_or(model::Uuid{}))};
}

}  // namespace parley::chassis

#include "contacts/audience/api.hpp"

#include <algorithm>

namespace parley::contacts::audience {

namespace contract = contracts::contacts;

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.serve(contract::audience, &Api::page);
  routes.serve(contract::count_audience, &Api::count);
  routes.serve(contract::variables, &Api::variables);
}

namespace {

constexpr std::int64_t kUsualPage = 2'000, kMaxPage = 5'000;
constexpr std::size_t kMaxVariables = 1'000;

void check_variables(const std::vector<std::string>& variables, http::Faults& faults) {
  if (variables.size() > kMaxVariables) faults.add("/variables", "must be at most 1000");
}

chassis::Lines<Recipient> lines_of(const std::vector<RecipientRow>& rows) {
  chassis::Lines<Recipient> lines;
  for (const auto& row : rows) lines.append<Recipient>(row.id, row);
  return lines;
}

}  // namespace

chassis::Lines<Recipient> lines_of(const Page& page) {
  auto lines = lines_of(page.people);
  if (page.next)
    lines.text.append(contract::kNextPage).append(page.next->text());
  else
    lines.text += contract::kNoNextPage;
  lines.text += '\n';
  return lines;
}

awaitable<chassis::Lines<Recipient>> Api::page(chassis::Call&, AudienceQuestion body) {
  http::Faults faults;
  check_variables(body.variables, faults);
  faults.throw_if_any();
  body.limit = std::clamp<std::int64_t>(body.limit.value_or(kUsualPage), 1, kMaxPage);
  co_return lines_of(co_await store_.page(std::move(body)));
}

awaitable<AudienceCount> Api::count(chassis::Call&, AudienceCountQuestion body) {
  http::Faults faults;
  if (body.variables.size() > contract::kMaxCountedVariables) faults.add("/variables", "must be at most 16");
  faults.throw_if_any();
  co_return co_await store_.count(std::move(body));
}

awaitable<chassis::Lines<Recipient>> Api::variables(chassis::Call&, contract::VariablesQuestion body) {
  http::Faults faults;
  check_variables(body.variables, faults);
  if (body.contactIds.size() > contract::kMaxRecipients) faults.add("/contactIds", "must be at most 100");
  faults.throw_if_any();
  co_return lines_of(
      co_await store_.people(body.organizationId, std::move(body.contactIds), std::move(body.variables)));
}

}  // namespace parley::contacts::audience

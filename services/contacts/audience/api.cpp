#include "contacts/audience/api.hpp"

#include <algorithm>

#include "common/chassis/service_client.hpp"

namespace parley::contacts::audience {

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  const chassis::Services conversations{{"conversations"}};
  auto routes = process.pipeline().mount(*this);
  routes.post("/internal/contacts/audience", conversations, &Api::page);
  routes.post("/internal/contacts/variables", conversations, &Api::variables);
}

namespace {

constexpr std::int64_t kUsualPage = 2'000, kMaxPage = 5'000;
constexpr std::size_t kMaxPeople = 100;
constexpr std::size_t kMaxVariables = 1'000;

void check_variables(const std::vector<std::string>& variables, http::Faults& faults) {
  if (variables.size() > kMaxVariables) faults.add("/variables", "must be at most 1000");
}

void append(std::string& out, const std::vector<PersonRow>& people) {
  for (const auto& person : people) chassis::Fragments::append(out, person.id, static_cast<const Person&>(person));
}

http::Response lines(std::string text) {
  return {.content_type = "text/plain", .head{}, .body = std::move(text), .stream{}, .stream_length{}};
}

}  // namespace

std::string lines_of(const Page& page) {
  std::string out;
  append(out, page.people);
  return out.append(page.next ? "next " + page.next->text() : "end").append("\n");
}

awaitable<http::Response> Api::page(chassis::Call& call) {
  auto body = co_await call.body<AudienceBody>();
  http::Faults faults;
  check_variables(body.variables, faults);
  faults.throw_if_any();
  body.limit = std::clamp<std::int64_t>(body.limit.value_or(kUsualPage), 1, kMaxPage);
  const auto page = co_await store_.page(std::move(body));
  co_return lines(lines_of(page));
}

awaitable<http::Response> Api::variables(chassis::Call& call) {
  auto body = co_await call.body<VariablesBody>();
  http::Faults faults;
  check_variables(body.variables, faults);
  if (body.contactIds.size() > kMaxPeople) faults.add("/contactIds", "must be at most 100");
  faults.throw_if_any();
  const auto people =
      co_await store_.people(body.organizationId, std::move(body.contactIds), std::move(body.variables));
  std::string text;
  append(text, people);
  co_return lines(std::move(text));
}

}  // namespace parley::contacts::audience

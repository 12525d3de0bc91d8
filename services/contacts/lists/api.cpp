#include "contacts/lists/api.hpp"

#include <algorithm>
#include <unordered_set>

namespace parley::contacts::lists {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.post("/api/lists", Permission::create_list, &Api::create);
}

namespace {

constexpr std::size_t kMostContacts = 10'000;
constexpr std::size_t kMostTags = 100;

NewList check(CreateList body) {
  http::Faults faults;
  faults.check_text("/name", body.name, 1, 255);
  NewList list{std::move(body.name), body.description.value_or(""), {}, {}};
  faults.check_text("/description", list.description, 0, 2000);

  const auto tags = body.tags.value_or(std::vector<std::string>{});
  if (tags.size() > kMostTags) faults.add("/tags", "must be at most " + std::to_string(kMostTags));
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < std::min(tags.size(), kMostTags); ++i) {
    faults.check_text("/tags/" + std::to_string(i), tags[i], 1, 255);
    if (seen.insert(tags[i]).second) list.tags.push_back(tags[i]);
  }

  const auto ids = body.contactIds.value_or(std::vector<std::string>{});
  if (ids.size() > kMostContacts) faults.add("/contactIds", "must be at most " + std::to_string(kMostContacts));
  for (std::size_t i = 0; i < std::min(ids.size(), kMostContacts); ++i) {
    if (const auto id = model::Uuid::parse(ids[i]))
      list.contact_ids.push_back(*id);
    else
      faults.add("/contactIds/" + std::to_string(i), "there is no contact " + ids[i].substr(0, 64));
  }
  std::sort(list.contact_ids.begin(), list.contact_ids.end());
  list.contact_ids.erase(std::unique(list.contact_ids.begin(), list.contact_ids.end()), list.contact_ids.end());
  faults.throw_if_any();
  return list;
}

}  // namespace

awaitable<http::Response> Api::create(chassis::Call& call) {
  auto list = check(co_await call.body<CreateList>());
  const ListAnswer answer{co_await store_.create(call.organization(), std::move(list))};
  auto response = http::json_response(answer, 201);
  response.add("Location", "/api/lists/" + answer.list.uniqueId.text());
  co_return response;
}

}  // namespace parley::contacts::lists

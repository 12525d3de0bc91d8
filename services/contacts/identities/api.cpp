#include "contacts/identities/api.hpp"

#include <algorithm>

#include "common/model/phone.hpp"
#include "common/model/text.hpp"

namespace parley::contacts::identities {

Api::Api(chassis::Process& process, Store& store, contacts::Store& contacts) : store_(store), contacts_(contacts) {
  auto routes = process.pipeline().mount(*this);
  routes.serve(contract::resolve, &Api::resolve);
  routes.serve(contract::addresses, &Api::addresses);
  routes.serve(contract::ids, &Api::ids);
}

namespace {

constexpr std::int64_t kMaxMembers = 10'000;
constexpr std::size_t kMaxCharacters = 255;

// Normalizes a number as contacts store it. A number that no numbering plan knows passes: the channel decides.
void check_phone(const std::string& pointer, std::optional<std::string>& phone, http::Faults& faults) {
  if (!phone) return;
  if (!model::is_international(*phone))
    return faults.add(pointer, "must be an international number, such as +491701234567");
  if (auto known = model::to_e164(*phone, "")) phone = std::move(known);
}

// A profile's name, truncated to the length of a contact's; nullopt if it has no visible character.
std::optional<std::string> check_name(const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  http::Faults faults;
  const auto cut = std::string(model::first_characters(*name, kMaxCharacters));
  faults.check_text("", cut, 1, kMaxCharacters);
  return faults.empty() ? std::optional(cut) : std::nullopt;
}

void check(std::vector<Person>& people) {
  http::Faults faults;
  if (people.size() > contract::kMaxPeople) faults.add("/people", "must be at most 1000");
  for (std::size_t i = 0; i < std::min(people.size(), contract::kMaxPeople); ++i) {
    auto& person = people[i];
    const auto pointer = "/people/" + std::to_string(i);
    check_phone(pointer + "/phone", person.phone, faults);
    check_phone(pointer + "/formerPhone", person.formerPhone, faults);
    if (person.formerPhone == person.phone) person.formerPhone.reset();
    if (person.channelUserId) faults.check_text(pointer + "/channelUserId", *person.channelUserId, 1, kMaxCharacters);
    if (person.formerChannelUserId)
      faults.check_text(pointer + "/formerChannelUserId", *person.formerChannelUserId, 1, kMaxCharacters);
    if (person.formerChannelUserId == person.channelUserId) person.formerChannelUserId.reset();
    if (!person.phone && !person.channelUserId) faults.add(pointer, "needs a phone or a channelUserId");
    person.name = check_name(person.name);
  }
  faults.throw_if_any();
}

}  // namespace

awaitable<contract::Resolved> Api::resolve(chassis::Call&, contract::Resolve body) {
  check(body.people);
  co_return contract::Resolved{co_await store_.resolve(body.organizationId, std::move(body.people))};
}

awaitable<chassis::Lines<Address>> Api::addresses(chassis::Call&, contract::AddressesQuery query) {
  auto ids = std::move(query.contact_ids).value_or(std::vector<model::Uuid>{});
  if (ids.size() > contract::kMaxAddresses)
    throw http::Problem({.status = 400, .detail = "at most 100 at once", .errors = {{"?contact_ids", "are too many"}}});
  chassis::Lines<Address> lines;
  for (const auto& row : co_await store_.addresses(query.organization_id.value_or(model::Uuid{}), std::move(ids)))
    lines.append<Address>(row.id, row);
  co_return lines;
}

awaitable<contract::Ids> Api::ids(chassis::Call&, contract::IdsQuery query) {
  http::Faults faults;
  if (query.search.has_value() == query.list_id.has_value()) faults.add("?search", "or else list_id is needed");
  if (query.search) faults.check_text("?search", *query.search, 1, 100);
  faults.throw_if_any();
  const auto organization = query.organization_id.value_or(model::Uuid{});
  const auto usual = query.list_id ? kMaxMembers : std::int64_t(contract::kMaxFound);
  const auto limit = std::clamp<std::int64_t>(query.limit.value_or(usual), 1, usual);
  contract::Ids answer;
  if (query.list_id)
    answer.contactIds =
        co_await store_.members(organization, *query.list_id, query.after.value_or(model::Uuid{}), limit + 1);
  else
    answer.contactIds = co_await contacts_.search(organization, *query.search, limit + 1);
  answer.more = answer.contactIds.size() > static_cast<std::size_t>(limit);
  if (answer.more) answer.contactIds.pop_back();
  co_return answer;
}

}  // namespace parley::contacts::identities

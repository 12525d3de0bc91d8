#include "conversations/campaigns/test_sends/api.hpp"

#include <algorithm>

#include "common/chassis/change.hpp"
#include "common/model/phone.hpp"
#include "conversations/campaigns/links/urls.hpp"
#include "conversations/messages/outgoing.hpp"

namespace parley::conversations::test_sends {

using identity::Permission;
using rendering::Composition;

Api::Api(chassis::Process& process, pg::Pool& database, Store& store, campaigns::Store& campaigns,
         rendering::TemplateCheck& templates, channel::Accounts& accounts, chassis::ServiceClient& contacts,
         const std::string& public_url)
    : database_(database),
      store_(store),
      campaigns_(campaigns),
      templates_(templates),
      accounts_(accounts),
      contacts_(contacts),
      link_(public_url + std::string(links::kPath)) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/campaigns/{id}/preview", Permission::get_campaign, &Api::preview);
  // Creates contacts for unknown numbers, and reveals those of known ones.
  const chassis::AllOf test{{Permission::update_campaign, Permission::create_contact, Permission::get_contact}};
  routes.post("/api/campaigns/{id}/test", test, &Api::test);
}

namespace {

constexpr std::size_t kMaxPhones = 10;

std::vector<std::string> check(const std::vector<std::string>& typed) {
  http::Faults faults;
  if (typed.empty() || typed.size() > kMaxPhones) faults.add("/phones", "must be 1 to " + std::to_string(kMaxPhones));
  std::vector<std::string> phones;
  for (std::size_t i = 0; i < std::min(typed.size(), kMaxPhones); ++i) {
    const auto at = "/phones/" + std::to_string(i);
    auto phone = model::to_e164(typed[i], "");
    const auto wrong_length = phone ? "" : model::wrong_length_of(typed[i], "");
    if (!wrong_length.empty())
      faults.add(at, "is no telephone number: " + wrong_length);
    else if (!phone)
      faults.add(at, "must be an international number, such as +491701234567");
    else if (std::find(phones.begin(), phones.end(), *phone) != phones.end())
      faults.add(at, "is given twice");
    else
      phones.push_back(std::move(*phone));
  }
  faults.throw_if_any();
  return phones;
}

// Returns the range of variants: the requested one, or all, beginning with the campaign's own message.
std::pair<std::size_t, std::size_t> range_of(const Composition& composition, std::optional<std::int64_t> variant,
                                             const std::string& pointer) {
  const auto count = composition.variant_count();
  if (!variant) return {0, count};
  if (*variant >= 0 && *variant < static_cast<std::int64_t>(count))
    return {static_cast<std::size_t>(*variant), static_cast<std::size_t>(*variant) + 1};
  http::Faults faults;
  faults.add(pointer, "must be from 0, the campaign's own message, to " + std::to_string(count - 1));
  faults.throw_if_any();
  return {};
}

Preview preview_of(const model::Campaign& campaign, const Composition& composition, std::size_t variant,
                   const std::vector<std::optional<std::string>>& values) {
  auto rendered = composition.render(variant, values);
  Preview out;
  out.variant = static_cast<std::int64_t>(variant);
  out.messageType = rendered.type;
  if (variant > 0) out.name = campaign.variants.at(variant - 1).name;
  out.messageData.text = std::move(rendered.data);
  out.missing = composition.missing(variant, values);
  if (composition.misses_value(variant, values)) out.skipped = Skipped::MissingValue;
  return out;
}

}  // namespace

awaitable<model::Campaign> Api::known(chassis::Call& call) {
  auto found = co_await campaigns_.find(call.organization(), call.id());
  if (!found) throw chassis::not_found("there is no campaign with this id");
  co_return std::move(found->campaign);
}

awaitable<http::Response> Api::preview(chassis::Call& call) {
  const auto query = call.query<PreviewQuery>();
  const auto campaign = co_await known(call);
  const Composition composition(campaign.message, campaign.variants);
  const auto [first, last] = range_of(composition, query.variant, "?variant");
  if (query.contact_id) call.require(Permission::get_contact);
  auto contact = query.contact_id;
  if (!contact && call.may(Permission::get_contact)) contact = co_await contacts_.first_of(call, campaign);
  std::optional<Person> person;
  if (contact) {
    const auto people = co_await contacts_.find(call, {*contact}, composition.variables());
    if (!people) call.degraded("contacts");
    if (people) person = people->front();
    if (people && !person && query.contact_id) throw chassis::not_found("there is no contact with this id");
  }
  const auto values = person ? person->values : std::vector<std::optional<std::string>>(composition.variables().size());
  PreviewResponse answer;
  for (auto variant = first; variant < last; ++variant) {
    auto& preview = answer.previews.emplace_back(preview_of(campaign, composition, variant, values));
    if (person) preview.contactId = contact;
    if (person && person->status == model::ContactStatus::Blocked) preview.skipped = Skipped::Blocked;
    if (person && person->status == model::ContactStatus::OptedOut) preview.skipped = Skipped::OptedOut;
  }
  co_return http::json_response(answer);
}

awaitable<std::vector<Sending>> Api::render(chassis::Call& call, const model::Campaign& campaign, std::size_t variant,
                                            std::vector<std::string> phones, std::vector<Test>& tests) {
  const Composition composition(campaign.message, campaign.variants);
  const auto contacts = co_await contacts_.resolve(call, phones);
  const auto people = co_await contacts_.find(call, contacts, composition.variables());
  if (!people) throw http::Unreachable(http::Unreachable::Why::bad_answer, "contacts told no variables", false);
  const auto urls = co_await links::urls_of(database_, call.organization(), campaign.uniqueId, composition.urls());
  const auto link = [&](std::string& out, std::size_t i) {
    out += link_;
    out += links::code_of(urls[i].id, 0, urls[i].secret);
  };
  std::vector<Sending> out;
  for (std::size_t i = 0; i < phones.size(); ++i) {
    auto& test = tests.emplace_back(Test{phones[i], contacts[i], {}, {}});
    const auto& person = (*people)[i];
    const auto values =
        person ? person->values : std::vector<std::optional<std::string>>(composition.variables().size());
    if (person && person->status == model::ContactStatus::Blocked) test.skipped = Skipped::Blocked;
    if (person && person->status == model::ContactStatus::OptedOut) test.skipped = Skipped::OptedOut;
    if (!test.skipped && composition.misses_value(variant, values)) test.skipped = Skipped::MissingValue;
    if (test.skipped) continue;
    auto rendered = composition.render(variant, values, link);
    test.messageId = model::new_uuid();
    out.push_back({contacts[i], *test.messageId, phones[i], rendered.type, std::move(rendered.data)});
  }
  co_return out;
}

// Uses this service's suppressions, since contacts may not have applied them yet.
awaitable<void> Api::skip_suppressed(pg::Transaction& transaction, model::Uuid organization,
                                     std::vector<Sending>& messages, std::vector<Test>& tests) {
  std::vector<model::Uuid> contacts;
  for (const auto& test : tests) contacts.push_back(test.contactId);
  const auto suppressed = co_await store_.suppressed(transaction, organization, std::move(contacts));
  for (auto& test : tests) {
    const auto found = suppressed.find(test.contactId);
    if (found == suppressed.end()) continue;
    test.skipped = found->second;
    test.messageId.reset();
  }
  std::erase_if(messages, [&](const Sending& message) { return suppressed.contains(message.contact_id); });
}

awaitable<http::Response> Api::test(chassis::Call& call, chassis::Change& change) {
  const auto body = co_await call.body<TestBody>();
  auto phones = check(body.phones);
  const auto campaign = co_await known(call);
  const auto variant =
      range_of(Composition(campaign.message, campaign.variants), body.variant.value_or(0), "/variant").first;
  // Calls other services before the transaction begins, so that no lock is held meanwhile.
  const auto account = co_await accounts_.of_organization(call.organization());
  if (!account)
    throw http::Problem(
        {.status = 409, .detail = "nothing can be sent yet: connect a messaging business account first"});
  co_await templates_.check(call.organization(), campaign.message, campaign.variants);
  TestResponse answer;
  auto messages = co_await render(call, campaign, variant, std::move(phones), answer.tests);

  co_await skip_suppressed(change, call.organization(), messages, answer.tests);
  co_await store_.send(change, call.organization(), campaign.phoneNumberId.value_or(account->phoneNumberId),
                       messages::sender_of(call.identity), std::move(messages));
  co_return http::json_response(answer);
}

}  // namespace parley::conversations::test_sends

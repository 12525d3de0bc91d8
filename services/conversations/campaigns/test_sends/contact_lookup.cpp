#include "conversations/campaigns/test_sends/contact_lookup.hpp"

#include <algorithm>

#include "conversations/inbox/webhooks/contact_resolver.hpp"

namespace parley::conversations::test_sends {

namespace {

namespace contract = contracts::contacts;

constexpr std::int64_t kPageSize = 100;
constexpr std::size_t kIdLength = 36;
constexpr int kMaxPages = 5;

// An audience response: lines of contacts in order, then `next ID` or `end`.
struct AudiencePage {
  std::optional<model::Uuid> found;  // the first Active contact
  std::optional<model::Uuid> next;   // `after` of the next request
};

AudiencePage read_page(std::string_view text) {
  AudiencePage page;
  while (!text.empty() && !page.found) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with(contract::kNextPage)) page.next = model::Uuid::parse(line.substr(contract::kNextPage.size()));
    if (line.starts_with(contract::kNextPage) || line.size() <= kIdLength) continue;
    const auto person = model::from_json<Person>(line.substr(kIdLength + 1));
    if (person && person->status == model::ContactStatus::Active)
      page.found = model::Uuid::parse(line.substr(0, kIdLength));
  }
  return page;
}

}  // namespace

awaitable<std::optional<model::Uuid>> ContactLookup::first_of(chassis::Call& call, const model::Campaign& campaign) {
  if (campaign.listIds.empty() && campaign.segmentIds.empty()) co_return std::nullopt;
  contract::AudienceQuestion question{.organizationId = call.organization(),
                                      .listIds = campaign.listIds,
                                      .excludedListIds = campaign.excludedListIds,
                                      .after = {},
                                      .limit = kPageSize,
                                      .variables = {},
                                      .segmentIds = campaign.segmentIds};
  const chassis::Asking asking{.answer_time = chassis::kPartTime};
  try {
    for (int pages = 0; pages < kMaxPages; ++pages) {
      const auto answer = co_await contacts_.ask(contract::audience, question, call.scope, asking);
      const auto page = read_page(answer.text);
      if (page.found || !page.next) co_return page.found;
      question.after = page.next;
    }
  } catch (const chassis::Refusal& refusal) {  // no such audience, unless contacts refuses this process for now
    if (refusal.is_temporary()) call.degraded(contacts_.context());
  } catch (const http::Unreachable&) {  // the upstream counts it
    call.degraded(contacts_.context());
  }
  co_return std::nullopt;
}

awaitable<std::optional<std::vector<std::optional<Person>>>> ContactLookup::find(chassis::Call& call,
                                                                                 std::vector<model::Uuid> ids,
                                                                                 std::vector<std::string> variables) {
  const auto wanted = variables.size();
  const auto parts = co_await contacts_.parts(
      contacts_.start(contract::variables, {call.organization(), ids, std::move(variables)}, call.scope));
  if (!parts) co_return std::nullopt;
  std::vector<std::optional<Person>> out;
  for (const auto& id : ids) {
    const auto part = parts->of(id);
    auto& person = out.emplace_back(part ? model::from_json<Person>(*part) : std::nullopt);
    if (person && person->values.size() != wanted) person.reset();
  }
  co_return out;
}

awaitable<std::vector<model::Uuid>> ContactLookup::resolve(chassis::Call& call, std::span<const std::string> phones) {
  std::vector<webhooks::Sender> senders;
  for (const auto& phone : phones) senders.push_back({phone, {}, {}, {}});
  std::vector<const webhooks::Sender*> pointers;
  for (const auto& sender : senders) pointers.push_back(&sender);
  std::vector<model::Uuid> out;
  const auto contacts = co_await webhooks::resolve(contacts_, call.organization(), pointers);
  for (const auto& contact : contacts) out.push_back(contact.contactId);
  co_return out;
}

}  // namespace parley::conversations::test_sends

#include "conversations/campaigns/tag_names.hpp"

#include <set>

namespace parley::conversations::campaigns {

namespace {

constexpr std::size_t kMaxIds = 200;  // of a call: a target may have 8,192 octets

std::vector<std::string> targets_for(const model::Uuid& organization, const std::set<model::Uuid>& ids) {
  std::vector<std::string> out;
  std::size_t count = 0;
  for (const auto& id : ids) {
    if (count++ % kMaxIds == 0)
      out.push_back("/internal/contacts/parts?organization_id=" + organization.text() + "&contact_ids=&tag_ids=");
    if (!out.back().ends_with('=')) out.back() += ',';
    id.append_to(out.back());
  }
  return out;
}

std::optional<std::string> label_in(std::optional<std::string_view> part) {
  auto tag = part ? model::from_json<model::Tag>(*part) : std::nullopt;
  if (!tag) return std::nullopt;
  return std::move(tag->label);
}

}  // namespace

awaitable<TagNames> TagNames::ask(chassis::Call& call, chassis::ServiceClient& contacts,
                                  std::span<const model::Campaign> campaigns) {
  std::set<model::Uuid> ids;
  for (const auto& campaign : campaigns)
    for (const auto& tag : campaign.tags) ids.insert(tag.uniqueId);
  std::vector<http::PendingResponse> asked;
  for (auto& target : targets_for(call.organization(), ids))
    asked.push_back(contacts.start(std::move(target), call.scope));
  std::vector<chassis::Fragments> answers;
  for (auto& pending : asked)
    if (auto parts = co_await contacts.parts(std::move(pending))) answers.push_back(std::move(*parts));
  TagNames out;
  if (answers.size() < asked.size())
    call.degraded(contacts.context());
  else
    for (const auto& id : ids)
      for (const auto& parts : answers)
        if (auto label = label_in(parts.of(id)); label || !out.labels_.contains(id)) out.labels_[id] = std::move(label);
  co_return out;
}

void TagNames::apply(model::Campaign& campaign) const {
  std::erase_if(campaign.tags, [&](model::Tag& tag) {
    const auto known = labels_.find(tag.uniqueId);
    if (known == labels_.end()) return false;
    if (known->second) tag.label = *known->second;
    return !known->second.has_value();
  });
}

}  // namespace parley::conversations::campaigns

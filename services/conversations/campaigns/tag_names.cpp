#include "conversations/campaigns/tag_names.hpp"

#include <set>

#include "conversations/inbox/conversations/composer.hpp"

namespace parley::conversations::campaigns {

namespace {

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
  TagNames out;
  if (ids.empty()) co_return out;
  std::vector<chassis::Fragments> answers;
  auto asked = conversations::ask_contacts(contacts, call, {}, {ids.begin(), ids.end()});
  const bool all = co_await conversations::gather(contacts, std::move(asked), answers);
  if (!all) call.degraded(contacts.context());
  if (!all) co_return out;
  for (const auto& id : ids) out.labels_[id] = label_in(conversations::part_of(answers, id));
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

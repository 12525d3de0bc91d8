#include "conversations/events/subscriptions/fan_out.hpp"

#include <algorithm>
#include <map>

#include "conversations/events/public_events/notices.hpp"
#include "conversations/events/subscriptions/rows.hpp"
#include "conversations/events/subscriptions/sql.hpp"

namespace parley::conversations::subscriptions {

namespace {

using public_events::Notice;

std::vector<Notice> gather(std::span<const events::Event> events) {
  std::vector<Notice> out;
  for (const auto& event : events)
    for (auto& notice : public_events::notices_of(event))
      if (std::ranges::find(public_events::kWebhookTypes, notice.type) != public_events::kWebhookTypes.end())
        out.push_back(std::move(notice));
  return out;
}

std::vector<model::Uuid> organizations_of(const std::vector<Notice>& all) {
  std::vector<model::Uuid> out;
  for (const auto& notice : all) out.push_back(notice.organization_id);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool asks_for(const ListeningRow& webhook, const Notice& notice) {
  return webhook.organization_id == notice.organization_id &&
         std::find(webhook.events.begin(), webhook.events.end(), notice.type) != webhook.events.end();
}

pg::Batch insert(const std::vector<Notice>& wanted, const public_events::Resources& resources,
                 const std::vector<ListeningRow>& webhooks) {
  std::vector<model::Uuid> organizations, ids;
  std::vector<std::string_view> types;
  std::vector<std::optional<model::Uuid>> contacts;
  std::vector<std::string> bodies;
  std::vector<model::Uuid> delivery_organizations, delivery_webhooks, delivery_ids, delivery_notices;
  for (const auto& notice : wanted) {
    organizations.push_back(notice.organization_id);
    ids.push_back(model::new_uuid());
    types.push_back(notice.type);
    contacts.push_back(notice.contact_id);
    bodies.push_back(resources.show(notice));
    for (const auto& webhook : webhooks) {
      if (!asks_for(webhook, notice)) continue;
      delivery_organizations.push_back(notice.organization_id);
      delivery_webhooks.push_back(webhook.id);
      delivery_ids.push_back(model::new_uuid());
      delivery_notices.push_back(ids.back());
    }
  }
  pg::Batch batch(sql::insert_notices, organizations, ids, types, contacts, bodies);
  batch.add(sql::insert_deliveries, delivery_organizations, delivery_webhooks, delivery_ids, delivery_notices);
  return batch;
}

}  // namespace

awaitable<void> fan_out(pg::Transaction& transaction, std::span<const events::Event> events) {
  auto all = gather(events);
  if (all.empty()) co_return;
  const auto found = co_await transaction.run(pg::Batch(sql::listening, organizations_of(all)));
  const auto webhooks = found.rows<ListeningRow>();
  std::erase_if(all, [&](const Notice& notice) {
    return std::none_of(webhooks.begin(), webhooks.end(),
                        [&](const auto& webhook) { return asks_for(webhook, notice); });
  });
  if (all.empty()) co_return;
  auto question = public_events::Resources::question(all);
  public_events::Resources resources;
  if (!question.empty()) {
    const auto answer = co_await transaction.run(std::move(question));
    resources = public_events::Resources(answer);
  }
  co_await transaction.run(insert(all, resources, webhooks));
}

}  // namespace parley::conversations::subscriptions

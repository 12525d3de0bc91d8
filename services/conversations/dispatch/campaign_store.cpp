#include "conversations/dispatch/campaign_store.hpp"

#include <charconv>
#include <set>

#include "common/events/outbox/sql.hpp"
#include "conversations/campaigns/links/urls.hpp"
#include "conversations/campaigns/rendering/message.hpp"
#include "conversations/dispatch/sql.hpp"

namespace parley::conversations::dispatch {

namespace {

std::vector<std::int32_t> firsts(const std::vector<ChunkId>& chunks) {
  std::vector<std::int32_t> out;
  for (const auto& chunk : chunks) out.push_back(chunk.first);
  return out;
}

// The final statements of a transaction of intents of one campaign: counters and events. `offered`: ids of the
// conversations that the transaction may have opened.
pg::Batch last_of(const std::vector<Intent>& intents, const model::Uuid& organization, const model::Uuid& campaign,
                  std::set<model::Uuid> offered) {
  engagement::CampaignCounters counters(organization);
  events::Changes changes;
  std::int64_t skipped = 0;
  for (const auto& intent : intents) {
    if (intent.fate != IntentOutcome::Queued) {
      ++skipped;
      continue;
    }
    const auto& at = intent.created_at.value();
    counters.message(campaign, at, std::nullopt, model::MessageStatus::Queued);
    if (offered.erase(intent.conversation_id.value()) == 0) continue;
    counters.conversation(campaign, at);
    changes.add(events::ConversationCreated{organization, *intent.conversation_id, intent.contact_id.value(),
                                            model::ConversationInitiator::Campaign});
  }
  counters.skipped(campaign, skipped);
  counters.emit(changes);
  pg::Batch out;
  counters.add_to(out);
  if (!changes.empty()) out.add(events::outbox::append, changes.json());
  return out;
}

}  // namespace

std::optional<std::int64_t> people_of(const std::optional<std::string>& messaging_limit) {
  constexpr std::string_view prefix = "TIER_";
  if (!messaging_limit || !messaging_limit->starts_with(prefix)) return std::nullopt;
  const auto number = std::string_view(*messaging_limit).substr(prefix.size());
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), out);
  if (error != std::errc()) return std::nullopt;
  return end != number.data() + number.size() && *end == 'K' ? out * 1'000 : out;
}

awaitable<CampaignStore::Look> CampaignStore::look(NumberId number, std::vector<ChunkId> open) {
  constexpr std::int64_t kMaxCounted = 1'000;
  std::vector<model::Uuid> campaigns;
  for (const auto& chunk : open) campaigns.push_back(chunk.campaign_id);
  pg::Batch batch(sql::campaigns, number.organization_id, number.phone_number_id, campaigns, firsts(open), kMaxCounted);
  batch.add(sql::reached, number.organization_id, number.phone_number_id);
  const auto results = co_await database_.read(std::move(batch));
  co_return Look{results.rows<Running>(0), results.one<Reached>(1)};
}

awaitable<std::shared_ptr<const CompiledMessage>> CampaignStore::letter(model::Uuid organization,
                                                                        model::Uuid campaign) {
  const auto results = co_await database_.read(pg::Batch(sql::composition, organization, campaign));
  const auto row = results.one<CompositionRow>();
  rendering::Composition composition(row.message, rendering::read_variants(row.variants));
  auto urls = co_await links::urls_of(database_, organization, campaign, composition.urls());
  co_return std::make_shared<const CompiledMessage>(CompiledMessage{std::move(composition), std::move(urls)});
}

awaitable<std::shared_ptr<Chunk>> CampaignStore::take(NumberId number, model::Uuid campaign,
                                                      std::vector<ChunkId> open) {
  const auto& organization = number.organization_id;
  std::erase_if(open, [&](const ChunkId& chunk) { return chunk.campaign_id != campaign; });
  auto results = co_await database_.write(
      pg::Batch(sql::take_chunk, organization, number.phone_number_id, owner_, campaign, firsts(open)));
  const auto taken = results.optional<TakenChunk>();
  if (!taken) co_return nullptr;
  if (taken->begun) {
    const auto doubt = std::chrono::duration_cast<std::chrono::milliseconds>(settings_.doubt).count();
    co_await database_.write(pg::Batch(sql::doubt_chunk, organization, campaign, taken->first, taken->last, doubt));
  }
  results = co_await database_.read(pg::Batch(sql::targets, organization, campaign, taken->first, taken->last));
  auto targets = results.rows<Target>();
  const auto chunk = std::make_shared<Chunk>(Chunk{{campaign, taken->first, taken->last}});
  chunk->left.assign(std::make_move_iterator(targets.begin()), std::make_move_iterator(targets.end()));
  co_return chunk;
}

awaitable<std::vector<Intent>> CampaignStore::intend(NumberId number, model::Uuid campaign,
                                                     const std::vector<NewMessage>& messages, bool again) {
  std::vector<std::int32_t> ordinals;
  std::vector<model::Uuid> conversations;
  std::vector<model::MessageType> types;
  std::vector<std::string_view> contents;
  for (const auto& message : messages) {
    ordinals.push_back(message.ordinal);
    conversations.push_back(model::new_uuid());
    types.push_back(message.type);
    contents.push_back(message.data);
  }
  pg::Batch batch;
  if (again) batch.add(sql::await_intents, number.organization_id, number.phone_number_id);
  batch.add(sql::intend, number.organization_id, number.phone_number_id, owner_, campaign, ordinals, conversations,
            types, contents);
  auto transaction = co_await database_.begin();
  const auto results = co_await transaction.run(std::move(batch));
  auto intents = results.rows<Intent>(again ? 1 : 0);
  // a single row without a message tells why there are none
  if (!intents.empty() && !intents.front().message_id) co_return intents;
  co_await transaction.commit(
      last_of(intents, number.organization_id, campaign, {conversations.begin(), conversations.end()}));
  co_return intents;
}

awaitable<void> CampaignStore::explain(NumberId number, std::string reason) {
  co_await database_.write(pg::Batch(sql::explain, number.organization_id, number.phone_number_id, reason));
}

}  // namespace parley::conversations::dispatch

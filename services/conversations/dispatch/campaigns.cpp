#include "conversations/dispatch/campaigns.hpp"

#include <algorithm>
#include <unordered_map>

#include "conversations/campaigns/links/code.hpp"
#include "conversations/dispatch/classify.hpp"

namespace parley::conversations::dispatch {

using namespace std::chrono_literals;

namespace {

constexpr auto kLookPause = 250ms;  // a pause of a campaign takes effect after at most this time
constexpr auto kMaxRest = 1s;
constexpr auto kHoldTime = 5s;  // until the pause of a held campaign is committed
// Bound on a campaign's messages that wait for a retry. Beyond it something is wrong, and more messages would not help.
constexpr std::int64_t kMaxWaiting = 1'000;
constexpr std::size_t kMaxInHand = 64;  // chunks; bounds the memory for targets

}  // namespace

namespace {

prometheus::Counter& chunks(chassis::Process& process, const std::string& result) {
  return process.metrics()
      .counters("dispatch_campaign_chunks_total", "Parts of campaigns' recipients, by what was done with them")
      .Add({{"result", result}});
}

prometheus::Counter& intents(chassis::Process& process, const std::string& result) {
  return process.metrics()
      .counters("dispatch_campaign_intents_total", "Campaigns' messages that were to be made, by what became of that")
      .Add({{"result", result}});
}

}  // namespace

CampaignMetrics::CampaignMetrics(chassis::Process& process)
    : chunks_taken(chunks(process, "taken")),
      chunks_finished(chunks(process, "finished")),
      intents_made(intents(process, "made")),
      intents_skipped(intents(process, "skipped")),
      intents_unknown(intents(process, "unknown")),
      tier_waits(process.metrics()
                     .counters("dispatch_campaign_tier_waits_total",
                               "How often a number's campaigns had to wait for the account's messaging limit")
                     .Add({})) {}

Campaigns::Campaign::Campaign(Running running, Clock::time_point now)
    : state(std::move(running)), pace(static_cast<double>(state.messages_per_second.value_or(0)), now) {}

bool Campaigns::Campaign::waits(Clock::time_point now) const {
  return now < held_until || state.waiting >= kMaxWaiting || (!chunk && !state.open);
}

std::vector<ChunkId> Campaigns::in_hand() const {
  std::vector<ChunkId> out;
  for (const auto& chunk : chunks_) out.push_back(chunk->id);
  return out;
}

awaitable<void> Campaigns::look(std::size_t unsettled, bool explains) {
  if (Clock::now() - looked_ < kLookPause) co_return;
  auto seen = co_await store_.look(number_, in_hand());
  looked_ = Clock::now();
  learn(std::move(seen.running));
  learn(seen.reached, unsettled);
  if (explains) co_await explain();
}

// Campaigns that still run keep their turns; new ones are appended.
void Campaigns::learn(std::vector<Running> running) {
  const auto now = Clock::now();
  std::deque<std::shared_ptr<Campaign>> kept;
  for (const auto& campaign : running_) {
    const auto found = std::find_if(running.begin(), running.end(),
                                    [&](const Running& state) { return state.id == campaign->state.id; });
    if (found == running.end()) {
      give_up(*campaign);
      continue;
    }
    if (found->messages_per_second != campaign->state.messages_per_second)
      campaign->pace = TokenBucket(static_cast<double>(found->messages_per_second.value_or(0)), now);
    campaign->state = std::move(*found);
    running.erase(found);
    kept.push_back(campaign);
  }
  running_ = std::move(kept);
  for (auto& state : running) running_.push_back(std::make_shared<Campaign>(std::move(state), now));
}

// Counts messages in flight as people reached. A message recorded since the query counts twice until the next look.
void Campaigns::learn(const Reached& reached, std::size_t unsettled) {
  limit_ = people_of(reached.messaging_limit);
  left_ = limit_ ? std::optional(*limit_ - reached.people - static_cast<std::int64_t>(unsettled)) : std::nullopt;
  const bool waits = limit_ && reached.people >= *limit_ && !running_.empty();
  if (waits && reason_.empty()) metrics_.tier_waits.Increment();
  reason_ = waits ? "the account's messaging limit of " + std::to_string(*limit_) + " in 24 hours is reached" : "";
}

awaitable<void> Campaigns::explain() {
  const bool told = std::all_of(running_.begin(), running_.end(),
                                [&](const auto& campaign) { return campaign->state.status_reason == reason_; });
  if (!told) co_await store_.explain(number_, reason_);
}

std::vector<model::Uuid> Campaigns::running() const {
  std::vector<model::Uuid> out;
  for (const auto& campaign : running_) out.push_back(campaign->state.id);
  return out;
}

bool Campaigns::runs(const model::Uuid& campaign) const {
  return std::any_of(running_.begin(), running_.end(),
                     [&](const auto& each) { return each->state.id == campaign && Clock::now() >= each->held_until; });
}

void Campaigns::hold(const model::Uuid& campaign) {
  for (const auto& each : running_)
    if (each->state.id == campaign) each->held_until = Clock::now() + kHoldTime;
}

awaitable<Campaigns::Made> Campaigns::make(std::int64_t most) {
  Made made;
  if (left_) most = std::min(most, *left_);
  for (auto turns = running_.size(); turns > 0 && most > 0 && made.items.empty() && !made.lost; --turns) {
    const auto campaign = running_.front();
    running_.pop_front();
    running_.push_back(campaign);
    const bool ready = co_await has_targets(*campaign);
    const auto count = ready ? turn(*campaign, most) : 0;
    if (count > 0) co_await make(*campaign, count, made);
  }
  if (left_) *left_ -= static_cast<std::int64_t>(made.items.size());
  co_return made;
}

awaitable<bool> Campaigns::has_targets(Campaign& campaign) {
  if (campaign.waits(Clock::now())) co_return false;
  while (!campaign.chunk) {
    if (chunks_.size() >= kMaxInHand) co_return false;
    const auto chunk = co_await store_.take(number_, campaign.state.id, in_hand());
    campaign.state.open = chunk != nullptr;
    if (!chunk) co_return false;
    metrics_.chunks_taken.Increment();
    chunks_.push_back(chunk);
    if (chunk->left.empty())
      end_if_over(*chunk, gathered_);
    else
      campaign.chunk = chunk;
  }
  co_return true;
}

// Returns how many targets the campaign's pace admits. Targets that are not sent to need no token.
std::size_t Campaigns::turn(Campaign& campaign, std::int64_t most) {
  const auto now = Clock::now();
  const auto wanted = std::min(static_cast<std::size_t>(most), campaign.chunk->left.size());
  for (std::size_t count = 0; count < wanted; ++count) {
    if (campaign.chunk->left[count].ordinal <= campaign.state.doubtful) continue;
    if (const auto wait = campaign.pace.take(now); wait > Clock::duration::zero()) {
      campaign.next = now + wait;
      return count;
    }
  }
  campaign.next = now;
  return wanted;
}

awaitable<void> Campaigns::make(Campaign& campaign, std::size_t count, Made& made) {
  if (!campaign.letter) campaign.letter = co_await store_.letter(number_.organization_id, campaign.state.id);
  auto messages = render(campaign, count);
  const auto& left = campaign.chunk->left;
  const bool again = std::any_of(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(count),
                                 [](const Target& target) { return target.unsure; });
  std::vector<Intent> intents;
  bool unknown = false;
  try {
    intents = co_await store_.intend(number_, campaign.state.id, messages, again);
  } catch (const pg::OutcomeUnknown&) {
    unknown = true;
  }
  if (unknown) {
    for (std::size_t i = 0; i < count; ++i) campaign.chunk->left[i].unsure = true;
    metrics_.intents_unknown.Increment(static_cast<double>(count));
    throw pg::Unavailable("the connection was lost that made messages");
  }
  if (intents.empty() || intents.front().message_id) co_return take_up(campaign, std::move(messages), intents, made);
  made.lost = intents.front().fate == IntentOutcome::NotMine;
  hold(campaign.state.id);
  looked_ = {};
}

std::vector<NewMessage> Campaigns::render(const Campaign& campaign, std::size_t count) const {
  const auto& [composition, urls] = *campaign.letter;
  std::vector<NewMessage> out;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& target = campaign.chunk->left[i];
    const auto variant = std::min(static_cast<std::size_t>(target.variant), composition.variant_count() - 1);
    auto rendered =
        composition.render(variant, target.parameters, [&, &links = urls](std::string& text, std::size_t url) {
          text.append(settings_.public_url).append(links::kPath);
          text += links::code_of(links.at(url).id, target.ordinal, links.at(url).secret);
        });
    out.push_back({target.ordinal, rendered.type, std::move(rendered.data)});
  }
  return out;
}

// Queues the made messages for sending, unless their targets may have been sent to already. Messages made by an earlier
// try whose commit was not answered were surely not sent.
void Campaigns::take_up(Campaign& campaign, std::vector<NewMessage> messages, const std::vector<Intent>& intents,
                        Made& made) {
  std::unordered_map<model::Uuid, const Intent*> by_message;
  for (const auto& intent : intents) by_message.emplace(*intent.message_id, &intent);
  const auto chunk = campaign.chunk;
  std::size_t count = 0;
  for (auto& message : messages) {
    auto target = std::move(chunk->left.front());
    chunk->left.pop_front();
    const auto found = by_message.find(target.message_id);
    const bool queued = found != by_message.end() && found->second->fate == IntentOutcome::Queued;
    const bool doubtful = target.ordinal <= campaign.state.doubtful;
    if (!queued && (found != by_message.end() || !target.unsure)) continue;
    count += queued ? 1 : 0;
    Item item;
    item.message_id = target.message_id;
    item.attempt = 1;
    if (queued) item.contact_id = found->second->contact_id.value();
    item.recipient = std::move(target.recipient);
    item.campaign_id = campaign.state.id;
    item.message_type = message.type;
    item.data = model::RawJson{std::move(message.data)};
    item.chunk = chunk;
    ++chunk->unwritten;
    if (doubtful)
      gathered_.results.push_back(leave_in_doubt(item, item.message_id));
    else if (queued)
      made.items.push_back(std::move(item));
    else
      gathered_.results.push_back(put_back(item, item.message_id, 0));
  }
  metrics_.intents_made.Increment(static_cast<double>(count));
  metrics_.intents_skipped.Increment(static_cast<double>(messages.size() - count));
  if (!chunk->left.empty()) return;
  campaign.chunk = nullptr;
  end_if_over(*chunk, gathered_);
}

Campaigns::Clock::duration Campaigns::rest() const {
  const auto now = Clock::now();
  Clock::duration out = kMaxRest;
  for (const auto& campaign : running_) {
    if (campaign->waits(now) || (left_ && *left_ <= 0))
      out = std::min<Clock::duration>(out, kLookPause);
    else
      out = std::min(out, std::max<Clock::duration>(campaign->next - now, 1ms));
  }
  return out;
}

// Called when a campaign is no longer Running or this dispatcher ends.
void Campaigns::give_up(Campaign& campaign) {
  const auto chunk = std::exchange(campaign.chunk, nullptr);
  if (!chunk) return;
  for (auto& target : chunk->left) {
    if (!target.unsure) continue;
    Item item;
    item.message_id = target.message_id;
    item.attempt = 1;
    item.recipient = std::move(target.recipient);
    item.chunk = chunk;
    ++chunk->unwritten;
    const bool doubtful = target.ordinal <= campaign.state.doubtful;
    auto result = doubtful ? leave_in_doubt(item, item.message_id) : put_back(item, item.message_id, 0);
    result.unsure = true;
    gathered_.results.push_back(std::move(result));
  }
  chunk->left.clear();
  chunk->released = true;
  end_if_over(*chunk, gathered_);
}

void Campaigns::release() {
  for (const auto& campaign : running_) give_up(*campaign);
  running_.clear();
}

void Campaigns::close(Record& record) {
  for (auto& result : record.results) {
    const auto chunk = std::exchange(result.chunk, nullptr);
    if (!chunk) continue;
    --chunk->unwritten;
    end_if_over(*chunk, record);
  }
}

void Campaigns::end_if_over(const Chunk& chunk, Record& record) {
  if (chunk.unwritten == 0 && chunk.left.empty())
    (chunk.released ? record.released : record.finished).push_back(chunk.id);
}

void Campaigns::written(const Record& record) {
  if (!record.finished.empty()) metrics_.chunks_finished.Increment(static_cast<double>(record.finished.size()));
  for (const auto* ids : {&record.finished, &record.released})
    for (const auto& id : *ids)
      std::erase_if(chunks_, [&](const auto& chunk) {
        return chunk->id.first == id.first && chunk->id.campaign_id == id.campaign_id;
      });
}

}  // namespace parley::conversations::dispatch

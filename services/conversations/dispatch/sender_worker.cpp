#include "conversations/dispatch/sender_worker.hpp"

#include <algorithm>
#include <random>

#include "common/async/pause.hpp"
#include "conversations/channel/content.hpp"
#include "conversations/dispatch/classify.hpp"
#include "conversations/dispatch/record.hpp"

namespace parley::conversations::dispatch {

using namespace std::chrono_literals;
using OutcomeKind = channel::Outcome::Kind;

namespace {

constexpr auto kFreshness = 5s;  // maximum age of a claim to send by: later, others may have given it up
constexpr auto kFailurePause = 1s;
constexpr auto kRoundPause = 1s;
constexpr auto kMaxRest = 1s;
constexpr unsigned kMaxTroubles = 5;   // in a row, before only single messages are tried
constexpr auto kTroublePause = 500ms;  // the first pause; doubles
constexpr auto kMaxTroublePause = 30s;
constexpr auto kBlindPause = 1s;  // the first pause; doubles
constexpr unsigned kMaxBlindDoublings = 4;
constexpr double kClaimShare = 0.25;  // of a second's messages: bound of claims ahead of need
constexpr std::int64_t kMaxClaimed = 250;
constexpr std::int64_t kMinInFlight = 16;
constexpr std::size_t kMaxRecorded = 500;

double chance() {
  static std::minstd_rand generator{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

}  // namespace

void DispatchContext::failed(const std::string& what) {
  ++failures;
  process.log().warn("dispatch").with("error", what);
}

// Pauses longer each time. Failures of several numbers within one pause count once.
void DispatchContext::blind() {
  const auto now = std::chrono::steady_clock::now();
  if (now < blind_until) return;
  blind_until = now + kBlindPause * (1 << std::min(blindness++, kMaxBlindDoublings));
}

SenderWorker::SenderWorker(DispatchContext& context, NumberId id, Clock::time_point lease_end, bool abandoned,
                           bool stopped)
    : context_(context),
      id_(std::move(id)),
      lease_end_(lease_end),
      abandoned_(abandoned),
      probing_(stopped),
      pace_(context.settings.rate, Clock::now()),
      campaigns_(context.campaign_store, context.campaigns, context.settings, id_) {}

void SenderWorker::notify() { notified_.set(); }

void SenderWorker::lose() {
  if (!ending_) ++context_.lost;
  lost_ = true;
  end();
}

void SenderWorker::end() {
  ending_ = true;
  launched_.pulse();
  notify();
}

awaitable<void> SenderWorker::rest(Clock::duration time) {
  co_await notified_.wait(Clock::now() + time);
  notified_.reset();
}

awaitable<void> SenderWorker::run() {
  // Waits for the last requests of an owner that did not release the number.
  if (const auto until = Clock::now() + context_.settings.takeover_pause; abandoned_)
    while (!ending_ && Clock::now() < until) co_await rest(until - Clock::now());
  launching_ = true;
  context_.process.spawn("launching", launch_all());
  while (!ending_) {
    std::string failure;
    bool blind = false;
    try {
      co_await step();
    } catch (const http::Unreachable& error) {
      failure = error.what();
      blind = true;
    } catch (...) {
      failure = async::words_of(std::current_exception());
    }
    if (failure.empty()) continue;
    context_.failed(failure);
    if (blind) {
      context_.blind();
      end();
    }
    not_before_ = std::max(not_before_, Clock::now() + kFailurePause);
  }
  co_await finish();
}

awaitable<void> SenderWorker::step() {
  const auto now = Clock::now();
  if (now < not_before_) co_return co_await rest(not_before_ - now);
  if (now >= lease_end_) co_return co_await rest(kMaxRest);
  co_await campaigns_.look(unsettled_, !probing_);
  gather();
  auto room = this->room();
  full_ = room <= 0;
  if (full_) co_return co_await rest(campaigns_.any() ? campaigns_.rest() : kMaxRest);
  const auto account = co_await context_.accounts.of_phone_number(id_.phone_number_id);
  context_.blindness = 0;
  if (!account || account->organizationId != id_.organization_id) {
    const std::string why = "no messaging business account with this phone number is connected";
    unrecorded_.stop = Stop{{}, why};
    for (const auto& campaign : campaigns_.running()) unrecorded_.paused.emplace(campaign, why);
    start_recording();
    co_return end();
  }
  std::int64_t claimed = 0;
  if (now >= round_over_) claimed = co_await claim(room, account);
  if (claimed < room && !ending_) claimed += co_await make(room - claimed, account);
  if (claimed > 0) {
    last_work_ = Clock::now();
    co_return;
  }
  if (after_ != QueuePosition{}) co_return;
  const bool idle = unsettled_ == 0 && !campaigns_.any();
  if (idle && Clock::now() - last_work_ > context_.settings.idle_time) co_return end();
  co_await rest(campaigns_.any() ? campaigns_.rest() : kMaxRest);
}

// Returns how many more messages may be claimed: in batches, since small claims cost too much.
std::int64_t SenderWorker::room() const {
  const auto rate = static_cast<std::int64_t>(context_.settings.rate);
  const auto busy = static_cast<std::int64_t>(unsettled_);
  if (probing_ || troubles_ >= kMaxTroubles) return busy == 0 ? 1 : 0;
  const auto most = rate > 0 ? std::max(rate, kMinInFlight) : static_cast<std::int64_t>(context_.settings.in_flight);
  const auto share = rate > 0 ? static_cast<std::int64_t>(pace_.rate() * kClaimShare) : kMaxClaimed;
  const auto ahead = std::clamp<std::int64_t>(share, 1, kMaxClaimed);
  const auto ready = static_cast<std::int64_t>(singles_.size() + campaigns_messages_.size());
  const auto room = std::min(most - busy, ahead - ready);
  return room >= std::max<std::int64_t>(ahead / 2, 1) ? room : 0;
}

awaitable<std::int64_t> SenderWorker::claim(std::int64_t most, AccountPtr account) {
  const auto look = co_await context_.store.look(id_, after_, most);
  // The look passes over rows that wait for others, and comes round again; after a pause where there are many.
  const bool is_end = !look.edge && look.due.size() < static_cast<std::size_t>(most);
  if (is_end && look.due.empty() && after_ != QueuePosition{}) round_over_ = Clock::now() + kRoundPause;
  after_ = look.edge.value_or(is_end ? QueuePosition{} : after_);
  if (look.due.empty()) co_return 0;
  const auto claim = model::new_uuid();
  const auto made = Clock::now();
  bool unknown = false;
  std::vector<Item> items;
  try {
    items = co_await context_.store.claim(id_, context_.owner, claim, look.due);
  } catch (const pg::OutcomeUnknown&) {
    unknown = true;
  }
  if (unknown) {
    auto& claimed = unrecorded_.void_claims.emplace_back(VoidClaim{claim, {}}).messages;
    for (const auto& row : look.due) claimed.push_back(row.message_id);
    start_recording();
    throw pg::Unavailable("a claim's connection was lost");
  }
  unsettled_ += items.size();
  for (auto& item : items) singles_.push_back({std::move(item), claim, made, account});
  launched_.pulse();
  co_return static_cast<std::int64_t>(items.size());
}

// Campaigns' messages use the room that single ones leave.
awaitable<std::int64_t> SenderWorker::make(std::int64_t most, AccountPtr account) {
  const auto made_at = Clock::now();
  auto made = co_await campaigns_.make(most);
  gather();
  if (made.lost) lose();
  std::string failure;
  try {  // making took time: the campaign may be paused by now
    co_await campaigns_.look(unsettled_ + made.items.size(), !probing_);
  } catch (...) {
    failure = async::words_of(std::current_exception());
  }
  if (!failure.empty()) context_.failed(failure);
  gather();
  unsettled_ += made.items.size();
  for (auto& item : made.items) {
    const auto claim = item.message_id;
    campaigns_messages_.push_back({std::move(item), claim, made_at, account});
  }
  launched_.pulse();
  co_return static_cast<std::int64_t>(made.items.size());
}

// Collects what the campaigns have to record.
void SenderWorker::gather() {
  auto gathered = campaigns_.gather();
  if (is_empty(gathered)) return;
  unsettled_ += gathered.results.size();
  add_to(unrecorded_, std::move(gathered));
  start_recording();
}

// Begins to send claimed messages until launching ends.
awaitable<void> SenderWorker::launch_all() {
  const auto self = shared_from_this();
  while (launching_) {
    if (!singles_.empty() || !campaigns_messages_.empty()) {
      co_await launch();
      continue;
    }
    co_await launched_.wait();
  }
}

// Begins the next message. Puts it back if its claim is too old, its account has changed or its campaign stopped.
awaitable<void> SenderWorker::launch() {
  bool turn = false;
  const auto next = [this]() -> std::deque<Ready>& { return singles_.empty() ? campaigns_messages_ : singles_; };
  if (is_to_go(next().front())) turn = co_await wait_for_turn();
  auto ready = std::move(next().front());
  next().pop_front();
  if (full_ && room() > 0) notify();
  if (!turn || !is_to_go(ready)) {
    if (turn) context_.gate.leave();
    co_return add(put_back(ready.item, ready.claim, 0));
  }
  ++in_flight_;
  ++context_.in_flight;
  context_.process.spawn("sending", send(std::move(ready.item), ready.claim, std::move(ready.account)));
}

bool SenderWorker::is_to_go(const Ready& ready) const {
  return Clock::now() - ready.made <= kFreshness && context_.accounts.holds(ready.account) &&
         (!ready.item.chunk || campaigns_.runs(*ready.item.campaign_id));
}

// Waits for the number's rate, then for a place among all numbers. False: nothing more is to be begun.
awaitable<bool> SenderWorker::wait_for_turn() {
  const auto begin = Clock::now();
  for (;;) {
    if (ending_ || (troubles_ >= kMaxTroubles && Clock::now() < not_before_)) co_return false;
    const auto wait = pace_.take(Clock::now());
    if (wait == Clock::duration::zero()) break;
    co_await async::pause(wait);
  }
  co_await context_.gate.enter();
  context_.throttle_wait.Observe(std::chrono::duration<double>(Clock::now() - begin).count());
  co_return true;
}

awaitable<void> SenderWorker::send(Item item, model::Uuid claim, AccountPtr account) {
  const auto self = shared_from_this();
  std::string unfit;
  channel::Outcome outcome;
  try {
    outcome = co_await call(item, *account);
  } catch (const std::invalid_argument& error) {
    unfit = error.what();
  } catch (...) {
    outcome.error = async::words_of(std::current_exception());
  }
  auto result = unfit.empty() ? classify(item, claim, outcome, chance()) : give_up(item, claim, unfit);
  if (unfit.empty()) {
    count(item, outcome, result);
    learn(item, outcome, *account);
  }
  add(std::move(result));
  --in_flight_;
  --context_.in_flight;
  context_.gate.leave();
  if (ending_) notify();
}

awaitable<channel::Outcome> SenderWorker::call(const Item& item, const channel::Account& account) {
  if (item.gone) throw std::invalid_argument("the contact was deleted");
  if (item.suppressed) throw std::invalid_argument("the contact opted out or was blocked");
  if (item.duplicate) throw std::invalid_argument("the campaign goes to another contact that was merged with this one");
  if (item.kind == Kind::Receipt) {
    if (!item.channel_message_id) throw std::invalid_argument("the channel's id is not known");
    co_return co_await context_.client.mark_read(account, *item.channel_message_id);
  }
  auto body = channel::to_channel({.message_id = item.message_id,
                                   .recipient = item.recipient,
                                   .type = item.message_type.value(),
                                   .data = item.data.value().text,
                                   .reply_to_wamid = item.reply_to,
                                   .reaction_to_wamid = item.reaction_to});
  co_return co_await context_.client.send(account, std::move(body));
}

// Adjusts pace, pauses and stops of the number by the channel's answer, or its absence.
void SenderWorker::learn(const Item& item, const channel::Outcome& outcome, const channel::Account& account) {
  if (outcome.kind == OutcomeKind::in_doubt || outcome.kind == OutcomeKind::not_sent) {
    context_.process.log().warn("no answer of the channel's that tells").with("error", outcome.error);
    // attempts begun before the pause are no new trouble
    if (Clock::now() < not_before_ || ++troubles_ < kMaxTroubles) return;
    const auto pause = kTroublePause * (1 << std::min(troubles_ - kMaxTroubles, 10U));
    not_before_ = Clock::now() + std::min<Clock::duration>(pause, kMaxTroublePause);
    return;
  }
  troubles_ = 0;
  using channel::Reaction;
  const auto reaction = outcome.kind == OutcomeKind::refused ? outcome.refusal.reaction : Reaction::give_up;
  if (reaction == Reaction::slow_number) return pace_.slow_down(Clock::now());
  if (item.campaign_id && (reaction == Reaction::pause_campaign || reaction == Reaction::fail_campaign)) {
    unrecorded_.paused.emplace(*item.campaign_id, outcome.refusal.text);
    campaigns_.hold(*item.campaign_id);
  }
  if (reaction == Reaction::stop_account || reaction == Reaction::wait_for_maintenance) {
    if (reaction == Reaction::stop_account) context_.accounts.forget(account.organizationId);
    unrecorded_.stop = Stop{outcome.refusal.code, outcome.refusal.text};
    context_.process.log()
        .warn("a number is stopped")
        .with("organization_id", id_.organization_id)
        .with("code", outcome.refusal.code);
    return end();
  }
  if (std::exchange(probing_, false)) unrecorded_.unstop = true;
}

void SenderWorker::count(const Item& item, const channel::Outcome& outcome, const Result& result) {
  const bool refused = outcome.kind == OutcomeKind::refused;
  using Attempt = AttemptMetrics::Result;
  const auto reaction = outcome.refusal.reaction;
  const bool too_fast = reaction == channel::Reaction::slow_number || reaction == channel::Reaction::slow_recipient;
  const auto what = result.what == Result::What::sent       ? Attempt::sent
                    : result.what == Result::What::in_doubt ? Attempt::unknown
                    : result.what != Result::What::again    ? Attempt::failed
                    : !refused                              ? Attempt::not_sent
                    : too_fast                              ? Attempt::rate_limited
                                                            : Attempt::retried;
  context_.attempts.count(item.kind, what, refused ? std::optional(reaction) : std::nullopt);
}

void SenderWorker::add(Result result) {
  unrecorded_.results.push_back(std::move(result));
  start_recording();
}

void SenderWorker::start_recording() {
  if (recording_) return;
  recording_ = true;
  context_.process.spawn("recording", record());
}

// One transaction at a time; results outlive the number's lease, and are kept while the database is away.
awaitable<void> SenderWorker::record() {
  const auto self = shared_from_this();
  auto most = kMaxRecorded;
  while (!is_empty(unrecorded_)) {
    auto record = first_of(unrecorded_, most);
    campaigns_.close(record);
    record.owner = context_.owner;
    const bool done = co_await try_record(record);
    most = done ? kMaxRecorded : 1;
    if (!done) continue;
    unsettled_ -= record.results.size();
    campaigns_.written(record);
    notify();  // there is room, and messages that waited for these may go
  }
  recording_ = false;
  notify();
}

// Retries until done. False: the database refused the results together, and the caller tries each alone.
awaitable<bool> SenderWorker::try_record(Record& record) {
  for (;;) {
    std::string failure;
    bool refused = false;
    try {
      co_await context_.store.record(id_, record);
      co_return true;
    } catch (const pg::SqlError& error) {
      failure = error.what();
      refused = !error.is_temporary();  // a deadlock is temporary
    } catch (...) {
      failure = async::words_of(std::current_exception());
    }
    context_.failed(failure);
    if (refused && record.results.size() <= 1) co_return true;  // the row stays Sending, and so becomes in doubt
    if (refused) {
      put_in_front(std::move(record), unrecorded_);
      co_return false;
    }
    co_await async::pause(kFailurePause / 2);
  }
}

// Releases the number once nothing is in flight, so that the next owner need not pause.
awaitable<void> SenderWorker::finish() {
  campaigns_.release();
  gather();
  launched_.pulse();
  while (!singles_.empty() || !campaigns_messages_.empty() || in_flight_ > 0 || recording_) co_await rest(kMaxRest);
  launching_ = false;
  launched_.pulse();
  if (lost_) co_return;
  try {
    co_await context_.store.release(id_, context_.owner);
  } catch (...) {
    context_.failed(async::words_of(std::current_exception()));  // the lease expires instead
  }
}

}  // namespace parley::conversations::dispatch

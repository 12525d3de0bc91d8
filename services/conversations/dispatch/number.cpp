#include "conversations/dispatch/number.hpp"

#include <algorithm>
#include <random>

#include "conversations/channel/content.hpp"
#include "conversations/dispatch/judge.hpp"

namespace parley::conversations::dispatch {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using OutcomeKind = channel::Outcome::Kind;

namespace {

constexpr auto kFreshness = 5s;  // a claim older than that is not sent by: others may have given it up
constexpr auto kFailurePause = 1s;
constexpr auto kRoundPause = 1s;
constexpr auto kLongestRest = 1s;
constexpr unsigned kMostTroubles = 5;  // in a row, before messages are no more than tried one by one
constexpr auto kTroublePause = 500ms;  // the first; doubles
constexpr auto kLongestTroublePause = 30s;
constexpr double kClaimShare = 0.25;  // of a second's messages: what a claim takes at most, and a kill leaves in doubt
constexpr std::int64_t kMostClaimed = 250;
constexpr std::int64_t kLeastInFlight = 16;
constexpr std::size_t kMostRecorded = 500;

double chance() {
  static std::minstd_rand generator{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

Record first_of(Record& all, std::size_t most) {
  Record out = std::exchange(all, {});
  if (out.results.size() <= most) return out;
  const auto rest = out.results.begin() + static_cast<std::ptrdiff_t>(most);
  all.results.assign(std::make_move_iterator(rest), std::make_move_iterator(out.results.end()));
  out.results.erase(rest, out.results.end());
  return out;
}

void put_in_front(Record front, Record& all) {
  std::move(all.results.begin(), all.results.end(), std::back_inserter(front.results));
  std::move(all.void_claims.begin(), all.void_claims.end(), std::back_inserter(front.void_claims));
  if (all.stop) front.stop = std::move(all.stop);
  front.unstop = front.unstop || all.unstop;
  all = std::move(front);
}

bool is_empty(const Record& record) {
  return record.results.empty() && record.void_claims.empty() && !record.stop && !record.unstop;
}

}  // namespace

void Floor::failed(const std::string& what) {
  ++failures;
  process.log().warn("dispatch").with("error", what);
}

Number::Number(Floor& floor, NumberId id, Clock::time_point lease_end, bool abandoned, bool stopped)
    : floor_(floor),
      id_(std::move(id)),
      lease_end_(lease_end),
      abandoned_(abandoned),
      probing_(stopped),
      pace_(floor.settings.rate, Clock::now()),
      timer_(floor.process.context()) {}

void Number::kick() {
  kicked_ = true;
  timer_.cancel();
}

void Number::lose() {
  if (!ending_) ++floor_.lost;
  lost_ = true;
  end();
}

void Number::end() {
  ending_ = true;
  kick();
}

awaitable<void> Number::rest(Clock::duration time) {
  if (!std::exchange(kicked_, false)) {
    timer_.expires_after(time);
    co_await timer_.async_wait(asio::as_tuple(asio::deferred));
    kicked_ = false;
  }
}

awaitable<void> Number::run() {
  // What its former owner sent last is still on its way.
  if (const auto until = Clock::now() + floor_.settings.takeover_pause; abandoned_)
    while (!ending_ && Clock::now() < until) co_await rest(until - Clock::now());
  while (!ending_) {
    std::string failure;
    try {
      co_await step();
    } catch (const std::exception& error) {
      failure = error.what();
    }
    if (failure.empty()) continue;
    floor_.failed(failure);
    not_before_ = std::max(not_before_, Clock::now() + kFailurePause);
  }
  co_await finish();
}

awaitable<void> Number::step() {
  const auto now = Clock::now();
  const auto room = this->room();
  if (now < not_before_) co_return co_await rest(not_before_ - now);
  if (room <= 0 || now >= lease_end_) co_return co_await rest(kLongestRest);
  const auto account = co_await floor_.accounts.of_phone_number(id_.phone_number_id);
  if (!account || account->organizationId != id_.organization_id) {
    unrecorded_.stop = Stop{{}, "no messaging business account with this phone number is connected"};
    start_recording();
    co_return end();
  }
  // Campaigns' messages are to fill what single ones leave of the room.
  auto claimed = co_await claim(room);
  if (claimed.items.empty()) {
    if (after_ != Place{}) co_return;
    if (in_flight_ == 0 && Clock::now() - last_work_ > floor_.settings.idle_time) co_return end();
    co_return co_await rest(kLongestRest);
  }
  for (auto& item : claimed.items) co_await launch(std::move(item), claimed, account);
  last_work_ = Clock::now();
}

// How many more may be begun. What is not written down yet counts as on its way.
std::int64_t Number::room() const {
  const auto rate = static_cast<std::int64_t>(floor_.settings.rate);
  const auto busy = static_cast<std::int64_t>(in_flight_ + unrecorded_.results.size());
  if (probing_ || troubles_ >= kMostTroubles) return busy == 0 ? 1 : 0;
  const auto most = rate > 0 ? std::max(rate, kLeastInFlight) : static_cast<std::int64_t>(floor_.settings.in_flight);
  const auto share = rate > 0 ? static_cast<std::int64_t>(pace_.rate() * kClaimShare) : kMostClaimed;
  return std::min({most - busy, std::max<std::int64_t>(share, 1), kMostClaimed});
}

awaitable<Number::Claim> Number::claim(std::int64_t most) {
  Claim out;
  const auto look = co_await floor_.store.look(id_, after_, most);
  // Rows that wait for others are passed over, and come round again: after a while, where they are many.
  const bool is_end = !look.edge && look.due.size() < static_cast<std::size_t>(most);
  if (is_end && look.due.empty() && after_ != Place{}) not_before_ = Clock::now() + kRoundPause;
  after_ = look.edge.value_or(is_end ? Place{} : after_);
  if (look.due.empty()) co_return out;
  out.made = Clock::now();
  bool unknown = false;
  try {
    out.items = co_await floor_.store.claim(id_, floor_.owner, out.id, look.due);
  } catch (const pg::OutcomeUnknown&) {
    unknown = true;
  }
  if (unknown) {
    unrecorded_.void_claims.push_back(out.id);
    start_recording();
    throw pg::Unavailable("a claim's connection was lost");
  }
  co_return out;
}

awaitable<void> Number::launch(Item item, const Claim& claim, const AccountPtr& account) {
  const bool turn = co_await wait_for_turn();
  if (!turn || Clock::now() - claim.made > kFreshness) {
    if (turn) floor_.gate.leave();
    co_return add(put_back(item, claim.id, 0));
  }
  ++in_flight_;
  ++floor_.in_flight;
  floor_.process.spawn("sending", send(std::move(item), claim.id, account));
}

// For the number's, and then among all numbers. False: nothing more is to be begun.
awaitable<bool> Number::wait_for_turn() {
  const auto begin = Clock::now();
  for (;;) {
    if (ending_ || troubles_ >= kMostTroubles) co_return false;
    const auto wait = pace_.take(Clock::now());
    if (wait == Clock::duration::zero()) break;
    asio::steady_timer timer(floor_.process.context(), wait);
    co_await timer.async_wait(asio::as_tuple(asio::deferred));
  }
  co_await floor_.gate.enter();
  floor_.throttle_wait.Observe(std::chrono::duration<double>(Clock::now() - begin).count());
  co_return true;
}

awaitable<void> Number::send(Item item, model::Uuid claim, AccountPtr account) {
  const auto self = shared_from_this();
  std::string unfit;
  channel::Outcome outcome;
  try {
    outcome = co_await call(item, *account);
  } catch (const std::invalid_argument& error) {
    unfit = error.what();
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  auto result = unfit.empty() ? judge(item, claim, outcome, chance()) : give_up(item, claim, unfit);
  if (unfit.empty()) {
    count(item, outcome, result);
    learn(outcome, *account);
  }
  add(std::move(result));
  --in_flight_;
  --floor_.in_flight;
  floor_.gate.leave();
  kick();
}

awaitable<channel::Outcome> Number::call(const Item& item, const channel::Account& account) {
  if (item.gone) throw std::invalid_argument("the contact was deleted");
  if (item.kind == Kind::Receipt) {
    if (!item.channel_message_id) throw std::invalid_argument("the channel's id is not known");
    co_return co_await floor_.client.mark_read(account, *item.channel_message_id);
  }
  auto body = channel::to_channel({.message_id = item.message_id,
                                   .recipient = item.recipient,
                                   .type = item.message_type.value(),
                                   .data = item.data.value().text,
                                   .reply_to_wamid = item.reply_to,
                                   .reaction_to_wamid = item.reaction_to});
  co_return co_await floor_.client.send(account, std::move(body));
}

// What an answer, or that there was none, says of the number.
void Number::learn(const channel::Outcome& outcome, const channel::Account& account) {
  if (outcome.kind == OutcomeKind::in_doubt || outcome.kind == OutcomeKind::not_sent) {
    ++troubles_;
    floor_.process.log().warn("no answer of the channel's").with("error", outcome.error);
    if (troubles_ < kMostTroubles) return;
    const auto pause = kTroublePause * (1 << std::min(troubles_ - kMostTroubles, 10U));
    not_before_ = Clock::now() + std::min<Clock::duration>(pause, kLongestTroublePause);
    return;
  }
  troubles_ = 0;
  using channel::Reaction;
  const auto reaction = outcome.kind == OutcomeKind::refused ? outcome.refusal.reaction : Reaction::give_up;
  if (reaction == Reaction::slow_number) return pace_.slow_down(Clock::now());
  if (reaction == Reaction::stop_account || reaction == Reaction::wait_for_maintenance) {
    if (reaction == Reaction::stop_account) floor_.accounts.forget(account.organizationId);
    unrecorded_.stop = Stop{outcome.refusal.code, outcome.refusal.text};
    floor_.process.log()
        .warn("a number is stopped")
        .with("organization_id", id_.organization_id)
        .with("code", outcome.refusal.code);
    return end();
  }
  if (std::exchange(probing_, false)) unrecorded_.unstop = true;
}

void Number::count(const Item& item, const channel::Outcome& outcome, const Result& result) {
  const bool refused = outcome.kind == OutcomeKind::refused;
  const char* what = result.what == Result::What::sent       ? "sent"
                     : result.what == Result::What::in_doubt ? "unknown"
                     : result.what != Result::What::again    ? "failed"
                     : !refused                              ? "not_sent"
                     : outcome.refusal.reaction == channel::Reaction::slow_number ||
                             outcome.refusal.reaction == channel::Reaction::slow_recipient
                         ? "rate_limited"
                         : "retried";
  floor_.messages
      .Add({{"kind", std::string(model::name_of(item.kind))},
            {"result", what},
            {"class", refused ? std::string(model::name_of(outcome.refusal.reaction)) : ""}})
      .Increment();
}

void Number::add(Result result) {
  unrecorded_.results.push_back(std::move(result));
  start_recording();
}

void Number::start_recording() {
  if (recording_) return;
  recording_ = true;
  floor_.process.spawn("recording", record());
}

// What gathers during one transaction is written down by the next, until there is nothing more. Results outlive their
// number's lease, and are kept while the database is away.
awaitable<void> Number::record() {
  const auto self = shared_from_this();
  auto most = kMostRecorded;
  while (!is_empty(unrecorded_)) {
    auto record = first_of(unrecorded_, most);
    const bool done = co_await try_record(record);
    most = done ? kMostRecorded : 1;
  }
  recording_ = false;
  kick();  // who was waited for may be waited for no more
}

// Until it is done. False when the database refused these together: then each has its own try.
awaitable<bool> Number::try_record(Record& record) {
  for (;;) {
    std::string failure;
    bool refused = false;
    try {
      co_await floor_.store.record(id_, record);
      co_return true;
    } catch (const pg::SqlError& error) {
      failure = error.what();
      refused = !error.is_temporary();  // a deadlock is
    } catch (const std::exception& error) {
      failure = error.what();
    }
    floor_.failed(failure);
    if (refused && record.results.size() <= 1) co_return true;  // what it was stays Sending, and so becomes in doubt
    if (refused) {
      put_in_front(std::move(record), unrecorded_);
      co_return false;
    }
    asio::steady_timer timer(floor_.process.context(), kFailurePause / 2);
    co_await timer.async_wait(asio::as_tuple(asio::deferred));
  }
}

// The number is given back when nothing of it is left in the air: the next owner need not pause then.
awaitable<void> Number::finish() {
  while (in_flight_ > 0 || recording_) co_await rest(kLongestRest);
  if (lost_) co_return;
  try {
    co_await floor_.store.release(id_, floor_.owner);
  } catch (const std::exception& error) {
    floor_.failed(error.what());  // its lease runs out
  }
}

}  // namespace parley::conversations::dispatch

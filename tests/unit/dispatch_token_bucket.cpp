// How fast a number sends, and what becomes of an attempt.
#include <doctest/doctest.h>

#include <limits>

#include "conversations/dispatch/classify.hpp"
#include "conversations/dispatch/token_bucket.hpp"

using namespace parley;
using namespace parley::conversations;
using namespace parley::conversations::dispatch;
using namespace std::chrono_literals;
using What = Result::What;

namespace {

// How many are sent from `begin` on in so long, by one who asks whenever it is told to.
int sent_in(TokenBucket& pace, TokenBucket::Clock::time_point begin, TokenBucket::Clock::duration time) {
  int sent = 0;
  for (auto now = begin; now < begin + time;) {
    const auto wait = pace.take(now);
    sent += wait == 0s ? 1 : 0;
    now += wait;
  }
  return sent;
}

channel::Outcome refused(channel::Reaction reaction, std::int64_t code = 1) {
  return {.kind = channel::Outcome::Kind::refused, .refusal = {.code = code, .text = "no", .reaction = reaction}};
}

Item item_of(std::int64_t attempt, Kind kind = Kind::Message) {
  Item item;
  item.attempt = attempt;
  item.kind = kind;
  return item;
}

Result judged(const channel::Outcome& outcome, std::int64_t attempt = 1, Kind kind = Kind::Message) {
  return classify(item_of(attempt, kind), model::new_uuid(), outcome, 0);
}

}  // namespace

TEST_SUITE("unit: dispatch") {
  TEST_CASE("a pace: nothing saved at the beginning, never more than the rate in a second") {
    const TokenBucket::Clock::time_point begin{100s};
    TokenBucket pace(80, begin);
    CHECK(pace.take(begin) > 0s);
    const auto first = sent_in(pace, begin, 1s);
    CHECK(first >= 70);
    CHECK(first <= 72);
    CHECK(sent_in(pace, begin + 10s, 1s) <= 80);  // after a rest
    CHECK(sent_in(pace, begin + 11s, 10s) <= 720);
    TokenBucket slow(1, begin);
    CHECK(sent_in(slow, begin, 10s) >= 8);
    TokenBucket unlimited(0, begin);
    for (int i = 0; i < 1000; ++i) CHECK(unlimited.take(begin) == 0s);
  }

  TEST_CASE("a pace found too fast is halved for a minute, once a second at most, and recovers") {
    const TokenBucket::Clock::time_point begin{100s};
    TokenBucket pace(80, begin);
    for (int i = 0; i < 50; ++i) pace.slow_down(begin);
    CHECK(pace.rate() == 40);
    pace.slow_down(begin + 2s);
    CHECK(pace.rate() == 20);
    pace.take(begin + 61s);
    CHECK(pace.rate() == 20);
    pace.take(begin + 62s);
    CHECK(pace.rate() == 40);
    pace.take(begin + 122s);
    CHECK(pace.rate() == 80);
    for (int i = 0; i < 100; ++i) pace.slow_down(begin + 200s + i * 2s);
    CHECK(pace.rate() == 0.5);
  }

  TEST_CASE("what becomes of an attempt") {
    using channel::Reaction;
    using OutcomeKind = channel::Outcome::Kind;
    CHECK(judged({.kind = OutcomeKind::accepted, .channel_message_id = "w"}).what == What::sent);
    CHECK(judged({.kind = OutcomeKind::in_doubt}).what == What::in_doubt);
    CHECK(judged({.kind = OutcomeKind::in_doubt}, 1, Kind::Receipt).what == What::again);
    const auto not_sent = judged({.kind = OutcomeKind::not_sent}, 100);
    CHECK(not_sent.what == What::again);
    CHECK_FALSE(not_sent.counted);
    for (const auto reaction : {Reaction::give_up, Reaction::fail_campaign, Reaction::pause_campaign})
      CHECK(judged(refused(reaction)).what == What::failed);
    CHECK(judged(refused(Reaction::opted_out)).what == What::opted_out);
    for (const auto reaction : {Reaction::slow_number, Reaction::stop_account, Reaction::wait_for_maintenance}) {
      CHECK(judged(refused(reaction), 100).what == What::again);
      CHECK_FALSE(judged(refused(reaction), 100).counted);
    }
    for (const auto reaction : {Reaction::retry, Reaction::slow_recipient}) {
      CHECK(judged(refused(reaction), 9).what == What::again);
      CHECK(judged(refused(reaction), 9).counted);
      CHECK(judged(refused(reaction), 10).what == What::failed);
    }
    CHECK(judged(refused(Reaction::slow_recipient), 1).delay == 1'000);
    CHECK(judged(refused(Reaction::slow_recipient), 4).delay == 64'000);
    CHECK(judged(refused(Reaction::retry), 4).delay == 8'000);
    CHECK(*judged(refused(Reaction::give_up, std::numeric_limits<std::int64_t>::max())).code == 2'147'483'647);
  }
}

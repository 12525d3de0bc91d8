// Who has a turn, and whose share of the places is how large.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "common/async/shares.hpp"
#include "common/async/turns.hpp"

using namespace parley;

namespace {

using Turns = async::Turns<char, int>;

// "a1 b1": who comes next, and next, until nobody that may is left.
template <class May>
std::string order(Turns& turns, const May& may) {
  std::string out;
  while (const auto next = turns.next(may)) out += std::to_string(*next) + ' ';
  return out;
}
std::string order(Turns& turns) {
  return order(turns, [](char) { return true; });
}

}  // namespace

TEST_CASE("turns: who comes late waits for one of each line, not for all who came before") {
  Turns turns;
  for (int n = 1; n <= 4; ++n) turns.push('a', 10 + n);
  for (int n = 1; n <= 2; ++n) turns.push('b', 20 + n);
  CHECK(turns.next([](char) { return true; }) == 11);
  turns.push('c', 31);
  CHECK(turns.size() == 6);
  CHECK(turns.lines() == 3);
  CHECK(order(turns) == "21 12 31 22 13 14 ");
  CHECK(turns.empty());
  CHECK(turns.lines() == 0);
}

TEST_CASE("turns: who may not is passed over, and keeps the place in the line") {
  Turns turns;
  for (int n = 1; n <= 2; ++n) turns.push('a', 10 + n);
  for (int n = 1; n <= 2; ++n) turns.push('b', 20 + n);
  CHECK(order(turns, [](char key) { return key == 'b'; }) == "21 22 ");
  CHECK(order(turns) == "11 12 ");
}

TEST_CASE("turns: the line goes first that has been charged least, and who comes has no credit for the time before") {
  Turns turns;
  for (int n = 1; n <= 3; ++n) turns.push('a', 10 + n);
  for (int n = 1; n <= 2; ++n) turns.push('b', 20 + n);
  turns.charge('a', 5, 100);
  turns.charge('b', 1, 100);
  const auto next = [&] { return turns.next([](char) { return true; }); };
  CHECK(next() == 21);
  turns.charge('b', 1, 100);
  CHECK(next() == 22);
  turns.push('c', 31);  // as b was when it was served: 2
  turns.charge('c', 4, 100);
  CHECK(next() == 11);
  turns.push('b', 23);  // what it was charged before is less than what a had: it is a newcomer
  CHECK(next() == 12);
  CHECK(next() == 23);
  turns.charge('a', 0.5, 100);
  CHECK(order(turns) == "13 31 ");
  turns.charge('a', 9, 100);  // nobody waits: it does not count
  turns.push('a', 14);
  turns.push('b', 24);
  CHECK(order(turns) == "14 24 ");
}

TEST_CASE("turns: who was charged much waits for others no longer than for what may be owed") {
  Turns turns;
  for (int n = 1; n <= 3; ++n) turns.push('a', 10 + n);
  for (int n = 1; n <= 4; ++n) turns.push('b', 20 + n);
  turns.charge('a', 50, 2);
  const auto next = [&] {
    const auto out = turns.next([](char) { return true; });
    turns.charge('b', 1, 2);
    return out;
  };
  CHECK(next() == 21);
  CHECK(next() == 22);
  CHECK(next() == 11);
}

TEST_CASE("turns: where nobody more can wait the longest line's last goes, unless it would be the newcomer's own") {
  Turns turns;
  for (int n = 1; n <= 3; ++n) turns.push('a', 10 + n);
  turns.push('b', 21);
  CHECK_FALSE(turns.give_way('a'));
  CHECK(turns.give_way('c') == 13);
  CHECK_FALSE(turns.give_way('b'));  // as long, then
  CHECK(turns.give_way('c') == 12);
  CHECK_FALSE(turns.give_way('c'));
  CHECK(order(turns) == "11 21 ");
}

TEST_CASE("turns: one who gives up leaves the line, wherever it stands; some cannot be copied") {
  async::Turns<char, std::unique_ptr<int>> turns;
  for (int n = 1; n <= 3; ++n) turns.push('a', std::make_unique<int>(n));
  const auto is = [](int n) { return [n](const auto& waiter) { return *waiter == n; }; };
  CHECK(**turns.take_first(is(2)) == 2);
  CHECK_FALSE(turns.take_first(is(2)));
  int sum = 0;
  turns.for_each([&](const auto& waiter) { sum += *waiter; });
  CHECK(sum == 4);
}

TEST_CASE("shares: who is alone gets half, who comes later less, and who has none finds a place") {
  async::Shares<int> shares(64);
  const auto fill = [&](int key) {
    while (shares.may_take(key)) shares.take(key);
    return shares.of(key);
  };
  CHECK(fill(1) == 32);
  CHECK(fill(2) == 16);
  for (int key = 3; key <= 10; ++key) CHECK(fill(key) == 1);
  CHECK(shares.only_reserved());
  CHECK(shares.may_take(11));
  // As each gives some back, who has most gets less.
  for (int rounds = 0; rounds < 100; ++rounds)
    for (int key = 1; key <= 10; ++key) {
      if (shares.of(key) > 0) shares.give_back(key);
      if (shares.may_take(key)) shares.take(key);
    }
  CHECK(shares.of(1) < 32);
  for (int key = 1; key <= 10; ++key) CHECK(shares.of(key) >= 1);
  CHECK(shares.may_take(11));
}

TEST_CASE("shares: with a weight one gets all but one; nobody's are bounded by what is free alone") {
  async::Shares<int> shares(3, 2, 0);
  {
    const async::Slot one(shares, 1), two(shares, 1);
    CHECK_FALSE(shares.may_take(1));
    CHECK(shares.may_take(2));
    CHECK(shares.may_take(0));
    shares.take(0);
    CHECK_FALSE(shares.may_take(2));
    CHECK_FALSE(shares.may_take(0));
    shares.give_back(0);
  }
  CHECK(shares.taken() == 0);
  for (int n = 0; n < 3; ++n) {
    CHECK(shares.may_take(0));
    shares.take(0);
  }
  CHECK(shares.free() == 0);
}
